/** One whole file that stands alone (a recording), with the transport's retries but no folder around it. */
import { readBases } from './address.js';
import { createDisk } from './disk.js';
import { joinBytes } from './exchange.js';
import { createTransport, readNetwork } from './transport.js';

/**
 * @param {string | URL} url @param {{ fetch?: typeof globalThis.fetch, network?: any, signal?: AbortSignal }} options
 * @returns {Promise<{ file: string, bytes: Uint8Array }>}
 */
export async function readSingleFile(url, { fetch = globalThis.fetch, network, signal }) {
  const text = String(url);
  const cut = text.replace(/[?#].*$/, '').lastIndexOf('/') + 1;
  const query = /\?[^#]*/.exec(text)?.[0] ?? '';
  const file = text.slice(cut).replace(/[?#].*$/, '');
  const bases = /** @type {any[]} */ (readBases((text.slice(0, cut) || './') + query));
  const transport = bases[0].kind === 'disk' ? await createDisk(bases[0].path)
    : createTransport(bases, { fetch, network: readNetwork(network), onEvent: () => {} });
  const chunks = [];
  await transport.read(file, 0, Infinity, (chunk) => {
    chunks.push(chunk.slice());
  }, { signal });
  return { file, bytes: joinBytes(chunks) };
}
