/**
 * A model folder of any size that stands nowhere: header and config are made, the weights' bytes are a repeating
 * pattern of small bf16 numbers. For speed and memory, where only the shape counts.
 */
import { parseConfig } from '../../web/engine/config.js';
import { expectedShapes } from '../../web/engine/shapes.js';

/** Qwen3.5-0.8B's text model. */
export const CONFIG_0P8B = Object.freeze({
  model_type: 'qwen3_5_text', attention_bias: false, attn_output_gate: true, hidden_act: 'silu', hidden_size: 1024,
  num_hidden_layers: 24, num_attention_heads: 8, num_key_value_heads: 2, head_dim: 256, intermediate_size: 3584,
  vocab_size: 248320, rms_norm_eps: 1e-6, tie_word_embeddings: true, max_position_embeddings: 262144,
  full_attention_interval: 4, linear_conv_kernel_dim: 4, linear_num_key_heads: 16, linear_num_value_heads: 16,
  linear_key_head_dim: 128, linear_value_head_dim: 128,
  rope_parameters: { rope_type: 'default', rope_theta: 1e7, partial_rotary_factor: 0.25 },
});

const PERIOD = 1 << 20;

/** Numbers of about ±0.03 as little-endian bf16. */
function pattern() {
  const bytes = new Uint8Array(PERIOD);
  let seed = 1;
  for (let i = 0; i < PERIOD; i += 2) {
    seed = Math.imul(seed, 1664525) + 1013904223 >>> 0;
    const value = 0x3c00 | (seed >>> 24 & 0x7f) | (seed & 0x80000000 ? 0x8000 : 0);
    bytes[i] = value & 255;
    bytes[i + 1] = value >>> 8;
  }
  return bytes;
}

/**
 * @param {Record<string, any>} [config] config.json
 * @returns {{ files: Map<string, { size: number, read(begin: number, end: number): Iterable<Uint8Array> }>, dataStart: number }}
 */
export function syntheticModel(config = CONFIG_0P8B) {
  const header = {};
  let offset = 0;
  for (const [name, shape] of expectedShapes(parseConfig(config))) {
    const bytes = 2 * shape.reduce((a, b) => a * b, 1);
    header[`model.${name}`] = { dtype: 'BF16', shape, data_offsets: [offset, offset + bytes] };
    offset += bytes;
  }
  const json = Buffer.from(JSON.stringify(header));
  const start = Buffer.alloc(8 + Math.ceil(json.length / 8) * 8, ' ');
  start.writeBigUInt64LE(BigInt(start.length - 8));
  json.copy(start, 8);
  const period = pattern();
  const small = (text) => {
    const bytes = Buffer.from(text);
    return { size: bytes.length, *read(begin, end) { yield bytes.subarray(begin, end); } };
  };
  return {
    dataStart: start.length,
    files: new Map(Object.entries({
      'config.json': small(JSON.stringify(config)),
      'model.safetensors': {
        size: start.length + offset,
        *read(begin, end) {
          if (begin < start.length) yield start.subarray(begin, Math.min(end, start.length));
          for (let at = Math.max(begin, start.length); at < end;) {
            const from = (at - start.length) % PERIOD;
            const n = Math.min(PERIOD - from, end - at, 1 << 16);
            yield period.subarray(from, from + n);
            at += n;
          }
        },
      },
    })),
  };
}
