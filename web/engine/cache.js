/**
 * Ranges of a folder's files, kept from one visit to the next.
 *
 * An entry is a range of one file, cut at multiples of 4 MiB, under the key
 *     folder / revision / file / begin-end-checksum      (checksum: XXH32 of the bytes, hash.js)
 * so that the list of keys is the whole index and every entry proves itself: wrong length or checksum, and this entry
 * alone is dropped and fetched again. A read may be covered by any mixture of entries and network. Trouble with the
 * store is reported by events and never stops a read.
 */
import { hashHex } from './hash.js';
import { openStore } from './stores.js';
import { baseName, readBases } from './address.js';

/** Longest entry: what is held in memory while it is written or checked. */
export const ENTRY = 4 << 20;

const encoder = new TextEncoder();
const decoder = new TextDecoder();

/** A name as one safe path part; long ones end in their checksum. */
function pathPart(text) {
  const safe = encodeURIComponent(text).replace(/[*'()!~.]/g, (c) => `%${c.charCodeAt(0).toString(16)}`)
    .replaceAll('%', '$');
  return safe.length <= 180 ? safe : `${safe.slice(0, 160)}-${hashHex(encoder.encode(text))}`;
}

/** @typedef {{ key: string, begin: number, end: number, hash: string }} Entry */

/** @returns {Entry | undefined} */
function readKey(key) {
  const [, begin, end, hash] = /\/(\d+)-(\d+)-([0-9a-f]{8})$/.exec(key) ?? [];
  return hash ? { key, begin: Number(begin), end: Number(end), hash } : undefined;
}

/**
 * @param {import('./stores.js').Store} store
 * @param {string} base  the folder's address: one cache for all its mirrors
 * @param {(event: any) => void} onEvent  { type: 'quota' | 'cache-error' | 'bad-entry', … }
 */
export function createCache(store, base, onEvent) {
  const folder = `${pathPart(base)}/`;
  const files = new Map();           // file -> its entries by begin; loaded once per revision
  let revision = '';
  let writing = true;

  const path = (file) => `${folder}${revision}/${pathPart(file)}/`;

  /** The store's answer, or undefined and an event. */
  async function attempt(work) {
    try {
      return await work();
    } catch (error) {
      const quota = error?.name === 'QuotaExceededError';
      if (quota) writing = false;
      onEvent({ type: quota ? 'quota' : 'cache-error', message: error?.message ?? String(error) });
      return undefined;
    }
  }

  async function put(key, bytes) {
    if (!writing) return false;
    return (await attempt(async () => {
      await store.put(key, bytes);
      return true;
    })) ?? false;
  }

  /** @returns {Promise<Entry[]>} */
  function entries(file) {
    if (!files.has(file)) {
      files.set(file, attempt(() => store.list(path(file))).then((keys) =>
        (keys ?? []).map(readKey).filter(Boolean).sort((a, b) => a.begin - b.begin)));
    }
    return files.get(file);
  }

  async function drop(file, entry) {
    const list = await entries(file);
    if (list.includes(entry)) list.splice(list.indexOf(entry), 1);
    await attempt(() => store.delete(entry.key));
  }

  return {
    /** Bytes that prove themselves may still be another file's: they go. @param {string} file @param {Entry} entry */
    drop,
    /** The same for a whole file. @param {string} file */
    async dropWhole(file) {
      for (const key of (await attempt(() => store.list(path(file)))) ?? []) {
        if (/\/whole-\d+-[0-9a-f]{8}$/.test(key)) await attempt(() => store.delete(key));
      }
    },

    /** What is remembered about the folder as a whole. @returns {Promise<Record<string, any> | undefined>} */
    async about() {
      const bytes = await attempt(() => store.get(`${folder}about`));
      if (!bytes) return undefined;
      return attempt(async () => JSON.parse(decoder.decode(bytes)));
    },

    /** From now on entries belong to this revision. @param {string} next */
    useRevision(next) {
      revision = pathPart(next);
      files.clear();
    },

    /** Remember the revision in use, and let entries of others go. @param {Record<string, any>} about */
    async keepRevision(about) {
      const keys = (await attempt(() => store.list(folder))) ?? [];
      const stale = new Set(keys.map((key) => key.slice(folder.length).split('/'))
        .filter((parts) => parts.length > 1 && parts[0] !== revision).map((parts) => parts[0]));
      for (const old of stale) await attempt(() => store.delete(`${folder}${old}/`));
      await put(`${folder}about`, encoder.encode(JSON.stringify({ ...about, base })));
    },

    /**
     * [begin, end) as a list of what the cache has and what it has not.
     * @returns {Promise<{ begin: number, end: number, entry?: Entry }[]>}
     */
    async cover(file, begin, end) {
      const list = await entries(file);
      const parts = [];
      for (let at = begin; at < end;) {
        const here = list.filter((e) => e.begin <= at && e.end > at).sort((a, b) => b.end - a.end)[0];
        const until = Math.min(end, here ? here.end : list.find((e) => e.begin > at)?.begin ?? end);
        parts.push({ begin: at, end: until, entry: here });
        at = until;
      }
      return parts;
    },

    /** An entry's bytes, or undefined when they are not what was written. @param {Entry} entry */
    async get(file, entry) {
      const bytes = await attempt(() => store.get(entry.key));
      if (bytes && bytes.length === entry.end - entry.begin && hashHex(bytes) === entry.hash) return bytes;
      onEvent({ type: 'bad-entry', file, begin: entry.begin, end: entry.end, found: bytes?.length });
      await drop(file, entry);
      return undefined;
    },

    /**
     * Takes the bytes of [begin, end) as they come and writes them entry by entry; one may be under way to the store
     * while the next fills.
     */
    writer(file, begin, end) {
      let block;
      let from = begin;
      let pending = Promise.resolve();
      const flush = () => {
        const bytes = block;
        const span = { begin: from, end: from + bytes.length, hash: hashHex(bytes) };
        const key = `${path(file)}${span.begin}-${span.end}-${span.hash}`;
        block = undefined;
        from = span.end;
        const before = pending;
        pending = before.then(async () => {
          if (!await put(key, bytes)) return;
          const list = await entries(file);
          if (!list.some((e) => e.key === key)) list.push({ key, ...span });
          list.sort((a, b) => a.begin - b.begin);
        });
        return before;
      };
      return {
        /** @returns {Promise<void> | undefined} to wait for before the next chunk */
        add(chunk, offset) {
          let wait;
          while (writing && chunk.length) {
            const limit = Math.min(end, (Math.floor(from / ENTRY) + 1) * ENTRY);
            block ??= new Uint8Array(limit - from);
            const room = chunk.subarray(0, limit - offset);
            block.set(room, offset - from);
            offset += room.length;
            chunk = chunk.subarray(room.length);
            if (offset === limit) wait = flush();
          }
          return wait;
        },
        done: () => pending,
      };
    },

    /** A whole file of unknown length; `bytes` may be empty: the file is known to be absent. */
    async putWhole(file, bytes) {
      await put(`${path(file)}whole-${bytes.length}-${hashHex(bytes)}`, bytes);
    },
    async getWhole(file) {
      const keys = (await attempt(() => store.list(path(file)))) ?? [];
      for (const key of keys) {
        const [, length, hash] = /\/whole-(\d+)-([0-9a-f]{8})$/.exec(key) ?? [];
        const bytes = hash && await attempt(() => store.get(key));
        if (bytes && bytes.length === Number(length) && hashHex(bytes) === hash) return bytes;
        if (hash) await attempt(() => store.delete(key));
      }
      return undefined;
    },
  };
}

/** @typedef {ReturnType<typeof createCache>} Cache */

/**
 * What is kept, folder by folder.
 * @param {'auto' | 'none' | import('./stores.js').Store} [choice]
 * @returns {Promise<{ kind: string, reason?: string, bytes: number, folders: { baseURL: string, bytes: number }[] }>}
 */
export async function cacheInfo(choice = 'auto') {
  const { store, kind, reason } = await openStore(choice);
  const sizes = new Map();
  const names = new Map();
  for (const key of (await store?.list('').catch(() => [])) ?? []) {
    const folder = key.slice(0, key.indexOf('/'));
    const entry = readKey(key);
    const whole = /\/whole-(\d+)-/.exec(key);
    sizes.set(folder, (sizes.get(folder) ?? 0) + (entry ? entry.end - entry.begin : Number(whole?.[1] ?? 0)));
    if (key.endsWith('/about')) {
      const about = await store.get(key).then((bytes) => JSON.parse(decoder.decode(bytes))).catch(() => undefined);
      if (about?.base) names.set(folder, about.base);
    }
  }
  const folders = [...sizes].map(([folder, bytes]) => ({ baseURL: names.get(folder) ?? folder, bytes }));
  return { kind, ...(reason && { reason }), bytes: folders.reduce((sum, f) => sum + f.bytes, 0), folders };
}

/**
 * Forget one folder, or all of them.
 * @param {string | URL | (string | URL)[]} [base] the folder's address, as given to open it or as cacheInfo() names it
 * @param {'auto' | 'none' | import('./stores.js').Store} [choice]
 */
export async function deleteCache(base, choice = 'auto') {
  const { store } = await openStore(choice);
  await store?.delete(base === undefined ? '' : `${pathPart(baseName(readBases(base)[0]))}/`);
}
