/**
 * Bytes [begin, end) of a folder's file from the web: tries again with growing pauses, takes up where the last
 * connection broke off, and goes from mirror to mirror. No byte is handed on twice and none is left out.
 */
import { EngineError } from './errors.js';
import { exchange } from './exchange.js';
import { fileURL } from './address.js';
import { badOption } from './options.js';
import { createSlots, pause, throwIfAborted, within } from './wait.js';

/**
 * @typedef {object} Network
 * @property {number} stallMs   silence that counts as a failure
 * @property {number} retries   tries after the first without progress
 * @property {number} backoffMs pause before the second try; doubles
 * @property {number} parallel  requests at a time
 * @property {number} wholeLimit  bytes too many that a server without Range may send
 *
 * @typedef {(chunk: Uint8Array, offset: number) => void | Promise<void>} OnChunk  offset in the file
 * @typedef {{ signal?: AbortSignal, retries?: number, stallMs?: number, fresh?: boolean }} ReadOptions
 * @typedef {{ size?: number, version: { commit?: string, etag?: string, modified?: string }, base: string }} Source
 *
 * @typedef {object} Transport
 * @property {(file: string, begin: number, end: number, onChunk: OnChunk, options?: ReadOptions)
 *   => Promise<Source>} read
 *   end Infinity: the whole rest
 * @property {(file: string) => number | undefined} size  length of a file, once an answer told
 * @property {{ bytes: number, requests: number, retries: number }} received  every body byte that came in
 */

/** @type {Readonly<Network>} */
export const NETWORK =
  Object.freeze({ stallMs: 30000, retries: 5, backoffMs: 250, parallel: 4, wholeLimit: 64 << 20 });

/** So many new bytes make a broken connection a good one: the count of failures starts anew. */
const PROGRESS = 65536;
/** Longest pause a server may ask for by Retry-After. */
const MAX_PAUSE = 30000;

/** The longest that a timer can wait. */
const MAX_MS = 2 ** 31 - 1;

/** @param {Partial<Network>} [given] @returns {Network} */
export function readNetwork(given = {}) {
  for (const [key, value] of Object.entries(given)) {
    if (!Object.hasOwn(NETWORK, key)) {
      badOption(`network.${key}`, `one of ${Object.keys(NETWORK).join(', ')}`, 'another name');
    }
    const least = key === 'parallel' || key === 'stallMs' ? 1 : 0;
    const most = key.endsWith('Ms') ? MAX_MS : Number.MAX_SAFE_INTEGER;
    const isWhole = Number.isInteger(value);
    if (!isWhole || value < least || value > most) {
      badOption(`network.${key}`, `a whole number from ${least}${isWhole && value > most ? ` to ${most}` : ''}`, value);
    }
  }
  return { ...NETWORK, ...given };
}

/** How many more tries a failure is worth. */
function triesLeft(error, retries) {
  const { code, details } = error;
  if (code === 'NETWORK' && details.unknown) return Math.min(1, retries);
  if (code === 'NETWORK' || (code === 'TRUNCATED' && !details.sure)) return retries;
  if (code === 'HTTP' && (details.status >= 500 || [206, 408, 425, 429].includes(details.status))) return retries;
  // a page in place of a file may be a hotspot's or a gateway's and gone at the next try
  if (code === 'CORS_OR_BLOCKED' || (code === 'NOT_WEIGHTS' && details.kind === 'page')) return Math.min(1, retries);
  return 0;
}

/** Does anything answer at an address? An opaque answer is one. @param {number} stallMs */
const hears = (stallMs) => async (/** @type {string} */ url, /** @type {AbortSignal} */ signal) => {
  const end = new AbortController();
  try {
    const asked = globalThis.fetch(url, { mode: 'no-cors', cache: 'no-store', signal: end.signal });
    await within(asked, { signal, ms: stallMs, onSilence: () => new Error('silence') });
    return true;
  } catch {
    throwIfAborted(signal);
    return false;
  } finally {
    end.abort();
  }
};

/**
 * @param {Extract<import('./address.js').Base, { kind: 'http' }>[]} bases
 * @param {object} options
 * @param {typeof globalThis.fetch} options.fetch
 * @param {Network} options.network
 * @param {(event: any) => void} [options.onEvent]
 * @param {string} [options.origin]  where the page is from (default: location's); elsewhere CORS decides
 * @param {(url: string, signal?: AbortSignal) => Promise<boolean>} [options.answers]  does a server answer there, be
 *   it to others? Asked only where a page cannot tell a refusal from a host that is not there; of a caller's fetch it
 *   is believed
 * @returns {Transport}
 */
export function createTransport(bases, options) {
  const { fetch, network, onEvent = () => {}, origin = globalThis.location?.origin } = options;
  const { answers = fetch === globalThis.fetch ? hears(network.stallMs) : async () => true } = options;
  const received = { bytes: 0, requests: 0, retries: 0 };
  const sizes = new Map();
  const reached = new Set();
  const whole = new Map();          // files of servers without Range, kept up to wholeLimit bytes, oldest first
  const unranged = new Set();
  const oneAtATime = createSlots(1);
  let mirror = 0;

  /** A first request to another origin that dies without an answer, while there is a network. */
  async function blame(error, url, signal) {
    const { origin: to } = new URL(url);
    if (!error.details?.unreached) reached.add(to);
    const foreign = origin && origin !== 'null' && to !== origin && !reached.has(to);
    if (error.code !== 'NETWORK' || !foreign || globalThis.navigator?.onLine === false) return error;
    if (!await answers(url, signal)) {
      // a server's Cross-Origin-Resource-Policy, a policy of the page and a blocker in the browser look the same
      return new EngineError('NETWORK', `${error.message} (no server answers there, or it keeps other sites out by ` +
        'Cross-Origin-Resource-Policy, or something on the way blocks it)', { ...error.details, unknown: true });
    }
    return new EngineError('CORS_OR_BLOCKED', `${url}: expected an answer that this page (${origin}) may read, found ` +
      'none. The server must send Access-Control-Allow-Origin, and nothing between may block it', { url, origin });
  }

  function keep(file, bytes) {
    unranged.add(file);
    whole.delete(file);
    whole.set(file, bytes);
    let total = 0;
    for (const kept of whole.values()) total += kept.length;
    for (const [name, kept] of whole) {
      if (total <= network.wholeLimit || name === file) break;
      whole.delete(name);
      total -= kept.length;
    }
  }

  /** All tries of one read; `at` moves on as bytes are handed over. @type {Transport['read']} */
  async function tries(file, begin, end, onChunk, options = {}) {
    const { signal, retries = network.retries, stallMs = network.stallMs, fresh } = options;
    const failures = new Map();      // mirror -> failed tries since the last progress
    const givenUp = new Map();       // mirror -> why
    let at = begin;
    let mark = begin;
    let resumable = true;
    let sinkError;
    const first = mirror;
    const hand = async (chunk, offset) => {
      const seen = at - offset;
      if (seen >= chunk.length) return;
      at = offset + chunk.length;
      try {
        await onChunk(seen > 0 ? chunk.subarray(seen) : chunk, offset + Math.max(0, seen));
      } catch (error) {
        sinkError = error;
        throw error;
      }
    };
    for (;;) {
      throwIfAborted(signal);
      while (givenUp.has(mirror)) mirror = (mirror + 1) % bases.length;
      const used = mirror;
      const base = bases[used];
      const url = fileURL(base, file);
      let error;
      try {
        received.requests++;
        const { size, version, whole: bytes } = await exchange(url, {
          fetch, begin: resumable ? at : begin, end, size: sizes.get(file), fresh, stallMs, signal,
          wholeLimit: network.wholeLimit, onChunk: hand,
          onSize: (size) => sizes.set(file, size),
          onReceived: (n) => {
            received.bytes += n;
          },
        });
        reached.add(new URL(url).origin);
        if (size !== undefined) sizes.set(file, size);
        if (bytes) keep(file, bytes);
        return { size, version, base: base.href };
      } catch (caught) {
        if (caught === sinkError || !(caught instanceof EngineError) || caught.code === 'ABORTED') throw caught;
        error = await blame(caught, url, signal);
      }
      // packed bytes cannot be entered in the middle: from the start again, past what was handed over
      resumable &&= !error.details.packed;
      if (at - mark >= PROGRESS) {
        failures.clear();
        mark = at;
      }
      const failed = (failures.get(used) ?? 0) + 1;
      failures.set(used, failed);
      // where another mirror has answered, one that cannot even be reached is not waited for
      const hopeless = error.details.unreached && givenUp.size > 0;
      if (hopeless || failed > triesLeft(error, retries)) givenUp.set(used, error);
      if (givenUp.size === bases.length) {
        mirror = first; // a file that none of them gives says nothing against the one that was used
        throw giveUp(givenUp, failures);
      }
      do mirror = (mirror + 1) % bases.length; while (givenUp.has(mirror));
      const waitMs = pauseBefore(failures.get(mirror) ?? 0, error);
      received.retries++;
      onEvent({ type: 'retry', file, url, code: error.code, message: error.message, at, waitMs });
      await pause(waitMs, signal);
    }
  }

  /** A mirror not tried yet needs no pause. */
  const pauseBefore = (failed, { details }) => (failed === 0 ? 0
    : Math.min(MAX_PAUSE, Math.max(network.backoffMs * 2 ** (failed - 1), details.retryAfterMs ?? 0)));

  /** A server's answer tells more than silence, the first mirror more than the others; all are mentioned. */
  function giveUp(givenUp, failures) {
    const silent = ({ details }) => (details.status === undefined ? 1 : 0);
    const inOrder = [...givenUp].sort(([a, x], [b, y]) => silent(x) - silent(y) || a - b);
    const [[index, first], ...others] = inOrder;
    const tries = failures.get(index);
    if (tries === 1 && others.length === 0) return first;
    // a sentence that holds for several is said once
    const reason = ({ message, details }) => message.replace(`${details.url}: `, '');
    const mirrors = others.map(([, error]) => (
      `mirror: ${reason(error) === reason(first) ? `the same from ${error.details.url}` : error.message}`));
    const notes = [`gave up after ${tries} ${tries === 1 ? 'try' : 'tries'}`, ...mirrors];
    return new EngineError(first.code, `${first.message} (${notes.join('; ')})`,
      { ...first.details, tries, mirrors: others.map(([, error]) => error.details.url) });
  }

  /** A file of a server without Range: fetched once, then read from memory. @type {Transport['read']} */
  async function readWhole(file, begin, end, onChunk, options = {}) {
    const bytes = await oneAtATime.run(async () => {
      if (!whole.has(file)) await tries(file, begin, end, () => {}, options);
      return whole.get(file);
    }, options.signal);
    if (!bytes) {
      unranged.delete(file);
      return tries(file, begin, end, onChunk, options);
    }
    if (bytes.length < end) {
      throw new EngineError('TRUNCATED', `${file} ends early: expected at least ${end} bytes, found ${bytes.length}`,
        { file, expected: end, found: bytes.length });
    }
    await onChunk(bytes.subarray(begin, end), begin);
    return { size: bytes.length, version: {}, base: bases[mirror].href };
  }

  return {
    read: (file, begin, end, onChunk, options) =>
      (unranged.has(file) && end !== Infinity ? readWhole : tries)(file, begin, end, onChunk, options),
    received,
    size: (file) => sizes.get(file),
  };
}
