/** What is measured on a run's captures: first-token attention, value lengths, gates, the next-token list. Pure. */

/** @typedef {{ shape: readonly number[], data: ArrayLike<number> }} Matrix */

/**
 * Mean share of the first token over heads and the second half of the queries (t >= T/2).
 * @param {Matrix} probs (H, T, T)
 */
export function firstTokenAttention({ shape: [H, T, S], data }) {
  let sum = 0;
  let n = 0;
  for (let h = 0; h < H; h++) {
    for (let t = Math.ceil(T / 2); t < T; t++) {
      sum += data[(h * T + t) * S];
      n++;
    }
  }
  return n ? sum / n : data[0];
}

/** Length of each token's value, averaged over K/V heads. @param {Matrix} v (T, K, d) @returns {number[]} (T) */
export function valueNorms({ shape: [T, K, d], data }) {
  return Array.from({ length: T }, (_, t) => {
    let sum = 0;
    for (let k = 0; k < K; k++) {
      let square = 0;
      for (let i = 0; i < d; i++) square += data[(t * K + k) * d + i] ** 2;
      sum += Math.sqrt(square);
    }
    return sum / K;
  });
}

/** |v of the first token| over the mean |v| of all tokens. @param {Matrix} v (T, K, d) */
export function valueNormRatio(v) {
  const norms = valueNorms(v);
  const mean = norms.reduce((a, b) => a + b, 0) / norms.length;
  if (!Number.isFinite(mean)) return Number.NaN;
  return mean ? norms[0] / mean : 1;
}

/** @param {Matrix} m */
export function meanOf({ data }) {
  let sum = 0;
  for (let i = 0; i < data.length; i++) sum += data[i];
  return sum / data.length;
}

/** Softmax, in double. @param {ArrayLike<number>} logits @returns {Float64Array} */
export function probabilities(logits) {
  let top = -Infinity;
  for (let i = 0; i < logits.length; i++) top = Math.max(top, logits[i]);
  const p = Float64Array.from(logits, (x) => Math.exp(x - top));
  const sum = p.reduce((a, b) => a + b, 0);
  return p.map((x) => x / sum);
}

/**
 * The most probable tokens, ties to the lower id; none where the scores are not all numbers, since nothing ranks then.
 * @param {ArrayLike<number>} logits @param {number} count
 * @returns {{ id: number, probability: number }[]}
 */
export function topTokens(logits, count) {
  const p = probabilities(logits);
  if (!p.every(Number.isFinite)) return [];
  return Array.from(p.keys()).sort((a, b) => p[b] - p[a] || a - b).slice(0, count)
    .map((id) => ({ id, probability: p[id] }));
}

/** KL(p || q) in nats of two logit rows: how much an intervention changed the guess; NaN where one is none. */
export function divergence(logitsP, logitsQ) {
  const p = probabilities(logitsP);
  const q = probabilities(logitsQ);
  return p.reduce((sum, x, i) => sum + (x === 0 ? q[i] * 0 : x * Math.log(x / Math.max(q[i], 1e-300))), 0);
}

/** Between numbers in the same place. @param {ArrayLike<number>} a @param {ArrayLike<number>} b as long as a */
export const largestDifference = (a, b) => Array.from(a).reduce((most, v, i) => Math.max(most, Math.abs(v - b[i])), 0);
