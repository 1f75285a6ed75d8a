/**
 * Cures for a sum forced to be 1, on the toy's own scores. +1 and the sink score are one key more with value (0, 0), so the
 * engine computes them as they are; clipping stretches the engine's shares and cuts them, here in doubles.
 */
import { attend, attentionArgs } from './toy.js';
import { tapArgs } from './toy-scenes.js';

/** @typedef {'clipped' | 'plusOne' | 'sink' | 'gate'} Cure */
/** @typedef {[number, number]} Point */

/** The number each cure has, its range and where it starts; +1 has none. */
export const KNOBS = {
  clipped: { min: -1, max: 0, start: -0.6, step: 0.05 },
  plusOne: null,
  sink: { min: -6, max: 6, start: 4, step: 0.5 },
  gate: { min: -6, max: 6, start: -6, step: 0.5 },
};

/**
 * One key more, whose score is b whatever the query asks, with nothing to give.
 * @param {import('./toy.js').Toy} toy @param {number} b
 */
export function sinkArgs(toy, b) {
  const { q, k, v } = attentionArgs(toy);
  const scale = Math.SQRT1_2;
  const keys = k.length / 2;
  return {
    q: Float32Array.of(q[0], q[1], 1),
    k: Float32Array.from([...Array.from({ length: keys }, (_, i) => [k[2 * i], k[2 * i + 1], 0]).flat(), 0, 0, b / scale]),
    v: Float32Array.of(...v, 0, 0),
    queries: 1, keys: keys + 1, dim: 3, valueDim: 2, causal: false, scale,
  };
}

/** Shares stretched from 0..1 to gamma..1 and cut off at 0. @param {number[]} probs @param {number} gamma at most 0 */
export const clipped = (probs, gamma) => probs.map((p) => Math.min(1, Math.max(0, (1 - gamma) * p + gamma)));

/** @param {number[]} shares @param {Point[]} values @returns {Point} */
export const mixed = (shares, values) => /** @type {Point} */ ([0, 1].map((d) => shares.reduce((sum, p, i) => sum + p * values[i][d], 0)));

/**
 * @param {any} engine @param {import('./toy.js').Toy} toy @param {Cure} cure @param {number} knob
 * @returns {Promise<{ before: import('./toy.js').Result, shares: number[], sum: number, out: Point, gate?: number }>}
 *   shares of the tokens after the cure; what their sum lacks to 1 went to nobody
 */
export async function cured(engine, toy, cure, knob) {
  const before = await attend(engine, toy);
  let [shares, out] = [before.probs, before.out];
  let gate;
  if (cure === 'clipped') {
    shares = clipped(before.probs, knob);
    out = mixed(shares, toy.values);
  } else if (cure === 'gate') {
    const found = await engine.gate(tapArgs({ z: [knob, knob], split: false, step: 3 }, out));
    gate = found.gate.data[0];
    out = [found.out.data[0], found.out.data[1]];
  } else {
    const found = await engine.attention(sinkArgs(toy, cure === 'sink' ? knob : 0));
    shares = Array.from(found.probs.data.subarray(0, toy.keys.length), Number);
    out = [found.out.data[0], found.out.data[1]];
  }
  return { before, shares, sum: shares.reduce((a, b) => a + b, 0), out, gate };
}
