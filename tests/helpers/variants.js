/**
 * Each test of the engine runs on each build of the module.
 */
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import test from 'node:test';
import { supported } from '../../web/engine/variants.js';
import { Wasm } from '../../web/engine/wasm.js';

export const VARIANTS = ['scalar', 'simd', 'relaxed'];

export const wasmFile = (variant) => new URL(`../../build/wasm/attn.${variant}.wasm`, import.meta.url);

/** Only the relaxed one may be absent: old toolchains cannot build it and old browsers cannot run it. */
export function skipReason(variant) {
  if (variant !== 'relaxed') return false;
  if (!existsSync(wasmFile(variant))) return 'this toolchain cannot build relaxed SIMD';
  return supported(variant) ? false : 'this node has no relaxed SIMD';
}

/** @param {string} variant @returns {Promise<Wasm>} */
export async function loadWasm(variant) {
  return new Wasm(await WebAssembly.instantiate(await WebAssembly.compile(await readFile(wasmFile(variant)))));
}

/** A test on the raw exports of every variant. @param {string} name @param {(wasm: Wasm, variant: string) => any} f */
export function onWasm(name, f) {
  for (const variant of VARIANTS) {
    test(`${name} [${variant}]`, { skip: skipReason(variant) }, async () => f(await loadWasm(variant), variant));
  }
}

/**
 * A test through the public door on every variant.
 * @param {string} name @param {(engine: any, variant: string) => any} f
 */
export function onEngine(name, f) {
  for (const variant of VARIANTS) {
    test(`${name} [${variant}]`, { skip: skipReason(variant) }, async () => {
      const { createEngine } = await import('../../web/engine/index.js');
      const engine = await createEngine({ variant: /** @type {any} */ (variant) });
      try {
        await f(engine, variant);
      } finally {
        await engine.close();
      }
    });
  }
}
