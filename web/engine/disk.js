/** Bytes [begin, end) of a file in a local folder (node): the same face as transport.js. */
import { EngineError } from './errors.js';
import { sniff } from './exchange.js';
import { throwIfAborted } from './wait.js';

/** One read from the disk; the chunk handed on is this buffer, so it is valid during the call only. */
const CHUNK = 1 << 20;
/** What the system's words mean, and the HTTP status that a server would give. */
const MEANS = {
  ENOENT: [404, 'none'], ENOTDIR: [404, 'none'], EISDIR: [404, 'a folder'],
  ENAMETOOLONG: [404, 'a path that is too long'],
  ELOOP: [404, 'a link to itself'], ERR_INVALID_ARG_VALUE: [404, 'a path with a character that none can have'],
  EACCES: [403, 'no permission to read'], EPERM: [403, 'no permission to read'],
};

const shown = (path) => (path.length <= 200 ? path : `${path.slice(0, 200)}…`);

/** A failure of the system in the words of a download's. Whatever else the disk says, it did not give the file. */
function explain(error, path) {
  if (error instanceof EngineError || !error?.code) return error;
  const [status, found] = MEANS[error.code] ?? [500, error.code];
  return new EngineError('HTTP', `${shown(path)}: expected a file, found ${found}`, { status, url: path, found });
}

/** @param {string} folder @param {(url: string) => string} fileURLToPath */
function rootOf(folder, fileURLToPath) {
  if (!/^file:/i.test(folder)) return folder;
  try {
    return fileURLToPath(folder);
  } catch (error) {
    throw new EngineError('BAD_OPTION', `baseURL: expected the address of a local folder, found ${shown(folder)} ` +
      `(${error.message})`, { field: 'baseURL', expected: 'a local folder', found: folder });
  }
}

/**
 * @param {string} folder a path or a file: URL
 * @returns {Promise<import('./transport.js').Transport>}
 */
export async function createDisk(folder) {
  // out of sight of bundlers: a page never comes here
  const load = (name) => import(/* @vite-ignore */ `node:${name}`);
  const [fs, { join }, { fileURLToPath }] = await Promise.all([load('fs/promises'), load('path'), load('url')]);
  const root = rootOf(folder, fileURLToPath);
  const received = { bytes: 0, requests: 0, retries: 0 };
  const sizes = new Map();

  async function pour(handle, path, { begin, end, onChunk, signal }) {
    const stat = await handle.stat();
    if (stat.isDirectory()) throw Object.assign(new Error(), { code: 'EISDIR' });
    const size = stat.size;
    const until = Math.min(end, size);
    const buffer = new Uint8Array(Math.max(0, Math.min(CHUNK, until - begin)));
    for (let at = begin; at < until;) {
      throwIfAborted(signal);
      const { bytesRead } = await handle.read(buffer, 0, Math.min(buffer.length, until - at), at);
      if (bytesRead === 0) break;
      received.bytes += bytesRead;
      if (at === 0) sniff(buffer.subarray(0, bytesRead), path);
      await onChunk(buffer.subarray(0, bytesRead), at);
      at += bytesRead;
    }
    if (end !== Infinity && size < end) {
      throw new EngineError('TRUNCATED', `${path} ends early: expected at least ${end} bytes, found ${size}`,
        { file: path, expected: end, found: size, sure: true });
    }
    return size;
  }

  return {
    received,
    size: (file) => sizes.get(file),
    async read(file, begin, end, onChunk, { signal } = {}) {
      throwIfAborted(signal);
      const path = join(root, file);
      received.requests++;
      let handle;
      try {
        handle = await fs.open(path, 'r');
        const size = await pour(handle, path, { begin, end, onChunk, signal });
        sizes.set(file, size);
        return { size, version: {}, base: folder };
      } catch (error) {
        throw explain(error, path);
      } finally {
        await handle?.close();
      }
    },
  };
}
