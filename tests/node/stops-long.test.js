/**
 * Long sums run in slices: a stop that comes by a timer is heard between two of them, here and in a worker, the memory
 * is given back and the next call is right. A new method joins by a row. What is given back is the heap's: WebAssembly's
 * memory itself only grows, and how deep a run comes before its stop is for the machine to say.
 */
import assert from 'node:assert/strict';
import test from 'node:test';
import { createEngine } from '../../web/engine/index.js';
import { Wasm } from '../../web/engine/wasm.js';
import { folderPath, golden } from '../helpers/golden.js';
import { CONFIG_0P8B, fetchOf, syntheticModel } from '../helpers/synthetic-model.js';

/** @type {Wasm} the instance of this thread that was asked last */
let heap;
const { alloc } = Wasm.prototype;
Wasm.prototype.alloc = function seen(...args) {
  heap = this;
  return alloc.apply(this, args);
};

const file = golden('tiny4');
const TOY = { q: [0, 4], k: [1, 0, 0, 1, 0.5, 0.5], v: [2, 0, 0, 2, 1, 1], queries: 1, keys: 3, dim: 2, valueDim: 2 };
const TINY = { hidden_size: 64, num_hidden_layers: 1, layer_types: ['full_attention'], num_attention_heads: 2,
  num_key_value_heads: 1, head_dim: 32, intermediate_size: 64, attn_output_gate: false };
const WIDE = { ...CONFIG_0P8B, ...TINY, vocab_size: 30000, linear_num_key_heads: 1, linear_num_value_heads: 1,
  linear_key_head_dim: 8, linear_value_head_dim: 8 };
const floats = (n) => new Float32Array(n).fill(0.01);
const count = (n, vocab = 97) => Array.from({ length: n }, (_, i) => i % vocab);

const attention = (queries, keys, more = {}) => ({ q: floats(queries * 64), k: floats(keys * 64), v: floats(keys * 64),
  queries, keys, dim: 64, valueDim: 64, ...more });
const golden4 = async (engine) => engine.openModel(folderPath('tiny4'));
const wide = (keep) => async (engine) => {
  const files = fetchOf(syntheticModel(WIDE));
  const model = await engine.openModel('http://wide.invalid/', { cache: 'none', keep, async fetch(url, init) {
    const answer = await files(url, init);
    return new Response(await answer.arrayBuffer(), answer); // bytes that may be moved to a worker
  } });
  await model.forward([1]);
  return model;
};

/**
 * begin(engine) makes what use(handle, o) needs; o: signal, and stop() for those that say themselves when.
 * @type {Record<string, { begin?: (engine: any) => Promise<any>, use: (handle: any, o: any, engine: any) => Promise<any>,
 *   itself?: boolean, heavy?: boolean }>}  heavy: so many bytes that they go to a worker in the full test only
 */
const ROWS = {
  attention: { use: (_, { signal }, engine) => engine.attention(attention(4000, 4000, { signal })) },
  'attention, causal': { use: (_, { signal }, engine) => engine.attention(attention(4000, 5000, { signal, causal: true })) },
  gate: { use: (_, { signal }, engine) => engine.gate({ x: floats(4096), wGate: floats(4096 * 8192), headOut: floats(8192),
    heads: 64, dim: 128, features: 4096, signal }), heavy: true },
  gateSgd: { use: (_, { signal }, engine) => engine.gateSgd({ x: floats(2048 * 256), residual: floats(2048), headOut: floats(2048),
    target: floats(2048), w0: floats(256), n: 2048, features: 256, learningRate: 0.1, steps: 2000, signal }) },
  'gqaSweep, measured': { use: (_, { signal }, engine) => engine.gqaSweep({ heads: 8, headDim: 128, kvHeads: [8, 4, 2, 1],
    seqLen: 60000, measure: true, signal }) },
  'a long prompt': { begin: golden4, use: (model, { signal }) => model.forward(count(4000), { signal, logits: 'none' }) },
  'layer.forward': { begin: (engine) => engine.openLayer({ baseURL: folderPath('tiny4'), layer: 3 }),
    use: (layer, { signal }) => layer.forward(floats(4000 * 64), { signal }) },
  generate: { begin: golden4, itself: true, use: (model, { signal, stop }) =>
    model.generate(file.tokens, { maxTokens: 200, signal, onToken: () => stop() }) },
  ...Object.fromEntries(['resident', 'stream'].map((keep) => [`the logits of all tokens, ${keep}`, { begin: wide(keep),
    itself: true, use: (model, { signal, stop }) => model.forward(count(2000), { signal, logits: 'all', onLayer: stop }) }])),
  createTrainer: { use: (_, { signal }, engine) => engine.createTrainer({ config: { ...TINY, hidden_size: 256, vocab_size: 20000 },
    task: { kind: 'corpus', ids: count(100) }, batch: 1, seqLen: 4, signal }) },
  'trainer.step': { begin: (engine) => engine.createTrainer({ config: { ...TINY, vocab_size: 33 },
    task: { kind: 'bigram-backcopy', vocab: 32, triggers: 3 }, batch: 2, seqLen: 24 }),
  use: (trainer, { signal }) => trainer.step(1e9, { signal }) },
  'trainer.probe': { begin: (engine) => engine.createTrainer({ config: { ...TINY, vocab_size: 33, max_position_embeddings: 4096 },
    task: { kind: 'bigram-backcopy', vocab: 32, triggers: 3 }, batch: 1, seqLen: 4 }),
  use: (trainer, { signal }) => trainer.probe(count(2000, 32), { signal, capture: [] }) },
};

for (const workers of [0, 1]) {
  for (const [name, row] of Object.entries(ROWS)) {
    const skip = Boolean(row.heavy && workers && !process.env.ATTN_FULL);
    test(`${name}, ${workers ? 'in a worker' : 'on this thread'}: a stop is heard`, { skip }, async () => {
      const engine = await createEngine({ workers, variant: 'simd' });
      const handle = await row.begin?.(engine);
      const right = await engine.attention(TOY);
      let held;
      for (let i = 0; i < 3; i++) {
        const stop = new AbortController();
        const later = () => setTimeout(() => stop.abort(), 0); // comes only if the thread is given back
        const call = row.use(handle, { signal: stop.signal, stop: later }, engine);
        if (!row.itself) later();
        await assert.rejects(call, { name: 'EngineError', code: 'ABORTED' });
        assert.deepEqual(await engine.attention(TOY), right);
        if (workers) continue; // a worker's heap: steady.test.js
        held ??= heap.held;
        assert.equal(heap.held, held, 'the memory is given back');
      }
      const last = row.use(handle, { stop: () => {} }, engine);
      const ended = assert.rejects(last, { name: 'EngineError', code: 'ABORTED' });
      setTimeout(() => engine.close(), 0);
      await ended;
      await engine.close();
      assert.equal(engine.memoryBytes, 0);
    });
  }
}

test('one layer, 4096 tokens: what was stopped does not come to the end of its layer', async () => {
  const engine = await createEngine({ variant: 'simd' });
  const model = await engine.openModel(folderPath('tiny4'), { layers: 1 });
  await model.forward([1]);
  const stop = new AbortController();
  let ended = 0;
  const run = model.forward(count(4096), { signal: stop.signal, onLayer: () => { ended++; } });
  setTimeout(() => stop.abort(), 0);
  await assert.rejects(run, { code: 'ABORTED' });
  await engine.attention(TOY); // its turn comes when the other has given up
  assert.equal(ended, 0);
  await engine.close();
});

test('in slices or at once: the same numbers', async () => {
  const engine = await createEngine({ variant: 'simd' });
  const values = (n, from) => Float32Array.from({ length: n }, (_, i) => Math.sin(i * 0.37 + from));
  const [queries, keys, dim] = [700, 900, 40];
  const given = { q: values(queries * dim, 1), k: values(keys * dim, 2), v: values(keys * dim, 3), keys, dim, valueDim: dim };
  for (const causal of [false, true]) {
    const all = await engine.attention({ ...given, queries, causal });
    for (const t of [0, 1, 115, 116, 117, 350, 699]) { // one query alone is one slice
      const seen = causal ? keys - queries + t + 1 : keys;
      const one = await engine.attention({ ...given, queries: 1, causal, keys: seen,
        q: given.q.slice(t * dim, (t + 1) * dim), k: given.k.slice(0, seen * dim), v: given.v.slice(0, seen * dim) });
      for (const [what, rest] of [['scores', -Infinity], ['probs', 0]]) {
        const row = all[what].data.subarray(t * keys, (t + 1) * keys);
        one[what].data.forEach((x, i) => assert.ok(Math.abs(row[i] - x) < 1e-5, `${what} ${t} ${i}`));
        assert.ok(row.subarray(seen).every((x) => x === rest), `${what} ${t}: what is masked`);
      }
      one.out.data.forEach((x, i) => assert.ok(Math.abs(all.out.data[t * dim + i] - x) < 1e-5, `out ${t} ${i}`));
    }
  }
  const [features, heads, width] = [2400, 50, 70]; // 3495 columns a slice
  const n = heads * width;
  const gate = { x: values(features, 1).map((x) => x / 50), wGate: values(features * n, 2), headOut: values(n, 3), features };
  const all = await engine.gate({ ...gate, heads, dim: width });
  for (const c of [0, 1, 3494, 3495, n - 1]) {
    const one = await engine.gate({ ...gate, heads: 1, dim: 1, headOut: [gate.headOut[c]],
      wGate: Float32Array.from({ length: features }, (_, i) => gate.wGate[i * n + c]) });
    for (const what of ['z', 'gate', 'out']) assert.ok(Math.abs(all[what].data[c] - one[what].data[0]) < 1e-4, `${what} ${c}`);
  }
  const [examples, wide, steps] = [1900, 1100, 9]; // 4 steps a slice
  const sgd = { x: values(examples * wide, 1), residual: values(examples, 2), headOut: values(examples, 3),
    target: values(examples, 4), n: examples, features: wide, learningRate: 1e-3 };
  const whole = await engine.gateSgd({ ...sgd, w0: values(wide, 5), steps });
  let w0 = values(wide, 5);
  for (let step = 0; step <= steps; step++) {
    const one = await engine.gateSgd({ ...sgd, w0, steps: 1 });
    assert.equal(whole.loss.data[step], one.loss.data[0], `loss ${step}`);
    assert.deepEqual(whole.w.data.subarray(step * wide, (step + 1) * wide), w0, `w ${step}`);
    assert.deepEqual(whole.gate.data.slice(step * examples, (step + 1) * examples), one.gate.data.slice(0, examples));
    assert.deepEqual(whole.grad.data.slice(step * wide, (step + 1) * wide), one.grad.data.slice(0, wide));
    w0 = one.w.data.slice(wide);
  }
  await engine.close();
});
