/** One real layer: what is asked of a folder, what is counted from its config, what a head's matrix says. */
import { argmax } from './toy.js';

export const PROMPT = '今天天气不错，我们去公园';
/** The first full-attention layer where every fourth layer is one. */
export const FIRST_FULL = 3;
/** Beyond this many tokens a sentence is refused, by tokens and not by characters. */
export const MOST_TOKENS = 1024;

/** @typedef {{ hidden: number, heads: number, kvHeads: number, headDim: number, gated: boolean }} Config */

/** Parameters of one attention mixer and numbers kept per token, with and without sharing. @param {Config} config */
export function layerCounts({ hidden, heads, kvHeads, headDim, gated }) {
  const query = hidden * heads * headDim * (gated ? 2 : 1);
  return {
    query,
    total: query + 2 * hidden * kvHeads * headDim + heads * headDim * hidden + 2 * headDim,
    kept: 2 * kvHeads * headDim,
    keptMHA: 2 * heads * headDim,
  };
}

/**
 * One head's square of an (H, T, T) capture.
 * @param {{ shape: number[], data: Float32Array }} probs @param {number} head
 */
export function headMatrix({ shape, data }, head) {
  const T = shape[1];
  return { rows: T, cols: T, data: data.subarray(head * T * T, (head + 1) * T * T) };
}

/**
 * Where row i looks most, among the keys it can see; a share that is no number stands for the row.
 * @param {{ cols: number, data: Float32Array }} matrix @param {number} i
 */
export function topOfRow({ cols, data }, i) {
  const row = data.subarray(i * cols, i * cols + i + 1);
  const none = row.findIndex((share) => !Number.isFinite(share));
  const col = none < 0 ? argmax(row) : none;
  return { col, share: row[col] };
}

/** Mean of all gates, if the model has any. @param {{ data: Float32Array } | undefined} gate */
export function meanGate(gate) {
  if (!gate) return Number.NaN;
  let sum = 0;
  for (const g of gate.data) sum += g;
  return sum / gate.data.length;
}
