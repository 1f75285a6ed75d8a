/**
 * Which build of the module this machine can run: relaxed SIMD, SIMD or scalar; found by validating a tiny probe and
 * then by comparing known answers, because an engine that accepts an instruction does not always compute it rightly.
 */
import { EngineError } from './errors.js';
import { recognize } from './exchange.js';
import { abortError } from './wait.js';
import { Wasm } from './wasm.js';

/** @typedef {'relaxed' | 'simd' | 'scalar'} Variant */

/** From the fastest to the one that runs everywhere. @type {readonly Variant[]} */
export const VARIANTS = Object.freeze(/** @type {Variant[]} */ (['relaxed', 'simd', 'scalar']));

/** By the number that a module gives of itself (attn_variant in c/api.h). @type {readonly Variant[]} */
const BUILDS = Object.freeze(/** @type {Variant[]} */ (['scalar', 'simd', 'relaxed']));

const wasm = (...body) => Uint8Array.of(0, 97, 115, 109, 1, 0, 0, 0, 1, 5, 1, 96, 0, 1, 123, 3, 2, 1, 0,
  10, body.length + 4, 1, body.length + 2, 0, ...body, 11);
const zero = [65, 0, 253, 15]; // i32.const 0, i8x16.splat
/** One function each that needs the feature. */
const PROBE = {
  scalar: wasm(...zero).slice(0, 8),
  simd: wasm(...zero),
  relaxed: wasm(...zero, ...zero, ...zero, 253, 133, 2), // f32x4.relaxed_madd
};

/** @param {Variant} variant */
export function supported(variant) {
  return typeof WebAssembly === 'object' && WebAssembly.validate(PROBE[variant]);
}

/** The module beside this file's package; a bundler or a course site passes wasmURL instead. */
const DEFAULT_FOLDER = new URL(/* @vite-ignore */ '../../build/wasm/', import.meta.url);

/** @param {URL} url @param {AbortSignal} [signal] @returns {Promise<ArrayBuffer | Uint8Array>} */
async function fetchBytes(url, signal) {
  if (url.protocol === 'file:' && globalThis.process?.versions?.node) {
    const { readFile } = await import(/* @vite-ignore */ 'node:fs/promises');
    return readFile(url, { signal }).catch((error) => {
      if (signal?.aborted) throw abortError(signal);
      throw new EngineError('HTTP', `${url}: expected a file, found ${error.code}`,
        { url: String(url), status: 404, expected: 'a file', found: error.code });
    });
  }
  // An ArrayBuffer, not compileStreaming: the latter refuses servers that send another MIME type than application/wasm.
  const failed = (error) => {
    if (signal?.aborted) throw abortError(signal);
    throw new EngineError('NETWORK', `${url}: expected the module, found that the connection failed: ` +
      `${error?.message ?? error}`, { url: String(url), expected: 'the module', found: String(error) });
  };
  const response = await fetch(url, { signal }).catch(failed);
  if (!response.ok) {
    throw new EngineError('HTTP', `${url}: expected status 200, found ${response.status}`,
      { url: String(url), status: response.status, expected: 200, found: response.status });
  }
  return response.arrayBuffer().catch(failed);
}

/** Sums, products and an exponential whose results are known; wrong numbers mean a broken compiler tier. */
function knowsAnswers(engine) {
  const n = 37;
  const a = Array.from({ length: n }, (_, i) => ((i * 7) % 11) - 5);
  const b = Array.from({ length: n }, (_, i) => ((i * 5) % 13) / 4 - 1);
  const exact = a.reduce((sum, x, i) => sum + x * b[i], 0);
  return engine.scope((s) => {
    const x = s.put(a);
    const y = s.put(b);
    if (engine.call('dot', x, y, n) !== exact) return false;
    const row = s.put([0, Math.LN2, -Infinity, Math.log(5), 0]);
    engine.call('softmax', row, 5);
    return row.floats(5).every((p, i) => Math.abs(p - [1, 2, 0, 5, 1][i] / 9) < 1e-6);
  });
}

/** What every module begins with: \0asm, version 1. */
const MAGIC = PROBE.scalar;

/**
 * Why there is no module, once it could not be compiled: what is none that this machine could run (a web page, a
 * pointer, a damaged file) is the server's doing, the rest the browser's.
 * @param {Uint8Array} bytes @param {Variant} variant @param {URL} url @param {Error} error of the compiler
 * @returns {EngineError}
 */
function notCompiled(bytes, variant, url, error) {
  const begins = MAGIC.every((byte, i) => bytes[i] === byte);
  if (begins && WebAssembly.validate(/** @type {BufferSource} */ (bytes))) {
    return new EngineError('NO_WASM', `attn.${variant}.wasm: expected a WebAssembly module that may be compiled here, ` +
      `found ${error.message}`, { variant, expected: 'a module', found: String(error.message) });
  }
  const other = recognize(bytes);
  const hex = [...bytes.subarray(0, 4)].map((byte) => byte.toString(16).padStart(2, '0')).join(' ');
  const found = other?.words ?? (begins ? `a damaged one of ${bytes.length} bytes`
    : bytes.length ? `${bytes.length} bytes beginning ${hex}` : 'an empty file');
  return new EngineError('NO_WASM', `${url}: expected a WebAssembly module, found ${found}`,
    { url: String(url), variant, kind: other?.kind ?? 'bytes', expected: 'a WebAssembly module', found });
}

async function instantiate(variant, folder, signal) {
  const url = new URL(`attn.${variant}.wasm`, folder);
  const bytes = new Uint8Array(await fetchBytes(url, signal));
  const module = await WebAssembly.compile(bytes).catch((error) => {
    throw notCompiled(bytes, variant, url, error);
  });
  const engine = new Wasm(await WebAssembly.instantiate(module));
  if (!knowsAnswers(engine)) {
    throw new EngineError('BAD_OPTION', `variant: expected one that computes rightly here, found ${variant} to be wrong`,
      { field: 'variant', expected: 'right sums', found: variant });
  }
  // what the module says of itself: a site without a relaxed build may serve the plain one in its place
  return { variant: BUILDS[engine.call('variant')], wasm: engine };
}

/**
 * @param {{ variant?: 'auto' | Variant, wasmURL?: string | URL, signal?: AbortSignal }} options
 * @returns {Promise<{ variant: Variant, wasm: Wasm }>}
 */
export async function loadVariant({ variant = 'auto', wasmURL, signal }) {
  if (typeof WebAssembly !== 'object') {
    throw new EngineError('NO_WASM', 'WebAssembly: expected it to be there, found none in this browser',
      { expected: 'WebAssembly', found: undefined });
  }
  const base = wasmURL ?? DEFAULT_FOLDER;
  const folder = new URL(String(base).replace(/\/?$/, '/'), globalThis.document?.baseURI ?? import.meta.url);
  if (variant !== 'auto') {
    if (!supported(variant)) {
      throw new EngineError('BAD_OPTION', `variant: expected one of ${VARIANTS.filter(supported).join(', ')} (what ` +
        `this browser can run), found ${variant}`, { field: 'variant', expected: VARIANTS.filter(supported), found: variant });
    }
    return instantiate(variant, folder, signal);
  }
  let failure;
  for (const candidate of VARIANTS.filter(supported)) {
    try {
      return await instantiate(candidate, folder, signal);
    } catch (error) {
      if (signal?.aborted) throw error;
      failure = error; // a variant that was not built or is broken here: the next one serves
    }
  }
  throw failure;
}
