/**
 * The page's side of the door: an engine with the same face whose work is done in workers, so that the page stays free.
 * A worker that dies rejects what it was asked with WORKER_LOST; a new engine can be made. A call that is stopped, or
 * under way when close() comes, is ABORTED at once here; the worker hears of it and gives up what it had begun.
 */
import * as Comlink from 'comlink';
import { unpackError, unpackResult, withoutURLs, withStandIns } from './door.js';
import { EngineError } from './errors.js';
import { abortSignal, badOption, isPlain, listener } from './options.js';
import { isResponse } from './exchange.js';
import { linkSignals, whenAborted } from './signals.js';
import { abortError, throwIfAborted, within } from './wait.js';

const lost = (why) => new EngineError('WORKER_LOST', `worker: expected it to answer, found it gone (${why})`,
  { expected: 'a worker', found: why });

/** @returns {Promise<{ endpoint: any, onLost: (f: (why: string) => void) => void, terminate: () => any }>} */
async function startWorker() {
  if (globalThis.process?.versions?.node) {
    const { Worker } = await import(/* @vite-ignore */ 'node:worker_threads');
    const { default: nodeEndpoint } = await import(/* @vite-ignore */ 'comlink/dist/esm/node-adapter.mjs');
    const worker = new Worker(new URL('./worker.js', import.meta.url));
    return {
      endpoint: nodeEndpoint(worker),
      onLost: (f) => {
        worker.on('error', (error) => f(String(error?.message ?? error)));
        worker.on('messageerror', () => f('unreadable message'));
        worker.on('exit', (code) => f(`exit ${code}`));
      },
      terminate: () => worker.terminate(),
    };
  }
  const worker = new Worker(new URL('./worker.js', import.meta.url), { type: 'module' });
  return {
    endpoint: worker,
    onLost: (f) => {
      worker.addEventListener('error', (event) => f(event.message || 'it could not start'));
      worker.addEventListener('messageerror', () => f('unreadable message'));
    },
    terminate: () => worker.terminate(),
  };
}

/**
 * The caller's fetch for the worker: the answer's head, then its bytes, moved chunk by chunk. It ends with the first of
 * the signals, whatever the worker does.
 */
const lendFetch = (fetch, signals) => (url, init) => {
  const stop = linkSignals(signals);
  const opening = Promise.resolve().then(() => {
    throwIfAborted(stop.signal);
    return fetch(url, { ...init, signal: stop.signal });
  });
  // one that does not heed its signal may still answer when nobody listens
  opening.then((late) => stop.signal.aborted && late?.body?.cancel(), stop.unlink).catch(() => {});
  const failed = (error) => {
    stop.unlink();
    return { error: String(error?.message ?? error) };
  };
  let reader;
  return Comlink.proxy({
    head: () => opening.then((response) => {
      if (!isResponse(response)) return { odd: withStandIns(response) };
      reader = response.body?.getReader?.();
      const { status, url: from, type } = response;
      return { status, url: from, type, headers: [...(response.headers ?? [])] };
    }).catch(failed),
    async read() {
      try {
        const { done, value } = (await reader?.read()) ?? { done: true };
        if (done) {
          stop.unlink();
          return { done };
        }
        // the reader says what is wrong
        if (!(value instanceof Uint8Array)) return { done, value: withStandIns(value) };
        const own = value.byteLength === value.buffer.byteLength ? value : value.slice();
        return Comlink.transfer({ done, value: own }, [own.buffer]);
      } catch (error) {
        return failed(error);
      }
    },
    cancel() {
      stop.abort();
      stop.unlink();
    },
  });
};

/**
 * The same without the contents of typed arrays, which can always be copied (what has lost its bytes stays: it cannot).
 * @param {any} x @param {Map<object, any>} [seen] parts of it, each made once
 */
function withoutBytes(x, seen = new Map()) {
  if (ArrayBuffer.isView(x)) return x.buffer.byteLength > 0 ? null : x;
  if (x instanceof Map) return new Map(withoutBytes([...x], seen));
  if (!Array.isArray(x) && !isPlain(x)) return x;
  if (seen.has(x)) return seen.get(x);
  const copy = Array.isArray(x) ? [] : {};
  seen.set(x, copy);
  for (const [key, part] of Object.entries(x)) copy[key] = withoutBytes(part, seen);
  return copy;
}

/** Options that are functions of the page. */
const CALLED_BACK = ['onProgress', 'onLayer', 'onToken', 'fetch'];

/** One worker and the calls under way in it. */
class Line {
  /** @type {string} */
  variant;
  #remote;
  #worker;
  #next = 1;
  /** Ends the fetches that are lent to the worker. */
  #over = new AbortController();
  /** How to reject what is asked and not yet answered. @type {Set<(error: Error) => void>} */
  #asked = new Set();
  /** Why nothing can be asked any more. @type {EngineError | undefined} */
  gone;
  memoryBytes = 0;

  static async start(options, signal) {
    const line = new Line();
    const worker = line.#worker = await startWorker();
    line.#remote = Comlink.wrap(worker.endpoint);
    worker.onLost((why) => line.#end(lost(why)));
    try {
      const { variant, error, state } = await within(line.#answer(line.#remote.create(options)), { signal });
      if (error) throw unpackError(error);
      line.variant = variant;
      line.memoryBytes = state.memoryBytes;
      return line;
    } catch (error) {
      await line.end();
      throw error;
    }
  }

  /** The answer, or why there will be none. Nothing is kept of a promise that has settled. */
  #answer(promise) {
    return new Promise((resolve, reject) => {
      if (this.gone) reject(this.gone);
      this.#asked.add(reject);
      promise.then(resolve, reject).finally(() => this.#asked.delete(reject));
    });
  }

  /** @param {EngineError} why */
  #end(why) {
    if (this.gone) return;
    this.gone = why;
    this.memoryBytes = 0;
    for (const reject of this.#asked) reject(why);
    this.#asked.clear();
    this.#over.abort();
  }

  /**
   * @param {number} id handle @param {string} method @param {any[]} args @param {number} optionsAt index of the options
   * @param {(shown: object) => void} [onShown] the handle's properties afterwards
   */
  async call(id, method, args, optionsAt, onShown) {
    if (this.gone) throw this.gone;
    const call = this.#next++;
    const own = args.map((arg) => withoutURLs(arg));
    const names = [];
    const functions = [];
    const given = own[optionsAt];
    const signal = abortSignal(given?.signal);
    throwIfAborted(signal);
    const stopped = new AbortController();
    /** Nothing is called back when the call has failed or was stopped. */
    const unlessStopped = (f) => {
      const told = listener(f); // what it returns is nobody's, and may not even be copied
      return (...values) => {
        if (!stopped.signal.aborted) told(...values);
      };
    };
    if (isPlain(given)) {
      const plain = { ...given };
      for (const name of CALLED_BACK) {
        const f = plain[name];
        if (typeof f !== 'function') continue; // what is none is refused behind the door
        delete plain[name];
        names.push(name);
        const signals = [stopped.signal, this.#over.signal];
        functions.push(Comlink.proxy(name === 'fetch' ? lendFetch(f, signals) : unlessStopped(f)));
      }
      if (typeof plain.cache === 'object' && plain.cache !== null) {
        badOption('cache', "'auto' or 'none' with workers", plain.cache);
      }
      if (signal) plain.signal = true;
      own[optionsAt] = plain;
    }
    const answer = this.#answer(this.#send(call, id, method, own, optionsAt, names, ...functions)).then((packed) => {
      this.memoryBytes = packed.state.memoryBytes;
      if (packed.state.shown) onShown?.(packed.state.shown);
      return packed;
    });
    const off = whenAborted(signal, () => this.#remote.abort(call));
    try {
      const packed = await within(answer, { signal });
      if (packed.error) throw unpackError(packed.error);
      return packed;
    } catch (error) {
      stopped.abort();
      answer.then((late) => this.#giveBack(late), () => {});
      throw error;
    } finally {
      off();
    }
  }

  /** What was opened for a call that had been stopped meanwhile is nobody's. */
  #giveBack({ handle }) {
    if (handle !== undefined) this.call(handle, 'close', [], 0).catch(() => {});
  }

  async #send(call, id, method, args, ...rest) {
    const [, names] = rest;
    try {
      // a message that fails would leave the functions' ports open
      if (names.length) structuredClone(withoutBytes(args));
      return await this.#remote.call(call, id, method, args, ...rest);
    } catch (error) {
      if (error?.name !== 'DataCloneError' && !(error instanceof RangeError)) throw error;
      return this.#remote.call(call, id, method, { standIns: withStandIns(args) }, ...rest);
    }
  }

  /** Ends the worker with everything in it, at once; calls under way are ABORTED. */
  async end() {
    this.#end(abortError(undefined));
    await this.#worker.terminate();
  }
}

/** Which argument of a method holds its options. */
const OPTIONS_AT = { attention: 0, gate: 0, gateSgd: 0, gqaSweep: 0, openLayer: 0, openModel: 1, openRecording: 1, loadTokenizer: 1, createTrainer: 0, embed: 1, forward: 1,
  append: 1, generate: 1, session: 0, step: 1,
  probe: 1, export: 0 };
const METHODS = {
  Layer: ['forward', 'embed'],
  Model: ['forward', 'session', 'generate'],
  Recording: ['forward'],
  Session: ['append', 'generate'],
  Tokenizer: ['encode', 'decode', 'pieces'],
  Trainer: ['step', 'sample', 'probe', 'export'],
};

/**
 * A generation whose failure carries what was made, also when the worker's own answer is not waited for.
 * @param {(ids: any, given: any) => Promise<number[]>} generate
 */
const withWhatWasMade = (generate) => async (ids, given) => {
  const { onToken } = isPlain(given) ? given : {};
  if (!isPlain(given) || (onToken !== undefined && typeof onToken !== 'function')) return generate(ids, given);
  const made = [];
  const keep = (id) => {
    made.push(id);
    onToken?.(id);
  };
  try {
    return await generate(ids, { ...given, onToken: keep });
  } catch (error) {
    if (made.length) error.details.ids = made;
    throw error;
  }
};

/** A handle that lives in the worker: the methods of its kind, its properties as of the last answer. */
class RemoteHandle {
  /** @param {Line} line @param {string} kind @param {number} id @param {object} shown @param {() => void} check */
  constructor(line, kind, id, shown, check) {
    Object.assign(this, shown);
    let open = true;
    const call = (method, args) => {
      check();
      if (!open) badOption(kind.toLowerCase(), 'an open one', 'a closed one');
      return line.call(id, method, args, OPTIONS_AT[method] ?? args.length, (now) => Object.assign(this, now));
    };
    for (const method of METHODS[kind]) {
      this[method] = async (...args) => unpackResult(await call(method, args),
        (k, h, s) => new RemoteHandle(line, k, h, s, check));
    }
    if (this.generate) this.generate = withWhatWasMade(this.generate);
    this.close = async () => {
      if (!open) return;
      open = false;
      await line.call(id, 'close', [], 0).catch((error) => {
        if (error !== line.gone) throw error; // it went with its worker
      });
    };
  }
}

const ENGINE_METHODS = ['attention', 'gate', 'gateSgd', 'gqaSweep', 'openLayer', 'openModel', 'openRecording',
  'loadTokenizer', 'createTrainer', 'cacheInfo', 'deleteCache'];
/** Things that keep a worker busy go round; small sums stay with the first. */
const SPREAD = new Set(['openLayer', 'openModel', 'createTrainer']);

class RemoteEngine {
  #lines;
  /** @type {Promise<any> | undefined} */
  #closed;
  #turn = 0;

  /** @param {Line[]} lines */
  constructor(lines) {
    this.#lines = lines;
    this.variant = lines[0].variant;
    this.workers = lines.length;
    for (const method of ENGINE_METHODS) this[method] = (...args) => this.#call(method, args);
  }

  /** Bytes of WebAssembly memory in all workers, as of their last answers. */
  get memoryBytes() {
    return this.#lines.reduce((n, line) => n + line.memoryBytes, 0);
  }

  #check() {
    if (this.#closed) badOption('engine', 'an open one', 'a closed one');
  }

  async #call(method, args) {
    this.#check();
    const line = this.#lines[SPREAD.has(method) ? this.#turn++ % this.#lines.length : 0];
    return unpackResult(await line.call(0, method, args, OPTIONS_AT[method] ?? args.length),
      (kind, id, shown) => new RemoteHandle(line, kind, id, shown, () => this.#check()));
  }

  /** Ends the workers with everything in them, whatever they do; calls under way are ABORTED, later ones BAD_OPTION. */
  async close() {
    this.#closed ??= Promise.all(this.#lines.map((line) => line.end()));
    await this.#closed;
  }
}

/**
 * @param {{ variant: string, wasmURL?: string, workers: number, signal?: AbortSignal }} options already checked
 */
export async function createRemoteEngine({ variant, wasmURL, workers, signal }) {
  const started = await Promise.allSettled(Array.from({ length: workers },
    () => Line.start({ variant, wasmURL }, signal)));
  const lines = started.flatMap((s) => (s.status === 'fulfilled' ? [s.value] : []));
  const failed = started.find((s) => s.status === 'rejected');
  if (failed || signal?.aborted) {
    await Promise.all(lines.map((line) => line.end()));
    throwIfAborted(signal);
    throw /** @type {PromiseRejectedResult} */ (failed).reason;
  }
  return new RemoteEngine(lines);
}
