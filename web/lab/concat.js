/** Heads glued and multiplied once, or multiplied one by one and added: the same arithmetic written twice. */
import { normals } from './random.js';

/** Head outputs of `dim` numbers, a stream of `width`: sizes that cannot be mistaken for each other. */
export const SIZES = { heads: 8, kvHeads: 2, dim: 3, width: 5 };

/** @typedef {{ seed: number, scales: number[], picked: number }} Mix  scales: what each head's output is multiplied by */

/** @returns {Mix} */
export const freshMix = () => ({ seed: 1, scales: new Array(SIZES.heads).fill(1), picked: 0 });

/** @param {Mix} mix @param {number} scale of the picked head @returns {Mix} */
export function scaled(mix, scale) {
  return { ...mix, scales: mix.scales.map((s, h) => (h === mix.picked ? scale : s)) };
}

/**
 * Everything the figure multiplies, from the seed.
 * @param {Mix} mix @returns {{ x: Float32Array, w: Float32Array }} x (heads·dim) scaled head outputs, w (heads·dim, width)
 */
export function operands({ seed, scales }) {
  const { heads, dim, width } = SIZES;
  const all = normals(seed, heads * dim * (1 + width));
  return {
    x: all.slice(0, heads * dim).map((value, i) => value * scales[Math.floor(i / dim)]),
    w: all.slice(heads * dim).map((value) => value / 4),
  };
}

/** Head h's slice of x and its strip of W_O. @param {{ x: Float32Array, w: Float32Array }} both @param {number} h */
export function strip({ x, w }, h) {
  const { dim, width } = SIZES;
  return { x: x.subarray(h * dim, (h + 1) * dim), w: w.subarray(h * dim * width, (h + 1) * dim * width) };
}

/** Arguments of engine.gate whose z is the product x·w; the gate itself is not used. @param {{ x: Float32Array, w: Float32Array }} both */
export function productArgs({ x, w }) {
  return { x, wGate: w, headOut: new Float32Array(SIZES.width), features: x.length, heads: 1, dim: SIZES.width };
}

/** The rows added up one after another, in single precision as the engine adds. @param {ArrayLike<number>[]} rows */
export function addUp(rows) {
  const sum = new Float32Array(rows[0].length);
  for (const row of rows) for (let i = 0; i < sum.length; i += 1) sum[i] += row[i];
  return sum;
}
