/**
 * Checksums of a packed folder: each file in blocks, so that any range can be checked as it arrives, with no more than
 * one block held back.
 *
 * config.json says `"attn_sums": { "file": "sha256.json", "xxh32": "…" }`, the checksum being that of the sums of all
 * other files: other weights make another config.json, by which caches tell one state of the folder from another.
 * sha256.json holds for each file { bytes, sha256, block, xxh32 }: its length, the sum that a person compares with
 * sha256sum, and the XXH32 (hash.js) of each block of so many bytes, eight hex digits each, the last block shorter.
 */
import { EngineError, show } from './errors.js';
import { hashHex } from './hash.js';
import { isPlain } from './options.js';

export const SUMS_FILE = 'sha256.json';
/** Its key in config.json. */
export const SUMS_KEY = 'attn_sums';
/** Bytes that an embedding row costs at least, and that a layer's ends cost at most. */
export const BLOCK = 1 << 16;
/** Blocks are so long that cache entries and requests, cut at multiples of 4 MiB, never cut one. */
const MIN_BLOCK = 1 << 12;
const MAX_BLOCK = 4 << 20;
const CONFIG = 'config.json';

const encoder = new TextEncoder();
const isSize = (x) => Number.isSafeInteger(x) && x >= 0;
const isBlock = (x) => isSize(x) && x >= MIN_BLOCK && x <= MAX_BLOCK && Number.isInteger(Math.log2(x));

/** @typedef {{ bytes: number, block: number, xxh32: string, sha256?: string }} FileSum */

/** The checksum of all sums but config.json's. @param {Record<string, FileSum>} sums */
export const sumOfSums = ({ [CONFIG]: _, ...rest }) => hashHex(encoder.encode(JSON.stringify(rest)));

/** @returns {EngineError} */
const mismatch = (file, what, expected, found) => new EngineError('HASH_MISMATCH',
  `${file}: ${what}: expected checksum ${expected}, found ${found}; the file is damaged or belongs to another model`,
  { file, field: what, expected, found });

/** Chunks in, whole blocks out: [begin, end) begins at a block's start. */
export function inBlocks(block, begin, end, give) {
  let part = new Uint8Array(0);
  let have = 0;
  const until = (at) => Math.min(end, (Math.floor(at / block) + 1) * block);
  /** @param {Uint8Array} chunk valid until the promise resolves @param {number} offset in the file */
  return async (chunk, offset) => {
    for (let at = 0; at < chunk.length;) {
      const start = offset + at - have;
      const size = until(start) - start;
      const piece = chunk.subarray(at, at + size - have);
      at += piece.length;
      if (piece.length === size) {
        await give(piece, start);
        continue;
      }
      if (have === 0) part = new Uint8Array(size);
      part.set(piece, have);
      have += piece.length;
      if (have < size) continue;
      have = 0;
      await give(part, start);
    }
  };
}

/** The sums of one file. @param {string} file @param {FileSum} sum */
function createSum(file, { bytes, block, xxh32 }) {
  const expected = (at) => xxh32.slice(at / block * 8, at / block * 8 + 8);
  return {
    block,
    /** The blocks around a range. @param {number} begin @param {number} end */
    around: (begin, end) => ({
      begin: Math.floor(begin / block) * block,
      end: Math.max(end, Math.min(bytes, Math.ceil(end / block) * block)),
    }),
    /** Is this a place where a block begins or the file ends? @param {number} at */
    isEdge: (at) => at % block === 0 || at === bytes,
    /** @param {Uint8Array} part one whole block @param {number} at its place */
    isGood: (part, at) => hashHex(part) === expected(at),
    /** @param {Uint8Array} part @param {number} at @returns {EngineError} */
    error: (part, at) => mismatch(file, `bytes ${at}-${at + part.length - 1}`, expected(at) || 'none (beyond the file)',
      hashHex(part)),
    /** @param {Uint8Array} whole @returns {EngineError | undefined} */
    wholeError(whole) {
      if (whole.length !== bytes) return mismatch(file, 'length', `of ${bytes} bytes`, `${whole.length} bytes`);
      for (let at = 0; at < bytes; at += block) {
        const part = whole.subarray(at, at + block);
        if (hashHex(part) !== expected(at)) return this.error(part, at);
      }
      return undefined;
    },
  };
}

/** @typedef {ReturnType<typeof createSum>} Sum */

/**
 * What config.json says about sums: undefined where there are none.
 * @param {Uint8Array} bytes of config.json; what is no JSON is found by its reader
 * @returns {string | undefined} the checksum of the sums
 */
export function announcedSums(bytes) {
  let found;
  try {
    found = JSON.parse(new TextDecoder().decode(bytes))?.[SUMS_KEY];
  } catch {
    return undefined;
  }
  if (found === undefined || found === null) return undefined;
  if (found.file !== SUMS_FILE || typeof found.xxh32 !== 'string' || !/^[0-9a-f]{8}$/.test(found.xxh32)) {
    throw new EngineError('BAD_CONFIG', `${CONFIG}, ${SUMS_KEY}: expected { file: "${SUMS_FILE}", xxh32: eight hex ` +
      `digits }, found ${show(found)}`, { field: SUMS_KEY, expected: SUMS_FILE, found });
  }
  return found.xxh32;
}

/**
 * @param {unknown} json of the sums file @param {string} announced by config.json
 * @returns {Map<string, Sum>} by file
 */
export function readSums(json, announced) {
  const bad = (field, expected, found) => {
    throw new EngineError('BAD_FILE', `${SUMS_FILE}: ${field}: expected ${expected}, found ${show(found)}`,
    { file: SUMS_FILE, field, expected, found });
  };
  if (!isPlain(json)) bad('the whole', 'an object of sums by file', json);
  const sums = /** @type {Record<string, FileSum>} */ (json);
  const found = sumOfSums(sums);
  if (found !== announced) throw mismatch(SUMS_FILE, 'all sums', announced, found);
  return new Map(Object.entries(sums).map(([file, sum]) => {
    if (!isPlain(sum)) bad(file, 'an object', sum);
    if (!isSize(sum.bytes)) bad(`${file}, bytes`, 'a length', sum.bytes);
    if (!isBlock(sum.block)) bad(`${file}, block`, `a power of two from ${MIN_BLOCK} to ${MAX_BLOCK}`, sum.block);
    const digits = 8 * Math.ceil(sum.bytes / sum.block);
    const { xxh32 } = sum;
    if (typeof xxh32 !== 'string' || xxh32.length !== digits) bad(`${file}, xxh32`, `${digits} digits`, xxh32);
    return [file, createSum(file, sum)];
  }));
}

/** Sums of a file that is being written: add() each chunk in order, then read entry(). */
export class BlockSums {
  #part = new Uint8Array(BLOCK);
  #bytes = 0;
  #digits = '';

  /** @param {Uint8Array} chunk */
  add(chunk) {
    for (let at = 0; at < chunk.length;) {
      const have = this.#bytes % BLOCK;
      const piece = chunk.subarray(at, at + BLOCK - have);
      this.#part.set(piece, have);
      this.#bytes += piece.length;
      at += piece.length;
      if (this.#bytes % BLOCK === 0) this.#digits += hashHex(this.#part);
    }
  }

  /** @param {string} sha256 @returns {FileSum} */
  entry(sha256) {
    const have = this.#bytes % BLOCK;
    const last = have ? hashHex(this.#part.subarray(0, have)) : '';
    return { bytes: this.#bytes, sha256, block: BLOCK, xxh32: this.#digits + last };
  }
}
