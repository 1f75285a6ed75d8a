/** A figure's number in a text: a link where that figure is on the page, plain words where it is not. */
import { html } from 'lit';
import { placeHash } from '../../lab/place.js';

/**
 * @param {import('../../lab/text.js').Text} t @param {number} n
 * @param {Record<string, string | number | boolean>} [state] what it is to show there, as addresses say it
 */
export function figureLink(t, n, state = {}) {
  const words = t('frame.figure', { n });
  return document.querySelector(`[figure="${n}"]`) ? html`<a href=${placeHash(n, state)} @click=${again}>${words}</a>` : words;
}

/** An address that stands there already does not change: the figure is told all the same. @param {Event} event */
function again({ currentTarget }) {
  if (/** @type {HTMLAnchorElement} */ (currentTarget).hash === location.hash) dispatchEvent(new Event('hashchange'));
}
