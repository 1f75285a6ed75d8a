import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import test from 'node:test';
import { parseConfig } from '../../web/engine/config.js';
import { parseFile } from '../../web/engine/safetensors.js';
import { checkTensors, expectedShapes } from '../../web/engine/shapes.js';

const read = (path) => readFile(new URL(`../golden/${path}`, import.meta.url));
const config = async (name) => JSON.parse(String(await read(`${name}/config.json`)));

/** The shape of the 0.8B as its config.json gives it, shortened to one layer of each kind. */
const REAL = {
  architectures: ['Qwen3_5ForConditionalGeneration'], model_type: 'qwen3_5', tie_word_embeddings: true,
  vision_config: { hidden_size: 768, num_hidden_layers: 12 },
  text_config: {
    model_type: 'qwen3_5_text', hidden_size: 1024, num_hidden_layers: 24, num_attention_heads: 8,
    num_key_value_heads: 2, head_dim: 256, intermediate_size: 3584, vocab_size: 248320, hidden_act: 'silu',
    linear_num_key_heads: 16, linear_num_value_heads: 16, linear_key_head_dim: 128, linear_value_head_dim: 128,
    linear_conv_kernel_dim: 4, rms_norm_eps: 1e-6, max_position_embeddings: 262144, attention_bias: false,
    rope_parameters: { rope_type: 'default', rope_theta: 1e7, partial_rotary_factor: 0.25 },
  },
};
const text = (change) => ({ ...REAL.text_config, ...change });

function refused(json, code, field) {
  assert.throws(() => parseConfig(json), (error) => {
    assert.equal(error.name, 'EngineError');
    assert.equal(error.code, code, error.message);
    assert.equal(error.details.field, field);
    assert.ok('expected' in error.details && 'found' in error.details);
    assert.match(error.message, /expected .+, found /);
    return true;
  });
}

test('the real 0.8B, composite: every number', () => {
  const { raw, layerTypes, ...rest } = parseConfig(REAL);
  assert.deepEqual(rest, {
    family: 'qwen3_5', layers: 24, hidden: 1024, heads: 8, kvHeads: 2, headDim: 256, rotaryDim: 64, ropeTheta: 1e7,
    eps: 1e-6, vocab: 248320, gated: true, tied: true, intermediate: 3584, zeroCentred: true,
    linear: { keyHeads: 16, valueHeads: 16, keyDim: 128, valueDim: 128, kernel: 4 }, maxPositions: 262144,
    positionEmbedding: 'rope', qkNorm: true, attentionCure: 'none', initializerRange: 0.02,
  });
  assert.equal(raw, REAL.text_config);
  assert.deepEqual(layerTypes.flatMap((type, i) => (type === 'full_attention' ? [i] : [])), [3, 7, 11, 15, 19, 23]);
  assert.ok(Object.isFrozen(parseConfig(REAL)));
});

test('the real 0.8B counts 320 text tensors and 752,393,024 parameters', () => {
  const shapes = expectedShapes(parseConfig(REAL));
  assert.equal(shapes.size, 320);
  assert.equal([...shapes.values()].reduce((sum, s) => sum + s.reduce((a, b) => a * b, 1), 0), 752393024);
});

test('defaults where a config is silent, and values beside rope_parameters', () => {
  const c = parseConfig({ model_type: 'qwen3_5', hidden_size: 64, num_hidden_layers: 4, num_attention_heads: 4,
    intermediate_size: 8, vocab_size: 9, rope_theta: 5e5, partial_rotary_factor: 0.5, rope_scaling: null });
  assert.equal(c.headDim, 256);
  assert.equal(c.rotaryDim, 128);
  assert.equal(c.ropeTheta, 5e5);
  assert.equal(c.kvHeads, 4);
  assert.equal(c.tied, false);
  assert.deepEqual(c.linear, { keyHeads: 16, valueHeads: 32, keyDim: 128, valueDim: 128, kernel: 4 });
  assert.deepEqual(c.layerTypes.map((t) => t[0]), ['l', 'l', 'l', 'f']);
  const both = parseConfig(text({ rope_theta: 3, rope_parameters: { rope_theta: 1e6 } }));
  assert.equal(both.ropeTheta, 1e6);
  assert.equal(both.rotaryDim, 64);
});

test('Qwen3: plain norms, no gate, the whole head rotates', async () => {
  const c = parseConfig(await config('qwen3_3'));
  assert.deepEqual([c.family, c.gated, c.zeroCentred, c.rotaryDim, c.ropeTheta, c.tied],
    ['qwen3', false, false, 32, 1e6, true]);
});

test('lab models: learned positions, no QK-norm, a sink logit', () => {
  const c = parseConfig({ model_type: 'attn_lab', hidden_size: 32, num_hidden_layers: 1, num_attention_heads: 2,
    intermediate_size: 128, vocab_size: 33, max_position_embeddings: 48, position_embedding: 'learned', qk_norm: false,
    attention_cure: 'sink_logit', attn_output_gate: false, initializer_range: 0.1, tie_word_embeddings: false });
  assert.deepEqual([c.rotaryDim, c.headDim, c.gated, c.qkNorm, c.attentionCure, c.layerTypes[0]],
    [0, 16, false, false, 'sink_logit', 'full_attention']);
  const shapes = expectedShapes(c);
  assert.deepEqual(shapes.get('embed_positions.weight'), [48, 32]);
  assert.deepEqual(shapes.get('layers.0.self_attn.sinks'), [2]);
  assert.deepEqual(shapes.get('lm_head.weight'), [33, 32]);
  assert.ok(!shapes.has('layers.0.self_attn.q_norm.weight'));
  refused({ ...c.raw, attention_cure: 'hope' }, 'BAD_CONFIG', 'attention_cure');
  refused({ ...c.raw, max_position_embeddings: undefined }, 'BAD_CONFIG', 'max_position_embeddings');
});

test('missing or absurd fields are BAD_CONFIG, by name', () => {
  for (const key of ['hidden_size', 'num_hidden_layers', 'num_attention_heads', 'intermediate_size', 'vocab_size']) {
    for (const value of [undefined, null, 0, -1, 1.5, NaN, Infinity, 1e12, '64', [64], {}, true]) {
      refused(text({ [key]: value }), 'BAD_CONFIG', key);
    }
  }
  for (const value of [0, -1, NaN, 2, '1e-6']) refused(text({ rms_norm_eps: value }), 'BAD_CONFIG', 'rms_norm_eps');
  refused(text({ num_key_value_heads: 3 }), 'BAD_CONFIG', 'num_key_value_heads');
  refused(text({ linear_num_key_heads: 5 }), 'BAD_CONFIG', 'linear_num_key_heads');
  refused(text({ layer_types: ['full_attention'] }), 'BAD_CONFIG', 'layer_types');
  refused(text({ layer_types: 'full_attention' }), 'BAD_CONFIG', 'layer_types');
  refused(text({ attn_output_gate: 'yes' }), 'BAD_CONFIG', 'attn_output_gate');
  refused(text({ rope_parameters: 7 }), 'BAD_CONFIG', 'rope_parameters');
  refused(text({ rope_parameters: { rope_theta: -1 } }), 'BAD_CONFIG', 'rope_theta');
  for (const share of [0, -1, 1.5, 0.001, 5 / 256]) {
    refused(text({ rope_parameters: { partial_rotary_factor: share } }), 'BAD_CONFIG', 'partial_rotary_factor');
  }
  refused({}, 'BAD_CONFIG', 'model_type');
  for (const json of [null, [], 'x', 3]) refused(json, 'BAD_CONFIG', 'the whole');
  refused({ text_config: 3 }, 'BAD_CONFIG', 'text_config');
});

test('what is not implemented is UNSUPPORTED_MODEL, by name', () => {
  refused(text({ model_type: 'llama' }), 'UNSUPPORTED_MODEL', 'model_type');
  refused(text({ model_type: 'qwen3_vl_text' }), 'UNSUPPORTED_MODEL', 'model_type');
  refused(text({ model_type: 'toString' }), 'UNSUPPORTED_MODEL', 'model_type');
  refused({ ...REAL, architectures: ['LlamaForCausalLM'] }, 'UNSUPPORTED_MODEL', 'architectures');
  refused(text({ hidden_act: 'gelu' }), 'UNSUPPORTED_MODEL', 'hidden_act');
  refused(text({ attention_bias: true }), 'UNSUPPORTED_MODEL', 'attention_bias');
  refused(text({ num_experts: 128 }), 'UNSUPPORTED_MODEL', 'num_experts');
  refused(text({ use_sliding_window: true }), 'UNSUPPORTED_MODEL', 'use_sliding_window');
  refused(text({ quantization_config: { quant_method: 'fp8' } }), 'UNSUPPORTED_MODEL', 'quantization_config');
  const yarn = { rope_type: 'yarn', factor: 4 };
  refused(text({ rope_parameters: yarn }), 'UNSUPPORTED_MODEL', 'rope_parameters.rope_type');
  refused(text({ rope_scaling: { type: 'linear', factor: 2 } }), 'UNSUPPORTED_MODEL', 'rope_scaling.rope_type');
  refused(text({ rope_scaling: { factor: 2 } }), 'UNSUPPORTED_MODEL', 'rope_scaling.rope_type');
  refused(text({ num_hidden_layers: 1, layer_types: ['sliding_attention'] }), 'UNSUPPORTED_MODEL', 'layer_types[0]');
});

test('the golden folders have exactly the tensors that their configs call for', async () => {
  for (const [name, prefix, files] of [['tiny4', 'model.', ['model.safetensors']],
    ['mqa8', 'model.language_model.', ['model.safetensors-00001-of-00001.safetensors']],
    ['shard2_f16', 'model.', ['model-00001-of-00002.safetensors', 'model-00002-of-00002.safetensors']],
    ['qwen3_3', 'model.', ['model.safetensors']]]) {
    const c = parseConfig(await config(name));
    const tensors = new Map();
    for (const file of files) {
      for (const [full, span] of parseFile(await read(`${name}/${file}`)).tensors) {
        if (full === 'lm_head.weight' && !c.tied) tensors.set(full, span);
        if (full.startsWith(prefix) && !full.startsWith('model.visual.')) tensors.set(full.slice(prefix.length), span);
      }
    }
    assert.deepEqual([...tensors.keys()].sort(), [...expectedShapes(c).keys()].sort(), name);
    checkTensors(c, tensors);
  }
});

test('a missing tensor, a wrong shape and a dtype without a kernel', async () => {
  const c = parseConfig(await config('qwen3_3'));
  const good = new Map([...expectedShapes(c)].map(([name, shape]) => [name, { dtype: 'BF16', shape }]));
  checkTensors(c, good);
  const broken = (name, change) => {
    const tensors = new Map(good);
    if (change) tensors.set(name, { ...good.get(name), ...change });
    else tensors.delete(name);
    return tensors;
  };
  const name = 'layers.2.self_attn.k_proj.weight';
  const throws = (tensors, code, names) => assert.throws(() => checkTensors(c, tensors, names), { code });
  throws(broken(name), 'MISSING_TENSOR');
  throws(broken(name, { shape: [64, 63] }), 'BAD_SHAPE');
  throws(broken(name, { shape: [64] }), 'BAD_SHAPE');
  throws(broken(name, { dtype: 'I8' }), 'BAD_FILE');
  throws(good, 'MISSING_TENSOR', ['layers.9.nothing']);
  checkTensors(c, broken(name), ['norm.weight']);
});
