/**
 * One layer on its own: input norm + mixer, from tensors in hand or streamed from a model folder. Nothing else of the
 * model is fetched but the embedding rows that embed() asks for.
 */
import { captureFloats, captureNames, CaptureSheet, checkCaptureFloats, MIXER_RESIDUAL } from './captures.js';
import { parseConfig } from './config.js';
import { BLOCK_TOKENS, DecoderLayer, MIXERS } from './decoder-layer.js';
import { embed } from './embedding.js';
import { openFolder } from './folder.js';
import { abortSignal, badOption, floats, isList, isPlain, matrix, oneOf, options, shapeOf, size, tokenIds }
  from './options.js';
import { checkTensors, layerShapes } from './shapes.js';
import { linkSignals } from './signals.js';
import { nextTask } from './tasks.js';
import { givenTensors, Weights } from './weights.js';

/** The tensors of layer i that its mixer and input norm read: [name without 'layers.i.', shape]. */
const mixerShapes = (config, i) => layerShapes(config, i)
  .filter(([name]) => !name.startsWith('mlp.') && !name.startsWith('post_attention'));

export class Layer {
  #engine;
  #config;
  #layer;
  #folder;
  #stop = new AbortController();

  /**
   * @param {{ queue: Function, after: Function, closed: Function }} engine @param {import('./config.js').Config} config
   * @param {DecoderLayer} layer @param {import('./folder.js').Folder} [folder]
   */
  constructor(engine, config, layer, folder) {
    this.#engine = engine;
    this.#config = config;
    this.#layer = layer;
    this.#folder = folder;
    this.type = layer.type;
  }

  get config() {
    return this.#config;
  }

  #checkOpen() {
    if (!this.#layer) badOption('layer', 'an open one', 'a closed one');
  }

  /** f in the engine's turn, ended early by the caller's signal or by close(): ABORTED. */
  async #turn(f, given) {
    const stop = linkSignals([abortSignal(given), this.#stop.signal]);
    return this.#engine.queue(f, stop.signal).finally(stop.unlink);
  }

  /**
   * @param {any} x (T, N) residual stream, before the input norm @param {any} [given]
   * @returns {Promise<Record<string, any>>} the wanted captures and out (T, N), the mixer's output
   */
  async forward(x, given) {
    this.#checkOpen();
    const o = options('layer.forward', given, ['capture', 'signal']);
    const wanted = captureNames(o.capture);
    return this.#turn(async (wasm, signal) => {
      const { hidden: N, maxPositions } = this.#config;
      const T = size('x: tokens', shapeOf(x)?.[0] ?? (isList(x) ? x.length : NaN) / N, 1, maxPositions);
      const data = floats('x', x, [T, N]);
      checkCaptureFloats(captureFloats(this.#config, this.type, wanted, MIXER_RESIDUAL, T, T) + 8 * T * N);
      const sheet = new CaptureSheet(this.#config, this.type, wanted, MIXER_RESIDUAL, T, T);
      const out = new Float32Array(T * N);
      const state = this.#layer.newState(T);
      try {
        for (let t0 = 0; t0 < T; t0 += BLOCK_TOKENS) {
          if (t0 > 0) await nextTask(signal);
          this.#block(wasm, data, t0, Math.min(BLOCK_TOKENS, T - t0), state, sheet, out);
        }
      } finally {
        state.free();
      }
      return { ...sheet.result(), out: matrix([T, N], out) };
    }, o.signal);
  }

  #block(wasm, data, t0, T, state, sheet, out) {
    const N = this.#config.hidden;
    wasm.scope((s) => {
      const x = s.put(data.subarray(t0 * N, (t0 + T) * N));
      out.set(this.#layer.mix(s, x, T, state, undefined, sheet, t0).floats(T * N), t0 * N);
    });
  }

  /**
   * Embedding rows, fetched by range: each id's row once.
   * @param {number[] | Int32Array} ids @param {any} [given]
   * @returns {Promise<import('./options.js').Matrix>} (T, N)
   */
  async embed(ids, given) {
    this.#checkOpen();
    const o = options('layer.embed', given, ['signal', 'onProgress']);
    return this.#turn(async (wasm, signal) => {
      if (!this.#folder) badOption('layer.embed', 'a layer opened from a model folder', 'one opened from tensors');
      return embed(wasm, this.#folder, this.#config,
        tokenIds(ids, this.#config.vocab, this.#config.maxPositions), 0, { signal, onBytes: o.onProgress });
    }, o.signal);
  }

  /** Stops what is under way and gives its memory back; calls after it are BAD_OPTION. */
  async close() {
    const layer = this.#layer;
    this.#stop.abort();
    this.#folder?.close();
    this.#layer = this.#folder = undefined;
    this.#engine.closed(this);
    await this.#engine.after(() => layer?.free());
  }
}

/** What a config may leave out when only one mixer is asked for. */
const ONE_LAYER = { model_type: 'qwen3_5_text', num_hidden_layers: 1, vocab_size: 1, intermediate_size: 1 };

/** Layer from tensors that the caller holds. */
function fromTensors(wasm, o, engine) {
  const kind = oneOf('kind', o.kind, Object.keys(MIXERS));
  const given = givenTensors(o.tensors);
  const text = o.config?.text_config ?? o.config;
  const parsed = parseConfig(isPlain(text) ? { ...ONE_LAYER, ...text } : text);
  const index = 0;
  const config = { ...parsed, layerTypes: [kind, ...parsed.layerTypes.slice(1)] };
  const shapes = mixerShapes(config, index);
  checkTensors(config, given, shapes.map(([name]) => `layers.${index}.${name}`));
  const tensors = shapes.map(([name]) => /** @type {[string, any]} */ ([name, given.get(`layers.${index}.${name}`)]));
  const weights = new Weights(wasm, tensors);
  for (const [name, { data }] of tensors) weights.write(name, data);
  return new Layer(engine, config, new DecoderLayer(wasm, config, index, weights));
}

/** Layer from a model folder: its tensors are streamed to their place. */
async function fromFolder(wasm, o, engine) {
  const { baseURL, layer, signal, onProgress, ...network } = o;
  /** @type {{ event: (event: any) => void }} */
  const listener = { event: () => {} };
  const folder = await openFolder(baseURL, { ...network, signal, onEvent: (event) => listener.event(event) });
  try {
    return await streamLayer(wasm, folder, layer, { signal, onProgress, listener }, engine);
  } catch (error) {
    folder.close();
    throw error;
  }
}

async function streamLayer(wasm, folder, index, { signal, onProgress, listener }, engine) {
  const { config } = folder;
  if (!Number.isInteger(index) || index < 0 || index >= config.layers) {
    badOption('layer', `a whole number from 0 to ${config.layers - 1}`, index);
  }
  const names = mixerShapes(config, index).map(([name]) => name);
  checkTensors(config, folder.tensors, names.map((name) => `layers.${index}.${name}`));
  const tensors = names.map((name) => ({ ...folder.tensors.get(`layers.${index}.${name}`), group: index }));
  const weights = new Weights(wasm, names.map((name, i) => [name, tensors[i]]));
  const totalBytes = tensors.reduce((n, t) => n + t.end - t.begin, 0);
  let loadedBytes = 0;
  let retries = 0;
  let waitMs = 0;
  let tensor = names[0];
  /** @param {string} phase */
  const progress = (phase) => onProgress?.({ phase, loadedBytes, totalBytes, tensor, layer: index, retries, waitMs });
  listener.event = (event) => {
    if (event.type === 'retry') [retries, waitMs] = [retries + 1, event.waitMs];
    progress(event.type === 'retry' ? 'retrying' : 'weights');
  };
  try {
    progress('weights');
    await folder.read(tensors, (i, chunk, at) => {
      weights.write(names[i], chunk, at);
      loadedBytes += chunk.length;
      tensor = names[i];
      progress('weights');
    }, { signal });
    progress('ready');
    return new Layer(engine, config, new DecoderLayer(wasm, config, index, weights), folder);
  } catch (error) {
    weights.free();
    throw error;
  }
}

/**
 * @param {import('./wasm.js').Wasm} wasm @param {Record<string, any>} o
 * @param {{ queue: Function, closed: Function }} engine
 */
export async function openLayer(wasm, o, engine) {
  if (o.baseURL !== undefined) {
    if (o.tensors || o.config || o.kind) badOption('openLayer', 'baseURL and layer, or config, kind and tensors', 'both');
    return fromFolder(wasm, o, engine);
  }
  if (o.tensors === undefined) badOption('openLayer', 'baseURL and layer, or config, kind and tensors', Object.keys(o));
  return fromTensors(wasm, o, engine);
}

