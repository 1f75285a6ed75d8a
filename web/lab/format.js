/** Numbers as the page prints them: real minus, grouped counts, exact zero as 0, tiny as <0.001. */

const MINUS = '\u2212';

/** @param {string} lang */
export function formatter(lang) {
  const cache = new Map();
  /** @param {number} digits @param {boolean} [trim] */
  const intl = (digits, trim) => {
    const key = `${digits}${trim}`;
    if (!cache.has(key)) {
      cache.set(key, new Intl.NumberFormat(lang, {
        minimumFractionDigits: trim ? 0 : digits, maximumFractionDigits: digits,
      }));
    }
    return cache.get(key);
  };
  const sign = (/** @type {string} */ s) => s.replace('-', MINUS);

  /** @param {number} x @param {number} [digits] fixed digits; non-finite values by name */
  const fixed = (x, digits = 3) => {
    if (Number.isNaN(x)) return 'NaN';
    if (!Number.isFinite(x)) return x < 0 ? `${MINUS}∞` : '∞';
    if (x === 0) return '0';
    const half = 0.5 * 10 ** -digits;
    if (Math.abs(x) < half) return x > 0 ? `<${intl(digits).format(10 ** -digits)}` : `>${MINUS}${intl(digits).format(10 ** -digits)}`;
    return sign(intl(digits).format(x));
  };
  return {
    fixed,
    /** With its sign, + too. @param {number} x @param {number} [digits] */
    signed: (x, digits = 3) => (x > 0 ? `+${fixed(x, digits)}` : fixed(x, digits)),
    /** As short as it goes: what a reader would type. @param {number} x @param {number} [digits] */
    short: (x, digits = 3) => sign(intl(digits, true).format(Object.is(x, -0) ? 0 : x)),
    /** @param {number} n grouped count */
    count: (n) => sign(intl(0).format(n)),
    /** @param {number} x share in whole percent */
    percent: (x) => `${intl(0).format(x * 100)}%`,
    /** @param {number} bytes a download, decimal units */
    bytes: (bytes) => units(bytes, 1000, ['B', 'kB', 'MB', 'GB'], intl),
    /** @param {number} bytes memory, binary units */
    memory: (bytes) => units(bytes, 1024, ['B', 'KiB', 'MiB', 'GiB'], intl),
    /** @param {number} ms */
    time: (ms) => (ms < 1000 ? `${intl(ms < 10 ? 2 : 0).format(ms)} ms` : `${intl(1).format(ms / 1000)} s`),
  };
}

/** @param {number} bytes @param {number} base @param {string[]} names @param {(digits: number) => Intl.NumberFormat} intl */
function units(bytes, base, names, intl) {
  let n = bytes;
  let i = 0;
  while (n >= base && i < names.length - 1) {
    n /= base;
    i += 1;
  }
  return `${intl(i === 0 ? 0 : names[i] === 'GB' || names[i] === 'GiB' ? 2 : 1).format(n)} ${names[i]}`;
}

/**
 * A number as a reader types it: either minus, decimal point or comma.
 * @param {string} typed @returns {number} NaN when it is none
 */
export function parseNumber(typed) {
  const plain = typed.trim().replace(MINUS, '-').replace(',', '.');
  return /^[-+]?(\d+\.?\d*|\.\d+)$/.test(plain) ? Number(plain) : Number.NaN;
}
