/** Heads as lenses: three kinds of question a head may ask, as rules, and how close a measured map comes to one. */

import { falling } from './finite.js';

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
 * @typedef {Lens | 'sink'} Look  what a measured head may be found to do; a sink looks at the first token, whatever it
 *   is
 */
/** @typedef {{ text: string }} Piece */
/** @typedef {{ shape: readonly number[], data: ArrayLike<number> }} Probs  (H, T, T) */

export const LOOKS = /** @type {const} */ ([...LENSES, 'sink']);

const ARTICLE = /^(?:the|an?|this|that|these|those|[这那][个只些本位种条张]?|[该此某])$/i;
const IN_WORD = /^[\p{Script=Latin}\p{M}\p{N}'’]/u;

/** Tokens that are an article as a whole word. @param {readonly Piece[]} pieces @returns {number[]} */
export function articlesOf(pieces) {
  const text = (/** @type {number} */ i) => pieces[i]?.text ?? '';
  const begins = (/** @type {number} */ i) => (
    i === 0 || !IN_WORD.test(text(i)) || !/[\p{Script=Latin}\p{M}\p{N}'’]$/u.test(text(i - 1)));
  return Array.from(pieces.keys()).filter((i) => ARTICLE.test(text(i).trim()) && begins(i)
    && (!/[a-z]$/i.test(text(i)) || !IN_WORD.test(text(i + 1))));
}

/**
 * The key that a look names for each query, -1 where the query cannot tell: the first two see too little, and an article
 * that is the first token or the word before would be counted as a sink or as the word before.
 * @param {Look} look @param {number} tokens @param {readonly number[]} articles
 * @returns {number[]}
 */
export function targetsOf(look, tokens, articles) {
  return Array.from({ length: tokens }, (_, i) => {
    if (i < 2) return -1;
    if (look === 'sink') return 0;
    return look === 'determiner' ? articles.filter((a) => a > 0 && a < i - 1).at(-1) ?? -1 : targetOf(look, i);
  });
}

/**
 * Mean share on the keys that a look names; NaN where no query of the text can tell.
 * @param {Look} look @param {Probs} probs @param {number} head @param {readonly number[]} articles
 */
export function closeness(look, { shape: [, T], data }, head, articles) {
  let [sum, n] = [0, 0];
  targetsOf(look, T, articles).forEach((target, i) => {
    if (target < 0) return;
    sum += data[(head * T + i) * T + target];
    n += 1;
  });
  return n ? sum / n : Number.NaN;
}

/**
 * What a head is seen to do on a text: the look it comes closest to, if that has half its attention.
 * @param {Probs} probs @param {number} head @param {readonly number[]} articles @returns {Look | 'unclear'}
 */
export function lookOf(probs, head, articles) {
  const shares = LOOKS.map((look) => ({ look, share: closeness(look, probs, head, articles) }));
  const best = shares.sort((a, b) => falling(a.share, b.share))[0];
  return best.share >= CLEAR ? best.look : 'unclear';
}

/**
 * All heads of a run, closest to a look first, each with what it is seen to do; none where the text cannot tell.
 * @param {Look} look @param {{ layer: number, probs: Probs }[]} layers @param {readonly Piece[]} pieces
 */
export function ranked(look, layers, pieces) {
  const articles = articlesOf(pieces);
  if (targetsOf(look, pieces.length, articles).every((target) => target < 0)) return [];
  return layers.flatMap(({ layer, probs }) => Array.from({ length: probs.shape[0] }, (_, head) => (
    { layer, head, share: closeness(look, probs, head, articles), look: lookOf(probs, head, articles) })))
    .sort((a, b) => falling(a.share, b.share));
}
