/**
 * Layers of unequal sizes against an independent float64 reference: grouped, multi-query and multi-head, gated or not,
 * Qwen3's plain one, and Gated DeltaNet; and what the captures must satisfy among themselves.
 */
import assert from 'node:assert/strict';
import { decode, stored } from '../helpers/golden.js';
import { norms, Numbers, sum } from '../helpers/numbers.js';
import { random } from '../helpers/prng.js';
import { fullAttention, linearAttention } from '../helpers/reference.js';
import { onEngine } from '../helpers/variants.js';

const BASE = { model_type: 'qwen3_5_text', num_hidden_layers: 1, intermediate_size: 4, vocab_size: 3,
  rms_norm_eps: 1e-6, layer_types: ['full_attention'] };
const qwen35 = (c, theta = 1e4) => ({ ...BASE, hidden_size: c.N, num_attention_heads: c.H, num_key_value_heads: c.K,
  head_dim: c.d, attn_output_gate: c.gated,
  rope_parameters: { rope_type: 'default', rope_theta: theta, partial_rotary_factor: c.R / c.d } });
const qwen3 = (c) => ({ ...BASE, model_type: 'qwen3', hidden_size: c.N, num_attention_heads: c.H,
  num_key_value_heads: c.K, head_dim: c.d, rope_theta: 1e4 });

/** Sizes by their letters; T, H, K, d, N, R pairwise different within a case wherever the case allows it. */
const FULL = {
  'grouped, H=6 K=2': { T: 5, N: 11, H: 6, K: 2, d: 10, R: 4, gated: true, bias: 1 },
  'multi-head, H=K=3': { T: 7, N: 13, H: 3, K: 3, d: 8, R: 2, gated: true, bias: 1 },
  'multi-query, H=5 K=1': { T: 6, N: 9, H: 5, K: 1, d: 12, R: 8, gated: true, bias: 1 },
  'ungated, H=6 K=3': { T: 4, N: 17, H: 6, K: 3, d: 14, R: 10, gated: false, bias: 1 },
  'ungated multi-query, one head': { T: 3, N: 5, H: 1, K: 1, d: 6, R: 4, gated: false, bias: 1 },
  'Qwen3, H=4 K=2, plain norms, every dimension turns': { T: 9, N: 7, H: 4, K: 2, d: 18, R: 18, gated: false, bias: 0 },
  'one token': { T: 1, N: 12, H: 4, K: 2, d: 10, R: 6, gated: true, bias: 1 },
  'more than a block, H=6 K=2': { T: 261, N: 11, H: 6, K: 2, d: 10, R: 4, gated: true, bias: 1 },
  'just a block': { T: 128, N: 6, H: 2, K: 1, d: 4, R: 2, gated: true, bias: 1 },
};
const LINEAR = {
  'Hk=2 Hv=6': { T: 5, N: 9, Hk: 2, Hv: 6, dk: 4, dv: 7, C: 4, bias: 1 },
  'Hk=Hv=3, dk > dv, two taps': { T: 7, N: 11, Hk: 3, Hv: 3, dk: 10, dv: 6, C: 2, bias: 1 },
  'fewer tokens than taps': { T: 2, N: 6, Hk: 1, Hv: 4, dk: 5, dv: 3, C: 5, bias: 1 },
  'more than two blocks': { T: 259, N: 8, Hk: 2, Hv: 4, dk: 6, dv: 5, C: 4, bias: 1 },
};

/** Random weights, stored as `dtype` where it is exact enough to be told. */
function weights(shapes, dtype) {
  const tensors = {};
  const values = {};
  for (const [name, shape] of Object.entries(shapes)) {
    const n = shape.reduce((a, b) => a * b, 1);
    const wide = /A_log|linear_attn\.norm/.test(name);
    const tensor = stored(random(name, n, shape.length === 1 ? 0.5 : 0.7), shape, wide ? 'F32' : dtype);
    tensors[`layers.0.${name}`] = tensor;
    values[name] = decode(tensor);
  }
  return { tensors, values };
}

function fullCase(c, dtype) {
  const { N, H, K, d, gated } = c;
  return weights({ 'input_layernorm.weight': [N], 'self_attn.q_proj.weight': [H * d * (gated ? 2 : 1), N],
    'self_attn.k_proj.weight': [K * d, N], 'self_attn.v_proj.weight': [K * d, N], 'self_attn.o_proj.weight': [N, H * d],
    'self_attn.q_norm.weight': [d], 'self_attn.k_norm.weight': [d] }, dtype);
}

function linearCase(c, dtype) {
  const { N, Hk, Hv, dk, dv, C } = c;
  const channels = 2 * Hk * dk + Hv * dv;
  const p = 'linear_attn.';
  return weights({ 'input_layernorm.weight': [N], [`${p}in_proj_qkv.weight`]: [channels, N],
    [`${p}in_proj_z.weight`]: [Hv * dv, N], [`${p}in_proj_b.weight`]: [Hv, N], [`${p}in_proj_a.weight`]: [Hv, N],
    [`${p}conv1d.weight`]: [channels, 1, C], [`${p}A_log`]: [Hv], [`${p}dt_bias`]: [Hv], [`${p}norm.weight`]: [dv],
    [`${p}out_proj.weight`]: [N, Hv * dv] }, dtype);
}

/** Shape of every capture of a full-attention layer's mixer. */
const fullShapes = ({ T, N, H, K, d, gated }) => ({ hIn: [T, N], normed: [T, N], mixerOut: [T, N], out: [T, N],
  qProj: [T, H, d], kProj: [T, K, d], qNormed: [T, H, d], kNormed: [T, K, d], q: [T, H, d], k: [T, K, d], v: [T, K, d],
  scores: [H, T, T], probs: [H, T, T], headOut: [T, H, d], ...(gated && { gate: [T, H, d] }),
  headContribution: [T, H], headContributionUngated: [T, H] });
const linearShapes = ({ T, N, Hk, Hv, dk, dv, C }) => ({ hIn: [T, N], normed: [T, N], mixerOut: [T, N], out: [T, N],
  beta: [T, Hv], decay: [T, Hv], core: [T, Hv, dv], zgate: [T, Hv, dv], headContribution: [T, Hv],
  state: [Hv, dk, dv], convState: [2 * Hk * dk + Hv * dv, C - 1] });

/** Runs a layer with all captures and compares every one of them. */
async function compare(engine, { config, kind, c, shapes, reference, made, tolerance }) {
  const x = { shape: [c.T, c.N], data: random('x', c.T * c.N, 2) };
  const layer = await engine.openLayer({ config, kind, tensors: made.tensors });
  const r = await layer.forward(x, { capture: 'all' });
  const want = reference({ eps: 1e-6, theta: 1e4, ...c }, made.values, x.data);
  assert.deepEqual(Object.keys(r).sort(), [...Object.keys(shapes), 'type'].sort(), 'which captures there are');
  const numbers = new Numbers();
  for (const [name, shape] of Object.entries(shapes)) {
    numbers.shape(r[name], shape, name, name === 'scores' ? [-Infinity] : []);
    const largest = want[name].reduce((m, y) => (Math.abs(y) > m && Number.isFinite(y) ? Math.abs(y) : m), 0);
    numbers.near(r[name].data, Array.from(want[name]), tolerance * (1 + largest), name);
  }
  numbers.exactly(sum(Object.keys(shapes).length, (i) => 1 + Object.values(shapes)[i].reduce((a, b) => a * b, 1)));
  await layer.close();
  r.out.data.forEach((y, i) => assert.equal(y, r.mixerOut.data[i], 'the copies outlive the layer'));
  return r;
}

/** What must hold among the captures, whatever the weights. */
function checkLaws(r, { T, H, d, gated }) {
  for (let i = 0; i < H * T; i++) {
    const t = i % T;
    assert.ok(Math.abs(sum(T, (s) => r.probs.data[i * T + s]) - 1) <= 1e-6, 'rows of probs sum to 1');
    for (let s = 0; s < T; s++) {
      assert.equal(r.scores.data[i * T + s] === -Infinity, s > t, 'masked exactly where the key is later');
      if (s > t) assert.equal(r.probs.data[i * T + s], 0);
    }
  }
  if (!gated) {
    assert.ok(!('gate' in r));
    assert.deepEqual(r.headContribution, r.headContributionUngated);
    return;
  }
  assert.ok(r.gate.data.every((g) => g > 0 && g < 1));
  const shrunk = norms(r.headOut.data.map((y, i) => y * r.gate.data[i]), d);
  assert.ok(shrunk.every((y, i) => y <= norms(r.headOut.data, d)[i] * (1 + 1e-6)));
}

for (const [name, c] of Object.entries(FULL)) {
  for (const dtype of c.T > 100 ? ['BF16'] : ['F32', 'BF16']) {
    onEngine(`full attention, ${name}, ${dtype}`, async (engine) => {
      const r = await compare(engine, { config: c.bias ? qwen35(c) : qwen3(c), kind: 'full_attention', c,
        shapes: fullShapes(c), reference: fullAttention, made: fullCase(c, dtype), tolerance: 4e-6 });
      checkLaws(r, c);
    });
  }
}

for (const [name, c] of Object.entries(LINEAR)) {
  onEngine(`DeltaNet, ${name}`, async (engine) => {
    const config = { ...BASE, hidden_size: c.N, num_attention_heads: 2, num_key_value_heads: 1, head_dim: 8,
      layer_types: ['linear_attention'], linear_num_key_heads: c.Hk, linear_num_value_heads: c.Hv,
      linear_key_head_dim: c.dk, linear_value_head_dim: c.dv, linear_conv_kernel_dim: c.C };
    const r = await compare(engine, { config, kind: 'linear_attention', c, shapes: linearShapes(c),
      reference: linearAttention, made: linearCase(c, 'BF16'), tolerance: 6e-6 });
    assert.ok(r.beta.data.every((b) => b > 0 && b < 1));
    assert.ok(r.decay.data.every((a) => a > 0 && a <= 1));
  });
}

onEngine('a list of captures gives those and no others; a prefix of the tokens gives the same rows', async (engine) => {
  const c = FULL['more than a block, H=6 K=2'];
  const { tensors } = fullCase(c, 'BF16');
  const layer = await engine.openLayer({ config: qwen35(c), kind: 'full_attention', tensors });
  const x = random('x', c.T * c.N, 2);
  const all = await layer.forward({ shape: [c.T, c.N], data: x }, { capture: ['probs', 'type'] });
  assert.deepEqual(Object.keys(all).sort(), ['out', 'probs', 'type']);
  for (const T of [1, 127, 128, 129, 256]) {
    const some = await layer.forward({ shape: [T, c.N], data: x.slice(0, T * c.N) }, { capture: [] });
    assert.deepEqual(Object.keys(some), ['out']);
    new Numbers().near(some.out.data, all.out.data.slice(0, T * c.N), 2e-5, `the first ${T} tokens`);
  }
  await layer.close();
});
