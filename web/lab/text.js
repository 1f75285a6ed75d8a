/**
 * Catalogue text: placeholders, emphasis and numbers.
 * A message may hold {name} placeholders, **strong** and `code`; nothing else is markup.
 */
import { formatter } from './format.js';

/** @typedef {{ text: string } | { code: string } | { strong: Segment[] } | { arg: string }} Segment */

/** @param {string} message @returns {Segment[]} */
export function segments(message) {
  /** @type {Segment[]} */
  const found = [];
  let from = 0;
  for (const match of message.matchAll(/\{(\w+)\}|\*\*(.+?)\*\*|`([^`]+)`/g)) {
    if (match.index > from) found.push({ text: message.slice(from, match.index) });
    if (match[1]) found.push({ arg: match[1] });
    else if (match[2]) found.push({ strong: segments(match[2]) });
    else found.push({ code: match[3] });
    from = match.index + match[0].length;
  }
  if (from < message.length) found.push({ text: message.slice(from) });
  return found;
}

/** @param {string} message @returns {string[]} names of its placeholders, sorted */
export function placeholders(message) {
  return [...message.matchAll(/\{(\w+)\}/g)].map((m) => m[1]).sort();
}

/**
 * The text of one language.
 * @param {string} lang @param {Record<string, string>} messages
 */
export function makeText(lang, messages) {
  const look = (/** @type {string} */ key) => {
    const message = messages[key];
    if (message === undefined) throw new Error(`no text for "${key}" in ${lang}`);
    return message;
  };
  /** @param {string} key @param {Record<string, string | number>} [args] plain string, markup removed */
  const t = (key, args = {}) => look(key)
    .replace(/\*\*(.+?)\*\*|`([^`]+)`/g, (_, strong, code) => strong ?? code)
    .replace(/\{(\w+)\}/g, (_, name) => String(args[name] ?? `{${name}}`));
  return Object.assign(t, {
    lang,
    has: (/** @type {string} */ key) => key in messages,
    segments: (/** @type {string} */ key) => segments(look(key)),
    ...formatter(lang, messages['number.none']),
  });
}

/** @typedef {ReturnType<typeof makeText>} Text */
