/** The eleven cards: which stand right, and the shapes they leave. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { gateFirst, judged, movedTo, shapesAfter, SHUFFLED, STEPS } from '../../web/lab/explain.js';
import { codeRows, MODELS, QWEN } from '../../web/lab/pipeline.js';

const fits = (order) => judged(order).filter((v) => v === 'fits').length;

test('the shuffle has every card and none in its place', () => {
  assert.deepEqual([...SHUFFLED].sort(), [...STEPS].sort());
  SHUFFLED.forEach((step, i) => assert.notEqual(step, STEPS[i]));
});

test('the right order fits, and gate before merge does too', () => {
  assert.equal(fits(STEPS), 11);
  assert.equal(gateFirst(STEPS), false);
  const other = movedTo(STEPS, STEPS.indexOf('gate'), STEPS.indexOf('merge'));
  assert.notDeepEqual(other, STEPS);
  assert.equal(fits(other), 11);
  assert.equal(gateFirst(other), true);
});

test('one card out of place is the only one that has to move, wherever it lies', () => {
  STEPS.forEach((step, from) => STEPS.forEach((_, to) => {
    const order = movedTo(STEPS, from, to);
    if (Math.abs(from - to) < 2 || gateFirst(order)) return;
    const verdicts = judged(order);
    assert.equal(verdicts.filter((v) => v === 'fits').length, 10, `${step} at ${to}`);
    assert.equal(verdicts[order.indexOf(step)], to < from ? 'later' : 'earlier', `${step} at ${to}`);
  }));
});

test('backwards, only one can stay', () => assert.equal(fits([...STEPS].reverse()), 2, 'the pair gate, merge counts as in order'));

test('cards out of place are moved as told until all fit', () => {
  let order = [...SHUFFLED];
  for (let moves = 0; moves < 200 && fits(order) < 11; moves += 1) {
    const verdicts = judged(order);
    const i = verdicts.findIndex((v) => v !== 'fits');
    const before = fits(order);
    order = movedTo(order, i, i + (verdicts[i] === 'earlier' ? -1 : 1));
    assert.ok(fits(order) >= before, 'no move as told makes it worse');
  }
  assert.equal(fits(order), 11);
});

test('the shapes are those of the code', () => {
  const rows = Object.fromEntries(codeRows(MODELS[QWEN], 0, -1).map((row) => [row.key, row.shapes]));
  const numbers = (step) => shapesAfter(step, MODELS[QWEN]).map(({ shape }) => shape.map((n) => ({ B: 0, T: -1 })[n] ?? n));
  assert.deepEqual(numbers('project')[0], rows.query[0]);
  assert.deepEqual(numbers('split'), [rows.query[1], rows.keys[0]]);
  assert.deepEqual(numbers('rotate'), rows.norm);
  for (const step of ['score', 'mask', 'softmax']) assert.deepEqual(numbers(step), rows.scores);
  assert.deepEqual([...numbers('mix'), ...numbers('merge')], rows.mix);
  assert.deepEqual(numbers('gate'), rows.gate);
  assert.deepEqual(numbers('out'), rows.out);
});
