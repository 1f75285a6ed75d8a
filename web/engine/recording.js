/**
 * A run that can be kept: its captures as one safetensors file, and the model that only answers for what was recorded.
 */
import { captureNames } from './captures.js';
import { EngineError } from './errors.js';
import { abortSignal, badOption, matrix, options, tokenIds } from './options.js';
import { parseFile } from './safetensors.js';
import { readSingleFile } from './single-file.js';

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
  throw new EngineError('NOT_RECORDED', `recording: expected ${field} ${JSON.stringify(expected)}, found ` +
    `${JSON.stringify(found)}; only a live model can answer that`, { field, expected, found });
}

const sameList = (a, b) => a.length === b.length && a.every((x, i) => x === b[i]);

/** The parts of the file's metadata, checked. */
function readMetadata(metadata, file) {
  const bad = (field, expected) => {
    throw new EngineError('BAD_FILE', `${file}: ${field}: expected ${expected}, found ${metadata?.[field]}`,
      { file, field, expected, found: metadata?.[field] });
  };
  if (metadata?.format !== FORMAT) bad('format', FORMAT);
  const json = (field) => {
    try {
      return JSON.parse(metadata[field]);
    } catch {
      return bad(field, 'JSON');
    }
  };
  const pieces = (field) => {
    const list = json(field);
    if (!Array.isArray(list) || !list.every((p) => Array.isArray(p?.bytes))) bad(field, 'a list of pieces with bytes');
    return list.map((p) => ({ ...p, bytes: Uint8Array.from(p.bytes) }));
  };
  const tokens = json('tokens');
  return { config: json('config'), tokens, typed: json('typed'), model: metadata.model,
    known: { prompt: metadata.prompt, tokens, pieces: pieces('pieces'),
      // what recordings from before do not have
      ...('next' in metadata && { next: pieces('next') }), ...('date' in metadata && { date: metadata.date }) } };
}

/** Looks like a model, answers for the recorded prompt only. */
export class Recording {
  #tensors;
  #about;

  constructor(about, tensors) {
    this.#about = about;
    this.#tensors = tensors;
    this.config = Object.freeze(about.config);
    this.name = about.model;
    this.prompts = [about.known];
  }

  async forward(ids, given) {
    const o = options('forward', given, ['capture', 'logits', 'interventions', 'onLayer', 'signal']);
    const wanted = captureNames(o.capture);
    const { tokens, typed, config, model } = this.#about;
    const asked = tokenIds(ids, config.vocab, Number.MAX_SAFE_INTEGER);
    if (!sameList(asked, tokens)) notRecorded('tokens', tokens, asked);
    if (o.interventions?.length) notRecorded('interventions', [], o.interventions);
    const logits = o.logits ?? 'last';
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
    if (o.onLayer) layers.forEach((captures, i) => o.onLayer(i, captures));
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

  async close() {
    this.#tensors = new Map();
  }
}

/**
 * @param {string | URL} url of the file
 * @param {any} [given] fetch, network, signal
 */
export async function openRecording(url, given) {
  const o = options('openRecording', given, ['fetch', 'network', 'signal']);
  const { file, bytes } = await readSingleFile(url, { ...o, signal: abortSignal(o.signal) });
  const { tensors, metadata } = parseFile(bytes, { file });
  const arrays = new Map();
  for (const [name, { dtype, shape, begin, end }] of tensors) {
    if (dtype !== 'F32') {
      throw new EngineError('BAD_FILE', `${file}: tensor ${name}: expected dtype F32, found ${dtype}`,
        { file, field: name, expected: 'F32', found: dtype });
    }
    arrays.set(name, matrix(shape, new Float32Array(bytes.slice(begin, end).buffer)));
  }
  return new Recording(readMetadata(metadata, file), arrays);
}
