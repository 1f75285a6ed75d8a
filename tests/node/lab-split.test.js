/** Splitting q_proj: whose rows, what it costs, and the equality that a wrong split breaks. */
import assert from 'node:assert/strict';
import { largestDifference } from '../../web/lab/measure.js';
import { after, test } from 'node:test';
import { createEngine } from '../../web/engine/index.js';
import {
  gateCost, halvesOf, headsThatDiffer, interleaved, ownerOf, pathCosts, rowsOf, SMALL, smallLayer, taken, trySplits, turned,
} from '../../web/lab/split.js';

const engine = await createEngine({ variant: 'scalar' });
after(() => engine.close());

test('rows of a head, with and without the gate', () => {
  assert.deepEqual(rowsOf(2, 256, false), { query: [512, 767], gate: null });
  assert.deepEqual(rowsOf(2, 256, true), { query: [1024, 1279], gate: [1280, 1535] });
  assert.deepEqual(halvesOf(2, 8, 256), { query: [512, 767], gate: [2560, 2815] });
  assert.deepEqual(ownerOf(1280, 256), { head: 2, gate: true });
  assert.deepEqual(ownerOf(2560, 256), { head: 5, gate: false });
});

test('the price of a head, and of the gate', () => {
  const cost = pathCosts({ heads: 8, groups: 2, dim: 256 });
  assert.deepEqual(cost, {
    free: 1_048_576, one: 524_288, allFree: 8_388_608, own: 4_194_304, down: 524_288, up: 2_097_152, shared: 2_621_440,
  });
  assert.equal(cost.own, 4 * cost.free, 'eight narrow heads for four free maps');
  const gate = gateCost({ heads: 8, dim: 256 });
  assert.equal(gate.layer, 2_097_152);
  assert.equal(gate.all, 12_582_912);
  assert.equal((gate.part * 100).toFixed(1), '1.7');
});

test('one matrix read head by head is two matrices', () => {
  const { wQuery, wGate } = smallLayer(1);
  const both = interleaved(wQuery, wGate);
  assert.deepEqual(taken(turned(both).subarray(0, both.length / SMALL.features), 'heads', 'gate'),
    Float32Array.from({ length: wGate.length / SMALL.features }, (_, i) => wGate[i * SMALL.features]));
});

test('the true split equals separate matrices exactly, the halves do not, on any seed', async () => {
  for (const seed of [1, 2, 3]) {
    const { separate, heads, halves } = await trySplits(engine, seed);
    assert.equal(separate.length, SMALL.heads * SMALL.dim);
    assert.equal(largestDifference(separate, heads), 0);
    assert.ok(largestDifference(separate, halves) > 0.1);
    assert.ok(headsThatDiffer(separate, halves).length >= 7);
  }
});

test('the small layer is softmax attention and a sigmoid gate: one head by hand', async () => {
  const { x, wQuery, wGate, k, v } = smallLayer(1);
  const { features: N, dim: d, keys: T } = SMALL;
  const dot = (a, b) => a.reduce((sum, n, i) => sum + n * b[i], 0);
  const row = (w, r) => w.subarray(r * N, (r + 1) * N);
  const q = Array.from({ length: d }, (_, i) => dot(row(wQuery, i), x));
  const e = Array.from({ length: T }, (_, t) => Math.exp(dot(q, k.subarray(t * d, (t + 1) * d)) / Math.sqrt(d)));
  const sum = e.reduce((a, b) => a + b);
  const { separate } = await trySplits(engine, 1);
  for (let i = 0; i < d; i++) {
    const out = e.reduce((o, w, t) => o + (w / sum) * v[t * d + i], 0);
    const gate = 1 / (1 + Math.exp(-dot(row(wGate, i), x)));
    assert.ok(Math.abs(separate[i] - out * gate) < 1e-5);
  }
});
