/** Published figures beside those on display: marked, with their source. */
import { css, html } from 'lit';
import { birthMark } from './marks.js';

export const PAPER = 'https://arxiv.org/abs/2505.06708';

/** @param {import('../../lab/text.js').Text} t @param {unknown} words what is cited, its source named */
export const cited = (t, words) => html`<span class="cited">${birthMark('cited', t('mark.cited'))} ${words}</span>`;

export const citedStyles = css`
  .cited { display: block; margin-top: 8px; }
  .cited .mark { margin-inline-end: 6px; padding: 0 6px; font-size: 0.75rem; color: var(--attn-ink2); vertical-align: 1px; }
  a { color: inherit; }
`;
