/** Scenes of the toy, cures of the forced sum, the kitchen and the timeline: their logic, and their numbers on the engine. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { mixingPlane, mixingScene } from '../../web/draw/toy-scene.js';
import { cookBox, kitchenLayout, kitchenScene } from '../../web/draw/kitchen.js';
import { createEngine } from '../../web/engine/index.js';
import { clipped, cured, KNOBS, mixed, sinkArgs } from '../../web/lab/cures.js';
import { COOKS, DISHES, journey, stopsOf } from '../../web/lab/kitchen.js';
import { EVENTS } from '../../web/lab/timeline.js';
import { attend, freshToy, lengthOf, withPoint } from '../../web/lab/toy.js';
import {
  agreeing, freshBlank, freshSight, freshTap, heldValue, MASK, passed, seenBy, SILENT, tapArgs, ticked, tried, TRIES, withZ,
} from '../../web/lab/toy-scenes.js';

/** @type {any} */
let engine;
before(async () => { engine = await createEngine({ variant: 'scalar' }); });
after(() => engine.close());

/** @param {number} found @param {number} wanted */
const near = (found, wanted) => assert.ok(Math.abs(found - wanted) < 1e-6, `${found}, not ${wanted}`);
const at = (/** @type {[number, number]} */ q, toy = freshToy('blank')) => withPoint(toy, 'queries', 2, q);

test('blank sheet: nothing but a rest elsewhere is a try, and ten are enough', () => {
  let blank = tried(freshBlank(), [0, 0]);
  assert.equal(blank.tries, 0);
  for (let i = 1; i <= TRIES + 2; i += 1) {
    blank = tried(tried(blank, [i, 0]), [i, 0]);
    assert.equal(blank.tries, Math.min(i, TRIES));
  }
  assert.equal(blank.tries, TRIES);
  assert.equal(passed(passed(blank, [3, 4]), [6, 8]).nearest, 5);
});

test('blank sheet: no query comes nearer than the string does', async () => {
  for (let x = -4; x <= 4; x += 2) {
    for (let y = -4; y <= 4; y += 2) {
      const { probs, out } = await attend(engine, at([x, y]));
      near(probs.reduce((a, b) => a + b, 0), 1);
      near(out[0] + out[1], 2);
      assert.ok(lengthOf(out) >= Math.SQRT2 - 1e-6);
    }
  }
});

test('sink: the first value home and q aimed at it is silence', async () => {
  const home = withPoint(freshToy('sink'), 'values', 0, heldValue([-0.3, 0.04]));
  assert.deepEqual(home.values[0], [0, 0]);
  const { probs, out } = await attend(engine, at([4, -4], home));
  near(probs[0], 1 / (1 + Math.exp(-8 / Math.SQRT2) + Math.exp(-4 / Math.SQRT2)));
  assert.ok(lengthOf(out) < SILENT);
  assert.ok(lengthOf((await attend(engine, at([4, -4]))).out) > 1);
  assert.deepEqual(heldValue([9, 1.26]), [2.2, 1.3]);
});

test('sight: the mask has six of nine, three see the first', () => {
  const sight = freshSight();
  assert.equal(agreeing(sight.ticks), 3);
  const all = MASK.reduce((s, on, i) => (on ? ticked(s, i) : s), sight);
  assert.deepEqual([agreeing(all.ticks), seenBy(), sight.ticks.includes(true)], [9, [3, 2, 1], false]);
});

test('gate: one z for both axes, or one each', async () => {
  const tap = withZ(freshTap(), 0, -6);
  assert.deepEqual(tap.z, [-6, -6]);
  const { gate, out } = await engine.gate(tapArgs(tap, [1, 1]));
  near(gate.data[0], 1 / (1 + Math.exp(6)));
  assert.equal(out.data[1].toFixed(4), '0.0025');
  assert.deepEqual(withZ({ ...tap, split: true }, 1, 6).z, [-6, 6]);
});

test('cures: +1 and the sink score are one key more; clipping and the gate', async () => {
  const toy = at([0, 0]);
  const plusOne = await cured(engine, toy, 'plusOne', 0);
  plusOne.shares.forEach((p) => near(p, 0.25));
  near(plusOne.out[0], 0.75);
  const turned = await cured(engine, at([-4, -4]), 'plusOne', 0);
  const [e, h] = [Math.exp(-4 / Math.SQRT2), Math.exp(-4 / Math.SQRT2)];
  near(turned.sum, (2 * e + h) / (1 + 2 * e + h));
  const sink = await cured(engine, at([1, 2]), 'sink', 3);
  const powers = [1, 2, 1.5].map((s) => Math.exp(s / Math.SQRT2));
  const total = powers.reduce((a, b) => a + b, Math.exp(3));
  sink.shares.forEach((p, i) => near(p, powers[i] / total));
  assert.equal(sinkArgs(toy, 3).keys, 4);
  const cut = await cured(engine, toy, 'clipped', KNOBS.clipped.start);
  assert.deepEqual([cut.shares, cut.out], [[0, 0, 0], [0, 0]]);
  assert.deepEqual(clipped([1, 0.5], -0.5), [1, 0.25]);
  assert.deepEqual(mixed([0.5, 0.25], [[2, 0], [0, 4]]), [1, 1]);
  const gated = await cured(engine, toy, 'gate', -6);
  near(gated.sum, 1);
  assert.equal(gated.out[0].toFixed(4), '0.0025');
});

test('kitchen: water only without a gate, emptied only with one', () => {
  assert.deepEqual(journey(0, false), { dish: 0, kept: true, water: true });
  assert.deepEqual(journey(0, true), { dish: 1, kept: false, water: false });
  assert.deepEqual([journey(1, false), journey(1, true)].map(({ kept, water }) => [kept, water]), [[true, false], [true, false]]);
  assert.deepEqual([stopsOf(false).length, stopsOf(true).includes('chef')], [3, true]);
  for (const gate of [false, true]) {
    const layout = kitchenLayout(300, DISHES.length, COOKS.length, gate);
    const box = cookBox(layout, 1);
    assert.ok(box.x > 0 && box.x + box.w < layout.width);
    const shapes = kitchenScene('light', layout, {
      dishes: DISHES.map((name) => ({ name, gloss: '' })), tank: !gate, pot: 'p', gate, chef: 'c', picked: 0, step: 'pour', verdicts: ['+', '-'],
      cooks: COOKS.map(({ head }, i) => ({ head, ...journey(i, gate), words: ['w'] })),
    });
    assert.equal(shapes.some((s) => s.kind === 'text' && s.text === '-'), gate);
    assert.ok(shapes.every((s) => !JSON.stringify(s).includes('NaN')));
  }
});

test('timeline: dates in order, each with a source, four remedies', () => {
  const dates = EVENTS.map(({ when }) => when);
  assert.deepEqual(dates, [...dates].sort());
  for (const { source, url } of EVENTS) assert.ok(source && /^https:\/\//.test(url));
  assert.deepEqual(EVENTS.map(({ cure }) => cure).filter(Boolean).sort(), Object.keys(KNOBS).sort());
});

test('plane: book values and values in reach share the same axes; a target and a hand are drawn when asked', () => {
  const [book, moved] = [[[2, 0], [0, 2], [1, 1]], [[2.2, 2.2], [0, 2], [1, 1]]].map((v) => mixingPlane(/** @type {any} */ (v)));
  assert.deepEqual(book.x.domain(), moved.x.domain());
  const values = [{ at: /** @type {[number, number]} */ ([2, 0]), label: 'v' }];
  const plain = mixingScene('light', { values, format: String });
  const more = mixingScene('light', { values, format: String, target: 'home', movable: 0 });
  assert.ok(more.some((s) => s.kind === 'text' && s.text === 'home'));
  assert.equal(more.length, plain.length + 3);
});
