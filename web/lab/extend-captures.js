/** Captures of a run, one append longer: what a session computed for new tokens is set behind what was there. */

/** @typedef {{ shape: number[], data: Float32Array }} Matrix */

const SQUARES = new Set(['scores', 'probs']);
/** The state after the last token: the newer one stands. */
const LATEST = new Set(['type', 'state', 'convState']);

/** (H, T, S) and (H, n, S + n) as (H, T + n, S + n); what the old rows cannot see stays masked. */
function squares(before, after, masked) {
  const [H, T, S] = before.shape;
  const [, n, all] = after.shape;
  const data = new Float32Array(H * (T + n) * all).fill(masked);
  for (let h = 0; h < H; h += 1) {
    for (let t = 0; t < T; t += 1) {
      const from = (h * T + t) * S;
      data.set(before.data.subarray(from, from + S), (h * (T + n) + t) * all);
    }
    data.set(after.data.subarray(h * n * all, (h + 1) * n * all), (h * (T + n) + T) * all);
  }
  return { shape: [H, T + n, all], data };
}

/** (T, …) and (n, …) as (T + n, …). */
function rows(before, after) {
  const data = new Float32Array(before.data.length + after.data.length);
  data.set(before.data);
  data.set(after.data, before.data.length);
  return { shape: [before.shape[0] + after.shape[0], ...before.shape.slice(1)], data };
}

/**
 * @param {Record<string, any>[]} before captures by layer of the tokens so far
 * @param {Record<string, any>[]} after captures by layer of the tokens appended
 * @returns {Record<string, any>[]}
 */
export function extendCaptures(before, after) {
  return before.map((captures, i) => Object.fromEntries(Object.entries(captures).map(([name, value]) => {
    const next = after[i][name];
    if (LATEST.has(name)) return [name, next];
    if (SQUARES.has(name)) return [name, squares(value, next, name === 'scores' ? -Infinity : 0)];
    return [name, rows(value, next)];
  })));
}
