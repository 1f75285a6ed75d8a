/**
 * The worker's side of the door: an engine of its own, and the handles opened from it. A real module file, so that it
 * works under a content security policy without blob:.
 */
import * as Comlink from 'comlink';
import { fromStandIns, kindOf, packError, packResult, registerHandle, shown } from './door.js';
import { createLocalEngine } from './local.js';
import { Layer } from './layer.js';
import { Model } from './model.js';
import { isPlain } from './options.js';
import { Recording } from './recording.js';
import { Session } from './session.js';
import { whenAborted } from './signals.js';
import { Tokenizer } from './tokenizer.js';
import { Trainer } from './trainer.js';

registerHandle('Layer', Layer);
registerHandle('Model', Model);
registerHandle('Recording', Recording);
registerHandle('Session', Session);
registerHandle('Tokenizer', Tokenizer);
registerHandle('Trainer', Trainer);

/** The engine is handle 0. @type {Map<number, any>} */
const handles = new Map();
/** Calls that can still be stopped. @type {Map<number, AbortController>} */
const running = new Map();
let next = 1;

/** Progress comes with every chunk; a page needs it a few times a second, and the last of it when a call ends. */
const PROGRESS_MS = 40;
/** Of the calls under way and of what is open. @type {Set<() => Promise<any>>} */
const heldProgress = new Set();
/** How to let go of the page's functions that something open goes on calling. @type {Map<number, () => void>} */
const lent = new Map();

/** Calls back to the page; done() when every call has been answered. */
function callbacks(given) {
  const pending = new Set();
  const send = (f, args) => {
    const call = Promise.resolve(f(...args)).finally(() => pending.delete(call));
    call.catch(() => {});
    pending.add(call);
  };
  const wrapped = {};
  let held;
  let told = -Infinity;
  const flush = () => {
    if (held) send(given.onProgress, [held]);
    held = undefined;
  };
  for (const name of ['onToken', 'onLayer']) if (given[name]) wrapped[name] = (...args) => send(given[name], args);
  if (given.onProgress) {
    wrapped.onProgress = (progress) => {
      held = progress;
      if (performance.now() - told < PROGRESS_MS && progress.phase === 'weights') return;
      told = performance.now();
      flush();
    };
  }
  const done = () => {
    flush();
    return Promise.all(pending);
  };
  if (given.onProgress) heldProgress.add(done);
  return { wrapped, done };
}

/**
 * The page's fetch, whose bytes come over message by message.
 * @param {(url: string, init: object) => Promise<any>} open @returns {typeof globalThis.fetch}
 */
const remoteFetch = (open) => async (url, /** @type {any} */ init = {}) => {
  const { signal, ...rest } = init;
  const answer = await open(String(url), { ...rest, headers: [...new Headers(rest.headers)] });
  let over = false;
  const end = () => {
    if (over) return;
    over = true;
    off();
    answer[Comlink.releaseProxy]();
  };
  const cancel = () => answer.cancel().then(end, end);
  const off = whenAborted(signal, cancel);
  if (signal?.aborted) cancel();
  const { error: failure, status, headers, odd, ...about } = await answer.head();
  if (failure) {
    end();
    throw new TypeError(failure);
  }
  if (status === undefined) {
    end();
    return odd === undefined ? odd : fromStandIns(odd);
  }
  const body = new ReadableStream({
    async pull(controller) {
      const { done, value, error } = await answer.read();
      if (error) controller.error(new TypeError(error));
      else if (done) controller.close();
      else controller.enqueue(value);
      if (error || done) end();
    },
    cancel,
  });
  const response = new Response([204, 205, 304].includes(status) ? null : body, { status, headers });
  for (const name of ['url', 'type']) Object.defineProperty(response, name, { value: about[name] });
  return response;
};

/** All that the page was told has come to it; other ports than an answer's carry it, which may overtake it. */
const heard = (back) => Promise.all([back.done(), ...[...heldProgress].map((done) => done())]);

const state = (id) => ({
  memoryBytes: handles.get(0)?.memoryBytes ?? 0,
  shown: kindOf(handles.get(id)) && shown(kindOf(handles.get(id)), handles.get(id)),
});

/** What is opened from a folder goes on calling back after the opening call has been answered, until it is closed. */
const KEEPS_FUNCTIONS = ['openLayer', 'openModel'];

const door = {
  /** @param {object} options of createEngine */
  async create(options) {
    try {
      const engine = await createLocalEngine(options);
      handles.set(0, engine);
      return { variant: engine.variant, state: state(0) };
    } catch (error) {
      return { error: packError(error), state: state(0) };
    }
  },

  /**
   * One method of a handle. proxies: the functions among the options, in the order of their names.
   * @param {number} call @param {number} id @param {string} method
   * @param {any} given the arguments, or { standIns } for what cannot be copied @param {number} optionsAt
   * @param {string[]} names @param {any[]} proxies
   */
  async call(call, id, method, given, optionsAt, names, ...proxies) {
    const args = Array.isArray(given) ? given : fromStandIns(given.standIns);
    const functions = Object.fromEntries(names.map((name, i) => [name, proxies[i]]));
    const stop = new AbortController();
    running.set(call, stop);
    const back = callbacks(functions);
    const release = () => {
      heldProgress.delete(back.done);
      for (const proxy of proxies) proxy[Comlink.releaseProxy]();
    };
    let keeper;
    try {
      if (isPlain(args[optionsAt])) {
        const { signal, ...plain } = args[optionsAt]; // true where the page holds the signal
        args[optionsAt] = { ...plain, ...back.wrapped, ...(signal ? { signal: stop.signal } : {}),
          ...(functions.fetch ? { fetch: remoteFetch(functions.fetch) } : {}) };
      }
      const result = await handles.get(id)[method](...args);
      await heard(back);
      if (method === 'close') {
        lent.get(id)?.();
        lent.delete(id);
        handles.delete(id);
      }
      const packed = packResult(result, (_kind, handle) => {
        handles.set(next, handle);
        return next++;
      });
      if (KEEPS_FUNCTIONS.includes(method)) keeper = packed.handle;
      return Object.assign(packed, { state: state(id) });
    } catch (error) {
      await heard(back); // what came before a failure is told before it
      return { error: packError(error), state: state(id) };
    } finally {
      running.delete(call);
      if (keeper === undefined) release();
      else lent.set(keeper, release);
    }
  },

  abort(call) {
    running.get(call)?.abort();
  },
};

if (globalThis.process?.versions?.node) {
  const { parentPort } = await import(/* @vite-ignore */ 'node:worker_threads');
  const { default: nodeEndpoint } = await import(/* @vite-ignore */ 'comlink/dist/esm/node-adapter.mjs');
  Comlink.expose(door, nodeEndpoint(/** @type {any} */ (parentPort)));
} else {
  Comlink.expose(door);
}
