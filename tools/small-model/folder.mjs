/** Writes a model folder: bytes of a safetensors file, the tokenizer that all small models share, the files on disk. */
import { openTargetFolder } from '../../web/cli/target.js';
import { documents, wordCounts } from './corpus.mjs';
import { learnMerges, tokenizerFiles } from './bpe.mjs';

/** The documents that tokenizer and models learn from. */
export const CORPUS = Object.freeze({ documents: 20000, seed: 1 });
const VOCABULARY = 1024;

/** @returns {{ 'tokenizer.json': any, 'tokenizer_config.json': any }} */
export function sharedTokenizer() {
  return tokenizerFiles(learnMerges(wordCounts(documents(CORPUS.documents, CORPUS.seed)), { size: VOCABULARY }));
}

/** Round to the nearest BF16, ties to even. @param {ArrayLike<number>} values @returns {Uint8Array} */
export function bf16(values) {
  const bits = new Uint32Array(Float32Array.from(values).buffer);
  const out = new DataView(new ArrayBuffer(2 * bits.length));
  bits.forEach((u, i) => out.setUint16(2 * i, (u + 0x7fff + ((u >>> 16) & 1)) >>> 16, true));
  return new Uint8Array(out.buffer);
}

/** @param {ArrayLike<number>} values @returns {Uint8Array} little endian */
export function f32(values) {
  const out = new DataView(new ArrayBuffer(4 * values.length));
  Array.from(values).forEach((value, i) => out.setFloat32(4 * i, value, true));
  return new Uint8Array(out.buffer);
}

/** In the real files these two stay in F32. @param {string} name */
export const keptInF32 = (name) => name.endsWith('.A_log') || name.endsWith('linear_attn.norm.weight');

/**
 * @param {Iterable<[string, { shape: readonly number[], values: ArrayLike<number> }]>} tensors full names
 * @param {Record<string, string>} metadata
 * @returns {Uint8Array} a safetensors file in BF16
 */
export function safetensorsFile(tensors, metadata) {
  const header = { __metadata__: metadata };
  const parts = [];
  let at = 0;
  for (const [name, { shape, values }] of tensors) {
    const dtype = keptInF32(name) ? 'F32' : 'BF16';
    const bytes = dtype === 'F32' ? f32(values) : bf16(values);
    header[name] = { dtype, shape: [...shape], data_offsets: [at, at + bytes.length] };
    parts.push(bytes);
    at += bytes.length;
  }
  const text = new TextEncoder().encode(JSON.stringify(header));
  const length = Math.ceil(text.length / 8) * 8;
  const file = new Uint8Array(8 + length + at).fill(32, 8, 8 + length);
  new DataView(file.buffer).setBigUint64(0, BigInt(length), true);
  file.set(text, 8);
  let place = 8 + length;
  for (const bytes of parts) {
    file.set(bytes, place);
    place += bytes.length;
  }
  return file;
}

/**
 * @param {string} folder
 * @param {Record<string, Uint8Array | string | object>} files bytes and text as they are, objects as JSON
 */
export async function writeFolder(folder, files) {
  const target = await openTargetFolder(folder);
  try {
    for (const [name, content] of Object.entries(files)) {
      const asIs = content instanceof Uint8Array || typeof content === 'string';
      await target.put(name, asIs ? content : `${JSON.stringify(content, null, 1)}\n`);
    }
    await target.commit();
  } finally {
    await target.discard();
  }
}
