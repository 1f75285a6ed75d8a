/**
 * The engine on this thread: one WebAssembly instance, calls in order, everything closed with it.
 */
import { cacheInfo, deleteCache } from './cache.js';
import { EngineError, nameFailure } from './errors.js';
import { abortSignal, options } from './options.js';
import { throwIfAborted } from './wait.js';
import * as toys from './toys.js';
import { openLayer } from './layer.js';
import { openModel } from './model.js';
import { openRecording } from './recording.js';
import { loadTokenizer } from './tokenizer.js';
import { createTrainer } from './trainer.js';

export class Engine {
  #wasm;
  #last = Promise.resolve();
  #closed = false;
  #open = new Set();

  /** @param {import('./variants.js').Variant} variant @param {import('./wasm.js').Wasm} wasm */
  constructor(variant, wasm) {
    this.variant = variant;
    this.workers = 0;
    this.#wasm = wasm;
  }

  /** Bytes of WebAssembly memory in use now; 0 after close. */
  get memoryBytes() {
    return this.#wasm?.bytes ?? 0;
  }

  /**
   * Runs f after every earlier call of this engine has ended.
   * @template T @param {(wasm: import('./wasm.js').Wasm) => T | Promise<T>} f @param {AbortSignal} [signal]
   * @returns {Promise<T>}
   */
  async #queue(f, signal) {
    this.#checkOpen();
    const turn = this.#last.then(() => {
      throwIfAborted(signal);
      return f(this.#wasm);
    }).catch(nameFailure);
    this.#last = turn.then(() => {}, () => {});
    return turn;
  }

  #checkOpen() {
    if (this.#closed) {
      throw new EngineError('BAD_OPTION', 'engine: expected an open one, found it closed',
        { expected: 'an open engine', found: 'closed' });
    }
  }

  async attention(given) {
    return this.#queue((wasm) => toys.attention(wasm, given), abortSignal(given?.signal));
  }

  async gate(given) {
    return this.#queue((wasm) => toys.gate(wasm, given), abortSignal(given?.signal));
  }

  async gateSgd(given) {
    return this.#queue((wasm) => toys.gateSgd(wasm, given), abortSignal(given?.signal));
  }

  async gqaSweep(given) {
    return this.#queue((wasm) => toys.gqaSweep(wasm, given), abortSignal(given?.signal));
  }

  /** One layer's mixer, from tensors in hand or from a model folder. */
  async openLayer(given) {
    const o = options('openLayer', given,
      ['config', 'kind', 'tensors', 'baseURL', 'layer', 'cache', 'network', 'fetch', 'signal', 'onProgress']);
    const signal = abortSignal(o.signal);
    return this.#queue(async (wasm) => {
      const layer = await openLayer(wasm, o, this.#lend());
      this.#open.add(layer);
      return layer;
    }, signal);
  }

  /** The tokenizer of a model folder, as loadTokenizer(); with workers it is fetched, parsed and run there. */
  async loadTokenizer(baseURL, given) {
    this.#checkOpen();
    return loadTokenizer(baseURL, given);
  }

  /** What this browser keeps of models: { kind, bytes, folders }. */
  async cacheInfo() {
    return cacheInfo();
  }

  /** Forgets one model folder's files, or all of them. @param {string | URL | (string | URL)[]} [baseURL] */
  async deleteCache(baseURL) {
    await deleteCache(baseURL);
  }

  /** What a handle opened from this engine may do with it. */
  #lend() {
    return {
      queue: (f, signal) => this.#queue(f, signal),
      after: (f) => this.#after(f),
      closed: (handle) => this.#open.delete(handle),
    };
  }

  /** Runs f when the work under way has ended, whether or not the engine is open: how things are freed. */
  #after(f) {
    const turn = this.#last.then(f);
    this.#last = turn.then(() => {}, () => {});
    return turn;
  }

  /** The whole model of a folder; resolves when config and headers are read, weights stream afterwards. */
  async openModel(baseURL, given) {
    return this.#queue(async (wasm) => {
      const model = await openModel(wasm, baseURL, given, this.#lend());
      this.#open.add(model);
      return model;
    }, abortSignal(given?.signal));
  }

  /** A small model that learns: its task, its optimizer, its seed. */
  async createTrainer(given) {
    return this.#queue((wasm) => {
      const trainer = createTrainer(wasm, given, this.#lend());
      this.#open.add(trainer);
      return trainer;
    });
  }

  /** A run saved by run.save(): answers for its own prompts only. */
  async openRecording(url, given) {
    return this.#queue(() => openRecording(url, given));
  }

  /** Ends everything opened from this engine and drops its memory. */
  async close() {
    this.#closed = true;
    await Promise.all([...this.#open].map((handle) => handle.close()));
    await this.#last;
    this.#wasm = undefined;
  }
}
