/**
 * A folder as a source of bytes: transport (web or disk), cache and plan behind one face. Knows files and ranges,
 * nothing of tensors.
 */
import { EngineError } from './errors.js';
import { baseName, readBases } from './address.js';
import { createCache } from './cache.js';
import { createDisk } from './disk.js';
import { joinBytes } from './exchange.js';
import { parseJSON } from './json.js';
import { planRequests } from './plan.js';
import { pinRevision } from './revision.js';
import { linkSignals } from './signals.js';
import { openStore } from './stores.js';
import { announcedSums, inBlocks, readSums, SUMS_FILE } from './sums.js';
import { createTransport, readNetwork } from './transport.js';
import { createSlots, throwIfAborted, within } from './wait.js';

/**
 * @typedef {object} SourceOptions
 * @property {typeof globalThis.fetch} [fetch]
 * @property {'auto' | 'none' | import('./stores.js').Store} [cache]  'auto': OPFS, else Cache Storage, else none
 * @property {Partial<import('./transport.js').Network>} [network]
 * @property {AbortSignal} [signal]             for the opening
 * @property {boolean} [needsConfig]            false: a folder without config.json will do (a tokenizer's)
 * @property {(event: { type: string, [key: string]: any }) => void} [onEvent]
 *   'retry' { file, url, code, message, at, waitMs } · 'cache' { kind, reason } · 'quota' · 'cache-error' ·
 *   'bad-entry' { file, begin, end } · 'bad-bytes' { file, begin, end, message } · 'offline' { message } ·
 *   'corrected' { from, to }
 *
 * @typedef {'network' | 'cache' | 'disk'} Origin
 * @typedef {(index: number, chunk: Uint8Array, offset: number) => void | Promise<void>} Sink
 *   index into the ranges, offset in the range; chunk is valid until the sink is done; a throw ends the read; none is
 *   called once the read has settled
 * @typedef {object} ReadOptions
 * @property {AbortSignal} [signal]
 * @property {(bytes: number, origin: Origin, size?: number) => void} [onBytes]  at each arrival; size: the whole
 *   file's length, if known, and for whole files only
 */

/**
 * Every wait in it and in the reads of what it opens (network, disk, the device's store) ends at once with the signal.
 * @param {string | URL | (string | URL)[]} base @param {SourceOptions} options
 */
export const openSource = (base, options = {}) => within(open(base, options), { signal: options.signal });

/** @param {string | URL | (string | URL)[]} base @param {SourceOptions} options */
async function open(base, options) {
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

  /**
   * What a packed folder's files must be, once that has been read.
   * @type {Map<string, import('./sums.js').Sum> | undefined}
   */
  let sums;

  const unlisted = (file) => new EngineError('BAD_FILE', `${SUMS_FILE}: expected a sum of ${file}, found none`,
    { file: SUMS_FILE, field: file, expected: 'a sum', found: undefined });

  /** A block that is not what its sum says, fetched once more; wrong again, it is the file's fault. */
  async function fetchAgain(file, sum, wrong, at, signal) {
    onEvent({ type: 'bad-bytes', file, begin: at, end: at + wrong.length, message: sum.error(wrong, at).message });
    const bytes = new Uint8Array(wrong.length);
    await transport.read(file, at, at + bytes.length, (chunk, offset) => bytes.set(chunk, offset - at), { signal });
    if (!sum.isGood(bytes, at)) throw sum.error(bytes, at);
    return bytes;
  }

  async function fetchPart(file, begin, end, onChunk, signal) {
    const writer = cache?.writer(file, begin, end);
    const sum = sums?.get(file);
    const hand = async (chunk, offset) => {
      await onChunk(chunk, offset, origin);
      await writer?.add(chunk, offset);
    };
    // what has a sum goes on, and into the cache, block by block, each checked
    const give = sum ? inBlocks(sum.block, begin, end, async (block, at) =>
      hand(sum.isGood(block, at) ? block : await fetchAgain(file, sum, block, at, signal), at)) : hand;
    await transport.read(file, begin, end, give, { signal });
    await writer?.done();
  }

  /**
   * A part from the cache; undefined where that is not what the sums say.
   * @param {string} file @param {{ begin: number, end: number, entry?: import('./cache.js').Entry }} part
   */
  async function cachedPart(file, { entry, begin, end }) {
    const bytes = entry && await cache.get(file, entry);
    const part = bytes?.subarray(begin - entry.begin, end - entry.begin);
    const sum = sums?.get(file);
    if (!part || !sum) return part;
    for (let at = 0; at < part.length; at += sum.block) {
      const block = part.subarray(at, at + sum.block);
      if (sum.isGood(block, begin + at)) continue;
      onEvent({ type: 'bad-bytes', file, begin, end, message: sum.error(block, begin + at).message });
      await cache.drop(file, entry);
      return undefined;
    }
    return part;
  }

  /** One request: what the cache has from there, the rest from the network. */
  async function readSpan(file, begin, end, onChunk, signal) {
    const sum = sums?.get(file);
    /** @type {{ begin: number, end: number, entry?: import('./cache.js').Entry }[]} */
    let parts = cache ? await cache.cover(file, begin, end) : [{ begin, end }];
    if (sum && !parts.every((part) => sum.isEdge(part.begin) && sum.isEdge(part.end))) parts = [{ begin, end }];
    for (const part of parts) {
      throwIfAborted(signal);
      const bytes = await cachedPart(file, part);
      if (bytes) {
        throwIfAborted(signal);
        received.cacheBytes += bytes.length;
        await onChunk(bytes, part.begin, 'cache');
      } else {
        await fetchPart(file, part.begin, part.end, onChunk, signal);
      }
    }
  }

  /** A range with the blocks around it, so that what arrives can be checked. */
  function checkable(range) {
    if (!sums) return range;
    const sum = sums.get(range.file);
    if (!sum) throw unlisted(range.file);
    return range.end > range.begin ? { ...range, ...sum.around(range.begin, range.end) } : range;
  }

  /**
   * @param {import('./plan.js').Range[]} ranges in the order of need
   * @param {Sink} sink
   * @param {ReadOptions} [options]
   * @returns {Promise<void>} when every byte has been handed over (and written to the cache)
   */
  async function read(ranges, sink, { signal, onBytes = () => {} } = {}) {
    const link = linkSignals([signal, closing.signal]);
    const deliver = (wanted) => async (chunk, offset, from) => {
      let used = 0;
      for (const { index } of wanted) {
        throwIfAborted(link.signal);
        const { begin, end } = ranges[index];
        const lo = Math.max(begin, offset);
        const hi = Math.min(end, offset + chunk.length);
        if (lo >= hi) continue;
        await sink(index, chunk.subarray(lo - offset, hi - offset), lo - begin);
        used += hi - lo;
      }
      throwIfAborted(link.signal);
      onBytes(Math.min(chunk.length, used), from); // the rest of a block only proves it
    };
    let failure;
    /** The first failure ends the others before its slot is given to the next of them. */
    const endAll = (error) => {
      failure ??= error;
      link.abort();
      throw error;
    };
    const work = planRequests(ranges.map(checkable)).map(({ file, begin, end, ranges: wanted }) =>
      slots.run(() => readSpan(file, begin, end, deliver(wanted), link.signal).catch(endAll), link.signal));
    try {
      await within(Promise.all(work), link);
    } catch (error) {
      throw failure ?? error;
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
  async function wholeFile(file, options) {
    const { onBytes = () => {} } = options;
    const sum = sums?.get(file);
    if (sums && !sum) throw unlisted(file);
    const kept = await cache?.getWhole(file);
    const damage = kept && sum?.wholeError(kept);
    if (kept && !damage) {
      received.cacheBytes += kept.length;
      onBytes(kept.length, 'cache', kept.length);
      return kept;
    }
    if (damage) {
      onEvent({ type: 'bad-bytes', file, begin: 0, end: kept.length, message: damage.message });
      await cache.dropWhole(file);
    }
    let bytes = await fetchWhole(file, options);
    const wrong = sum?.wholeError(bytes);
    if (wrong) {
      onEvent({ type: 'bad-bytes', file, begin: 0, end: bytes.length, message: wrong.message });
      bytes = await fetchWhole(file, options);
      const still = sum.wholeError(bytes);
      if (still) throw still;
    }
    await cache?.putWhole(file, bytes);
    return bytes;
  }

  /** @param {string} file @param {ReadOptions} options */
  async function fetchWhole(file, { signal, onBytes = () => {} }) {
    const chunks = [];
    await transport.read(file, 0, Infinity, (chunk) => {
      chunks.push(local ? chunk.slice() : chunk);
      onBytes(chunk.length, origin, transport.size(file));
    }, { signal });
    return joinBytes(chunks);
  }

  /** A whole file of unknown length. @param {string} file @param {ReadOptions} [opts] @returns {Promise<Uint8Array>} */
  async function bytes(file, opts = {}) {
    if (file === 'config.json' && configBytes) return configBytes;
    const link = linkSignals([opts.signal, closing.signal]);
    try {
      return await within(slots.run(() => wholeFile(file, { ...opts, signal: link.signal }), link.signal), link);
    } finally {
      link.unlink();
    }
  }

  /** The same for a file that need not be there: undefined when it is not. @param {string} file */
  async function optional(file, opts = {}) {
    if (sums) return sums.has(file) ? bytes(file, opts) : undefined;
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

  const announced = configBytes && announcedSums(configBytes);
  if (announced) {
    const listed = readSums(await json(SUMS_FILE, { signal: opening }), announced);
    const damage = listed.get('config.json')?.wholeError(configBytes);
    if (damage) throw damage;
    sums = listed;
  }

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
