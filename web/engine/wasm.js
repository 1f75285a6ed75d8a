/**
 * One instance of the WebAssembly module (c/api.h). The only file that holds pointers: callers see Blocks.
 *
 * A view on linear memory is made for one copy and dropped: memory may have grown before the next.
 */
import { EngineError } from './errors.js';

/** dtype codes of c/real.h */
const DTYPE = { F32: 0, BF16: 1, F16: 2 };
const BYTES = { F32: 4, BF16: 2, F16: 2 };

/** Bytes of linear memory that somebody owns. */
export class Block {
  #wasm;
  #at;
  #room;

  /** @param {Wasm} wasm @param {number} at @param {number} bytes @param {Room} [room] that it is part of */
  constructor(wasm, at, bytes, room) {
    this.#wasm = wasm;
    this.#at = at;
    this.#room = room;
    this.bytes = bytes;
    this.#count(1);
  }

  #count(sign) {
    this.#wasm.blocks += sign;
    this.#wasm.held += sign * this.bytes;
    if (this.#room) this.#room.taken += sign * this.bytes;
  }

  /** @param {Block} block @param {number} [offset] */
  static address(block, offset = 0) {
    return block.#at + offset;
  }

  /** Copies bytes in. @param {Uint8Array} bytes @param {number} [offset] */
  write(bytes, offset = 0) {
    new Uint8Array(this.#wasm.buffer, this.#at + offset, bytes.length).set(bytes);
  }

  /** A copy of n floats. @param {number} n @param {number} [offset] in floats */
  floats(n, offset = 0) {
    return new Float32Array(this.#wasm.buffer, this.#at + 4 * offset, n).slice();
  }

  /** Copies floats in. @param {ArrayLike<number>} values @param {number} [offset] in floats */
  writeFloats(values, offset = 0) {
    new Float32Array(this.#wasm.buffer, this.#at + 4 * offset, values.length).set(values);
  }

  /** The first bytes of another block, without a copy in between. @param {Block} block @param {number} bytes */
  copy(block, bytes) {
    new Uint8Array(this.#wasm.buffer).copyWithin(this.#at, block.#at, block.#at + bytes);
  }

  /** The 32-bit field at index i of a struct. */
  int(i) {
    return new Int32Array(this.#wasm.buffer, this.#at + 4 * i, 1)[0];
  }

  /** @param {number} i @param {number} value */
  setInt(i, value) {
    new Int32Array(this.#wasm.buffer, this.#at + 4 * i, 1)[0] = value;
  }

  fill(value) {
    new Uint8Array(this.#wasm.buffer, this.#at, this.bytes).fill(value);
  }

  free() {
    if (!this.#at) return;
    this.#wasm.exports.attn_free(this.#at);
    this.#count(-1);
    this.#at = 0;
    this.bytes = 0;
  }
}

/** Memory that somebody will fill bit by bit: what of it is not taken yet counts as gone for all others. */
export class Room {
  #wasm;
  taken = 0;

  /** @param {Wasm} wasm @param {number} bytes */
  constructor(wasm, bytes) {
    this.#wasm = wasm;
    this.bytes = bytes;
    wasm.rooms.add(this);
  }

  end() {
    this.#wasm.rooms.delete(this);
  }
}

/** A float field of a struct; plain numbers are int32 fields. */
export const real = (value) => ({ real: value });

/**
 * A stored matrix inside a block, as a field group of a struct (Mat in c/real.h).
 * @param {Block} block @param {string} dtype @param {number} rows @param {number} cols @param {number} [offset] bytes
 */
export const mat = (block, dtype, rows, cols, offset = 0) => ({ mat: block, dtype, rows, cols, offset });

/** The Mat of a tensor that is not there. */
export const noMat = { mat: null, dtype: 'F32', rows: 0, cols: 0, offset: 0 };

/** @typedef {number | null | Block | { real: number } | ReturnType<typeof mat> | typeof noMat} Field */

/** Memory of one call: everything taken from it is freed when the call ends. */
class Scope {
  #wasm;
  #blocks = [];

  /** @param {Wasm} wasm */
  constructor(wasm) {
    this.#wasm = wasm;
  }

  #keep(block) {
    this.#blocks.push(block);
    return block;
  }

  /** Uninitialised room for n floats. @returns {Block} */
  space(n) {
    return this.#keep(this.#wasm.alloc(4 * n));
  }

  /** @param {ArrayLike<number>} values @returns {Block} */
  put(values) {
    const block = this.space(values.length);
    block.writeFloats(values);
    return block;
  }

  /** @param {Field[]} fields @returns {Block} */
  struct(fields) {
    return this.#keep(this.#wasm.struct(fields));
  }

  /** An Arena (c/arena.h) of that many bytes. */
  arena(bytes) {
    return this.struct([this.#keep(this.#wasm.alloc(bytes)), bytes, 0]);
  }

  end() {
    for (const block of this.#blocks.reverse()) block.free();
  }
}

/** Bytes that a 32-bit memory can hold, less the rest that every run needs. */
const MEMORY_LIMIT = 3.75 * 2 ** 30;

export class Wasm {
  /** Blocks that somebody owns, and their bytes. */
  blocks = 0;
  held = 0;
  /** @type {Set<Room>} */
  rooms = new Set();

  /** @param {WebAssembly.Instance} instance */
  constructor(instance) {
    /** @type {any} */
    this.exports = instance.exports;
    this.exports._initialize();
  }

  get buffer() {
    return this.exports.memory.buffer;
  }

  /** Lets the memory go, whoever still holds a handle. */
  drop() {
    this.exports = undefined;
  }

  get bytes() {
    return this.buffer.byteLength;
  }

  /** Bytes that are neither held nor promised to a Room. */
  get spare() {
    return [...this.rooms].reduce((n, room) => n - Math.max(0, room.bytes - room.taken), MEMORY_LIMIT - this.held);
  }

  /** @param {number} bytes @param {Room} [room] @returns {Block} */
  alloc(bytes, room) {
    const at = bytes >= 0 && bytes < 2 ** 32 ? this.exports.attn_alloc(bytes) >>> 0 : 0;
    if (!at) {
      throw new EngineError('OUT_OF_MEMORY', `memory: expected room for ${bytes} more bytes, found ` +
        `${this.held} in use and no way to grow that far`, { expected: bytes, found: this.held });
    }
    return new Block(this, at, bytes, room);
  }

  /** A struct of 4-byte fields in order. @param {Field[]} fields @returns {Block} */
  struct(fields) {
    const words = fields.map((f) => (f && typeof f === 'object' && 'mat' in f ? 5 : 1)).reduce((a, b) => a + b, 0);
    const block = this.alloc(4 * words);
    const ints = new Int32Array(this.buffer, Block.address(block), words);
    const reals = new Float32Array(this.buffer, Block.address(block), words);
    let i = 0;
    for (const f of fields) {
      if (f === null) ints[i++] = 0;
      else if (typeof f === 'number') ints[i++] = f;
      else if (f instanceof Block) ints[i++] = Block.address(f);
      else if ('real' in f) reals[i++] = f.real;
      else {
        ints.set([f.mat ? Block.address(f.mat, f.offset) : 0, DTYPE[f.dtype], f.rows, f.cols, f.cols], i);
        i += 5;
      }
    }
    return block;
  }

  /**
   * Calls an export; Blocks become pointers, null the null pointer.
   * @param {string} name without the prefix attn_ @param {...(number | Block | null)} args
   * @returns {number}
   */
  call(name, ...args) {
    return this.exports[`attn_${name}`](...args.map((a) =>
      (a instanceof Block ? Block.address(a) : a ?? 0)));
  }

  /** As call, for functions that return a code of c/errors.h: throws when it is not 0. */
  run(name, ...args) {
    const code = this.call(name, ...args);
    if (code !== 0) {
      throw new EngineError(code === -2 || code === -3 ? 'OUT_OF_MEMORY' : 'BAD_SHAPE',
        `attn_${name}: ${this.message(code)}`, { code, expected: 0, found: code });
    }
  }

  message(code) {
    const bytes = new Uint8Array(this.buffer, this.call('error', code) >>> 0);
    return new TextDecoder().decode(bytes.slice(0, bytes.indexOf(0)));
  }

  /**
   * Blocks that belong together: f takes them and whoever asked owns them, or it throws and none of them stays.
   * @template T @param {(scope: Scope) => T} f @returns {T}
   */
  together(f) {
    const scope = new Scope(this);
    try {
      return f(scope);
    } catch (error) {
      scope.end();
      throw error;
    }
  }

  /** A struct that the core's check approves of. @param {string} check @param {Field[]} fields @returns {Block} */
  checked(check, fields) {
    return this.together((s) => {
      const block = s.struct(fields);
      this.run(check, block);
      return block;
    });
  }

  /**
   * Runs f with memory that is freed when it returns or throws.
   * @template T @param {(scope: Scope) => T} f @returns {T}
   */
  scope(f) {
    const scope = new Scope(this);
    try {
      return f(scope);
    } finally {
      scope.end();
    }
  }

  /**
   * The same for work in slices: the memory is there until the promise settles.
   * @template T @param {(scope: Scope) => Promise<T>} f @returns {Promise<T>}
   */
  async during(f) {
    const scope = new Scope(this);
    try {
      return await f(scope);
    } finally {
      scope.end();
    }
  }
}

/** The core's number for a stored dtype. @param {string} dtype */
export const dtypeCode = (dtype) => DTYPE[dtype];

/** Bytes of a stored element. @param {string} dtype */
export const dtypeBytes = (dtype) => BYTES[dtype];
