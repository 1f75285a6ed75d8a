/** Six questions: which answer is right, and which state of which figure proves it. */
import { QWEN } from './gqa.js';

/** @typedef {{ figure: number, state?: Record<string, string | number | boolean> }} Proof  state: see `keeps` of that figure */
/** @typedef {{ key: string, right: number, proofs: Proof[] }} Quiz */

/** Answers of every question. */
export const OPTIONS = 3;

/** @type {readonly Quiz[]} */
export const QUIZZES = [
  { key: 'share', right: 1, proofs: [{ figure: 9, state: { g: 2, q: 0 } }] },
  { key: 'cache', right: 1, proofs: [{ figure: 9, state: { g: 2 } }] },
  { key: 'why', right: 0, proofs: [{ figure: 9, state: { g: 1, shown: true } }, { figure: 23, state: { edits: 'shared.all.all' } }] },
  { key: 'silence', right: 2, proofs: [{ figure: 21 }, { figure: 23, state: { edits: 'shut.all.all' } }] },
  { key: 'first', right: 1, proofs: [{ figure: 2, state: { mode: 'mask', row: 2 } }, { figure: 16 }] },
  { key: 'mqa', right: 2, proofs: [{ figure: 9, state: { g: 1, shown: true } }] },
];

/** Numbers kept per token and layer, and how many times fewer than one notebook each. */
export function counted() {
  const { heads, kvHeads, headDim } = QWEN;
  const kept = (/** @type {number} */ groups) => 2 * groups * headDim;
  return { mha: kept(heads), gqa: kept(kvHeads), mqa: kept(1), times: heads / kvHeads, group: heads / kvHeads, heads, groups: kvHeads, dim: headDim };
}

/** The questions asked: all six, or the one that an attribute names by its number. @param {string | null | undefined} only */
export const asked = (only) => (/^[1-6]$/.test(only ?? '') ? [QUIZZES[Number(only) - 1]] : QUIZZES);
