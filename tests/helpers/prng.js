/**
 * The documented integer generator of the golden data (tests/golden/layer_*.json, field `prng`): the same numbers in
 * every language, so no weights need to be stored.
 */
const mix = (h) => {
  h = Math.imul(h ^ (h >>> 16), 0x7feb352d);
  h = Math.imul(h ^ (h >>> 15), 0x846ca68b);
  return (h ^ (h >>> 16)) >>> 0;
};

const utf8 = new TextEncoder();

/** FNV-1a. @param {Iterable<number>} bytes */
export function fnv1a(bytes) {
  let h = 0x811c9dc5;
  for (const byte of bytes) h = Math.imul(h ^ byte, 0x01000193);
  return h >>> 0;
}

export const generatorKey = (name, seed) => mix(fnv1a(utf8.encode(name)) ^ seed);
export const draw = (k, i) => mix((k + Math.imul(i, 0x9e3779b9)) | 0);

/** n numbers offset + 2^exp2 * val8: exact in bf16, f16 and f32 while they stay within 8 bits of each other. */
export function val8(name, seed, n, { offset = 0, exp2 = 0 } = {}) {
  const k = generatorKey(name, seed);
  const scale = 2 ** exp2 / 256;
  return Float32Array.from({ length: n }, (_, i) => offset + scale * (2 * (draw(k, i) >>> 24) - 255));
}

/** n floats in (-scale, scale) with all 24 bits in use. */
export function random(name, n, scale = 1) {
  const k = generatorKey(name, 1);
  return Float32Array.from({ length: n }, (_, i) => scale * ((2 * (draw(k, i) >>> 8) - 16777215) / 16777216));
}

/** Bits of the nearest bf16 (ties to even). @param {Float32Array} values @returns {Uint16Array} */
export function toBf16(values) {
  const bits = new Uint32Array(Float32Array.from(values).buffer);
  return Uint16Array.from(bits, (u) => (u + 0x7fff + ((u >>> 16) & 1)) >>> 16);
}

/** Number of a bf16's bits. */
export const fromBf16 = (bits) => new Float32Array(Uint32Array.of(bits << 16).buffer)[0];

/** Number of an IEEE half's bits: 1 sign, 5 exponent, 10 mantissa. */
export function fromF16(bits) {
  const sign = bits & 0x8000 ? -1 : 1;
  const exponent = (bits >> 10) & 31;
  const mantissa = bits & 1023;
  if (exponent === 31) return mantissa ? NaN : sign * Infinity;
  return exponent ? sign * 2 ** (exponent - 15) * (1 + mantissa / 1024) : sign * 2 ** -14 * (mantissa / 1024);
}
