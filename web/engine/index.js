/**
 * attention-by-hand: the engine's public door. Works in browsers and in node >= 20; importing it does nothing yet.
 *
 *   import { createEngine } from 'attention-by-hand';
 *   const engine = await createEngine();
 *   const { probs, out } = await engine.attention({ q, k, v, queries: 3, keys: 3, dim: 2, valueDim: 2, causal: true });
 */
import { openFolder } from './folder.js';
import { createLocalEngine } from './local.js';
import { abortSignal, badOption, oneOf, options, size } from './options.js';
import { throwIfAborted } from './wait.js';
import { VARIANTS } from './variants.js';

export { EngineError } from './errors.js';
export { loadTokenizer } from './tokenizer.js';

/** The modules' folder as an address, where one is given. @param {unknown} given @returns {string | undefined} */
function moduleFolder(given) {
  if (given === undefined) return undefined;
  if (!(given instanceof URL) && typeof given !== 'string') badOption('wasmURL', 'an address', given);
  try {
    return new URL(String(given), globalThis.document?.baseURI ?? import.meta.url).href;
  } catch {
    return badOption('wasmURL', 'an address', given);
  }
}

/**
 * @param {object} [given]
 * @param {'auto' | 'relaxed' | 'simd' | 'scalar'} [given.variant] 'auto' takes the fastest that computes rightly here
 * @param {string | URL} [given.wasmURL] the folder of attn.scalar.wasm, attn.simd.wasm, attn.relaxed.wasm
 * @param {number} [given.workers] 0 = this thread, n = so many workers, each with its own instance
 * @param {AbortSignal} [given.signal]
 * @returns {Promise<any>} an Engine (engine.js), or the same face on workers
 */
export async function createEngine(given) {
  const o = options('createEngine', given, ['variant', 'wasmURL', 'workers', 'signal']);
  const variant = oneOf('variant', o.variant ?? 'auto', ['auto', ...VARIANTS]);
  const workers = size('workers', o.workers ?? 0, 0, 16);
  const signal = abortSignal(o.signal);
  const wasmURL = moduleFolder(o.wasmURL);
  throwIfAborted(signal);
  if (workers === 0) return createLocalEngine({ variant, wasmURL, signal });
  const { createRemoteEngine } = await import('./remote.js');
  return createRemoteEngine({ variant, wasmURL, workers, signal });
}

/**
 * A model folder's config and table of tensors, some kilobytes: what a download would cost before it is asked for.
 * @param {string | URL | (string | URL)[]} baseURL a folder, or mirrors of it
 * @param {object} [given] fetch, network, signal as for openModel
 * @returns {Promise<{ name: string, config: any, tensors: Map<string, { dtype: string, shape: number[], begin: number, end: number }> }>}
 */
export async function inspectModel(baseURL, given) {
  const o = options('inspectModel', given, ['fetch', 'cache', 'network', 'signal']);
  const folder = await openFolder(baseURL, { ...o, signal: abortSignal(o.signal) });
  folder.close();
  const { name, config, tensors } = folder;
  return { name, config, tensors };
}
