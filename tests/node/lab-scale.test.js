/** Why divide by √d: the spread of dot products, and what softmax makes of it, on the engine. */
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { createEngine } from '../../web/engine/index.js';
import { normals } from '../../web/lab/random.js';
import { DIMS, histogram, KEYS, meanTop, QUERIES, scaleArgs, spread, topShare, vectors, WIDEST } from '../../web/lab/scale.js';

const engine = await createEngine({ variant: 'scalar' });
after(() => engine.close());

test('normal numbers: same seed same numbers, mean 0, spread 1', () => {
  const list = normals(5, 20_000);
  assert.deepEqual(normals(5, 20_000), list);
  assert.notDeepEqual(normals(6, 20_000), list);
  assert.ok(Math.abs(list.reduce((a, b) => a + b, 0) / list.length) < 0.03);
  assert.ok(Math.abs(spread(list) - 1) < 0.03);
});

test('a narrower vector is the beginning of the wide one', () => {
  const wide = vectors(1);
  const { q, k } = scaleArgs(wide, 3, true);
  assert.equal(q.length, QUERIES * 3);
  assert.deepEqual([...k.subarray(3, 6)], [...wide.k.subarray(WIDEST, WIDEST + 3)]);
});

test('undivided scores spread like √d, divided ones do not; the largest share follows', async () => {
  const wide = vectors(1);
  const tops = { plain: [], divided: [] };
  for (const d of DIMS) {
    const plain = await engine.attention(scaleArgs(wide, d, false));
    const divided = await engine.attention(scaleArgs(wide, d, true));
    assert.ok(Math.abs(spread(plain.scores.data) / Math.sqrt(d) - 1) < 0.35, `spread at ${d}`);
    assert.ok(Math.abs(spread(divided.scores.data) - 1) < 0.35, `divided spread at ${d}`);
    tops.plain.push(meanTop(plain.probs));
    tops.divided.push(meanTop(divided.probs));
  }
  assert.ok(tops.plain.at(-1) > 0.8 && tops.divided.at(-1) < 0.2, JSON.stringify(tops));
});

test('every score is one brick; those beyond the axis stand at its ends', () => {
  const bins = histogram([-900, -1, 0, 1, 1.5, 2, 900]);
  assert.equal(bins.reduce((a, b) => a + b, 0), 7);
  assert.deepEqual([bins[0], bins.at(-1), bins[25], bins[26], bins[27]], [1, 1, 1, 3, 1]);
  assert.equal(topShare([0.2, 0.7, 0.1]), 0.7);
  assert.equal(KEYS, 64);
});
