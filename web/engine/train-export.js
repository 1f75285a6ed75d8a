/**
 * A trained model as the files of an ordinary model folder.
 */

/** Bits of the nearest bf16, ties to even. @param {Float32Array} values */
function toBF16(values) {
  const bits = new Uint32Array(values.buffer, values.byteOffset, values.length);
  return Uint16Array.from(bits, (u) => (u + 0x7fff + ((u >>> 16) & 1)) >>> 16);
}

/** These stay F32 in the real models' BF16 files. */
const ALWAYS_F32 = /linear_attn\.(A_log|norm\.weight)$/;

/** Name in the file: everything of the text model under 'model.', the output matrix beside it. */
const fileName = (name) => (name === 'lm_head.weight' ? name : `model.${name}`);

/** @param {{ name: string, dtype: string, shape: number[], bytes: Uint8Array }[]} tensors */
function safetensors(tensors) {
  let at = 0;
  const header = { __metadata__: { format: 'pt' } };
  for (const { name, dtype, shape, bytes } of tensors) {
    header[name] = { dtype, shape, data_offsets: [at, at + bytes.length] };
    at += bytes.length;
  }
  const json = JSON.stringify(header);
  const text = new TextEncoder().encode(json + ' '.repeat(-json.length & 7)); // names are ASCII; data begin at 8 n
  const file = new Uint8Array(8 + text.length + at);
  new DataView(file.buffer).setBigUint64(0, BigInt(text.length), true);
  file.set(text, 8);
  let begin = 8 + text.length;
  for (const { bytes } of tensors) {
    file.set(bytes, begin);
    begin += bytes.length;
  }
  return file;
}

/**
 * @param {Record<string, any>} json config.json's keys
 * @param {{ name: string, shape: number[], values: Float32Array }[]} tensors
 * @param {'F32' | 'BF16'} dtype
 * @returns {{ 'config.json': Uint8Array, 'model.safetensors': Uint8Array }}
 */
export function modelFiles(json, tensors, dtype) {
  const config = { ...json, dtype: dtype === 'F32' ? 'float32' : 'bfloat16' };
  return {
    'config.json': new TextEncoder().encode(`${JSON.stringify(config, undefined, 2)}\n`),
    'model.safetensors': safetensors(tensors.map(({ name, shape, values }) => {
      const kept = dtype === 'F32' || ALWAYS_F32.test(name);
      const { buffer } = kept ? values : toBF16(values);
      return { name: fileName(name), dtype: kept ? 'F32' : dtype, shape, bytes: new Uint8Array(buffer) };
    })),
  };
}
