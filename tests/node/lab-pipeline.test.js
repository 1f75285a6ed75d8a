/** Figures 8 and 28: shapes counted from a config, what a layer keeps, where the two kinds cross. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseConfig } from '../../web/engine/config.js';
import { expectedShapes } from '../../web/engine/shapes.js';
import { sizesOf } from '../../web/lab/config-sizes.js';
import { codeRows, crossing, kept, MODELS, portions, product, QWEN, shapeText, stopNumber, stops } from '../../web/lab/pipeline.js';

const qwen = MODELS[QWEN];
const lines = (c, B, T) => codeRows(c, B, T).map((r) => `${r.key} ${r.shapes.map(shapeText).join(' ')}`);

test('the eight lines of the chapter, B = 1 and T = 6', () => {
  assert.deepEqual(lines(qwen, 1, 6), [
    'query [1, 6, 4096] [1, 6, 8, 512]', 'keys [1, 6, 2, 256]', 'norm [1, 6, 8, 256] [1, 6, 2, 256]', 'repeat [1, 8, 6, 256]',
    'scores [1, 8, 6, 6]', 'mix [1, 8, 6, 256] [1, 6, 2048]', 'gate [1, 6, 2048]', 'out [1, 6, 1024]',
  ]);
  assert.deepEqual(codeRows(qwen, 1, 6).map((r) => r.numbers), [24576, 6144, 15360, 36864, 288, 12288, 12288, 6144]);
});

test('lines name stops of the map, and a model without a gate has neither the line nor the stop', () => {
  assert.deepEqual(codeRows(qwen, 1, 6).map((r) => stopNumber(qwen, r.stop)), [2, 2, 3, 5, 5, 7, 8, 9]);
  const plain = MODELS['Qwen3-0.6B'];
  assert.deepEqual(lines(plain, 2, 3).filter((l) => /query|gate|out/.test(l)), ['query [2, 3, 2048] [2, 3, 16, 128]', 'out [2, 3, 1024]']);
  assert.equal(stopNumber(plain, 'gate'), 0);
  assert.deepEqual([stops('softmax', qwen, 6).length, stops('softmax', plain, 6).length, stops('linear', qwen, 6).length], [9, 8, 7]);
});

/** A small config of sizes that cannot stand for each other. */
const SMALL = {
  model_type: 'qwen3_5_text', hidden_size: 48, num_hidden_layers: 1, num_attention_heads: 6, num_key_value_heads: 3, head_dim: 20,
  intermediate_size: 7, vocab_size: 9, layer_types: ['full_attention'], rope_parameters: { rope_type: 'default', partial_rotary_factor: 0.5 },
  linear_num_key_heads: 2, linear_num_value_heads: 4, linear_key_head_dim: 11, linear_value_head_dim: 13, linear_conv_kernel_dim: 5,
};

test('any config can be counted: sizes and shapes agree with the engine and the weights it expects', () => {
  const sizes = sizesOf(SMALL);
  const config = parseConfig(SMALL);
  for (const [name, value] of Object.entries(sizes)) assert.deepEqual(value, config[name], name);
  const rows = Object.fromEntries(codeRows(sizes, 1, 5).map((r) => [r.key, r.shapes]));
  const weights = expectedShapes(config);
  const rowsOf = (name) => weights.get(`layers.0.self_attn.${name}.weight`)[0];
  assert.equal(rows.query[0][2], rowsOf('q_proj'));
  assert.equal(product(rows.keys[0].slice(2)), rowsOf('k_proj'));
  assert.equal(rows.out[0][2], rowsOf('o_proj'));
  assert.deepEqual(rows.scores, [[1, 6, 5, 5]]);
});

test('models that are not computed here are counted too; what does not add up is refused with its field', () => {
  const llama = sizesOf({ model_type: 'llama', hidden_size: 96, num_attention_heads: 6, num_key_value_heads: 2 });
  assert.deepEqual([llama.headDim, llama.gated, llama.qkNorm, llama.rotaryDim], [16, false, false, 16]);
  assert.deepEqual(codeRows(llama, 1, 2).map((r) => r.key), ['query', 'keys', 'rope', 'repeat', 'scores', 'mix', 'out']);
  assert.deepEqual(sizesOf({ text_config: SMALL }), sizesOf(SMALL));
  for (const [bad, field] of [[{ hidden_size: '48' }, 'hidden_size'], [{ num_key_value_heads: 4 }, 'num_key_value_heads'], [{ head_dim: 0 }, 'head_dim']]) {
    assert.throws(() => sizesOf({ ...SMALL, ...bad }), (e) => e.code === 'BAD_CONFIG' && e.message.startsWith(`${field}: expected`), field);
  }
  for (const bad of [null, [], 7, 'x']) assert.throws(() => sizesOf(bad), { code: 'BAD_CONFIG' });
});

test('what is kept: grows with every word, or does not', () => {
  assert.deepEqual(kept('softmax', qwen, 6), { formula: [[2, 2, 256, 6]], total: 6144 });
  assert.deepEqual(kept('linear', qwen, 6), kept('linear', qwen, 100_000));
  assert.equal(kept('linear', qwen, 1).total, 262_144 + 18_432);
  const at = crossing(qwen);
  assert.equal(at, 275);
  assert.ok(kept('softmax', qwen, at).total > kept('linear', qwen, at).total);
  assert.ok(kept('softmax', qwen, at - 1).total <= kept('linear', qwen, at - 1).total);
});

test('what one word has at a stop, in equal parts', () => {
  const at = (kind, key, T) => portions(stops(kind, qwen, T).find((s) => s.key === key)).map((p) => `${p.name} ${p.parts} ${p.size}`);
  assert.deepEqual(at('softmax', 'project', 7), ['q 8 256', 'k 2 256', 'v 2 256', 'gate 8 256']);
  assert.deepEqual(at('softmax', 'scores', 7), ['s 8 7']);
  assert.deepEqual(at('softmax', 'gate', 7), ['o 1 2048']);
  assert.deepEqual(at('linear', 'decay', 7), ['α 1 16', 'β 1 16']);
  assert.deepEqual(at('linear', 'update', 7), ['S 16 16384']);
});
