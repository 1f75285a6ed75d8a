/** One whole file that stands alone (a recording), with the transport's retries but no folder around it. */
import { readBases } from './address.js';
import { createDisk } from './disk.js';
import { joinBytes } from './exchange.js';
import { badOption } from './options.js';
import { createTransport, readNetwork } from './transport.js';
import { throwIfAborted } from './wait.js';

/** A name as an address writes it; a bare % and half a character stand for themselves and for nothing. */
function decoded(name) {
  const whole = name.replace(/\p{Surrogate}/gu, '\ufffd');
  try {
    return decodeURIComponent(whole);
  } catch {
    return whole;
  }
}

/**
 * @param {string | URL} url @param {{ fetch?: typeof globalThis.fetch, network?: any, signal?: AbortSignal }} options
 * @returns {Promise<{ file: string, bytes: Uint8Array }>}
 */
export async function readSingleFile(url, { fetch = globalThis.fetch, network, signal }) {
  if (!(url instanceof URL) && (typeof url !== 'string' || url.trim() === '')) {
    badOption('url', 'the address of a file', url);
  }
  const text = String(url);
  const isAddress = /^[a-z][a-z0-9+.-]+:/i.test(text) || globalThis.document;
  const [, path, query = ''] = isAddress ? /^([^?#]*)(\?[^#]*)?/.exec(text) : [text, text];
  const cut = path.lastIndexOf('/') + 1;
  const file = isAddress ? decoded(path.slice(cut)) : path.slice(cut);
  const bases = /** @type {any[]} */ (readBases((path.slice(0, cut) || './') + query));
  const settings = readNetwork(network);
  throwIfAborted(signal);
  const transport = bases[0].kind === 'disk' ? await createDisk(bases[0].path)
    : createTransport(bases, { fetch, network: settings, onEvent: () => {} });
  const chunks = [];
  await transport.read(file, 0, Infinity, (chunk) => {
    chunks.push(chunk.slice());
  }, { signal });
  return { file, bytes: joinBytes(chunks) };
}
