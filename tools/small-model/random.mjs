/**
 * The documented pseudo-random generator: 32-bit integers only, so every language gives the same numbers.
 *
 *     mix(h)    h ^= h>>>16; h *= 0x7feb352d; h ^= h>>>15; h *= 0x846ca68b; h ^= h>>>16   (mod 2^32)
 *     key       mix(fnv1a(name) ^ seed)
 *     u(i)      mix(key + i * 0x9e3779b9)
 *     value(i)  (2 * (u >>> 24) - 255) / 256, an odd multiple of 1/256 in (-1, 1): exact in BF16
 */

/** @param {number} h @returns {number} */
export function mix(h) {
  h = Math.imul(h ^ (h >>> 16), 0x7feb352d);
  h = Math.imul(h ^ (h >>> 15), 0x846ca68b);
  return (h ^ (h >>> 16)) >>> 0;
}

/** @param {string} text @returns {number} */
export function fnv1a(text) {
  let h = 0x811c9dc5;
  for (const byte of new TextEncoder().encode(text)) h = Math.imul(h ^ byte, 0x01000193);
  return h >>> 0;
}

/** The stream u(0), u(1), … of one name. @param {string} name @param {number} seed */
export function stream(name, seed) {
  const key = mix(fnv1a(name) ^ seed);
  return (/** @type {number} */ i) => mix(key + Math.imul(i, 0x9e3779b9));
}

/** n values in (-1, 1) that BF16 holds exactly. @param {string} name @param {number} seed @param {number} n */
export function values(name, seed, n) {
  const u = stream(name, seed);
  return Float64Array.from({ length: n }, (_, i) => (2 * (u(i) >>> 24) - 255) / 256);
}

/** Choices in a fixed order: the same seed makes the same choices. @param {string} name @param {number} seed */
export function createChoices(name, seed) {
  const u = stream(name, seed);
  let drawn = 0;
  const below = (/** @type {number} */ n) => Math.floor(u(drawn++) / 2 ** 32 * n);
  return {
    below,
    chance: (/** @type {number} */ share) => u(drawn++) / 2 ** 32 < share,
    /** @template T @param {readonly T[]} list @returns {T} */
    pick: (list) => list[below(list.length)],
    /** n different ones, in random order. @template T @param {readonly T[]} list @param {number} n @returns {T[]} */
    sample(list, n) {
      const rest = [...list];
      return Array.from({ length: n }, () => rest.splice(below(rest.length), 1)[0]);
    },
  };
}
