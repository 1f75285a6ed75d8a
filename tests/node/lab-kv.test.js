/** The bill for a long conversation: bytes, crossings, and the counts they rest on. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { after, test } from 'node:test';
import { createEngine } from '../../web/engine/index.js';
import { parseConfig } from '../../web/engine/config.js';
import { expectedShapes } from '../../web/engine/shapes.js';
import { axisEnd, crossing, crossings, perToken, STATE_BYTES, WEIGHT_BYTES } from '../../web/lab/kv.js';
import { MODEL_PARAMETERS } from '../../web/lab/split.js';

const engine = await createEngine({ variant: 'scalar' });
after(() => engine.close());

test('the crossings, in both types', () => {
  assert.deepEqual(crossings(2), { state: 1644, weights: 122_461, mha: 30_616 });
  assert.equal(1644 * perToken(2, 2), STATE_BYTES, 'equal to the byte');
  assert.ok(122_460 * perToken(2, 2) < WEIGHT_BYTES && 122_461 * perToken(2, 2) > WEIGHT_BYTES);
  assert.equal(crossing(STATE_BYTES, 2, 4), 822);
});

test('bytes per token are the engine’s count', async () => {
  const rows = await engine.gqaSweep({ heads: 8, headDim: 256, kvHeads: [8, 2, 1], layers: 6, seqLen: 8192, bytesPerValue: 2 });
  assert.deepEqual(rows.map((r) => r.bytes), [8, 2, 1].map((g) => 8192 * perToken(g, 2)));
  assert.deepEqual(rows.map((r) => r.bytes / 2 ** 20), [384, 96, 48]);
});

test('state and weights are those of the config’s own tensors', () => {
  const { config: json } = JSON.parse(readFileSync(new URL('../golden/model_24l_0p8b.json', import.meta.url), 'utf8'));
  const config = parseConfig({ ...json, vocab_size: 248_320 });
  const shapes = [...expectedShapes(config)];
  const size = (/** @type {number[]} */ shape) => shape.reduce((a, b) => a * b, 1);
  const inFloat32 = (/** @type {string} */ name) => /linear_attn\.(A_log|norm\.weight)$/.test(name);
  const bytes = shapes.reduce((sum, [name, shape]) => sum + size(shape) * (inFloat32(name) ? 4 : 2), 0);
  assert.equal(shapes.reduce((sum, [, shape]) => sum + size(shape), 0), MODEL_PARAMETERS);
  assert.equal(WEIGHT_BYTES, bytes);
  const { linear, layerTypes } = config;
  const layers = layerTypes.filter((type) => type === 'linear_attention').length;
  const channels = 2 * linear.keyHeads * linear.keyDim + linear.valueHeads * linear.valueDim;
  assert.equal(STATE_BYTES, 4 * layers * (linear.valueHeads * linear.keyDim * linear.valueDim + channels * (linear.kernel - 1)));
});

test('the axis ends at the next power of two', () => {
  assert.equal(axisEnd(384 * 2 ** 20), 512 * 2 ** 20);
  assert.equal(axisEnd(512 * 2 ** 20), 512 * 2 ** 20);
  assert.equal(axisEnd(1), 2 ** 20);
});
