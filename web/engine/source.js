/**
 * A folder as a source of bytes: transport (web or disk), cache and plan behind one face. Knows files and ranges,
 * nothing of tensors.
 */
import { EngineError } from './errors.js';
import { baseName, readBases } from './address.js';
import { createCache } from './cache.js';
import { createDisk } from './disk.js';
import { joinBytes } from './exchange.js';
import { planRequests } from './plan.js';
import { pinRevision } from './revision.js';
import { linkSignals } from './signals.js';
import { openStore } from './stores.js';
import { createTransport, readNetwork } from './transport.js';
import { createSlots, throwIfAborted } from './wait.js';

/**
 * @typedef {object} SourceOptions
 * @property {typeof globalThis.fetch} [fetch]
 * @property {'auto' | 'none' | import('./stores.js').Store} [cache]  'auto': OPFS, else Cache Storage, else none
 * @property {Partial<import('./transport.js').Network>} [network]
 * @property {AbortSignal} [signal]             for the opening
 * @property {boolean} [needsConfig]            false: a folder without config.json will do (a tokenizer's)
 * @property {(event: { type: string, [key: string]: any }) => void} [onEvent]
 *   'retry' { file, url, code, message, at, waitMs } · 'cache' { kind, reason } · 'quota' · 'cache-error' ·
 *   'bad-entry' { file, begin, end } · 'offline' { message } · 'corrected' { from, to }
 *
 * @typedef {'network' | 'cache' | 'disk'} Origin
 * @typedef {(index: number, chunk: Uint8Array, offset: number) => void} Sink
 *   index into the ranges, offset in the range; chunk is valid during the call only; a throw ends the read
 * @typedef {object} ReadOptions
 * @property {AbortSignal} [signal]
 * @property {(bytes: number, origin: Origin, size?: number) => void} [onBytes]  at each arrival; size: the whole
 *   file's length, if known, and for whole files only
 */

/**
 * A JSON file's content. What is no JSON is the config's fault or the file's, by its name.
 * @param {Uint8Array} bytes @param {string} file
 * @returns {any}
 */
export function parseJSON(bytes, file) {
  const text = new TextDecoder().decode(bytes);
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new EngineError(file === 'config.json' ? 'BAD_CONFIG' : 'BAD_FILE',
      `${file}: expected JSON, found ${JSON.stringify(text.slice(0, 40))} (${error.message})`,
      { file, field: 'the whole', expected: 'JSON', found: text.slice(0, 40) });
  }
}

/** @param {string | URL | (string | URL)[]} base @param {SourceOptions} options */
export async function openSource(base, options = {}) {
  const { fetch = globalThis.fetch, cache: choice = 'auto', signal: opening, onEvent = () => {}, needsConfig = true } = options;
  const network = readNetwork(options.network);
  throwIfAborted(opening);
  const bases = /** @type {any[]} */ (readBases(base));
  const name = baseName(bases[0]);
  const local = bases[0].kind === 'disk';
  if (!local && name !== String(Array.isArray(base) ? base[0] : base)) onEvent({ type: 'corrected', to: name });

  const transport = local ? await createDisk(bases[0].path) : createTransport(bases, { fetch, network, onEvent });
  const { store, kind, reason } = await openStore(local ? 'none' : choice);
  if (choice === 'auto' && !local) onEvent({ type: 'cache', kind, reason });
  let cache = store && createCache(store, name, onEvent);
  const slots = createSlots(network.parallel);
  const closing = new AbortController();
  const received = { cacheBytes: 0 };

  const origin = local ? 'disk' : 'network';
  const configBytes = await pinRevision(transport, cache, { signal: opening, network, onEvent }).catch((error) => {
    if (needsConfig || error.code !== 'HTTP' || error.details.status !== 404) throw error;
    cache = undefined; // without a revision nothing is kept
  });

  async function fetchPart(file, begin, end, onChunk, signal) {
    const writer = cache?.writer(file, begin, end);
    await transport.read(file, begin, end, (chunk, offset) => {
      onChunk(chunk, offset, origin);
      return writer?.add(chunk, offset);
    }, { signal });
    await writer?.done();
  }

  /** One request: what the cache has from there, the rest from the network. */
  async function readSpan(file, begin, end, onChunk, signal) {
    /** @type {{ begin: number, end: number, entry?: import('./cache.js').Entry }[]} */
    const parts = cache ? await cache.cover(file, begin, end) : [{ begin, end }];
    for (const part of parts) {
      throwIfAborted(signal);
      const bytes = part.entry && await cache.get(file, part.entry);
      if (bytes) {
        throwIfAborted(signal);
        received.cacheBytes += part.end - part.begin;
        onChunk(bytes.subarray(part.begin - part.entry.begin, part.end - part.entry.begin), part.begin, 'cache');
      } else {
        await fetchPart(file, part.begin, part.end, onChunk, signal);
      }
    }
  }

  /**
   * @param {import('./plan.js').Range[]} ranges in the order of need
   * @param {Sink} sink
   * @param {ReadOptions} [options]
   * @returns {Promise<void>} when every byte has been handed over (and written to the cache)
   */
  async function read(ranges, sink, { signal, onBytes = () => {} } = {}) {
    const link = linkSignals([signal, closing.signal]);
    const deliver = (wanted) => (chunk, offset, from) => {
      for (const { index, begin, end } of wanted) {
        const lo = Math.max(begin, offset);
        const hi = Math.min(end, offset + chunk.length);
        if (lo < hi) sink(index, chunk.subarray(lo - offset, hi - offset), lo - begin);
      }
      onBytes(chunk.length, from);
    };
    const work = planRequests(ranges).map(({ file, begin, end, ranges: wanted }) =>
      slots.run(() => readSpan(file, begin, end, deliver(wanted), link.signal), link.signal));
    try {
      await Promise.all(work);
    } catch (error) {
      link.abort();
      await Promise.allSettled(work);
      throw error;
    } finally {
      link.unlink();
    }
  }

  /** One small range in a piece. @param {import('./plan.js').Range} range @param {ReadOptions} [opts] */
  async function readAll({ file, begin, end }, opts) {
    const out = new Uint8Array(end - begin);
    await read([{ file, begin, end }], (_index, chunk, offset) => out.set(chunk, offset), opts);
    return out;
  }

  /** @param {string} file @param {ReadOptions} options */
  async function wholeFile(file, { signal, onBytes = () => {} }) {
    const kept = await cache?.getWhole(file);
    if (kept) {
      received.cacheBytes += kept.length;
      onBytes(kept.length, 'cache', kept.length);
      return kept;
    }
    const chunks = [];
    await transport.read(file, 0, Infinity, (chunk) => {
      chunks.push(local ? chunk.slice() : chunk);
      onBytes(chunk.length, origin, transport.size(file));
    }, { signal });
    const bytes = joinBytes(chunks);
    await cache?.putWhole(file, bytes);
    return bytes;
  }

  /** A whole file of unknown length. @param {string} file @param {ReadOptions} [opts] @returns {Promise<Uint8Array>} */
  async function bytes(file, opts = {}) {
    if (file === 'config.json' && configBytes) return configBytes;
    const link = linkSignals([opts.signal, closing.signal]);
    try {
      return await slots.run(() => wholeFile(file, { ...opts, signal: link.signal }), link.signal);
    } finally {
      link.unlink();
    }
  }

  /** The same for a file that need not be there: undefined when it is not. @param {string} file */
  async function optional(file, opts = {}) {
    try {
      const found = await bytes(file, opts);
      return found.length ? found : undefined;
    } catch (error) {
      // servers of one-page sites answer every address with their page; object stores hide what is absent behind 403
      const absent = error.code === 'HTTP' && [403, 404, 410].includes(error.details.status);
      if (!absent && error.code !== 'NOT_WEIGHTS') throw error;
      if (absent) await cache?.putWhole(file, new Uint8Array(0));
      return undefined;
    }
  }

  /** @param {string} file @param {ReadOptions} [opts] */
  const text = async (file, opts) => new TextDecoder().decode(await bytes(file, opts));

  /** @param {string} file @param {ReadOptions} [opts] @returns {Promise<any>} */
  const json = async (file, opts) => parseJSON(await bytes(file, opts), file);

  return {
    name,
    cacheKind: kind,
    read, readAll, bytes, optional, text, json,
    size: transport.size,
    /** Bytes so far: network (or disk), whatever was fetched; cache, whatever was served from there. */
    get received() {
      return { ...transport.received, ...received };
    },
    /** Ends every read under way with ABORTED. */
    close: () => closing.abort(),
  };
}

/** @typedef {Awaited<ReturnType<typeof openSource>>} ByteSource */
