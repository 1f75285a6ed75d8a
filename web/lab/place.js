/** A place on the page as an address keeps it: #f12&layer=15&heads=0,1 is figure 12 with two things set. */

/** @typedef {Record<string, string>} Kept  short names and plain values */
/** @typedef {string | number | boolean | null | undefined} Value  as placeHash writes it; false and nothing are left out */
/**
 * What a value may be: one of a list (0 in it: “no” is said, not left out) · a whole number · a number · numbers in rows
 * as `shape` has them · a text, so many characters at most · `flags` ticks · names out of `of`, any number of them.
 * @typedef {readonly (string | number | boolean)[] | { min: number, max: number } | { least: number, most: number }
 *   | { shape: readonly number[], least: number, most: number } | { text: number } | { flags: number }
 *   | { of: readonly string[] }} Allowed
 */

/** @param {string} hash @returns {{ figure: string, state: Kept } | null} null when it names no figure */
export function parsePlace(hash) {
  const [, figure, rest] = hash.match(/^#f(\d{1,3}[a-z]?)((?:&.*)?)$/) ?? [];
  return figure ? { figure, state: Object.fromEntries(new URLSearchParams(rest.slice(1))) } : null;
}

/** Half of a pair, which no address can hold. */
const HALF = /\p{Cs}/gu;

/** @param {string | number} figure @param {Record<string, Value>} [state] */
export function placeHash(figure, state = {}) {
  const word = (/** @type {Value} */ v) => (
    encodeURIComponent(String(v === true ? 1 : v).replace(HALF, '\ufffd')).replaceAll('%2C', ','));
  const said = Object.entries(state).filter(([, v]) => v !== false && v !== null && v !== undefined && v !== '');
  return `#f${figure}${said.map(([name, v]) => `&${name}=${word(v)}`).join('')}`;
}

/** A decimal number as people and String() write it. */
const DECIMAL = /^-?\d{1,20}(?:\.\d{1,20})?(?:e-\d{1,2})?$/;

/** @param {string} text @param {number} least @param {number} most */
function decimal(text, least, most) {
  const n = DECIMAL.test(text) ? Number(text) : Number.NaN;
  return n >= least && n <= most ? n : undefined;
}

/** @template T @param {T[]} list @param {readonly number[]} shape @returns {any} rows of rows */
function inRows(list, [_rows, ...inside]) {
  if (inside.length === 0) return list;
  const each = inside.reduce((a, b) => a * b, 1);
  return Array.from({ length: list.length / each }, (_, i) => inRows(list.slice(i * each, (i + 1) * each), inside));
}

/**
 * A value out of an address, undefined when it is not one that is allowed.
 * @param {string} text @param {Allowed} allowed
 */
export function readValue(text, allowed) {
  if (!('length' in allowed)) return readKind(text, allowed);
  return allowed.find((value) => String(value === true ? 1 : value) === text);
}

/** @param {string} text @param {Exclude<Allowed, readonly any[]>} allowed @returns {any} */
function readKind(text, allowed) {
  if ('shape' in allowed) {
    const found = text.split(',').map((part) => decimal(part, allowed.least, allowed.most));
    const fits = found.length === allowed.shape.reduce((a, b) => a * b, 1) && !found.includes(undefined);
    return fits ? inRows(found, allowed.shape) : undefined;
  }
  if ('least' in allowed) return decimal(text, allowed.least, allowed.most);
  if ('text' in allowed) return text.length > 0 && text.length <= allowed.text ? text : undefined;
  if ('flags' in allowed) {
    return text.length === allowed.flags && /^[01]+$/.test(text) ? Array.from(text, (c) => c === '1') : undefined;
  }
  if ('of' in allowed) {
    const found = text.split(',');
    return new Set(found).size === found.length && found.every((name) => allowed.of.includes(name)) ? found : undefined;
  }
  const n = /^-?\d+$/.test(text) ? Number(text) : Number.NaN;
  return n >= allowed.min && n <= allowed.max ? n : undefined;
}

/**
 * A value as an address holds it; nothing where it could not be read back.
 * @param {any} value @param {Allowed} allowed @returns {Value}
 */
export function wordOf(value, allowed) {
  if ('length' in allowed) return value === false && allowed.includes(0) ? 0 : value;
  if ('shape' in allowed) return value?.flat(Infinity).join();
  if ('flags' in allowed) return value?.some(Boolean) ? value.map(Number).join('') : undefined;
  if ('of' in allowed) return value && [...value].join();
  if ('text' in allowed) return value?.length > allowed.text ? undefined : value;
  return Number.isFinite(value) ? value : undefined;
}
