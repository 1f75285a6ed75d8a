/**
 * A model folder's tokenizer, with the exact bytes of every token.
 *
 * @huggingface/tokenizers turns text into ids; what a token *is* comes from the table of tokenizer.json itself: a
 * byte-level BPE writes each byte as one printable letter, and the table is inverted here. So no byte is lost where a
 * character is split between tokens.
 */
import { EngineError, isNoRoom, nameFailure, show } from './errors.js';
import { parseJSON } from './json.js';
import { openSource } from './source.js';
import { abortSignal, badOption, badShape, isList, isPlain, options } from './options.js';
import { within } from './wait.js';

/**
 * @typedef {object} Piece one token of a text
 * @property {number} id
 * @property {string} text    the characters that begin in this token and end in it or its group; '' for the later
 *                            fragments of a character, so that joining all texts gives the whole text back
 * @property {Uint8Array} bytes  exactly what the token stands for
 * @property {number[]} joins  indices of all pieces that share characters with this one, itself included; [] if none do
 */

/** Letter -> byte of the byte-level alphabet (GPT-2): printable Latin-1 stands for itself, the rest from U+0100 on. */
function byteOfLetter() {
  const table = new Map();
  let next = 256;
  for (let byte = 0; byte < 256; byte++) {
    const printable = (byte > 32 && byte < 127) || (byte > 160 && byte !== 173);
    table.set(String.fromCharCode(printable ? byte : next++), byte);
  }
  return table;
}

/** Is this step byte-level, or one of a sequence that is? */
const hasByteLevel = (step) => [step, ...[step?.pretokenizers, step?.decoders].filter(Array.isArray).flat()]
  .some((part) => part?.type === 'ByteLevel');
const isByteLevel = ({ model, pre_tokenizer: before, decoder }) => model?.type === 'BPE' &&
  (hasByteLevel(before) || hasByteLevel(decoder));

const FILE = 'tokenizer.json';
const CONFIG_FILE = 'tokenizer_config.json';
/** More tokens than any model has. */
const MAX_ID = (1 << 24) - 1;

/** @returns {never} */
function bad(field, expected, found) {
  throw new EngineError('BAD_FILE', `${FILE}, ${field}: expected ${expected}, found ${show(found)}`,
    { file: FILE, field, expected, found });
}

const isPair = (x) => Array.isArray(x) && x.length === 2 && x.every((part) => typeof part === 'string');

/** A list, empty where there is none. @returns {any[]} */
function listOf(field, value) {
  if (value === undefined || value === null) return [];
  if (!Array.isArray(value)) bad(field, 'a list', value);
  return value;
}

function checkId(field, id) {
  if (!Number.isInteger(id) || id < 0 || id > MAX_ID) bad(field, `a whole number from 0 to ${MAX_ID}`, id);
}

/** The parts that this engine reads itself, and those that fail late or in silence when they are wrong. */
function checkFile(json) {
  if (!isPlain(json)) bad('the whole', 'an object', json);
  if (!isByteLevel(json)) {
    const type = json.model?.type;
    throw new EngineError('UNSUPPORTED_MODEL', `${FILE}: expected a byte-level BPE, found ${show(type ?? 'no model')}`,
      { field: 'model.type', expected: 'byte-level BPE', found: type });
  }
  const { vocab, merges } = json.model;
  if (!isPlain(vocab) || Object.keys(vocab).length === 0) bad('model.vocab', 'an object of ids by token', vocab);
  for (const [token, id] of Object.entries(vocab)) checkId(`model.vocab, ${JSON.stringify(token)}`, id);
  listOf('model.merges', merges).forEach((merge, i) => {
    if (typeof merge !== 'string' && !isPair(merge)) bad(`model.merges[${i}]`, 'two tokens', merge);
  });
  listOf('added_tokens', json.added_tokens).forEach((token, i) => {
    if (typeof token?.content !== 'string') bad(`added_tokens[${i}].content`, 'a text', token?.content);
    checkId(`added_tokens[${i}].id`, token.id);
  });
}

/** @param {any} json tokenizer.json, checked @returns {Uint8Array[]} bytes of each id */
function tableOf(json) {
  const letters = byteOfLetter();
  const encoder = new TextEncoder();
  const table = [];
  for (const [token, id] of Object.entries(json.model.vocab)) {
    const bytes = Array.from(token, (letter) => letters.get(letter));
    table[/** @type {number} */ (id)] = bytes.includes(undefined) ? encoder.encode(token) : Uint8Array.from(bytes);
  }
  for (const { id, content } of json.added_tokens ?? []) table[id] = encoder.encode(content);
  return table;
}

/** What the library makes of the files; its failures are the files', unless there is no room. @template T @param {() => T} f @returns {T} */
function byTheFile(f) {
  try {
    return f();
  } catch (error) {
    if (isNoRoom(error)) nameFailure(error);
    return bad('the whole', 'a tokenizer that works', error?.message ?? error);
  }
}

/** Does a character begin at this byte? (UTF-8 continuation bytes are 10xxxxxx.) */
const begins = (byte) => (byte & 0xc0) !== 0x80;

/** Bytes that the character beginning with this one has, 1 for a stray byte. */
const width = (byte) => (byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : byte >= 0xc0 ? 2 : 1);

/** Is the string of bytes cut inside a character at its end? */
function endsInside(bytes) {
  for (let i = 1; i <= Math.min(3, bytes.length); i++) {
    const byte = bytes[bytes.length - i];
    if (begins(byte)) return width(byte) > i;
  }
  return false;
}

/**
 * @param {readonly { id: number, bytes: Uint8Array }[]} tokens
 * @returns {Piece[]}
 */
export function joinPieces(tokens) {
  const decoder = new TextDecoder('utf-8', { ignoreBOM: true });
  const pieces = [];
  for (let i = 0; i < tokens.length;) {
    let end = i + 1;
    while (end < tokens.length && endsInside(concat(tokens.slice(i, end))) && !begins(tokens[end].bytes[0])) end++;
    const group = tokens.slice(i, end);
    const joins = group.length > 1 ? group.map((_, j) => i + j) : [];
    group.forEach((token, j) => pieces.push({ id: token.id, bytes: token.bytes.slice(), text: j === 0 ? decoder.decode(concat(group)) : '', joins }));
    i = end;
  }
  return pieces;
}

/** @param {readonly { bytes: Uint8Array }[]} tokens */
function concat(tokens) {
  if (tokens.length === 1) return tokens[0].bytes;
  const all = new Uint8Array(tokens.reduce((n, t) => n + t.bytes.length, 0));
  let at = 0;
  for (const { bytes } of tokens) {
    all.set(bytes, at);
    at += bytes.length;
  }
  return all;
}

/** Options of loadTokenizer. */
export const TOKENIZER_OPTIONS = ['fetch', 'cache', 'network', 'signal', 'onProgress'];

/** Text to tokens and back. */
export class Tokenizer {
  #table;
  #library;
  #closed;

  /**
   * @param {Uint8Array[]} table bytes of each id @param {{ encode: (text: string, options: object) => any }} library
   * @param {(tokenizer: Tokenizer) => void} [closed] hears of close()
   */
  constructor(table, library, closed = () => {}) {
    this.#table = table;
    this.#library = library;
    this.#closed = closed;
    this.vocab = table.length;
  }

  /** @param {readonly number[] | Int32Array} ids */
  #tokens(ids) {
    if (!this.#library) badOption('tokenizer', 'an open one', 'a closed one');
    if (!isList(ids)) badShape('ids', 'an array of token ids', ids);
    return Array.from(ids, (id, i) => {
      if (!Number.isInteger(id) || !this.#table[id]) {
        badShape(`ids[${i}]`, `an id of this tokenizer (0 to ${this.vocab - 1})`, id);
      }
      return { id, bytes: this.#table[id] };
    });
  }

  /** @param {string} text @returns {Promise<{ ids: number[], pieces: Piece[] }>} */
  async encode(text) {
    if (typeof text !== 'string') badShape('text', 'a string', text);
    if (!this.#library) badOption('tokenizer', 'an open one', 'a closed one');
    const ids = text === '' ? [] : byTheFile(() => {
      const found = Array.from(this.#library.encode(text, { add_special_tokens: false }).ids, Number);
      const strange = found.findIndex((id) => !this.#table[id]);
      if (strange >= 0) throw new Error(`token ${strange} of this text is ${found[strange]}, no id of the table`);
      return found;
    });
    return { ids, pieces: joinPieces(this.#tokens(ids)) };
  }

  /** @param {readonly number[] | Int32Array} ids @returns {Promise<string>} */
  async decode(ids) {
    return new TextDecoder('utf-8', { ignoreBOM: true }).decode(concat(this.#tokens(ids)));
  }

  /** The pieces of a sequence of ids. @param {readonly number[] | Int32Array} ids @returns {Promise<Piece[]>} */
  async pieces(ids) {
    return joinPieces(this.#tokens(ids));
  }

  async close() {
    this.#table = [];
    this.#library = undefined;
    this.#closed(this);
  }
}

/**
 * @param {string | URL | (string | URL)[]} baseURL a model folder, or mirrors of it
 * @param {Record<string, any>} [given] fetch, cache, network, signal as for openModel;
 *   onProgress({ phase, loadedBytes, totalBytes? })
 * @param {(tokenizer: Tokenizer) => void} [closed] hears of close()
 */
export async function loadTokenizer(baseURL, given, closed) {
  const o = options('loadTokenizer', given, TOKENIZER_OPTIONS);
  const signal = abortSignal(o.signal);
  return within(load(baseURL, o, signal, closed), { signal });
}

/** @param {any} baseURL @param {Record<string, any>} o @param {AbortSignal} [signal] @param {(t: Tokenizer) => void} [closed] */
async function load(baseURL, o, signal, closed) {
  const source = await openSource(baseURL, { fetch: o.fetch, cache: o.cache, network: o.network, signal,
    needsConfig: false });
  let loadedBytes = 0;
  const onBytes = (bytes, _origin, totalBytes) => {
    loadedBytes += bytes;
    o.onProgress?.({ phase: 'tokenizer', loadedBytes, totalBytes });
  };
  const json = await source.json(FILE, { signal, onBytes });
  const config = await source.optional(CONFIG_FILE, { signal });
  checkFile(json);
  const table = tableOf(json);
  const { Tokenizer: Library } = await import('@huggingface/tokenizers');
  const settings = config ? parseJSON(config, CONFIG_FILE) : {};
  if (!isPlain(settings)) {
    throw new EngineError('BAD_FILE', `${CONFIG_FILE}: expected an object, found ${show(settings)}`,
      { file: CONFIG_FILE, field: 'the whole', expected: 'an object', found: settings });
  }
  const library = byTheFile(() => new Library({ ...json, added_tokens: json.added_tokens ?? [] }, settings));
  o.onProgress?.({ phase: 'ready', loadedBytes, totalBytes: loadedBytes });
  return new Tokenizer(table, library, closed);
}
