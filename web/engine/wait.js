/** Waiting that can be cut short: by the caller's signal at once, or by a limit on silence. */
import { EngineError } from './errors.js';
import { whenAborted } from './signals.js';

/** @param {AbortSignal} [signal] */
export const abortError = (signal) => new EngineError('ABORTED', 'stopped by the caller', { reason: signal?.reason });

/** @param {AbortSignal | undefined} signal */
export function throwIfAborted(signal) {
  if (signal?.aborted) throw abortError(signal);
}

/**
 * Call `late` once after ms of silence. A timer that fires much too late only shows that this thread was busy or the
 * computer asleep, and what came meanwhile has not been looked at yet: then the silence counts anew.
 * @returns {() => void} to call when the silence is over
 */
function watch(ms, late) {
  let timer;
  const arm = () => {
    const due = performance.now() + ms;
    timer = setTimeout(() => (performance.now() - due > 500 ? arm() : late()), ms);
  };
  arm();
  return () => clearTimeout(timer);
}

/**
 * The promise, or ABORTED as soon as the signal says so, or `onSilence()`'s error after `ms` without an answer.
 * A promise that loses is left alone, its later failure included.
 * @template T
 * @param {Promise<T>} promise
 * @param {{ signal?: AbortSignal, ms?: number, onSilence?: () => Error }} limits
 * @returns {Promise<T>}
 */
export function within(promise, { signal, ms, onSilence }) {
  return new Promise((resolve, reject) => {
    const stop = ms === undefined ? () => {} : watch(ms, () => done(reject, onSilence()));
    const onAbort = () => done(reject, abortError(signal));
    const done = (settle, value) => {
      stop();
      off();
      settle(value);
    };
    const off = whenAborted(signal, onAbort);
    promise.then((value) => done(resolve, value), (error) => done(reject, error));
    if (signal?.aborted) onAbort();
  });
}

/** @param {number} ms @param {AbortSignal} [signal] */
export function pause(ms, signal) {
  let timer;
  const over = new Promise((resolve) => {
    timer = setTimeout(resolve, ms);
  });
  return within(over, { signal }).finally(() => clearTimeout(timer));
}

/** At most `limit` at a time; the others wait in the order they came. @param {number} limit */
export function createSlots(limit) {
  let free = limit;
  const waiting = [];
  const leave = () => {
    const next = waiting.shift();
    if (next) next();
    else free++;
  };
  return {
    /** @template T @param {() => Promise<T>} work @param {AbortSignal} [signal] @returns {Promise<T>} */
    async run(work, signal) {
      throwIfAborted(signal);
      if (free > 0) free--;
      else {
        let enter;
        const turn = new Promise((resolve) => {
          enter = resolve;
          waiting.push(enter);
        });
        await within(turn, { signal }).catch((error) => {
          const at = waiting.indexOf(enter);
          if (at >= 0) waiting.splice(at, 1);
          else leave();
          throw error;
        });
      }
      try {
        return await within(work(), { signal }); // work that does not heed its signal keeps no slot
      } finally {
        leave();
      }
    },
  };
}
