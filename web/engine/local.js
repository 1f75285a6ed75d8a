/** An engine on the thread that asks for it. */
import { Engine } from './engine.js';
import { loadVariant } from './variants.js';
import { within } from './wait.js';

/**
 * @param {{ variant?: any, wasmURL?: string | URL, signal?: AbortSignal }} options already checked
 * @returns {Promise<Engine>}
 */
export async function createLocalEngine({ variant, wasmURL, signal }) {
  const loaded = await within(loadVariant({ variant, wasmURL, signal }), { signal });
  return new Engine(loaded.variant, loaded.wasm);
}
