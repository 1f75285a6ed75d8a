/** What stands in the place of what is still on its way, or did not come: in light DOM, before any element is. */
import arrival from '../../locales/arrival.js';
import { localeFor, nearestLang } from './language.js';

/** @typedef {{ label: string, run: () => void }} Remedy */

/** A word before its catalogue is here. @param {Element} place @param {string} key */
export function arrivalWord(place, key) {
  const words = /** @type {Record<string, Record<string, string>>} */ (arrival);
  return words[localeFor(nearestLang(place))][`arrival.${key}`];
}

/**
 * An element whose words the page says anew in another language.
 * @param {string} tag @param {Element} place @param {string} key
 */
function worded(tag, place, key) {
  const element = document.createElement(tag);
  element.dataset.t = `arrival.${key}`;
  element.textContent = arrivalWord(place, key);
  return element;
}

/** @param {Element} place */
function reloadLink(place) {
  const link = /** @type {HTMLAnchorElement} */ (worded('a', place, 'reload'));
  link.href = '';
  return link;
}

/** @param {Element} place */
export function sayComing(place) {
  const words = document.createElement('p');
  words.className = 'coming';
  words.append(worded('span', place, 'coming'), ' ', reloadLink(place));
  place.replaceChildren(words);
}

/**
 * A box that says what did not come, with a way to try again and one to load the page again: after a new edition of the
 * page the old file is gone for good.
 * @param {Element} place where its language is read @param {string} what key @param {() => void} retry
 */
export function lateBox(place, what, retry) {
  const box = document.createElement('div');
  box.className = 'late';
  box.setAttribute('role', 'alert');
  const title = document.createElement('strong');
  title.append('▲ ', worded('span', place, what));
  const button = /** @type {HTMLButtonElement} */ (worded('button', place, 'retry'));
  button.type = 'button';
  button.addEventListener('click', retry);
  const actions = document.createElement('p');
  actions.append(button, ' ', reloadLink(place));
  box.append(title, worded('p', place, `${what}.more`), actions);
  return box;
}

/** Once, when the connection is back. @param {() => void} retry */
export const whenOnline = (retry) => addEventListener('online', retry, { once: true });
