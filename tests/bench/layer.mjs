/** Speed of one full-attention layer of Qwen3.5-0.8B's size, bf16 weights: GFLOP/s by prompt length. */
import { CONFIG_0P8B } from '../helpers/synthetic-model.js';
import { parseConfig } from '../../web/engine/config.js';
import { layerShapes } from '../../web/engine/shapes.js';

const LENGTHS = [6, 32, 128, 512];

function tensors(config) {
  const out = {};
  let seed = 1;
  for (const [name, shape] of layerShapes(config, 0).filter(([n]) => !/mlp|post/.test(n))) {
    const values = new Uint16Array(shape.reduce((a, b) => a * b, 1));
    for (let i = 0; i < values.length; i++) {
      seed = Math.imul(seed, 1664525) + 1013904223 >>> 0;
      values[i] = 0x3c00 | (seed >>> 24 & 0x7f) | (seed >>> 16 & 0x8000);
    }
    out[`layers.0.${name}`] = { dtype: 'BF16', shape, data: new Uint8Array(values.buffer) };
  }
  return out;
}

/** Causal floating-point operations of the mixer. */
export const flops = (T) => 2 * T * (1024 * 5120 + 2048 * 1024) + 8 * 256 * 4 * T * (T + 1) / 2;

/** @param {any} engine @param {number} [rounds] */
export async function benchLayer(engine, rounds = 9) {
  const raw = { ...CONFIG_0P8B, num_hidden_layers: 1, layer_types: ['full_attention'], vocab_size: 8 };
  const layer = await engine.openLayer({ config: raw, kind: 'full_attention', tensors: tensors(parseConfig(raw)) });
  const rows = [];
  for (const T of LENGTHS) {
    const x = { shape: [T, 1024], data: Float32Array.from({ length: T * 1024 }, (_, i) => Math.sin(i * 0.7)) };
    const times = [];
    for (let i = 0; i <= rounds; i++) {
      const start = performance.now();
      await layer.forward(x);
      if (i > 0) times.push(performance.now() - start);
    }
    const ms = times.sort((a, b) => a - b)[rounds >> 1];
    rows.push({ T, ms, best: times[0], gflops: flops(T) / ms / 1e6 });
  }
  await layer.close();
  return rows;
}
