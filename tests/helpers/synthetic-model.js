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

/** Header and layout of tensors one after the other. @param {[string, string, number[]][]} tensors name, dtype, shape */
export function layOut(tensors) {
  const header = {};
  const spans = [];
  let offset = 0;
  for (const [name, dtype, shape] of tensors) {
    const bytes = (dtype === 'F32' ? 4 : 2) * shape.reduce((a, b) => a * b, 1);
    header[name] = { dtype, shape, data_offsets: [offset, offset + bytes] };
    spans.push({ name, dtype, begin: offset, end: offset + bytes });
    offset += bytes;
  }
  const json = Buffer.from(JSON.stringify(header));
  const start = Buffer.alloc(8 + Math.ceil(json.length / 8) * 8, ' ');
  start.writeBigUInt64LE(BigInt(start.length - 8));
  json.copy(start, 8);
  return { start, spans, size: start.length + offset };
}

const small = (text) => {
  const bytes = Buffer.from(text);
  return { size: bytes.length, *read(begin, end) { yield bytes.subarray(begin, end); } };
};

/**
 * config.json and model.safetensors, whose bytes data(begin, end) gives (positions in the data section).
 * @param {object} config @param {[string, string, number[]][]} tensors
 * @param {(spans: any[]) => (begin: number, end: number) => Uint8Array} makeData
 */
export function virtualFiles(config, tensors, makeData) {
  const { start, spans, size } = layOut(tensors);
  const data = makeData(spans);
  return new Map(Object.entries({
    'config.json': small(JSON.stringify(config)),
    'model.safetensors': {
      size,
      *read(begin, end) {
        if (begin < start.length) yield start.subarray(begin, Math.min(end, start.length));
        for (let at = Math.max(begin, start.length); at < end;) {
          const chunk = data(at - start.length, Math.min(end, at + (1 << 16)) - start.length);
          yield chunk;
          at += chunk.length;
        }
      },
    },
  }));
}

/**
 * @param {Record<string, any>} [config] config.json
 * @returns {Map<string, { size: number, read(begin: number, end: number): Iterable<Uint8Array> }>}
 */
export function syntheticModel(config = CONFIG_0P8B) {
  const tensors = [...expectedShapes(parseConfig(config))].map(([name, shape]) =>
    /** @type {[string, string, number[]]} */ ([`model.${name}`, 'BF16', shape]));
  const period = pattern();
  return virtualFiles(config, tensors, () => (begin, end) => {
    const from = begin % PERIOD;
    return period.subarray(from, from + Math.min(PERIOD - from, end - begin));
  });
}

/** A fetch that answers from such files, with Range. @param {ReturnType<typeof syntheticModel>} files */
export const fetchOf = (files) => async (url, { headers } = {}) => {
  const file = files.get(new URL(String(url)).pathname.slice(1));
  if (!file) return new Response('none', { status: 404 });
  const [, from, to] = /bytes=(\d+)-(\d*)/.exec(new Headers(headers).get('range') ?? '') ?? [];
  const begin = Number(from ?? 0);
  const end = to ? Number(to) + 1 : file.size;
  const chunks = file.read(begin, end)[Symbol.iterator]();
  const body = new ReadableStream({ pull(controller) {
    const { done, value } = chunks.next();
    if (done) controller.close();
    else controller.enqueue(value);
  } });
  return new Response(body, { status: from ? 206 : 200, headers: { 'content-length': String(end - begin),
    ...(from ? { 'content-range': `bytes ${begin}-${end - 1}/${file.size}` } : {}) } });
};
