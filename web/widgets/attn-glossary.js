/** F33 Common questions, the words of the page, and four lines to take home. <attn-glossary figure="33"> */
import { css, html, nothing } from 'lit';
import { GROUPS, QUESTIONS, TAKEAWAYS, TERMS } from '../lab/glossary.js';
import { counted } from '../lab/quiz.js';
import { CITED } from '../lab/profile.js';
import { FigureElement } from './parts/figure.js';
import { figureLink } from './parts/figure-link.js';
import { birthMark } from './parts/marks.js';
import { journey } from './parts/place.js';
import { rich } from './parts/rich.js';

/** @typedef {import('../lab/text.js').Text} Text */

/** The question whose answer holds measured numbers. */
const WITH_NUMBERS = 2;

export class AttnGlossary extends FigureElement {
  static styles = [...FigureElement.styles, css`
    .plate { display: grid; gap: 28px; }
    h3, h4 { margin: 0 0 10px; font: 600 1.125rem/1.4 var(--attn-serif); }
    h4 { font: 600 0.8125rem/1.5 var(--attn-sans); color: var(--attn-ink2); margin: 0; padding-bottom: 6px; border-bottom: 1.5px solid var(--attn-ink); }
    details { background: var(--attn-paper); border: 1px solid var(--attn-rule); border-bottom: 0; }
    details:last-of-type { border-bottom: 1px solid var(--attn-rule); }
    summary { cursor: pointer; padding: 10px 16px; font-weight: 600; min-height: 44px; }
    summary::marker { color: var(--attn-hand); }
    details p { margin: 0; padding: 0 16px 14px 34px; max-width: 47rem; line-height: 1.6; }
    a { color: var(--attn-hand); white-space: nowrap; }
    .groups { columns: 2; column-gap: 32px; }
    .groups h4 { break-after: avoid; padding-top: 6px; }
    dl { margin: 0 0 16px; }
    dl > div { break-inside: avoid; padding: 8px 0; border-bottom: 1px solid var(--attn-rule); }
    dl > div.now { outline: 2px solid var(--attn-hand); outline-offset: 4px; }
    dt { font-weight: 600; }
    dt span { font-weight: 400; font-size: 0.8125rem; margin-inline-start: 10px; }
    dd { margin: 2px 0 0; font-size: 0.90625rem; line-height: 1.55; }
    .home { margin: 0; padding: 0; list-style: none; display: grid; gap: 10px; }
    .home li { display: flex; gap: 14px; font: 1.15625rem/1.5 var(--attn-serif); }
    .home li::before { content: '∴'; color: var(--attn-hand); font: 600 1.35rem/1.25 var(--attn-sans); }
    .home a { font: 0.875rem/1.5 var(--attn-sans); margin-inline-start: 8px; }
    figure:lang(zh) :is(dd, details p) { line-height: 1.75; }
    figure:lang(zh) .home li { font-size: 1.125rem; line-height: 1.7; }
    @container (max-width: 50rem) { .groups { columns: 1; } }
    @container (max-width: 36rem) { details p { padding-inline-start: 16px; } .home li { font-size: 1.0625rem; } }
  `];

  static properties = { ...FigureElement.properties, term: { state: true } };

  static keeps = /** @type {import('./parts/place.js').Keeps} */ ({ term: ['term', TERMS.map(({ key }) => key)] });

  constructor() {
    super();
    /** The entry that was asked for. */
    this.term = '';
  }

  get words() { return 'glossary'; }
  get mark() { return null; }

  reset() {
    this.term = '';
    for (const details of this.renderRoot.querySelectorAll('details')) details.open = false;
  }

  /** @param {Record<string, string>} given */
  async visit(given) {
    await super.visit(given);
    if (journey.returned) return;
    const entry = this.renderRoot.querySelector('.now');
    entry?.scrollIntoView({ block: 'center' });
    /** @type {HTMLElement | null} */ (entry)?.focus({ preventScroll: true });
  }

  /** @param {Text} t */
  #renderQuestions(t) {
    const { gated } = CITED;
    const numbers = { dim: t.count(counted().dim), mean: t.percent(gated.mean), high: t.percent(gated.high) };
    return html`<div><h3>${t('glossary.questions')}</h3>${QUESTIONS.map((figure, i) => html`<details><summary>${
      t(`glossary.question.${i}`)}</summary><p>${rich(t, `glossary.answer.${i}`, numbers)} ${figureLink(t, figure)} ${
      i === WITH_NUMBERS ? birthMark('cited', t('explain.source')) : nothing}</p></details>`)}</div>`;
  }

  /** @param {Text} t */
  #renderTerms(t) {
    const entry = (/** @type {import('../lab/glossary.js').Term} */ { key, name, figure }) => html`<div class=${key === this.term ? 'now' : ''} tabindex="-1">
      <dt>${name ?? t(`term.${key}.name`)}<span>${figureLink(t, figure)}</span></dt><dd>${rich(t, `term.${key}`)}</dd></div>`;
    return html`<div><h3>${t('glossary.terms')}</h3><div class="groups">${GROUPS.map(({ key, terms }) => html`<div>
      <h4>${t(`glossary.group.${key}`)}</h4><dl>${terms.map(entry)}</dl></div>`)}</div></div>`;
  }

  /** @param {Text} t */
  #renderHome(t) {
    const times = t.count(counted().times);
    return html`<div><h3>${t('glossary.home')}</h3><ol class="home">${TAKEAWAYS.map(({ figure, state }, i) => html`<li><span>${
      t(`glossary.home.${i}`, { times })} ${figureLink(t, figure, state)}</span></li>`)}</ol></div>`;
  }

  /** @param {Text} t */
  renderPlate(t) { return html`${this.#renderHome(t)}${this.#renderQuestions(t)}${this.#renderTerms(t)}`; }

  therefore() { return null; }
}
