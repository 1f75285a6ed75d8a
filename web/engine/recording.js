/**
 * A run that can be kept: its captures as one safetensors file, and the model that only answers for what was recorded.
 */
import { captureNames, captureShapes } from './captures.js';
import { EngineError, show } from './errors.js';
import { parseInterventions } from './interventions.js';
import { badOption, isList, isPlain, matrix, oneOf, options, tokenIds } from './options.js';
import { fromJSON } from './json.js';
import { parseFile } from './safetensors.js';
import { readSingleFile } from './single-file.js';
import { throwIfAborted } from './wait.js';

/** Name and version of the layout; an unknown one is refused. */
const FORMAT = 'attn-recording-1';

/** @param {Record<string, { shape: number[], data: Float32Array }>} tensors @param {Record<string, string>} metadata */
export function writeSafetensors(tensors, metadata) {
  let offset = 0;
  const header = { __metadata__: metadata };
  for (const [name, { shape, data }] of Object.entries(tensors)) {
    header[name] = { dtype: 'F32', shape, data_offsets: [offset, offset + data.byteLength] };
    offset += data.byteLength;
  }
  const json = new TextEncoder().encode(JSON.stringify(header));
  const length = Math.ceil(json.length / 8) * 8; // tensors begin on a multiple of 8
  const file = new Uint8Array(8 + length + offset).fill(32, 8, 8 + length);
  new DataView(file.buffer).setBigUint64(0, BigInt(length), true);
  file.set(json, 8);
  let at = 8 + length;
  for (const { data } of Object.values(tensors)) {
    file.set(new Uint8Array(data.buffer, data.byteOffset, data.byteLength), at);
    at += data.byteLength;
  }
  return file;
}

const packPieces = (pieces) => JSON.stringify(Array.from(pieces, (p) => ({ ...p, bytes: Array.from(p.bytes ?? []) })));

/** No token has more bytes. */
const MAX_PIECE = 65536;
const isByte = (x) => Number.isInteger(x) && x >= 0 && x < 256;

/**
 * Pieces as the tokenizer gives them; of each only what is there must be right.
 * @param {string} field @param {any} pieces
 */
function checkPieces(field, pieces) {
  if (!Array.isArray(pieces)) badOption(field, 'a list of pieces', pieces);
  Array.from(pieces, (piece, i) => {
    if (!isPlain(piece)) badOption(`${field}[${i}]`, 'a piece', piece);
    const { bytes = [], text = '' } = piece;
    const good = isList(bytes) && bytes.length <= MAX_PIECE && Array.from(bytes).every(isByte);
    if (!good) badOption(`${field}[${i}].bytes`, 'bytes', bytes);
    if (typeof text !== 'string') badOption(`${field}[${i}].text`, 'a string', text);
  });
}

/** What forward() gives back. */
export class Run {
  #about;

  /**
   * @param {object} o
   * @param {Record<string, any>[]} o.layers captures by layer
   * @param {number[]} o.tokens @param {'live' | 'recorded'} o.source @param {any} o.config @param {string} o.model
   * @param {import('./options.js').Matrix} [o.finalHidden] @param {import('./options.js').Matrix} [o.logits]
   */
  constructor({ layers, tokens, source, config, model, finalHidden, logits }) {
    this.layers = layers;
    this.source = source;
    this.tokens = tokens;
    if (finalHidden) this.finalHidden = finalHidden;
    if (logits) this.logits = logits;
    this.#about = { config, model };
  }

  /** Everything it was made of, to make it again on the other side of a worker's door. */
  fields() {
    return { layers: this.layers, tokens: this.tokens, source: this.source, finalHidden: this.finalHidden,
      logits: this.logits, ...this.#about };
  }

  /**
   * The run with its captures as one safetensors file.
   * @param {{ prompt?: string, pieces?: any[], next?: any[], date?: string }} [given]
   *   next: pieces of the most probable next tokens, whose names no player could know; date: of the run, '2026-11-30'
   * @returns {Uint8Array}
   */
  save(given) {
    const { prompt = '', pieces = [], next, date } = options('save', given, ['prompt', 'pieces', 'next', 'date']);
    if (typeof prompt !== 'string') badOption('prompt', 'a string', prompt);
    checkPieces('pieces', pieces);
    if (next !== undefined) checkPieces('next', next);
    if (date !== undefined && typeof date !== 'string') badOption('date', 'a string', date);
    const tensors = {};
    this.layers.forEach((captures, i) => {
      for (const [name, value] of Object.entries(captures)) if (value.data) tensors[`layers.${i}.${name}`] = value;
    });
    if (this.finalHidden) tensors.finalHidden = this.finalHidden;
    if (this.logits) tensors.logits = this.logits;
    return writeSafetensors(tensors, {
      format: FORMAT,
      model: this.#about.model,
      config: JSON.stringify(this.#about.config),
      prompt,
      tokens: JSON.stringify(this.tokens),
      pieces: packPieces(pieces),
      ...(next && { next: packPieces(next) }),
      ...(date && { date: String(date) }),
      layers: String(this.layers.length),
      typed: JSON.stringify(this.layers.map((captures) => 'type' in captures)),
    });
  }
}

/** @returns {never} */
function notRecorded(field, expected, found) {
  throw new EngineError('NOT_RECORDED', `recording: expected ${field} ${show(expected)}, found ` +
    `${show(found)}; only a live model can answer that`, { field, expected, found });
}

const sameList = (a, b) => a.length === b.length && a.every((x, i) => x === b[i]);

const isText = (x) => typeof x === 'string';
const isSize = (x) => Number.isSafeInteger(x) && x > 0;
const isPiece = (p) => isPlain(p) && Array.isArray(p.bytes) && p.bytes.every(isByte) && isText(p.text ?? '') &&
  Array.isArray(p.joins ?? []);
/** Sizes that a config of model.config always has. */
const SIZES = ['layers', 'hidden', 'heads', 'kvHeads', 'headDim', 'vocab'];
const LINEAR_SIZES = ['keyHeads', 'valueHeads', 'keyDim', 'valueDim', 'kernel'];
const TYPES = ['full_attention', 'linear_attention'];

/** The parts of the file's metadata, checked. */
function readMetadata(metadata, file) {
  const bad = (field, expected, found = metadata[field]) => {
    throw new EngineError('BAD_FILE', `${file}: ${field}: expected ${expected}, found ${show(found)}`,
      { file, field, expected, found });
  };
  const text = (field) => (isText(metadata[field]) ? metadata[field] : bad(field, 'a text'));
  const json = (field, expected, good) => {
    let value;
    try {
      value = fromJSON(text(field));
    } catch {
      return bad(field, 'JSON');
    }
    return good(value) ? value : bad(field, expected, value);
  };
  const arePieces = (list) => Array.isArray(list) && list.every(isPiece);
  const pieces = (field) => json(field, 'a list of pieces with bytes', arePieces)
    .map((p) => ({ ...p, bytes: Uint8Array.from(p.bytes) }));

  if (metadata.format !== FORMAT) bad('format', FORMAT);
  const config = json('config', 'an object', isPlain);
  for (const key of SIZES) if (!isSize(config[key])) bad(`config, ${key}`, 'a size', config[key]);
  const { layers, layerTypes, vocab } = config;
  if (!Array.isArray(layerTypes) || layerTypes.length !== layers || !layerTypes.every((type) => TYPES.includes(type))) {
    bad('config, layerTypes', `a list of ${layers} names`, layerTypes);
  }
  if (layerTypes.includes('linear_attention')) {
    for (const key of LINEAR_SIZES) {
      const size = config.linear?.[key];
      if (!isSize(size)) bad(`config, linear.${key}`, 'a size', size);
    }
  }
  const tokens = json('tokens', `ids from 0 to ${vocab - 1}`, (list) => Array.isArray(list) && list.length > 0 &&
    list.every((id) => Number.isInteger(id) && id >= 0 && id < vocab));
  const typed = json('typed', `true or false for at most ${layers} layers`, (list) => Array.isArray(list) &&
    list.length <= layers && list.every((x) => typeof x === 'boolean'));
  return { config, tokens, typed, model: text('model'),
    known: { prompt: text('prompt'), tokens, pieces: pieces('pieces'),
      // what recordings from before do not have
      ...('next' in metadata && { next: pieces('next') }), ...('date' in metadata && { date: text('date') }) } };
}

/** The arrays, each with the shape that the config and the prompt give it. */
function checkShapes({ config, tokens, typed }, tensors, file) {
  const T = tokens.length;
  const { hidden: N, vocab: V } = config;
  const known = new Map([['finalHidden', [[T, N]]], ['logits', [[V], [T, V]]]]);
  typed.forEach((_, i) => {
    for (const [name, shape] of Object.entries(captureShapes(config, config.layerTypes[i], T))) {
      known.set(`layers.${i}.${name}`, [shape]);
    }
  });
  for (const [name, { shape: found }] of tensors) {
    const expected = known.get(name);
    if (!expected) {
      throw new EngineError('BAD_FILE', `${file}: tensor ${name}: expected a capture of its ${typed.length} layers, ` +
        'finalHidden or logits, found another name', { file, field: name, expected: 'a known name', found: name });
    }
    if (!expected.some((shape) => sameList(shape, found))) {
      throw new EngineError('BAD_SHAPE', `${file}: tensor ${name}: expected shape ` +
        `${expected.map((shape) => `[${shape}]`).join(' or ')} by its config, found [${found}]`,
      { file, field: name, expected, found });
    }
  }
}

/** Looks like a model, answers for the recorded prompt only. */
export class Recording {
  #tensors;
  #about;
  #closed;

  /** @param {any} about @param {Map<string, any>} tensors @param {(recording: Recording) => void} [closed] */
  constructor(about, tensors, closed = () => {}) {
    this.#about = about;
    this.#tensors = tensors;
    this.#closed = closed;
    this.config = Object.freeze(about.config);
    this.name = about.model;
    this.prompts = [about.known];
  }

  async forward(ids, given) {
    const o = options('forward', given, ['capture', 'logits', 'interventions', 'onLayer', 'signal']);
    this.#checkOpen();
    throwIfAborted(o.signal);
    const wanted = captureNames(o.capture);
    const logits = oneOf('logits', o.logits ?? 'last', ['last', 'all', 'none']);
    const { tokens, typed, config, model, known } = this.#about;
    const asked = tokenIds(ids, config.vocab, 2 ** 24);
    if (!sameList(asked, tokens)) notRecorded(`the tokens of ${JSON.stringify(known.prompt)},`, tokens, asked);
    const edits = parseInterventions(o.interventions, config, typed.length);
    if (edits.size) notRecorded('interventions', [], o.interventions);
    const layers = typed.map((hasType, i) => {
      const captures = hasType && wanted.has('type') ? { type: config.layerTypes[i] } : {};
      for (const [name, value] of this.#tensors) {
        const [, layer, capture] = /^layers\.(\d+)\.(\w+)$/.exec(name) ?? [];
        if (Number(layer) === i && wanted.has(capture)) captures[capture] = matrix([...value.shape], value.data.slice());
      }
      return captures;
    });
    this.#checkCaptures(layers, wanted, o.capture);
    const take = (name) => this.#tensors.has(name)
      ? matrix([...this.#tensors.get(name).shape], this.#tensors.get(name).data.slice()) : undefined;
    const found = logits === 'none' ? undefined : take('logits');
    if (logits === 'all' && found?.shape.length !== 2) notRecorded('logits', 'last', 'all');
    for (const [i, captures] of layers.entries()) {
      o.onLayer?.(i, captures);
      throwIfAborted(o.signal);
      this.#checkOpen();
    }
    return new Run({ layers, tokens, source: 'recorded', config, model, finalHidden: take('finalHidden'),
      logits: logits === 'last' && found?.shape.length === 2
        ? matrix([found.shape[1]], found.data.slice(-found.shape[1])) : found });
  }

  /** A capture asked for by name must be in the recording for at least one layer. */
  #checkCaptures(layers, wanted, asked) {
    if (!Array.isArray(asked)) return;
    const kept = new Set(layers.flatMap((captures) => Object.keys(captures)));
    for (const name of wanted) if (!kept.has(name)) notRecorded('capture', [...kept], name);
  }

  #checkOpen() {
    if (!this.#tensors) badOption('recording', 'an open one', 'a closed one');
  }

  async close() {
    this.#tensors = undefined;
    this.#closed(this);
  }
}

/**
 * @param {string | URL} url of the file
 * @param {any} given fetch, network, signal
 * @param {AbortSignal} signal the caller's and the engine's
 * @param {(recording: Recording) => void} [closed] told when it is closed
 */
export async function openRecording(url, given, signal, closed) {
  const o = options('openRecording', given, ['fetch', 'network', 'signal']);
  const { file, bytes } = await readSingleFile(url, { ...o, signal });
  const { tensors, metadata } = parseFile(bytes, { file });
  const arrays = new Map();
  for (const [name, { dtype, shape, begin, end }] of tensors) {
    if (dtype !== 'F32') {
      throw new EngineError('BAD_FILE', `${file}: tensor ${name}: expected dtype F32, found ${dtype}`,
        { file, field: name, expected: 'F32', found: dtype });
    }
    arrays.set(name, matrix(shape, new Float32Array(bytes.slice(begin, end).buffer)));
  }
  const about = readMetadata(metadata, file);
  checkShapes(about, arrays, file);
  return new Recording(about, arrays, closed);
}
