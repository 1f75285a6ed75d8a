/**
 * Catalogue text: placeholders, emphasis and numbers.
 * A message may hold {name} placeholders, **strong** and `code`, and {name:one|others}, the word for so many; nothing else
 * is markup.
 */
import { formatter } from './format.js';

/** @typedef {{ text: string } | { code: string } | { strong: Segment[] }
 *   | { arg: string, forms?: [one: string, others: string] }} Segment */

/** @param {string} message @returns {Segment[]} */
export function segments(message) {
  /** @type {Segment[]} */
  const found = [];
  let from = 0;
  for (const match of message.matchAll(/\{(\w+)(?::([^|}]*)\|([^}]*))?\}|\*\*(.+?)\*\*|`([^`]+)`/g)) {
    if (match.index > from) found.push({ text: message.slice(from, match.index) });
    const [, arg, one, others, strong, code] = match;
    if (arg) found.push(one === undefined ? { arg } : { arg, forms: [one, others] });
    else if (strong) found.push({ strong: segments(strong) });
    else found.push({ code });
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
  const rules = new Intl.PluralRules(lang);
  /** The word for so many, a number or its print. @param {unknown} n @param {string} one @param {string} others */
  const wordFor = (n, one, others) => (rules.select(Number(n)) === 'one' ? one : others);
  /** @param {string} key @param {Record<string, string | number>} [args] plain string, markup removed */
  const t = (key, args = {}) => look(key)
    .replace(/\*\*(.+?)\*\*|`([^`]+)`/g, (_, strong, code) => strong ?? code)
    .replace(/\{(\w+):([^|}]*)\|([^}]*)\}/g, (_, name, one, others) => wordFor(args[name], one, others))
    .replace(/\{(\w+)\}/g, (_, name) => String(args[name] ?? `{${name}}`));
  return Object.assign(t, {
    lang,
    wordFor,
    has: (/** @type {string} */ key) => key in messages,
    segments: (/** @type {string} */ key) => segments(look(key)),
    ...formatter(lang, messages['number.none']),
  });
}

/** @typedef {ReturnType<typeof makeText>} Text */
