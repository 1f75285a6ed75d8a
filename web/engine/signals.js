/**
 * Signals to stop: many waiters on one signal with one listener, and several signals as one (AbortSignal.any, for
 * browsers of 2023 too).
 */

/** Waiters of each signal. @type {WeakMap<AbortSignal, Set<() => void>>} */
const waiters = new WeakMap();

/**
 * Calls f when the signal is aborted; not at all when it already is. However many wait, the signal has one listener.
 * @param {AbortSignal | undefined} signal @param {() => void} f
 * @returns {() => void} to call when there is nothing to stop any more
 */
export function whenAborted(signal, f) {
  if (!signal) return () => {};
  let set = waiters.get(signal);
  if (!set) {
    set = new Set();
    waiters.set(signal, set);
    const all = set;
    signal.addEventListener('abort', () => [...all].forEach((wake) => wake()), { once: true });
  }
  const own = () => f(); // the same f may wait twice
  set.add(own);
  return () => set.delete(own);
}

/**
 * @param {(AbortSignal | undefined)[]} signals
 * @returns {{ signal: AbortSignal, abort: () => void, unlink: () => void }} unlink when the work is over
 */
export function linkSignals(signals) {
  const both = new AbortController();
  const offs = signals.filter(Boolean).map((signal) => {
    const stop = () => both.abort(signal.reason);
    if (signal.aborted) stop();
    return whenAborted(signal, stop);
  });
  return { signal: both.signal, abort: () => both.abort(), unlink: () => offs.forEach((off) => off()) };
}
