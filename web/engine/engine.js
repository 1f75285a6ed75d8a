/**
 * The engine on this thread: one WebAssembly instance, calls in order, everything closed with it.
 *
 * Every call ends at once when its signal says so or close() comes, also while it waits for its turn: ABORTED. What it
 * had begun hears the same signal, and the next call's turn comes when it has given up.
 */
import { cacheInfo, deleteCache } from './cache.js';
import { EngineError, nameFailure } from './errors.js';
import { abortSignal, options } from './options.js';
import { linkSignals } from './signals.js';
import { throwIfAborted, within } from './wait.js';
import * as toys from './toys.js';
import { openLayer } from './layer.js';
import { openModel } from './model.js';
import { openRecording } from './recording.js';
import { loadTokenizer, TOKENIZER_OPTIONS } from './tokenizer.js';
import { createTrainer } from './trainer.js';

export class Engine {
  #wasm;
  #last = Promise.resolve();
  #open = new Set();
  #stop = new AbortController();
  /** @type {Promise<void> | undefined} */
  #closing;

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
   * @template T
   * @param {(wasm: import('./wasm.js').Wasm, signal: AbortSignal) => T | Promise<T>} f
   *   signal: the caller's and close()'s
   * @param {AbortSignal} [signal] the caller's
   * @returns {Promise<T>}
   */
  async #queue(f, signal) {
    this.#checkOpen();
    const link = linkSignals([signal, this.#stop.signal]);
    const turn = this.#last.then(() => {
      throwIfAborted(link.signal);
      return f(this.#wasm, link.signal);
    }).catch(nameFailure);
    this.#last = turn.then(() => {}, () => {});
    return within(turn, link).finally(link.unlink);
  }

  /**
   * As #queue, for what stays open until the engine is closed. What opens after a stop is closed: nobody has it.
   * @param {(wasm: import('./wasm.js').Wasm, signal: AbortSignal) => any} f @param {AbortSignal} [signal]
   */
  async #opens(f, signal) {
    let handle;
    try {
      return await this.#queue(async (wasm, stop) => {
        handle = await f(wasm, stop);
        this.#open.add(handle);
        if (stop.aborted) handle.close();
        return handle;
      }, signal);
    } catch (error) {
      handle?.close();
      throw error;
    }
  }

  #checkOpen() {
    if (this.#closing) {
      throw new EngineError('BAD_OPTION', 'engine: expected an open one, found it closed',
        { expected: 'an open engine', found: 'closed' });
    }
  }

  async attention(given) {
    return this.#queue((wasm, signal) => toys.attention(wasm, given, signal), abortSignal(given?.signal));
  }

  async gate(given) {
    return this.#queue((wasm, signal) => toys.gate(wasm, given, signal), abortSignal(given?.signal));
  }

  async gateSgd(given) {
    return this.#queue((wasm, signal) => toys.gateSgd(wasm, given, signal), abortSignal(given?.signal));
  }

  async gqaSweep(given) {
    return this.#queue((wasm, signal) => toys.gqaSweep(wasm, given, signal), abortSignal(given?.signal));
  }

  /** One layer's mixer, from tensors in hand or from a model folder. */
  async openLayer(given) {
    const o = options('openLayer', given,
      ['config', 'kind', 'tensors', 'baseURL', 'layer', 'cache', 'network', 'fetch', 'signal', 'onProgress']);
    return this.#opens((wasm, signal) => openLayer(wasm, { ...o, signal }, this.#lend()), abortSignal(o.signal));
  }

  /** The tokenizer of a model folder, as loadTokenizer(); with workers it is fetched, parsed and run there. */
  async loadTokenizer(baseURL, given) {
    this.#checkOpen();
    const o = options('loadTokenizer', given, TOKENIZER_OPTIONS);
    const link = linkSignals([abortSignal(o.signal), this.#stop.signal]);
    const tokenizer = await loadTokenizer(baseURL, { ...o, signal: link.signal }, this.#lend().closed)
      .finally(link.unlink);
    this.#open.add(tokenizer);
    return tokenizer;
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
    return this.#opens((wasm, signal) => openModel(wasm, baseURL, given, this.#lend(), signal),
      abortSignal(given?.signal));
  }

  /** A small model that learns: its task, its optimizer, its seed. */
  async createTrainer(given) {
    return this.#opens((wasm, signal) => createTrainer(wasm, given, this.#lend(), signal), abortSignal(given?.signal));
  }

  /** A run saved by run.save(): answers for its own prompts only. */
  async openRecording(url, given) {
    return this.#opens((_, signal) => openRecording(url, given, signal, this.#lend().closed),
      abortSignal(given?.signal));
  }

  /**
   * Stops what is queued or under way (ABORTED), ends everything opened from this engine and drops its memory. Then
   * nothing of it runs, fetches or holds memory; later calls are BAD_OPTION.
   */
  async close() {
    this.#closing ??= this.#end();
    await this.#closing;
  }

  async #end() {
    this.#stop.abort();
    await Promise.all([...this.#open].map((handle) => handle.close()));
    for (let last; last !== this.#last;) { // what gives up may still have something to free
      last = this.#last;
      await last;
    }
    this.#wasm.drop();
    this.#wasm = undefined;
  }
}
