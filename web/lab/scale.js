/** Why divide by √d: queries against 64 keys of any width, all numbers normal with spread 1. */
import { normals } from './random.js';

export const KEYS = 64;
/** The first is on display; the curve is the mean of all. */
export const QUERIES = 16;
export const WIDEST = 256;
/** Widths the curve is drawn through. */
export const DIMS = [2, 4, 8, 16, 32, 64, 128, 256];
/** Half of the score axis, and the width of a bin on it. */
export const REACH = 52;
export const BIN = 2;

/** Shifts the seeds so that seed 1 shows a usual draw; the mean beside it is over QUERIES draws in any case. */
const FIRST = 2;

/** A narrower vector is the beginning of the wide one, so that a dragged d changes the scores by little. @param {number} seed */
export function vectors(seed) {
  const all = normals(seed + FIRST, (QUERIES + KEYS) * WIDEST);
  return { q: all.subarray(0, QUERIES * WIDEST), k: all.subarray(QUERIES * WIDEST) };
}

/** The first `dim` columns of (rows, WIDEST). @param {Float32Array} wide @param {number} rows @param {number} dim */
function narrowed(wide, rows, dim) {
  const out = new Float32Array(rows * dim);
  for (let i = 0; i < rows; i += 1) out.set(wide.subarray(i * WIDEST, i * WIDEST + dim), i * dim);
  return out;
}

/** Arguments of engine.attention. @param {{ q: Float32Array, k: Float32Array }} wide @param {number} dim @param {boolean} divide */
export function scaleArgs({ q, k }, dim, divide) {
  return {
    q: narrowed(q, QUERIES, dim), k: narrowed(k, KEYS, dim), v: new Float32Array(KEYS), queries: QUERIES, keys: KEYS, dim,
    valueDim: 1, scale: divide ? 1 / Math.sqrt(dim) : 1,
  };
}

/** Root of the mean square: how far from 0 a score usually lies. @param {ArrayLike<number>} scores */
export function spread(scores) {
  return Math.sqrt(Array.from(scores).reduce((sum, s) => sum + s * s, 0) / scores.length);
}

/** How many scores fall into each bin; those beyond the axis count at its ends. @param {ArrayLike<number>} scores */
export function histogram(scores) {
  const bins = new Array((2 * REACH) / BIN).fill(0);
  for (const s of Array.from(scores)) {
    bins[Math.min(bins.length - 1, Math.max(0, Math.floor((s + REACH) / BIN)))] += 1;
  }
  return bins;
}

/** @param {ArrayLike<number>} probs one row */
export const topShare = (probs) => Math.max(...Array.from(probs));

/** Mean of the largest shares of all rows. @param {{ data: Float32Array }} probs (queries, keys) */
export function meanTop({ data }) {
  let sum = 0;
  for (let i = 0; i < QUERIES; i += 1) sum += topShare(data.subarray(i * KEYS, (i + 1) * KEYS));
  return sum / QUERIES;
}
