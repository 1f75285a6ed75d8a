/**
 * The one source of chance: an integer generator that gives the same numbers in every browser and on every machine.
 *
 *     mix(h)  h ^= h >>> 16;  h *= 0x7feb352d;  h ^= h >>> 15;  h *= 0x846ca68b;  h ^= h >>> 16        (mod 2^32)
 *     key     mix(fnv1a(name) ^ seed), fnv1a over the name's UTF-8 bytes, offset basis 0x811c9dc5, prime 0x01000193
 *     draw i  mix(key + i * 0x9e3779b9), i = 0, 1, 2 …
 *
 * What is made of the draws uses only + - * / and comparisons, which round alike everywhere; Math.log or Math.cos may
 * differ in the last bit between engines.
 */
function mix(h) {
  h = Math.imul(h ^ (h >>> 16), 0x7feb352d);
  h = Math.imul(h ^ (h >>> 15), 0x846ca68b);
  return (h ^ (h >>> 16)) >>> 0;
}

function fnv1a(text) {
  let h = 0x811c9dc5;
  for (const byte of new TextEncoder().encode(text)) h = Math.imul(h ^ byte, 0x01000193);
  return h >>> 0;
}

/** A stream of draws with a name, so that one more draw in one place changes nothing in another. */
export class Random {
  #key;
  #i = 0;

  /** @param {string} name @param {number} seed a whole number below 2^32 */
  constructor(name, seed) {
    this.#key = mix(fnv1a(name) ^ seed);
  }

  /** Uniform in [0, 1), a multiple of 2^-32. */
  uniform() {
    const i = this.#i++;
    return mix((this.#key + Math.imul(i, 0x9e3779b9)) | 0) / 2 ** 32;
  }

  /** Uniform among 0 … n-1. @param {number} n */
  below(n) {
    return Math.floor(this.uniform() * n);
  }

  /** Mean 0, deviation 1, within ±6: the sum of twelve uniform draws, less 6. */
  normal() {
    let sum = -6;
    for (let i = 0; i < 12; i++) sum += this.uniform();
    return sum;
  }
}
