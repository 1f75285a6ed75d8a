/** Two of the four additions to textbook attention as toys: a norm on q and k, and a rotation of a quarter of each head. */
import { normals } from './random.js';

/** Qwen3.5: 64 of 256 numbers turn, as 32 pairs. */
export const ROPE = { headDim: 256, rotary: 64, theta: 1e7 };
export const CLOCKS = ROPE.rotary / 2;
export const STILL = ROPE.headDim - ROPE.rotary;
/** Farthest distance the toy slides to. */
export const FARTHEST = 256;
export const LOUDEST = 30;
/** The question asks about a query this many times as long. */
export const TEN = 10;

/** The three-token toy's query and keys. */
const QUERY = [0, 4];
const KEYS = [1, 0, 0, 1, 0.5, 0.5];

/** x over its root mean square. @param {ArrayLike<number>} x */
export function rmsNorm(x) {
  const list = Array.from(x);
  const rms = Math.sqrt(list.reduce((sum, value) => sum + value * value, 0) / list.length);
  return list.map((value) => (rms === 0 ? 0 : value / rms));
}

/** Arguments of engine.attention for the query `times` as long. @param {number} times @param {boolean} normed */
export function loudArgs(times, normed) {
  const q = QUERY.map((value) => value * times);
  const keys = [0, 1, 2].map((i) => KEYS.slice(2 * i, 2 * i + 2));
  return {
    q: new Float32Array(normed ? rmsNorm(q) : q), k: new Float32Array(keys.flatMap((key) => (normed ? rmsNorm(key) : key))),
    v: new Float32Array(3), queries: 1, keys: 3, dim: 2, valueDim: 1,
  };
}

/** Arguments of engine.attention for the query at every whole length 1 .. LOUDEST. @param {boolean} normed */
export function louderArgs(normed) {
  const all = Array.from({ length: LOUDEST }, (_, i) => loudArgs(i + 1, normed));
  return { ...all[0], q: new Float32Array(all.flatMap(({ q }) => Array.from(q))), queries: LOUDEST };
}

/** The largest share of each row. @param {{ shape: number[], data: ArrayLike<number> }} probs (queries, keys) */
export function largestShares({ shape: [rows, cols], data }) {
  return Array.from({ length: rows }, (_, r) => Math.max(...Array.from({ length: cols }, (__, c) => data[r * cols + c])));
}

/** How far each clock has turned at a distance, in radians. @param {number} distance */
export function angles(distance) {
  return Array.from({ length: CLOCKS }, (_, i) => distance * ROPE.theta ** ((-2 * i) / ROPE.rotary));
}

/** A query and a key that like each other, of length 16 each as QK-Norm leaves them. */
export function pair() {
  const [a, b] = [normals(3, ROPE.headDim), normals(4, ROPE.headDim)];
  const [q, k] = [rmsNorm(a), rmsNorm(a.map((value, i) => 0.8 * value + 0.6 * b[i]))];
  return { q: new Float32Array(q), k: new Float32Array(k) };
}

/** The first numbers of x, pair by pair (i and i + 32) turned by its clock. @param {Float32Array} x @param {number} distance */
export function turned(x, distance) {
  const out = x.slice(0, ROPE.rotary);
  angles(distance).forEach((angle, i) => {
    const [cos, sin] = [Math.cos(angle), Math.sin(angle)];
    out[i] = x[i] * cos - x[i + CLOCKS] * sin;
    out[i + CLOCKS] = x[i + CLOCKS] * cos + x[i] * sin;
  });
  return out;
}

const SCALE = 1 / Math.sqrt(ROPE.headDim);

/** Arguments of engine.attention: the turning part of q·k/16 at every distance. @param {{ q: Float32Array, k: Float32Array }} both */
export function turningArgs({ q, k }) {
  const rows = FARTHEST + 1;
  const all = new Float32Array(rows * ROPE.rotary);
  for (let n = 0; n < rows; n += 1) all.set(turned(q, n), n * ROPE.rotary);
  return { q: all, k: k.slice(0, ROPE.rotary), v: [0], queries: rows, keys: 1, dim: ROPE.rotary, valueDim: 1, scale: SCALE };
}

/** The same for the part that no distance changes. @param {{ q: Float32Array, k: Float32Array }} both */
export function stillArgs({ q, k }) {
  return { q: q.slice(ROPE.rotary), k: k.slice(ROPE.rotary), v: [0], queries: 1, keys: 1, dim: STILL, valueDim: 1, scale: SCALE };
}
