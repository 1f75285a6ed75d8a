/**
 * A model folder's tokenizer, with the exact bytes of every token.
 *
 * @huggingface/tokenizers turns text into ids; what a token *is* comes from the table of tokenizer.json itself: a
 * byte-level BPE writes each byte as one printable letter, and the table is inverted here. So no byte is lost where a
 * character is split between tokens.
 */
import { EngineError } from './errors.js';
import { openSource } from './source.js';
import { badShape, options } from './options.js';

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

const isByteLevel = (json) => json?.model?.type === 'BPE' && JSON.stringify([json.pre_tokenizer, json.decoder])
  .includes('"ByteLevel"');

/** @param {any} json tokenizer.json @returns {Uint8Array[]} bytes of each id */
function tableOf(json) {
  if (!isByteLevel(json)) {
    throw new EngineError('UNSUPPORTED_MODEL', 'tokenizer.json: expected a byte-level BPE, found ' +
      `${json?.model?.type ?? 'no model'}`, { field: 'model.type', expected: 'byte-level BPE', found: json?.model?.type });
  }
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

/** Text to tokens and back. */
export class Tokenizer {
  #table;
  #library;

  /** @param {Uint8Array[]} table bytes of each id @param {{ encode: (text: string, options: object) => any }} library */
  constructor(table, library) {
    this.#table = table;
    this.#library = library;
    this.vocab = table.length;
  }

  /** @param {readonly number[] | Int32Array} ids */
  #tokens(ids) {
    return Array.from(ids, (id, i) => {
      if (!this.#table[id]) badShape(`ids[${i}]`, `an id of this tokenizer (0 to ${this.vocab - 1})`, id);
      return { id, bytes: this.#table[id] };
    });
  }

  /** @param {string} text @returns {Promise<{ ids: number[], pieces: Piece[] }>} */
  async encode(text) {
    if (typeof text !== 'string') badShape('text', 'a string', text);
    const ids = text === '' ? [] : Array.from(this.#library.encode(text, { add_special_tokens: false }).ids, Number);
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
  }
}

/**
 * @param {string | URL | (string | URL)[]} baseURL a model folder, or mirrors of it
 * @param {object} [given] fetch, cache, network, signal as for openModel
 * @param {(progress: { phase: string, loadedBytes: number, totalBytes?: number }) => void} [given.onProgress]
 */
export async function loadTokenizer(baseURL, given) {
  const o = options('loadTokenizer', given, ['fetch', 'cache', 'network', 'signal', 'onProgress']);
  const source = await openSource(baseURL, { fetch: o.fetch, cache: o.cache, network: o.network, signal: o.signal,
    needsConfig: false });
  let loadedBytes = 0;
  const onBytes = (bytes, _origin, totalBytes) => {
    loadedBytes += bytes;
    o.onProgress?.({ phase: 'tokenizer', loadedBytes, totalBytes });
  };
  const json = await source.json('tokenizer.json', { signal: o.signal, onBytes });
  const config = await source.optional('tokenizer_config.json', { signal: o.signal });
  const table = tableOf(json);
  const { Tokenizer: Library } = await import('@huggingface/tokenizers');
  const library = new Library(json, config ? JSON.parse(new TextDecoder().decode(config)) : {});
  o.onProgress?.({ phase: 'ready', loadedBytes, totalBytes: loadedBytes });
  return new Tokenizer(table, library);
}
