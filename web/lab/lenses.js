/** Heads as lenses: three kinds of question a head may ask, as rules, and how close a measured map comes to one. */

export const LENSES = /** @type {const} */ (['self', 'previous', 'determiner']);
/** @typedef {typeof LENSES[number]} Lens */

/** Below this share of attention on the rule's target a head counts as unclear. */
export const CLEAR = 0.5;

/** The key a query looks at under a rule; the determiner is the first token. @param {Lens} lens @param {number} i */
export function targetOf(lens, i) {
  return lens === 'self' ? i : lens === 'previous' ? Math.max(0, i - 1) : 0;
}

/** Strength of the pencil: 3 the target, 1 a little leaks, 0 nothing. @param {Lens} lens @param {number} i @param {number} j */
export function strength(lens, i, j) {
  if (j === targetOf(lens, i)) return 3;
  return (lens === 'self' ? i - j === 1 : i === j) ? 1 : 0;
}

/**
 * Mean share on the rule's target, over the queries where the three rules differ (from the third on).
 * @param {Lens} lens @param {{ shape: readonly number[], data: ArrayLike<number> }} probs (H, T, T) @param {number} head
 */
export function closeness(lens, { shape: [, T], data }, head) {
  let sum = 0;
  for (let i = 2; i < T; i += 1) sum += data[(head * T + i) * T + targetOf(lens, i)];
  return T > 2 ? sum / (T - 2) : 0;
}

/**
 * All heads of a run, closest first.
 * @param {Lens} lens @param {{ layer: number, probs: { shape: readonly number[], data: ArrayLike<number> } }[]} layers
 */
export function ranked(lens, layers) {
  return layers.flatMap(({ layer, probs }) => Array.from({ length: probs.shape[0] }, (_, head) => (
    { layer, head, share: closeness(lens, probs, head) }))).sort((a, b) => b.share - a.share);
}
