/**
 * The safetensors file format, read with suspicion.
 *
 *     8 bytes   length n of the header, little endian
 *     n bytes   JSON: { name: { dtype, shape, data_offsets: [begin, end] }, …, __metadata__: { string: string } }
 *     the rest  the tensors' bytes; data_offsets count from here, without overlap and without holes
 *
 * Pure: bytes in, table out. Everything wrong is BAD_FILE with the field, what was expected and what was found;
 * a file that merely ends too early is TRUNCATED.
 */
import { EngineError, show } from './errors.js';
import { isPlain } from './options.js';

/** Bytes of one element. */
export const DTYPE_BYTES = Object.freeze({
  F64: 8, F32: 4, F16: 2, BF16: 2, F8_E4M3: 1, F8_E5M2: 1, F8_E8M0: 1,
  I64: 8, I32: 4, I16: 2, I8: 1, U64: 8, U32: 4, U16: 2, U8: 1, BOOL: 1, C64: 8,
});

/** The format's own limit for the header. */
export const MAX_HEADER = 100_000_000;
/** { name: { shape: [ … ] } } is three deep; anything deeper is no header. */
const MAX_DEPTH = 3;

/**
 * @typedef {{ dtype: string, shape: number[], begin: number, end: number }} TensorSpan
 *   begin and end count from the start of the file
 * @typedef {{ file?: string, fileSize?: number }} Where  fileSize: undefined when it is not known
 */

/** @returns {never} */
function bad(message, file, field, expected, found) {
  const name = file ?? 'safetensors file';
  throw new EngineError('BAD_FILE', `${name}: ${field}: ${message}: expected ${expected}, found ${found}`,
    { file, field, expected, found });
}

/**
 * The header's length from the first 8 bytes.
 * @param {Uint8Array} bytes at least 8
 * @param {Where} [where]
 */
export function headerLength(bytes, { file, fileSize } = {}) {
  if (bytes.length < 8) bad('too short for a header', file, 'header length', '8 bytes', `${bytes.length} bytes`);
  const view = new DataView(bytes.buffer, bytes.byteOffset, 8);
  const length = view.getBigUint64(0, true);
  if (length < 2n || length > BigInt(MAX_HEADER)) {
    bad('impossible header length', file, 'header length', `2 to ${MAX_HEADER}`, String(length));
  }
  const n = Number(length);
  if (fileSize !== undefined && 8 + n > fileSize) {
    bad('header longer than the file', file, 'header length', `at most ${fileSize - 8}`, String(n));
  }
  return n;
}

/**
 * Walk over JSON text before it is parsed: JSON.parse keeps the last of two equal keys in silence, and two readers
 * that disagree about a file are how hostile files work.
 */
function scanKeys(text, file) {
  const open = [];
  const isKey = /\s*:/y;
  for (let i = 0; i < text.length; i++) {
    const c = text[i];
    if (c === '{' || c === '[') {
      open.push(c === '{' ? new Set() : null);
      if (open.length > MAX_DEPTH) bad('nested too deep', file, 'header', `at most ${MAX_DEPTH} levels`, 'more');
    } else if (c === '}' || c === ']') {
      open.pop();
    } else if (c === '"') {
      const start = i;
      for (i++; i < text.length && text[i] !== '"'; i++) if (text[i] === '\\') i++;
      const keys = open.at(-1);
      isKey.lastIndex = i + 1;
      if (!keys || !isKey.test(text)) continue;
      const key = JSON.parse(text.slice(start, i + 1));
      if (keys.has(key)) bad('a key is there twice', file, key, 'one entry', 'two entries');
      if (key === '__proto__') bad('forbidden name', file, key, 'a tensor name', key);
      keys.add(key);
    }
  }
}

function parseJSON(bytes, file) {
  let text;
  try {
    text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    bad('unreadable header', file, 'header', 'UTF-8 text', 'other bytes');
  }
  if (text[0] !== '{') bad('unreadable header', file, 'header', "'{' first", JSON.stringify(text.slice(0, 12)));
  try {
    scanKeys(text, file);
    return JSON.parse(text);
  } catch (error) {
    if (error instanceof EngineError) throw error;
    return bad('unreadable header', file, 'header', 'JSON', error.message);
  }
}

const isSize = (x) => Number.isSafeInteger(x) && x >= 0;

/** One entry, its size checked against its shape. Offsets stay relative to the data. */
function readEntry(name, entry, file) {
  if (!isPlain(entry)) bad('bad entry', file, name, 'an object', show(entry));
  const { dtype, shape, data_offsets: offsets } = entry;
  if (typeof dtype !== 'string' || !Object.hasOwn(DTYPE_BYTES, dtype)) {
    bad('unknown dtype', file, name, Object.keys(DTYPE_BYTES).join(' '), show(dtype));
  }
  if (!Array.isArray(shape) || !shape.every(isSize)) {
    bad('bad shape', file, name, 'a list of whole numbers from 0', show(shape));
  }
  if (!Array.isArray(offsets) || offsets.length !== 2 || !offsets.every(isSize) || offsets[0] > offsets[1]) {
    bad('bad data_offsets', file, name, '[begin, end] with 0 <= begin <= end', show(offsets));
  }
  const bytes = shape.reduce((a, b) => a * b, DTYPE_BYTES[dtype]);
  if (bytes !== offsets[1] - offsets[0]) {
    bad('bytes do not match the shape', file, name, `${bytes} bytes for ${dtype} [${shape}]`,
      `${offsets[1] - offsets[0]} bytes`);
  }
  return { name, dtype, shape, begin: offsets[0], end: offsets[1] };
}

/** Side by side, no overlap and no hole: the format's rule, and the reason why no byte has two meanings. */
function checkLayout(entries, file) {
  const inOrder = [...entries].sort((a, b) => a.begin - b.begin || a.end - b.end);
  let at = 0;
  for (const { name, begin, end } of inOrder) {
    if (begin !== at) {
      bad(begin < at ? 'tensors overlap' : 'a hole between tensors', file, name, `offset ${at}`, `offset ${begin}`);
    }
    at = end;
  }
  return at;
}

/**
 * The table of a file.
 * @param {Uint8Array} bytes the header alone: the n bytes after the first 8
 * @param {Where} [where]
 * @returns {{ tensors: Map<string, TensorSpan>, metadata: Record<string, string>, dataStart: number, size: number }}
 *   size: the length the whole file must have
 */
export function parseHeader(bytes, { file, fileSize } = {}) {
  const json = parseJSON(bytes, file);
  const { __metadata__: metadata = {}, ...rest } = json;
  if (!isPlain(metadata) || !Object.values(metadata).every((v) => typeof v === 'string')) {
    bad('bad metadata', file, '__metadata__', 'an object of strings', show(metadata));
  }
  const entries = Object.entries(rest).map(([name, entry]) => readEntry(name, entry, file));
  const dataStart = 8 + bytes.length;
  const size = dataStart + checkLayout(entries, file);
  if (fileSize !== undefined && fileSize < size) {
    throw new EngineError('TRUNCATED', `${file ?? 'safetensors file'} ends early: ` +
      `expected ${size} bytes, found ${fileSize}`, { file, expected: size, found: fileSize });
  }
  if (fileSize !== undefined && fileSize > size) {
    bad('more bytes than the header describes', file, 'file size', `${size} bytes`, `${fileSize} bytes`);
  }
  const tensors = new Map(entries.map(({ name, dtype, shape, begin, end }) =>
    [name, { dtype, shape, begin: dataStart + begin, end: dataStart + end }]));
  return { tensors, metadata, dataStart, size };
}

/**
 * A whole file that is already in memory (recordings, tests).
 * @param {Uint8Array} bytes
 * @param {{ file?: string }} [where]
 */
export function parseFile(bytes, { file } = {}) {
  const where = { file, fileSize: bytes.length };
  const n = headerLength(bytes, where);
  return parseHeader(bytes.subarray(8, 8 + n), where);
}
