/** Rows of the embedding table, fetched by range: what a prompt needs of a third of the model. */
import { rowRanges } from './folder.js';
import { matrix } from './options.js';
import { checkTensors } from './shapes.js';
import { dtypeCode } from './wasm.js';

/**
 * Rows of a matrix tensor as float, each distinct row fetched once.
 * @param {import('./wasm.js').Wasm} wasm @param {import('./folder.js').Folder} folder @param {string} name
 * @param {readonly number[]} rows
 * @param {{ signal?: AbortSignal, onBytes?: (bytes: number, tensor: string) => void }} [options]
 * @returns {Promise<Float32Array>} (rows, N)
 */
export async function fetchRows(wasm, folder, name, rows, { signal, onBytes } = {}) {
  const tensor = folder.tensors.get(name);
  const [height, N] = tensor.shape;
  const rowBytes = (tensor.end - tensor.begin) / height;
  const distinct = [...new Set(rows)].sort((a, b) => a - b);
  const stored = new Uint8Array(distinct.length * rowBytes);
  await folder.read(rowRanges(tensor, distinct), (i, chunk, at) => stored.set(chunk, i * rowBytes + at),
    { signal, onBytes: (bytes) => onBytes?.(bytes, name) });
  const place = new Map(distinct.map((row, i) => [row, i]));
  return wasm.scope((s) => {
    const bytes = s.space(stored.length / 4 + 1);
    const floats = s.space(distinct.length * N);
    bytes.write(stored);
    wasm.call('expand', floats, bytes, dtypeCode(tensor.dtype), distinct.length * N);
    const all = floats.floats(distinct.length * N);
    const out = new Float32Array(rows.length * N);
    rows.forEach((row, t) => out.set(all.subarray(place.get(row) * N, (place.get(row) + 1) * N), t * N));
    return out;
  });
}

/**
 * The residual stream at the start: the tokens' embeddings, plus learned positions where the model has them.
 * @param {import('./wasm.js').Wasm} wasm @param {import('./folder.js').Folder} folder
 * @param {import('./config.js').Config} config @param {readonly number[]} ids @param {number} firstPosition
 * @param {{ signal?: AbortSignal, onBytes?: (bytes: number, tensor: string) => void }} [options]
 * @returns {Promise<import('./options.js').Matrix>} (T, N)
 */
export async function embed(wasm, folder, config, ids, firstPosition, options) {
  const learned = config.positionEmbedding === 'learned';
  checkTensors(config, folder.tensors, ['embed_tokens.weight', ...(learned ? ['embed_positions.weight'] : [])]);
  const h = await fetchRows(wasm, folder, 'embed_tokens.weight', ids, options);
  if (learned) {
    const positions = ids.map((_, t) => firstPosition + t);
    const p = await fetchRows(wasm, folder, 'embed_positions.weight', positions, options);
    for (let i = 0; i < h.length; i++) h[i] += p[i];
  }
  return matrix([ids.length, config.hidden], h);
}
