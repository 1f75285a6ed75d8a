/** A place on the page as an address keeps it: #f12&layer=15&heads=0,1 is figure 12 with two things set. */

/** @typedef {Record<string, string>} Kept  short names and plain values */
/** @typedef {readonly (string | number | boolean)[] | { min: number, max: number }} Allowed  a list, or whole numbers */

/** @param {string} hash @returns {{ figure: string, state: Kept } | null} null when it names no figure */
export function parsePlace(hash) {
  const [, figure, rest] = hash.match(/^#f(\d{1,3})((?:&.*)?)$/) ?? [];
  return figure ? { figure, state: Object.fromEntries(new URLSearchParams(rest.slice(1))) } : null;
}

/** Half of a pair, which no address can hold. */
const HALF = /\p{Cs}/gu;

/** @param {string | number} figure @param {Record<string, string | number | boolean>} [state] */
export function placeHash(figure, state = {}) {
  const word = (/** @type {string | number | boolean} */ v) => (
    encodeURIComponent(String(v === true ? 1 : v).replace(HALF, '\ufffd')).replaceAll('%2C', ','));
  return `#f${figure}${Object.entries(state).filter(([, v]) => v !== false).map(([name, v]) => `&${name}=${word(v)}`).join('')}`;
}

/**
 * A value out of an address, undefined when it is not one that is allowed.
 * @param {string} text @param {Allowed} allowed
 */
export function readValue(text, allowed) {
  if ('min' in allowed) {
    const n = /^-?\d+$/.test(text) ? Number(text) : Number.NaN;
    return n >= allowed.min && n <= allowed.max ? n : undefined;
  }
  return allowed.find((value) => String(value === true ? 1 : value) === text);
}
