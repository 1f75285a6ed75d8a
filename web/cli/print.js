/** Numbers as lines of text, for every command. */
import { visibleText } from '../lab/tokens.js';

/** @param {ArrayLike<number>} values @param {number} [digits] */
export const row = (values, digits = 3) => `[${Array.from(values, (x) => plain(x, digits)).join(', ')}]`;

/** As Python's round() prints it: no trailing zeros but one. @param {number} x @param {number} [digits] */
export function plain(x, digits = 3) {
  if (!Number.isFinite(x)) return x > 0 ? 'inf' : Number.isNaN(x) ? 'nan' : '-inf';
  const fixed = x.toFixed(digits).replace(/0+$/, '').replace(/\.$/, '.0');
  return /^-0\.?0*$/.test(fixed) ? fixed.slice(1) : fixed;
}

/** @param {number} x @param {number} [digits] with its sign */
export const signed = (x, digits = 3) => (x < 0 ? '' : '+') + x.toFixed(digits);

/** Columns that a terminal gives a text: two for CJK. @param {string} text */
export const columns = (text) => [...text].reduce((n, c) => n + (/[\u1100-\u115f\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe4f\uff00-\uff60\uffe0-\uffe6]|[\u{1f300}-\u{1faff}\u{20000}-\u{3fffd}]/u.test(c) ? 2 : 1), 0);

/** @param {string} text @param {number} width terminal columns */
export const pad = (text, width) => text + ' '.repeat(Math.max(0, width - columns(text)));

/** Row r of a matrix. @param {{ shape: number[], data: Float32Array }} m @param {number} r */
export const matrixRow = ({ shape, data }, r) => data.subarray(r * shape[1], (r + 1) * shape[1]);

/** 12,345,678 bytes as a person says it. @param {number} bytes */
export const mebibytes = (bytes) => `${(bytes / 2 ** 20).toFixed(1)} MiB`;

/** A token's text with what cannot be seen made visible. @param {{ text: string, bytes: Uint8Array }} piece */
export function visible({ text, bytes }) {
  if (text === '' || text.includes('\ufffd')) return `<${Array.from(bytes, (b) => b.toString(16).padStart(2, '0')).join(' ')}>`;
  return visibleText(text);
}
