/** Giving the thread back between blocks of work, so that messages, clicks and stops are served. */
import { throwIfAborted, within } from './wait.js';

/** Work goes on for so long before the thread is given back. */
const BUSY_MS = 20;

/**
 * Resolves in a later task, not only a later microtask; ABORTED as soon as the signal says so.
 * @param {AbortSignal} [signal] @returns {Promise<void>}
 */
export const nextTask = (signal) => within(new Promise((resolve) => {
  setTimeout(resolve, 0);
}), { signal });

/**
 * For long work in a loop: `await breathe()` before each step gives the thread back when it has been busy for a while,
 * and ends work that was stopped (ABORTED).
 * @param {AbortSignal} [signal] @returns {() => Promise<void>} breathe
 */
export function slices(signal) {
  let since = performance.now();
  return async () => {
    throwIfAborted(signal);
    if (performance.now() - since < BUSY_MS) return;
    await nextTask(signal);
    since = performance.now();
  };
}
