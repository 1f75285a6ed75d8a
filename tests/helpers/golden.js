/**
 * The golden cases: expectations, layers whose weights come from the generator, and an independent reader of the small
 * model folders (not the engine's).
 */
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { fnv1a, fromBf16, fromF16, toBf16, val8 } from './prng.js';

const url = (path) => new URL(`../golden/${path}`, import.meta.url);

export const FOLDERS = ['tiny4', 'mqa8', 'shard2_f16', 'qwen3_3'];

/** Path of a model folder. */
export const folderPath = (name) => fileURLToPath(url(name));

/** @param {string} name without .json */
export const golden = (name) => JSON.parse(readFileSync(url(`${name}.json`), 'utf8'));

const bytesOf = (view) => new Uint8Array(view.buffer, view.byteOffset, view.byteLength);

/** @param {Float32Array} values @param {'F32' | 'BF16'} dtype */
export const stored = (values, shape, dtype) =>
  ({ dtype, shape, data: bytesOf(dtype === 'BF16' ? toBf16(values) : values) });

/** Weights that are not exact in bf16 are stored as F32, as in the real files. */
const isWide = (name) => /A_log|linear_attn\.norm/.test(name);

/**
 * One layer at the real 0.8B sizes, its weights made by the generator and checked by their printed sums.
 * @param {string} name layer_full_0p8b or layer_delta_0p8b
 */
export function goldenLayer(name) {
  const file = golden(name);
  const made = Object.entries(file.tensors).map(([key, { shape, offset, exp2, fnv1a_bf16: want }]) => {
    const values = val8(key, file.seed, shape.reduce((a, b) => a * b, 1), { offset, exp2 });
    const hash = fnv1a(bytesOf(toBf16(values))).toString(16).padStart(8, '0');
    assert.equal(hash, want, `${key}: the generator makes what the golden file was made from`);
    file.first_four[key].forEach((x, i) => assert.ok(Math.abs(values[i] - x) < 1e-9, key));
    return { key, shape, values };
  });
  const x = made.find(({ key }) => key === 'x');
  const tensors = Object.fromEntries(made.filter(({ key }) => key !== 'x')
    .map(({ key, shape, values }) => [key, stored(values, shape, isWide(key) ? 'F32' : 'BF16')]));
  const values = Object.fromEntries(made.map((t) => [t.key, t.values]));
  return { ...file, x: { shape: x.shape, data: x.values }, tensors, values };
}

/** Numbers of a stored tensor, in double. @returns {Float64Array} */
export function decode({ dtype, data }) {
  const copy = data.slice().buffer;
  if (dtype === 'F32') return Float64Array.from(new Float32Array(copy));
  return Float64Array.from(new Uint16Array(copy), dtype === 'BF16' ? fromBf16 : fromF16);
}

/**
 * The config's text part and all tensors of a small model folder, by the name without prefix; decoys left out.
 * @param {string} name
 */
export function goldenFolder(name) {
  const config = JSON.parse(readFileSync(url(`${name}/config.json`), 'utf8'));
  /** @type {Record<string, any>} */
  const tensors = {};
  /** @type {Record<string, number>} length of the header of each file */
  const headers = {};
  for (const file of readdirSync(url(name)).filter((f) => f.endsWith('.safetensors'))) {
    const bytes = readFileSync(url(`${name}/${file}`));
    const length = Number(bytes.readBigUInt64LE(0));
    headers[file] = length;
    for (const [full, t] of Object.entries(JSON.parse(bytes.toString('utf8', 8, 8 + length)))) {
      const short = /^(?:model\.language_model\.|model\.(?!visual))(.*)$/.exec(full)?.[1];
      if (!short) continue;
      const [begin, end] = t.data_offsets.map((at) => 8 + length + at);
      const data = new Uint8Array(bytes.subarray(begin, end));
      tensors[short] = { dtype: t.dtype, shape: t.shape, file, begin, end, data };
    }
  }
  return { config: config.text_config ?? config, raw: config, tensors, headers };
}
