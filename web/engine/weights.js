/**
 * The tensors of one layer in WebAssembly memory: one block, each tensor at its final place as stored in the file.
 */
import { badShape, isPlain } from './options.js';
import { EngineError, show } from './errors.js';
import { dtypeBytes, mat, noMat } from './wasm.js';

/** @typedef {{ dtype: string, shape: readonly number[] }} Tensor */

const count = (shape) => shape.reduce((a, b) => a * b, 1);
const ALIGN = 64;
const MAX_DIMS = 8;

export class Weights {
  #block;
  #places = new Map();

  /**
   * @param {import('./wasm.js').Wasm} wasm @param {Iterable<[string, Tensor]>} tensors
   * @param {import('./wasm.js').Room} [room]
   */
  constructor(wasm, tensors, room) {
    let bytes = 0;
    for (const [name, { dtype, shape }] of tensors) {
      this.#places.set(name, { offset: bytes, dtype, shape });
      bytes += Math.ceil(count(shape) * dtypeBytes(dtype) / ALIGN) * ALIGN;
    }
    this.#block = wasm.alloc(bytes, room);
  }

  get bytes() {
    return this.#block.bytes;
  }

  /** Bytes of one tensor. */
  size(name) {
    const { dtype, shape } = this.#places.get(name);
    return count(shape) * dtypeBytes(dtype);
  }

  /** Puts a part of a tensor's bytes at its place. @param {string} name @param {Uint8Array} bytes @param {number} [at] */
  write(name, bytes, at = 0) {
    this.#block.write(bytes, this.#places.get(name).offset + at);
  }

  /** The tensor as a struct field: (out, in); vectors are one row, conv (C, 1, k) is (C, k). */
  mat(name) {
    const place = this.#places.get(name);
    if (!place) return noMat;
    const rows = place.shape.length === 1 ? 1 : place.shape[0];
    return mat(this.#block, place.dtype, rows, count(place.shape) / rows, place.offset);
  }

  free() {
    this.#block.free();
  }
}

/**
 * Tensors that the caller hands over: { dtype, shape, data } by name, checked against their own bytes.
 * @param {unknown} given
 * @returns {Map<string, Tensor & { data: Uint8Array }>}
 */
export function givenTensors(given) {
  if (!(given instanceof Map) && !isPlain(given)) badShape('tensors', 'an object of tensors by name', given);
  const tensors = new Map();
  for (const [name, t] of given instanceof Map ? given : Object.entries(/** @type {any} */ (given))) {
    const fail = (field, expected, found) => {
      throw new EngineError('BAD_FILE', `tensor ${name}, ${field}: expected ${expected}, found ${show(found)}`,
        { name, field, expected, found });
    };
    if (typeof t?.dtype !== 'string' || !dtypeBytes(t.dtype)) fail('dtype', 'F32, BF16 or F16', t?.dtype);
    const isSize = (n) => Number.isSafeInteger(n) && n >= 0;
    if (!Array.isArray(t.shape) || t.shape.length > MAX_DIMS || !Array.from(t.shape).every(isSize)) {
      fail('shape', 'a list of sizes', show(t.shape));
    }
    const bytes = count(t.shape) * dtypeBytes(t.dtype);
    if (!(t.data instanceof Uint8Array)) fail('data', 'a Uint8Array', t.data);
    if (t.data.length !== bytes) fail('data', `${bytes} bytes for [${t.shape}] ${t.dtype}`, t.data.length);
    tensors.set(name, t);
  }
  return tensors;
}
