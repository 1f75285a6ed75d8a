/**
 * Numbers as the page prints them, and the one place where they become text: real minus, grouped counts, exact zero as
 * 0, tiny as <0.001 or −<0.001; what is no number by its name, without a unit.
 */

const MINUS = '\u2212';

/** @param {string} lang @param {string} [notANumber] */
export function formatter(lang, notANumber = 'NaN') {
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
  const sign = (/** @type {string} */ s) => (/^-0%?$/.test(s) ? s.slice(1) : s.replace('-', MINUS));
  /** Non-finite values by name, others as given. @param {number} x @param {() => string} print */
  const named = (x, print) => {
    if (Number.isNaN(x)) return notANumber;
    if (!Number.isFinite(x)) return x < 0 ? `${MINUS}∞` : '∞';
    return print();
  };

  /** @param {number} x @param {number} [digits] fixed digits */
  const fixed = (x, digits = 3) => named(x, () => {
    if (x === 0) return '0';
    const unit = 10 ** -digits;
    if (Math.abs(x) < unit / 2) return `${x < 0 ? MINUS : ''}<${intl(digits).format(unit)}`;
    return sign(intl(digits).format(x));
  });
  return {
    fixed,
    /** With its sign, + too. @param {number} x @param {number} [digits] */
    signed: (x, digits = 3) => (x > 0 ? `+${fixed(x, digits)}` : fixed(x, digits)),
    /** As short as it goes: what a reader would type. @param {number} x @param {number} [digits] */
    short: (x, digits = 3) => named(x, () => sign(intl(digits, true).format(x))),
    /** An error of rounding: 1.2e−7. @param {number} x */
    exponent: (x) => named(x, () => (x === 0 ? '0' : sign(x.toExponential(1)).replace('e-', `e${MINUS}`))),
    /** @param {number} n grouped count */
    count: (n) => named(n, () => sign(intl(0).format(n))),
    /** @param {number} x share in whole percent */
    percent: (x) => named(x, () => sign(`${intl(0).format(x * 100)}%`)),
    /** @param {number} bytes a download, decimal units */
    bytes: (bytes) => named(bytes, () => units(bytes, 1000, ['B', 'kB', 'MB', 'GB'], intl)),
    /** @param {number} bytes memory, binary units */
    memory: (bytes) => named(bytes, () => units(bytes, 1024, ['B', 'KiB', 'MiB', 'GiB'], intl)),
    /** A round amount of memory, as an axis marks it. @param {number} bytes */
    memoryMark: (bytes) => named(bytes,
      () => units(bytes, 1024, ['B', 'KiB', 'MiB', 'GiB'], (digits) => intl(digits, true))),
    /** @param {number} ms */
    time: (ms) => named(ms,
      () => (ms < 1000 ? `${intl(ms < 10 ? 2 : 0).format(ms)} ms` : `${intl(1).format(ms / 1000)} s`)),
  };
}

/** Two decimals and nothing else, as a book prints a matrix. @param {number} v */
export const asPrinted = (v) => v.toFixed(2);

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

/** What stands for zeros at the end of a typed number. @type {Record<string, number>} */
const TIMES = { k: 1e3, m: 1e6, 千: 1e3, 万: 1e4 };
const GROUPED = /^[1-9]\d{0,2}(?:[,' ]\d{3})+(?:\.\d*)?$/;

/**
 * A number as readers type it: any minus, full-width signs, decimal point or comma, thousands set apart by comma, space
 * or ', and k, m, 千 or 万 for zeros at its end.
 * @param {string} typed @returns {number} NaN when it is none
 */
export function parseNumber(typed) {
  const plain = typed.normalize('NFKC').replace(/[\s\u202f]+/g, ' ').trim().replace(/[’‘]/g, "'");
  const [, sign, digits, times = ''] = /^([-+\u2212\u2013]?) ?([\d.,' ]*?) ?([km千万]?)$/i.exec(plain) ?? [];
  if (digits === undefined) return Number.NaN;
  const number = GROUPED.test(digits) ? digits.replace(/[,' ]/g, '') : digits.replace(',', '.');
  if (!/^(?:\d+\.?\d*|\.\d+)$/.test(number)) return Number.NaN;
  const value = Number(number) * (TIMES[times.toLowerCase()] ?? 1);
  return /[-\u2212\u2013]/.test(sign) ? -value : value;
}
