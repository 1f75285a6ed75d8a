/** Gates counted, one head followed, edits written and read, models by layer: pure logic of figures 17 and 20 to 23. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { barcode, streamBars } from '../../web/draw/barcode.js';
import { valueScale, toHex } from '../../web/draw/colour.js';
import { columnsOf, gateDots } from '../../web/draw/gate-map.js';
import { canDo, compareGuesses, editOf, editsFromText, editsToText, interventionsOf, possible } from '../../web/lab/edits.js';
import { extreme, journey, sharesOf } from '../../web/lab/follow.js';
import { countGates, mostlyShut, mostOpen, silenceIsDefault, spreadOf, squareOf } from '../../web/lab/gates.js';
import { averages, binWithoutGate, evenSplit, firstTokenByHead, profileOf } from '../../web/lab/profile.js';
import { withHead } from '../../web/lab/selection.js';

const close = (/** @type {number} */ a, /** @type {number} */ b, bound = 1e-6) => assert.ok(Math.abs(a - b) <= bound, `${a} and ${b}`);
const matrix = (/** @type {number[]} */ shape, /** @type {number[]} */ data) => ({ shape, data: Float32Array.from(data) });

/** T = 2, H = 3, d = 5: every square another mean. */
const gate = matrix([2, 3, 5], [
  0.05, 0.05, 0.6, 0.02, 0.1, 0.9, 0.8, 0.7, 0.95, 1, 0, 0, 0, 0, 0,
  0.5, 0.51, 0.49, 0.2, 0.09, 0.3, 0.3, 0.3, 0.3, 0.3, 1, 1, 1, 1, 0,
]);

test('a square is the gates of one head at one token', () => {
  assert.deepEqual([...squareOf(gate, 1, 0)].map((g) => Number(g.toFixed(2))), [0.5, 0.51, 0.49, 0.2, 0.09]);
  const { open, shut, mean, of } = countGates(squareOf(gate, 1, 0), 0.5);
  assert.deepEqual([open, shut, of], [1, 1, 5]);
  close(mean, 0.358);
  assert.equal(countGates(squareOf(gate, 1, 0), 0.45).open, 3);
  assert.deepEqual(mostOpen(gate), { token: 0, head: 1 });
});

test('silence: by the middle and by how many are open, not by the mean alone', () => {
  const of = (/** @type {number} */ open, /** @type {number} */ shut) => matrix([1, 1, open + shut], [...Array(open).fill(0.9), ...Array(shut).fill(0.05)]);
  assert.deepEqual([mostlyShut(of(4, 6)), silenceIsDefault(of(4, 6))], [true, false]);
  assert.deepEqual([mostlyShut(of(2, 8)), silenceIsDefault(of(2, 8))], [true, true]);
  assert.equal(mostlyShut(of(6, 4)), false);
  const spread = spreadOf(matrix([1, 1, 10], [0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9]));
  close(spread.low, 0.1);
  close(spread.high, 0.9);
  close(spread.mean, 0.45);
});

test('rows of dots are full where the gates can be divided so, and no flatter than four to one', () => {
  assert.deepEqual([256, 128, 64, 32, 80, 1].map(columnsOf), [16, 16, 8, 8, 10, 1]);
  assert.deepEqual([5, 13, 22, 34].map(columnsOf), [3, 4, 5, 6], 'primes, and 22 = 11 x 2: the last row is short');
  const dots = gateDots('light', new Array(32).fill(0), { x: 0, y: 0, size: 48 });
  assert.deepEqual([...new Set(dots.map((d) => `${d.w}x${d.h}`))], ['6x12'], 'eight to a row fill four rows');
  assert.deepEqual([dots[31].x + dots[31].w, dots[31].y + dots[31].h], [48, 48]);
});

test('dots fill the square row by row, in whole pixels', () => {
  const dots = gateDots('dark', squareOf(gate, 0, 1), { x: 7, y: 3, size: 10 });
  assert.equal(dots.length, 5);
  assert.equal(dots[0].fill, toHex(valueScale('gate', 'dark')(gate.data[5])));
  assert.deepEqual([dots[0].x, dots[0].y, dots[3].x, dots[3].y], [7, 3, 7, 8]);
  assert.equal(dots[2].x + dots[2].w, 17);
});

/** T = 2, H = 2, d = 3, N = 4. */
const captures = {
  headOut: matrix([2, 2, 3], [1, 2, 2, 0, 3, 4, -2, 1, 2, 6, 0, 8]),
  gate: matrix([2, 2, 3], [0.5, 0.5, 0.5, 0, 0, 1, 1, 0, 0, 0.25, 1, 0.25]),
  hIn: matrix([2, 4], [3, 0, 4, 0, 0, 6, 0, 8]),
  headContribution: matrix([2, 2], [1, 2, 4, 0.5]),
  headContributionUngated: matrix([2, 2], [2.5, 6, 5, 3]),
};

test('one head followed: lengths, mean, what is added against the stream', () => {
  const way = journey(captures, 1, 1);
  assert.deepEqual([...way.through], [1.5, 0, 2]);
  assert.deepEqual([way.lengths[0], way.lengths[1], way.residual, way.added, way.ungated, way.share], [10, 2.5, 10, 0.5, 3, 0.05]);
  close(way.mean, 0.5);
  assert.deepEqual(sharesOf(captures, 0), [0.2, 0.4]);
  assert.deepEqual([extreme([0.3, 0.1, 0.9], 'quietest'), extreme([0.3, 0.1, 0.9], 'loudest')], [1, 2]);
  const { gate: none, through, ungated, added } = journey({ ...captures, gate: undefined, headContributionUngated: undefined }, 0, 1);
  assert.deepEqual([none, [...through], ungated, added], [null, [0, 3, 4], 2, 2]);
});

test('barcode: one stripe a number, signed with 0 in the middle; the bars share one scale', () => {
  const stripes = barcode('light', [-2, 0, 2], { width: 300, height: 20, scale: 'signed', max: 2 });
  const signed = valueScale('signed', 'light', 2);
  assert.deepEqual(stripes.slice(0, 3).map((s) => s.fill), [-2, 0, 2].map((v) => toHex(signed(v))));
  const [residual, ghost, added] = streamBars('light', { residual: 10, added: 2, ungated: 5, gated: true, width: 102 });
  assert.deepEqual([residual.w, ghost.w, added.w], [100, 50, 20]);
});

test('edits: what the engine is told, in every scope', () => {
  const at = { layer: 7, head: 4 };
  const told = (/** @type {any} */ kind, /** @type {any} */ scope) => interventionsOf([editOf(kind, scope, at)], [3, 7]);
  assert.deepEqual(told('shut', 'head'), [{ layer: 7, head: 4, gate: 0 }]);
  assert.deepEqual(told('open', 'all'), [{ layer: 3, head: 'all', gate: 1 }, { layer: 7, head: 'all', gate: 1 }]);
  assert.deepEqual(told('zero', 'layer'), [{ layer: 7, head: 'all', zero: true }]);
  assert.deepEqual(told('shared', 'head'), [{ layer: 7, kv: 'mean' }]);
  assert.deepEqual(told('hide', 'head'), [{ layer: 7, head: 4, hideFirst: true }]);
});

test('edits in an address: there and back, nothing else gets through', () => {
  const list = [editOf('shut', 'head', { layer: 15, head: 4 }), editOf('open', 'all', { layer: 15, head: 4 })];
  assert.equal(editsToText(list), 'shut.15.4,open.all.all');
  assert.deepEqual(editsFromText(editsToText(list)), list);
  assert.deepEqual(editsFromText('boom.1.1,shut.x.1,shut.1,zero.3.all,shut.1.1.1,constructor.1.1'), [{ kind: 'zero', layer: 3, head: 'all' }]);
  const config = { heads: 6, gated: false };
  assert.deepEqual(possible(editsFromText('shut.3.1,zero.3.6,zero.4.1,zero.3.5,hide.all.all'), config, [3]),
    editsFromText('zero.3.5,hide.all.all'));
  assert.deepEqual([canDo('open', config), canDo('hide', config)], [false, true]);
});

test('guesses: the likeliest before, and the first now even if it was not among them', () => {
  const rows = compareGuesses(Float64Array.from([0.1, 0.5, 0.3, 0.1]), Float64Array.from([0.1, 0.2, 0.1, 0.6]), 2);
  assert.deepEqual(rows, [{ id: 1, before: 0.5, after: 0.2 }, { id: 2, before: 0.3, after: 0.1 }, { id: 3, before: 0.1, after: 0.6 }]);
});

test('a model by layer: shares by head, the even split by the same measure, value against the mean', () => {
  const probs = matrix([2, 3, 3], [1, 0, 0, 0.4, 0.6, 0, 0.2, 0.3, 0.5, 1, 0, 0, 0.5, 0.5, 0, 0.8, 0.1, 0.1]);
  const v = matrix([3, 1, 2], [3, 4, 0, 10, 6, 8]);
  assert.deepEqual(firstTokenByHead(probs).map((x) => Number(x.toFixed(3))), [0.2, 0.8]);
  const [point] = profileOf([{}, { probs, v }], [1]);
  close(point.share, 0.5);
  close(point.ratio, 0.6);
  assert.deepEqual(profileOf([], [1, 3]), []);
  close(evenSplit(3), 1 / 3);
  close(evenSplit(4), (1 / 3 + 1 / 4) / 2);
  close(averages([point, { ...point, share: 0.1, ratio: 1 }]).share, 0.3);
});

test('a bin without the gate needs a large share, a short value, and a gated model with neither', () => {
  const point = (/** @type {number} */ share, /** @type {number} */ ratio) => [{ layer: 3, share, heads: [], ratio }];
  assert.equal(binWithoutGate(point(0.1, 0.9), point(0.55, 0.15), 20), true);
  assert.equal(binWithoutGate(point(0.1, 0.9), point(0.55, 0.9), 20), false);
  assert.equal(binWithoutGate(point(0.4, 0.9), point(0.55, 0.15), 20), false);
  assert.equal(binWithoutGate(point(0.02, 0.9), point(0.1, 0.15), 20), false);
});

test('the picked head comes first, its companion stays', () => {
  assert.deepEqual([withHead([0, 1], 4), withHead([0, 1], 1), withHead([3], 3)], [[4, 0], [1, 0], [3]]);
});
