/** All rows at once: three queries, three keys, and the rule that nobody looks ahead. */
import { WORDS } from './toy.js';

/** @typedef {'scores' | 'mask' | 'softmax'} Mode */
/** @typedef {[number, number]} Point */

export const MODES = /** @type {Mode[]} */ (['scores', 'mask', 'softmax']);

/** @returns {{ keys: Point[], queries: Point[], mode: Mode }} */
export function freshMask() {
  return { keys: [[1, 0], [0, 1], [0.5, 0.5]], queries: [[0, 0], [3, 0], [0, 4]], mode: 'scores' };
}

/** Arguments of engine.attention; the values do not matter here. @param {{ keys: Point[], queries: Point[] }} state @param {boolean} causal */
export function maskArgs({ keys, queries }, causal) {
  return {
    q: new Float32Array(queries.flat()),
    k: new Float32Array(keys.flat()),
    v: new Float32Array(WORDS.length),
    queries: WORDS.length,
    keys: WORDS.length,
    dim: 2,
    valueDim: 1,
    causal,
  };
}

/** Is key j hidden from query i? */
export const hidden = (/** @type {number} */ i, /** @type {number} */ j) => j > i;
