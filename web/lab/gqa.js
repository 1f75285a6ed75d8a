/** Sharing keys: which head reads which notebook, and which numbers of notebooks are possible. */

export const QWEN = { heads: 8, headDim: 256, kvHeads: 2, layers: 6 };

/** @param {number} n @returns {number[]} divisors in rising order */
export function divisors(n) {
  return Array.from({ length: n }, (_, i) => i + 1).filter((d) => n % d === 0);
}

/** @param {number} n @returns {number[]} numbers below n that do not divide it */
export function nonDivisors(n) {
  return Array.from({ length: n }, (_, i) => i + 1).filter((d) => n % d !== 0);
}

/** The notebook head h reads: floor(h / (heads / groups)). */
export const groupOf = (/** @type {number} */ h, /** @type {number} */ heads, /** @type {number} */ groups) => (
  Math.floor(h / (heads / groups)));
