/** What a download says about itself: speed from a sliding window, time left only when it can be known. */

/**
 * @typedef {{ at: number, loaded: number }} Sample  at: ms
 * @typedef {{ loaded: number, total: number, startedAt: number, samples: Sample[], retrying: boolean,
 *   retryAt: number, full: boolean }} Download
 *   total 0: unknown; retryAt: when the next try begins, ms; full: the device keeps no more of what arrives
 */

/** @param {number} startedAt @returns {Download} */
export const freshDownload = (startedAt) => ({ loaded: 0, total: 0, startedAt, samples: [], retrying: false, retryAt: 0, full: false });

/**
 * @param {Download} d @param {number} at
 * @param {{ loadedBytes: number, totalBytes: number, phase: string, waitMs?: number, full?: boolean }} report @returns {Download}
 */
export function arrived(d, at, { loadedBytes, totalBytes, phase, waitMs = 0, full = false }) {
  const samples = withSample(d.samples, { at, loaded: loadedBytes });
  const retrying = phase === 'retrying';
  const next = at + waitMs;
  // of several connections that wait, the first to try again counts
  const retryAt = !retrying ? 0 : d.retrying && d.retryAt > at ? Math.min(d.retryAt, next) : next;
  return { ...d, loaded: loadedBytes, total: totalBytes, samples, retrying, retryAt, full };
}

/** Whole seconds until the next try, 0 once it is under way. @param {Download} d @param {number} now */
export const secondsToRetry = ({ retryAt }, now) => Math.max(0, Math.ceil((retryAt - now) / 1000));

const WINDOW = 3000;

/** Keeps the samples of the last seconds. @param {Sample[]} samples @param {Sample} next @returns {Sample[]} */
export function withSample(samples, next) {
  return [...samples.filter((s) => next.at - s.at <= WINDOW), next];
}

/** @param {Sample[]} samples @returns {number} bytes per second, NaN while unknown */
export function speed(samples) {
  const [first, last] = [samples[0], samples[samples.length - 1]];
  if (!first || last.at - first.at < 250) return Number.NaN;
  return ((last.loaded - first.loaded) / (last.at - first.at)) * 1000;
}

/**
 * @param {Sample[]} samples @param {number | undefined} total @param {number} startedAt
 * @returns {number} seconds, NaN while unknown (the first 3 s, no total, standing still)
 */
export function secondsLeft(samples, total, startedAt) {
  const last = samples[samples.length - 1];
  const rate = speed(samples);
  if (!total || !last || last.at - startedAt < WINDOW || !(rate > 0)) return Number.NaN;
  return Math.max(0, total - last.loaded) / rate;
}
