/** Seeded normal numbers: the same seed gives the same vectors in every browser. */

/** mulberry32: 32 bits of state, uniform in [0, 1). @param {number} seed */
function uniform(seed) {
  let a = seed >>> 0;
  return () => {
    a = (a + 0x6d2b79f5) >>> 0;
    let t = Math.imul(a ^ (a >>> 15), a | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** n numbers of mean 0 and spread 1 (Box and Muller, 1958). @param {number} seed @param {number} n */
export function normals(seed, n) {
  const next = uniform(seed);
  return Float32Array.from({ length: n }, () => Math.sqrt(-2 * Math.log(1 - next())) * Math.cos(2 * Math.PI * next()));
}
