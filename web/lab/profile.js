/** A model by layer: how much of the attention lands on the first token, and how long its value is. */
import { firstTokenAttention, valueNormRatio } from './measure.js';

/** @typedef {{ layer: number, share: number, heads: number[], ratio: number }} Point */

/** First-token share of each head, by the same measure as the mean. @param {{ shape: number[], data: Float32Array }} probs (H, T, T) */
export function firstTokenByHead({ shape: [H, T, S], data }) {
  return Array.from({ length: H }, (_, h) => firstTokenAttention({ shape: [1, T, S], data: data.subarray(h * T * S, (h + 1) * T * S) }));
}

/** Layers that are done. @param {Record<string, any>[]} layers captures probs and v @param {number[]} full @returns {Point[]} */
export function profileOf(layers, full) {
  return full.filter((i) => layers[i]?.probs && layers[i].v).map((layer) => {
    const { probs, v } = layers[layer];
    return { layer, share: firstTokenAttention(probs), heads: firstTokenByHead(probs), ratio: valueNormRatio(v) };
  });
}

/**
 * What the first token gets if every query shares evenly among the keys it sees, by the same measure.
 * @param {number} tokens
 */
export function evenSplit(tokens) {
  let [sum, n] = [0, 0];
  for (let t = Math.ceil(tokens / 2); t < tokens; t += 1) {
    sum += 1 / (t + 1);
    n += 1;
  }
  return n ? sum / n : 1;
}

const mean = (/** @type {number[]} */ list) => list.reduce((a, b) => a + b, 0) / list.length;

/** @param {Point[]} points */
export const averages = (points) => ({ share: mean(points.map((p) => p.share)), ratio: mean(points.map((p) => p.ratio)) });

/**
 * Is the first token a bin without the gate, and mostly a word with one? A bin gets more than twice the even share and
 * has a value of less than half the length; a word gets less than half of that share and keeps its length.
 * @param {Point[]} gated @param {Point[]} ungated @param {number} tokens
 */
export function binWithoutGate(gated, ungated, tokens) {
  const [word, bin] = [averages(gated), averages(ungated)];
  return bin.share > 2 * evenSplit(tokens) && bin.ratio < 0.5 && word.share < bin.share / 2 && word.ratio > 0.5;
}

/** As the two chapters print them: shares of attention, value lengths against the mean. */
export const CITED = Object.freeze({
  even: 0.05,
  ungated: Object.freeze({ mean: 0.55, low: 0.4, high: 0.77, most: 20, layers: 28, ratioLow: 0.07, ratioHigh: 0.23 }),
  gated: Object.freeze({ mean: 0.12, high: 0.27 }),
  pair: Object.freeze({ before: 0.467, after: 0.048 }),
  gates: Object.freeze({ low: 0.07, high: 0.19 }),
});
