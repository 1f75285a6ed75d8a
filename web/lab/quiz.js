/** Six questions: which answer is right, and which state of which figure proves it. */
import { QWEN } from './gqa.js';

/** @typedef {{ figure: number, state?: Record<string, string | number | boolean> }} Proof  state: see `keeps` of that figure */
/** @typedef {{ key: string, right: number, proofs: Proof[] }} Quiz */

/** Answers of every question. */
export const OPTIONS = 3;

/** Whole states, so that what the reader has changed there does not show something else. */
const sharing = (/** @type {number} */ g) => ({ h: QWEN.heads, d: QWEN.headDim, g, q: 0 });

/**
 * What a trained model would lose by sharing all keys is shown nowhere: averaging those of a model that was not trained
 * so says less. A gate at −6 lets a four-hundredth through; a first value moved home, and a query turned to it, add
 * nothing to the stream.
 * @type {readonly Quiz[]}
 */
export const QUIZZES = [
  { key: 'share', right: 1, proofs: [{ figure: 9, state: sharing(2) }] },
  { key: 'cache', right: 1, proofs: [{ figure: 9, state: sharing(2) }] },
  { key: 'why', right: 0, proofs: [{ figure: 9, state: { ...sharing(1), shown: true } }] },
  { key: 'silence', right: 2, proofs: [
    { figure: 18, state: { z: '-6,-6' } }, { figure: 23, state: { edits: 'shut.all.all' } },
  ] },
  { key: 'first', right: 1, proofs: [
    { figure: 2, state: { mode: 'mask', row: 2 } }, { figure: 16, state: { row: 2, q: '4,-4', v: '0,0' } },
  ] },
  { key: 'mqa', right: 2, proofs: [{ figure: 9, state: { ...sharing(1), shown: true } }] },
];

/** Numbers kept per token and layer, and how many times fewer than one notebook each. */
export function counted() {
  const { heads, kvHeads, headDim } = QWEN;
  const kept = (/** @type {number} */ groups) => 2 * groups * headDim;
  return { mha: kept(heads), gqa: kept(kvHeads), mqa: kept(1), times: heads / kvHeads, group: heads / kvHeads, heads, groups: kvHeads, dim: headDim };
}

/** The questions asked: all six, or the one that an attribute names by its number. @param {string | null | undefined} only */
export const asked = (only) => (/^[1-6]$/.test(only ?? '') ? [QUIZZES[Number(only) - 1]] : QUIZZES);
