/** Comparing heads: how far apart two rows or two maps are, which head is most like another, how a map is shaded. */

import { falling, largestOf, rising } from './finite.js';

/** @typedef {{ shape: readonly number[], data: Float32Array }} Probs  (H, T, T) */
/** @typedef {{ rows: number, cols: number, data: Float32Array }} Square */
/** @typedef {'linear' | 'row' | 'log'} Scale */

export const SCALES = /** @type {const} */ (['linear', 'row', 'log']);
/** Bottom of the log scale. */
export const LOG_FLOOR = 1e-4;
/** Heads listed as nearest. */
const NEAREST = 5;

/** Half the summed difference of two rows: 0 the same, 1 nothing in common. @param {Square} a @param {Square} b @param {number} i */
export function rowDistance(a, b, i) {
  const from = i * a.cols;
  let sum = 0;
  for (let n = from; n <= from + i; n += 1) sum += Math.abs(a.data[n] - b.data[n]);
  return sum / 2;
}

/** Mean distance of the rows; the first, which has one key, is left out. @param {Square} a @param {Square} b */
export function mapDistance(a, b) {
  if (a.rows < 2) return 0;
  let sum = 0;
  for (let i = 1; i < a.rows; i += 1) sum += rowDistance(a, b, i);
  return sum / (a.rows - 1);
}

/** a − b, cell by cell. @param {Square} a @param {Square} b @returns {Square} */
export const difference = (a, b) => ({ ...a, data: a.data.map((x, n) => x - b.data[n]) });

/** @param {Probs} probs @param {number} head @returns {Square} */
function squareOf({ shape: [, T], data }, head) {
  return { rows: T, cols: T, data: data.subarray(head * T * T, (head + 1) * T * T) };
}

/**
 * The heads most like one, nearest first.
 * @param {{ layer: number, probs: Probs }[]} layers @param {number} layer @param {number} head
 * @returns {{ layer: number, head: number, distance: number }[]}
 */
export function nearestHeads(layers, layer, head) {
  const mine = layers.find((l) => l.layer === layer);
  if (!mine) return [];
  const map = squareOf(mine.probs, head);
  return layers.flatMap((l) => Array.from({ length: l.probs.shape[0] }, (_, h) => (
    { layer: l.layer, head: h, distance: mapDistance(map, squareOf(l.probs, h)) })))
    .filter((h) => h.layer !== layer || h.head !== head)
    .sort((a, b) => rising(a.distance, b.distance)).slice(0, NEAREST);
}

/**
 * The most looked-at keys of a row, most first; shares that are no numbers come before all: they spoil the row.
 * @param {Square} map @param {number} i @param {number} count
 */
export function topKeys({ cols, data }, i, count) {
  const row = data.subarray(i * cols, i * cols + i + 1);
  const known = (/** @type {number} */ j) => Number(Number.isFinite(row[j]));
  return Array.from(row.keys()).sort((a, b) => known(a) - known(b) || falling(row[a], row[b]) || a - b)
    .slice(0, count).map((col) => ({ col, share: row[col] }));
}

/** Largest visible value of some maps. @param {Square[]} maps @param {boolean} hideFirst */
function largest(maps, hideFirst) {
  const tops = maps.flatMap(({ rows, cols, data }) => Array.from({ length: rows }, (_, i) => (
    largestOf(data.subarray(i * cols + (hideFirst ? 1 : 0), i * cols + i + 1)))));
  return largestOf(tops);
}

/**
 * One value scale for several maps. `shade` turns a share into its place 0..1 on the colour bar; numbers stay what they are.
 * @param {Square[]} maps @param {Scale} scale @param {boolean} hideFirst
 * @returns {{ min: number, max: number, shadeOf: (map: Square) => (value: number, i: number) => number }}
 */
export function sharedScale(maps, scale, hideFirst) {
  const max = hideFirst ? largest(maps, true) || 1 : 1;
  if (scale === 'log') {
    const span = Math.log(max / LOG_FLOOR);
    return { min: LOG_FLOOR, max, shadeOf: () => (value) => Math.max(0, Math.log(value / LOG_FLOOR) / span) };
  }
  if (scale === 'linear') return { min: 0, max, shadeOf: () => (value) => value / max };
  return {
    min: 0,
    max: 1,
    shadeOf: ({ rows, cols, data }) => {
      const tops = Float32Array.from({ length: rows }, (_, i) => {
        return largestOf(data.subarray(i * cols + (hideFirst ? 1 : 0), i * cols + i + 1)) || 1;
      });
      return (value, i) => value / tops[i];
    },
  };
}

/**
 * The cut-out of a large map around a cell.
 * @param {Square} map @param {{ row: number, col: number }} centre @param {number} side
 * @returns {{ top: number, left: number, map: Square }}
 */
export function windowOf({ rows, cols, data }, { row, col }, side) {
  const n = Math.min(side, rows);
  const at = (/** @type {number} */ x, /** @type {number} */ size) => Math.max(0, Math.min(size - n, x - Math.floor(n / 2)));
  const [top, left] = [at(row, rows), at(col, cols)];
  const cut = new Float32Array(n * n);
  for (let i = 0; i < n; i += 1) cut.set(data.subarray((top + i) * cols + left, (top + i) * cols + left + n), i * n);
  return { top, left, map: { rows: n, cols: n, data: cut } };
}

/** Bytes of keys and values that so many tokens leave behind. @param {{ kvHeads: number, headDim: number }} config @param {number} layers with a table @param {number} tokens @param {number} bytes of one number */
export const cacheBytes = ({ kvHeads, headDim }, layers, tokens, bytes) => 2 * kvHeads * headDim * bytes * layers * tokens;
