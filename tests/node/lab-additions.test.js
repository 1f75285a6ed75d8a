/** Figures 13 and 24: the norm takes loudness away, the clocks turn by distance alone, the slope is steepest half open. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { angles, CLOCKS, FARTHEST, largestShares, loudArgs, louderArgs, LOUDEST, pair, ROPE, STILL, stillArgs, turned, turningArgs } from '../../web/lab/additions.js';
import { curveArgs, heldScore, placeOf, SCORES, slopeOf } from '../../web/lab/slope.js';
import { Numbers } from '../helpers/numbers.js';
import { onEngine } from '../helpers/variants.js';

const dot = (a, b) => a.reduce((sum, value, i) => sum + value * b[i], 0);

onEngine('with the norm a louder query changes nothing, without it one key takes all', async (engine) => {
  const row = async (times, normed) => Array.from((await engine.attention(loudArgs(times, normed))).probs.data);
  const numbers = new Numbers();
  numbers.printed(await row(1, false), [0.045, 0.768, 0.187], 3, 'the book row');
  numbers.printed(await row(1, true), [0.128, 0.525, 0.347], 3, 'the row with the norm');
  for (const times of [2, 10, 30]) assert.deepEqual(await row(times, true), await row(1, true), `× ${times}`);
  assert.ok((await row(10, false))[1] > 0.999);
  numbers.exactly(6);
});

onEngine('the curve of the largest share holds the rows of every length', async (engine) => {
  const shares = largestShares((await engine.attention(louderArgs(false))).probs);
  assert.equal(shares.length, LOUDEST);
  for (const times of [1, 3]) {
    assert.equal(shares[times - 1], Math.max(...(await engine.attention(loudArgs(times, false))).probs.data), `× ${times}`);
  }
});

onEngine('turning and still part together are q·k / 16, and depend on the distance alone', async (engine) => {
  const { q, k } = pair();
  const [turning, still] = [await engine.attention(turningArgs({ q, k })), await engine.attention(stillArgs({ q, k }))];
  assert.deepEqual([turning.scores.shape, still.scores.shape], [[FARTHEST + 1, 1], [1, 1]]);
  assert.ok(Math.abs(turning.scores.data[0] + still.scores.data[0] - dot(q, k) / 16) < 1e-4, 'at distance 0');
  for (const [m, n] of [[9, 4], [105, 100]]) {
    const both = dot(turned(q, m), turned(k, n)) / 16;
    assert.ok(Math.abs(both - turning.scores.data[5]) < 1e-4, `positions ${m} and ${n}`);
  }
  assert.ok(Math.abs(turning.scores.data[5] - turning.scores.data[0]) > 0.1, 'distance matters');
});

test('32 clocks, the first one radian a word, each slower than the one before', () => {
  assert.deepEqual([CLOCKS, STILL, angles(7).length], [32, 192, 32]);
  assert.equal(angles(7)[0], 7);
  assert.ok(Math.abs(angles(1)[16] - ROPE.theta ** -0.5) < 1e-12);
  angles(1).forEach((angle, i, all) => assert.ok(i === 0 || angle < all[i - 1]));
});

onEngine('the gates of the slope figure are the chapter’s', async (engine) => {
  const gates = (await engine.gate(curveArgs())).gate.data;
  assert.equal(gates.length, SCORES.length);
  const numbers = new Numbers();
  numbers.printed([-6, 0, 6].map((z) => gates[placeOf(z)]), [0.0025, 0.5, 0.9975], 4, 'gates at -6, 0, 6');
  numbers.exactly(3);
  const steepest = Math.max(...Array.from(gates, slopeOf));
  assert.equal(slopeOf(gates[placeOf(0)]), steepest);
  assert.equal(steepest, 0.25);
});

test('a score is held to the axis and to tenths', () => {
  assert.deepEqual([9, -9, 0.26, -0.04].map(heldScore), [6, -6, 0.3, 0]);
  assert.deepEqual([SCORES[0], SCORES[placeOf(1.5)], SCORES[SCORES.length - 1]], [-6, 1.5, 6]);
});
