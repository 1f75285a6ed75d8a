/**
 * The whole text model at Qwen3.5-0.8B's sizes, 24 layers, weights from the generator (498 M of them, none stored),
 * against the float64 run. Slow: `make test-full`.
 */
import assert from 'node:assert/strict';
import { createComparer } from '../helpers/expect-model.js';
import { golden } from '../helpers/golden.js';
import { norm, norms } from '../helpers/numbers.js';
import { generatorKey, draw, toBf16 } from '../helpers/prng.js';
import { fetchOf, virtualFiles } from '../helpers/synthetic-model.js';
import { onEngine } from '../helpers/variants.js';

const file = golden('model_24l_0p8b');
const wide = (name) => /A_log|linear_attn\.norm/.test(name);

/** Bytes of generated tensors: each value is one of 256, so a table of stored values does. */
function makeData(spans) {
  const prepared = spans.map((span) => {
    const name = span.name.replace('model.', '');
    const { offset, exp2 } = file.tensors[name];
    const values = Float32Array.from({ length: 256 }, (_, u) => offset + 2 ** exp2 * (2 * u - 255) / 256);
    return { ...span, key: generatorKey(name, file.seed), bits: span.dtype === 'F32' ? new Uint32Array(values.buffer) : toBf16(values) };
  });
  return (begin, end) => {
    const span = prepared.find((s) => begin < s.end);
    const width = span.dtype === 'F32' ? 4 : 2;
    const first = Math.floor((begin - span.begin) / width);
    const last = Math.ceil((Math.min(end, span.end) - span.begin) / width);
    const words = width === 4 ? new Uint32Array(last - first) : new Uint16Array(last - first);
    for (let i = first; i < last; i++) words[i - first] = span.bits[draw(span.key, i) >>> 24];
    const cut = begin - span.begin - first * width;
    return new Uint8Array(words.buffer).subarray(cut, cut + Math.min(end, span.end) - begin);
  };
}

const tensors = Object.entries(file.tensors).map(([name, { shape }]) =>
  /** @type {[string, string, number[]]} */ ([`model.${name}`, wide(name) ? 'F32' : 'BF16', shape]));

const LAYER = {
  attn_out_norm: (c) => norms(c.mixerOut.data, 1024),
  h_out_norm: (c) => norms(c.hOut.data, 1024),
  h_out_last_first16: (c) => c.hOut.data.slice(19 * 1024, 19 * 1024 + 16),
  head_contrib_norm_last: (c) => c.headContribution.data.slice(-c.headContribution.shape[1]),
  probs_last: (c) => Array.from({ length: 8 }, (_, h) => Array.from(c.probs.data.subarray((h * 20 + 19) * 20, (h * 20 + 20) * 20))),
  gate_mean: (c) => Array.from({ length: 8 }, (_, h) => {
    let sum = 0;
    for (let t = 0; t < 20; t++) for (let i = 0; i < 256; i++) sum += c.gate.data[(t * 8 + h) * 256 + i];
    return sum / (20 * 256);
  }),
  state_norm: (c) => norms(c.state.data, 128 * 128),
  decay_last: (c) => c.decay.data.slice(-16),
  beta_last: (c) => c.beta.data.slice(-16),
};

if (process.env.ATTN_FULL) {
  onEngine('24 layers at 0.8B sizes', async (engine, variant) => {
    if (variant === 'scalar' && process.env.ATTN_FULL !== 'scalar') return; // minutes: ATTN_FULL=scalar asks for it
    const model = await engine.openModel('http://model.invalid/',
      { keep: 'stream', cache: 'none', fetch: fetchOf(virtualFiles(file.config, tensors, makeData)) });
    const run = await model.forward(file.tokens, { logits: 'all',
      capture: ['type', 'mixerOut', 'hOut', 'headContribution', 'probs', 'gate', 'state', 'decay', 'beta'] });
    const compare = createComparer(file.tolerance);
    const V = file.config.vocab_size;
    compare.near('logits_last', run.logits.data.slice(-V), file.expect.logits_last, 'model');
    compare.near('logits_norm', norms(run.logits.data, V), file.expect.logits_norm, 'model');
    compare.near('final_hidden_last_first64', run.finalHidden.data.slice(19 * 1024, 19 * 1024 + 64), file.expect.final_hidden_last_first64, 'model');
    file.expect.layers.forEach((expected, i) => {
      for (const [key, value] of Object.entries(expected)) {
        if (key === 'type') assert.equal(run.layers[i].type, value);
        else compare.near(key, LAYER[key](run.layers[i]), value, `layer ${i}`);
      }
    });
    assert.ok(compare.count > 4000, `${compare.count} compared`);
    assert.ok(engine.memoryBytes < 260e6, `${engine.memoryBytes} bytes of memory`);
    assert.ok(norm(run.logits.data) > 0);
  });
}
