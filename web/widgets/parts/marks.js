/** Birth marks: where a number comes from, by shape and word. */
import { html, svg } from 'lit';

/** @typedef {'live' | 'recorded' | 'counted' | 'cited' | 'illustration'} Mark */

const SHAPES = {
  live: svg`<circle cx="6" cy="6" r="4.5" fill="currentColor"></circle>`,
  recorded: svg`<circle cx="6" cy="6" r="5" fill="none" stroke="currentColor" stroke-width="1.5"></circle>
    <circle cx="6" cy="6" r="2.4" fill="currentColor"></circle>`,
  counted: svg`<path d="M1 4h10M1 8.5h10" stroke="currentColor" stroke-width="2"></path>`,
  cited: svg`<path d="M2 1v10M2 6h9" stroke="currentColor" stroke-width="1.8"></path>`,
  illustration: svg`<path d="M1 11l1-3 6-6 2 2-6 6zM7 3l2 2" fill="none" stroke="currentColor" stroke-width="1.2"></path>`,
};

/** @param {Mark} mark @param {string} words */
export function birthMark(mark, words) {
  return html`<span class="mark is-${mark}"><svg viewBox="0 0 12 12" aria-hidden="true">${SHAPES[mark]}</svg><span>${words.split(' · ')[0]}</span><span class="more">${
  words.split(' · ').slice(1).map((w) => ` · ${w}`)}</span></span>`;
}
