/** Contributions measured in a model: one layer run once for each head with the others silent, then added up. */
import { addUp } from './concat.js';
import { farthestOf } from './finite.js';
import { largestDifference } from './measure.js';

/** @typedef {{ shape: readonly number[], data: Float32Array }} Lines  (T, N) what a layer's mixer writes, token by token */
/** @typedef {{ whole: Lines, solos: Lines[] }} Runs  all heads speaking; by head, that head alone; solos grow as the runs end */

/** All heads of a layer silent but one, as the engine is told. @param {number} layer @param {number} head @param {number} heads */
export const soloEdits = (layer, head, heads) => (
  Array.from({ length: heads }, (_, h) => ({ layer, head: h, zero: true })).filter((edit) => edit.head !== head));

/** @param {Lines} lines @param {number} token */
const lineOf = ({ shape: [, N], data }, token) => data.subarray(token * N, (token + 1) * N);

/** @param {Float32Array} line */
const lengthOf = (line) => Math.sqrt(line.reduce((sum, v) => sum + v * v, 0));

/** @param {ArrayLike<number>[]} lines largest magnitude in any of them */
const largest = (lines) => farthestOf(lines.map((line) => farthestOf(Array.from(line))));

/**
 * The runs at one token. sum and difference wait for the last head.
 * @param {Runs} runs @param {number} token @param {number} heads
 */
export function contributions({ whole, solos }, token, heads) {
  const all = lineOf(whole, token);
  const parts = solos.map((lines) => lineOf(lines, token));
  const sum = parts.length === heads ? addUp(parts) : null;
  return {
    whole: all, parts, sum,
    lengths: parts.map(lengthOf), sumLength: sum && lengthOf(sum), length: lengthOf(all),
    difference: sum && largestDifference(all, sum),
    largest: largest([all]), max: largest([all, ...parts]) || 1,
  };
}

/** @typedef {ReturnType<typeof contributions>} Contributions */
