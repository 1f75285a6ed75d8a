/** What is measured on captures, each against a value worked out by hand. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { layerBytes, QWEN35 } from '../../web/lab/ladder.js';
import { divergence, firstTokenAttention, largestDifference, meanOf, probabilities, topTokens, valueNormRatio, valueNorms } from '../../web/lab/measure.js';
import { averages, evenSplit, profileOf } from '../../web/lab/profile.js';

const near = (/** @type {number} */ a, /** @type {number} */ b) => assert.ok(Math.abs(a - b) < 1e-7, `${a}, wanted ${b}`);
const logits = (/** @type {number[]} */ p) => p.map(Math.log);

test('divergence is of the first from the second, in nats', () => {
  const [p, q] = [[0.5, 0.5], [0.9, 0.1]];
  near(divergence(logits(p), logits(q)), 0.5 * Math.log(0.5 / 0.9) + 0.5 * Math.log(0.5 / 0.1));
  near(divergence(logits(q), logits(p)), 0.9 * Math.log(0.9 / 0.5) + 0.1 * Math.log(0.1 / 0.5));
  assert.notEqual(divergence(logits(p), logits(q)), divergence(logits(q), logits(p)));
  near(divergence(logits(p), logits(p)), 0);
  near(divergence([0, -Infinity], logits(q)), -Math.log(0.9));
});

test('softmax and the tokens it puts first', () => {
  near(probabilities([Math.log(3), 0])[0], 0.75);
  near(probabilities([1000, 1000 - Math.log(3)])[1], 0.25);
  assert.deepEqual(topTokens([1, 5, 5, 2], 3).map(({ id }) => id), [1, 2, 3]);
});

/** Two heads over four tokens; the first column counts from the third row on. */
const PROBS = { shape: [2, 4, 4], data: Float32Array.from([
  1, 0, 0, 0, 0.9, 0.1, 0, 0, 0.5, 0.25, 0.25, 0, 0.25, 0.25, 0.25, 0.25,
  1, 0, 0, 0, 0.8, 0.2, 0, 0, 0.125, 0.5, 0.375, 0, 0.125, 0.125, 0.25, 0.5,
]) };
const V = { shape: [4, 1, 2], data: Float32Array.from([3, 4, 0, 10, 6, 8, 0, 15]) };

test('the first token’s share is of the later half of the queries, its value against the mean of all', () => {
  near(firstTokenAttention(PROBS), (0.5 + 0.25 + 0.125 + 0.125) / 4);
  assert.deepEqual(valueNorms(V), [5, 10, 10, 15]);
  near(valueNormRatio(V), 0.5);
  near(meanOf({ shape: [2], data: [1, 4] }), 2.5);
  assert.equal(largestDifference([1, 2, 3], [1, 4, 2]), 2);
});

test('a model by layer: the layers that are done, each its own share', () => {
  const other = { shape: PROBS.shape, data: PROBS.data.map((x) => x / 2) };
  const layers = []; // sparse, as a run is that has not come to the end
  layers[3] = { probs: PROBS, v: V };
  layers[7] = { probs: other, v: V };
  const points = profileOf(layers, [3, 7, 11]);
  assert.deepEqual(points.map((p) => p.layer), [3, 7]);
  near(points[0].share, 0.25);
  near(points[1].share, 0.125);
  assert.deepEqual(points[0].heads, [0.375, 0.125]);
  near(averages(points).share, 0.1875);
  near(averages(points).ratio, 0.5);
  near(evenSplit(4), (1 / 3 + 1 / 4) / 2);
});

test('layers weigh what their kind weighs', () => {
  const bytes = layerBytes(QWEN35);
  assert.equal(bytes.length, 24);
  assert.equal(new Set(bytes.filter((_, i) => i % 4 !== 3)).size, 1);
  assert.equal(new Set(bytes.filter((_, i) => i % 4 === 3)).size, 1);
  assert.notEqual(bytes[0], bytes[3]);
});
