/**
 * Where cached bytes lie: OPFS, else Cache Storage, else nowhere. Keys are paths, 'folder/revision/file/entry', of
 * letters that are safe in file names and URLs. A store may fail at any time (private mode, quota): cache.js copes.
 */

/**
 * @typedef {object} Store
 * @property {string} kind                                         'opfs' | 'cache-storage' | 'memory' | …
 * @property {(key: string) => Promise<Uint8Array | undefined>} get  bytes that the caller owns
 * @property {(key: string, bytes: Uint8Array) => Promise<void>} put  done when the bytes are safe
 * @property {(prefix: string) => Promise<void>} delete            every key that begins so
 * @property {(prefix: string) => Promise<string[]>} list          prefix: '' or a path that ends with '/'
 */

/** The name under which the browser's own tools show our entries. */
const ROOT = 'attention-by-hand';

/** @param {Map<string, Uint8Array>} [entries] @returns {Store} for tests, and for pages that bring their own */
export function memoryStore(entries = new Map()) {
  return {
    kind: 'memory',
    get: async (key) => entries.get(key)?.slice(),
    put: async (key, bytes) => void entries.set(key, bytes.slice()),
    delete: async (prefix) => {
      for (const key of entries.keys()) if (key.startsWith(prefix)) entries.delete(key);
    },
    list: async (prefix) => [...entries.keys()].filter((key) => key.startsWith(prefix)),
  };
}

const isMissing = (error) => error?.name === 'NotFoundError' || error?.name === 'TypeMismatchError';

/** Origin private file system. @returns {Promise<Store>} rejects where there is none */
export async function opfsStore() {
  const root = await (await navigator.storage.getDirectory()).getDirectoryHandle(ROOT, { create: true });
  const canWrite = globalThis.FileSystemFileHandle?.prototype;
  if (!canWrite || !('createWritable' in canWrite || 'createSyncAccessHandle' in canWrite)) {
    throw new Error('this browser cannot write files here');
  }

  async function folder(parts, create) {
    let at = root;
    for (const part of parts) at = await at.getDirectoryHandle(part, { create });
    return at;
  }
  async function handle(key, create) {
    const parts = key.split('/');
    const name = parts.pop();
    return (await folder(parts, create)).getFileHandle(name, { create });
  }
  async function walk(directory, path, out) {
    for await (const [name, entry] of /** @type {any} */ (directory).entries()) {
      if (entry.kind === 'directory') await walk(entry, `${path}${name}/`, out);
      else out.push(path + name);
    }
    return out;
  }
  const orMissing = (promise, value) => promise.catch((error) => {
    if (isMissing(error)) return value;
    throw error;
  });

  /** @type {Store} */
  const store = {
    kind: 'opfs',
    get: (key) => orMissing(handle(key, false).then(async (file) =>
      new Uint8Array(await (await file.getFile()).arrayBuffer())), undefined),
    async put(key, bytes) {
      const file = /** @type {any} */ (await handle(key, true));
      if (file.createWritable) {
        const stream = await file.createWritable();
        try {
          await stream.write(bytes);
        } catch (error) {
          await stream.abort().catch(() => {});
          throw error;
        }
        await stream.close();
      } else {
        const access = await file.createSyncAccessHandle();
        try {
          access.truncate(0);
          access.write(bytes, { at: 0 });
          access.flush();
        } finally {
          access.close();
        }
      }
    },
    async delete(prefix) {
      const parts = prefix.split('/').filter(Boolean);
      const name = parts.pop();
      if (name === undefined) {
        for (const key of await walk(root, '', [])) await store.delete(key);
        return;
      }
      await orMissing(folder(parts, false).then((at) => at.removeEntry(name, { recursive: true })), undefined);
    },
    list: (prefix) => orMissing(folder(prefix.split('/').filter(Boolean), false)
      .then((at) => walk(at, prefix, [])), []),
  };
  return store;
}

/** Cache Storage. @returns {Promise<Store>} rejects where there is none */
export async function cacheStorageStore() {
  const cache = await globalThis.caches.open(ROOT);
  const base = `${globalThis.location.origin}/${ROOT}/`;
  const keys = async (prefix) => (await cache.keys()).map((request) => request.url)
    .filter((url) => url.startsWith(base + prefix)).map((url) => url.slice(base.length));
  return {
    kind: 'cache-storage',
    get: async (key) => {
      const response = await cache.match(base + key);
      return response && new Uint8Array(await response.arrayBuffer());
    },
    put: async (key, bytes) => cache.put(base + key, new Response(/** @type {any} */ (bytes))),
    delete: async (prefix) => {
      for (const key of await keys(prefix)) await cache.delete(base + key);
    },
    list: keys,
  };
}

/**
 * @param {'auto' | 'none' | Store} choice
 * @returns {Promise<{ store?: Store, kind: string, reason?: string }>} kind 'none' when there is none; reason says why
 */
export async function openStore(choice) {
  if (choice === 'none') return { kind: 'none' };
  if (typeof choice === 'object') return { store: choice, kind: choice.kind };
  const reasons = [];
  for (const open of [opfsStore, cacheStorageStore]) {
    try {
      const store = await open();
      return { store, kind: store.kind };
    } catch (error) {
      reasons.push(error?.message ?? String(error));
    }
  }
  return { kind: 'none', reason: reasons.join('; ') };
}
