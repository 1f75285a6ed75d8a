/**
 * Which state of a folder the cache may speak for. config.json is asked for at every visit (a few KB): its commit
 * (hubs send it), else its content with its ETag or date, is the revision. Without a network the last one stands.
 */
import { EngineError } from './errors.js';
import { hashHex } from './hash.js';
import { joinBytes } from './exchange.js';

const CONFIG = 'config.json';
/** With a copy at hand nobody should wait long to hear that the network is gone. */
const IMPATIENT = { retries: 1, stallMs: 5000 };

/** @param {import('./transport.js').Transport} transport @param {import('./transport.js').ReadOptions} options */
async function fetchConfig(transport, options) {
  const chunks = [];
  const source = await transport.read(CONFIG, 0, Infinity, (chunk) => void chunks.push(chunk.slice()), options);
  return { ...source, bytes: joinBytes(chunks) };
}

/** No answer worth the name: what a copy may stand in for. A 404 is an answer. */
const isOffline = ({ code, details }) => ['NETWORK', 'CORS_OR_BLOCKED', 'NOT_WEIGHTS'].includes(code) ||
  (code === 'HTTP' && details.status >= 500);

function nameRevision({ bytes, version, base }, about) {
  const content = hashHex(bytes);
  const mark = version.etag ?? version.modified ?? '';
  const known = about?.marks?.[base] ?? mark;       // a mirror seen for the first time is taken at its content
  const same = version.commit ? about?.revision === version.commit : about?.content === content && known === mark;
  const revision = version.commit ?? (same ? about.revision : `${content}-${hashHex(new TextEncoder().encode(mark))}`);
  return { same, about: { revision, content, marks: { ...(same && about.marks), [base]: mark } } };
}

/**
 * Read config.json and set the cache to the revision it shows.
 * @param {import('./transport.js').Transport} transport
 * @param {import('./cache.js').Cache | undefined} cache
 * @param {{ signal?: AbortSignal, network: import('./transport.js').Network, onEvent: (event: any) => void }} options
 * @returns {Promise<Uint8Array>} the file
 */
export async function pinRevision(transport, cache, { signal, network, onEvent }) {
  if (!cache) return (await fetchConfig(transport, { signal })).bytes;
  const about = await cache.about();
  const hurry = about && { retries: Math.min(IMPATIENT.retries, network.retries),
    stallMs: Math.min(IMPATIENT.stallMs, network.stallMs) };
  try {
    if (about && globalThis.navigator?.onLine === false) throw new EngineError('NETWORK', `${CONFIG}: offline`);
    const config = await fetchConfig(transport, { signal, fresh: true, ...hurry });
    const found = nameRevision(config, about);
    cache.useRevision(found.about.revision);
    await cache.keepRevision(found.about);
    if (!found.same) await cache.putWhole(CONFIG, config.bytes);
    return config.bytes;
  } catch (error) {
    if (!about || !(error instanceof EngineError) || !isOffline(error)) throw error;
    cache.useRevision(about.revision);
    const bytes = await cache.getWhole(CONFIG);
    if (!bytes) throw error;
    onEvent({ type: 'offline', message: error.message });
    return bytes;
  }
}
