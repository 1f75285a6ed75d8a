/** Where shapes stand and how long they are, against the scales they are drawn on. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { keptBar, shareBar } from '../../web/draw/bars.js';
import { nowBar } from '../../web/draw/before-after.js';
import { chart, chartScales } from '../../web/draw/chart.js';
import { toHex, valueScale } from '../../web/draw/colour.js';
import { heatmap } from '../../web/draw/heatmap.js';
import { kvBars } from '../../web/draw/kv.js';
import { layerBars } from '../../web/draw/layer-bars.js';
import { PALETTE, RAMPS } from '../../web/draw/palette.js';

const kinds = (/** @type {any[]} */ shapes, /** @type {string} */ kind) => shapes.filter((s) => s.kind === kind);
const near = (/** @type {number} */ a, /** @type {number} */ b) => assert.ok(Math.abs(a - b) < 1e-9, `${a}, wanted ${b}`);

test('a value scale is stretched to its end', () => {
  for (const theme of /** @type {const} */ (['light', 'dark'])) {
    const { signed, probability } = RAMPS[theme];
    assert.equal(toHex(valueScale('signed', theme, 3)(1.5)), signed[3].toLowerCase());
    assert.equal(toHex(valueScale('signed', theme, 3)(-1.5)), signed[1].toLowerCase());
    assert.equal(toHex(valueScale('probability', theme, 4)(1)), probability[1].toLowerCase());
  }
});

test('a chart: more is higher, the dot and the line stand at the values on the scale’s own ticks', () => {
  const scales = chartScales({ width: 400, height: 200, steps: 4, top: 10, bottom: -2 });
  const values = [0, 3, 10, -2, 7];
  const shapes = /** @type {any[]} */ (chart('light', scales, {
    curves: [{ name: 'c', values, colour: '#123456' }], cursor: 2, shown: 4, format: String, count: String,
  }));
  const label = (/** @type {string} */ n) => kinds(shapes, 'text').find((s) => s.text === n && s.anchor === 'end');
  assert.ok(label('10').y < label('0').y);
  near(label('10').y, scales.y(10) + 4);
  const [dot] = kinds(shapes, 'circle');
  near(dot.x, scales.x(2));
  near(dot.y, scales.y(10));
  const curve = kinds(shapes, 'path').find((s) => s.stroke === '#123456');
  const points = [...curve.d.matchAll(/(-?[\d.]+),(-?[\d.]+)/g)].map(([, x, y]) => [Number(x), Number(y)]);
  assert.equal(points.length, values.length);
  // d3 writes three decimals
  points.forEach(([x, y], i) => assert.ok(Math.abs(x - scales.x(i)) < 1e-3 && Math.abs(y - scales.y(values[i])) < 1e-3, `${i}: ${x}, ${y}`));
});

test('bars are as long as what they stand for', () => {
  for (const share of [0, 0.25, 0.5, 1]) near(/** @type {any} */ (shareBar('light', share, 102, 12)[1]).w, share * 100);
  const [, k, v] = /** @type {any[]} */ (keptBar('light', 0.5, 202, 12));
  assert.deepEqual([k.x, k.w, v.x, v.w], [1, 50, 51, 50]);
  const shapes = /** @type {any[]} */ (nowBar('light', { before: 0.2, after: 0.6, top: 0.8, width: 84, changed: true }));
  near(kinds(shapes, 'rect')[0].w, 60);
  assert.equal(kinds(shapes, 'path').filter((s) => s.d === 'M20 0L20 24').length, 2, 'before is the tick');
});

test('bytes kept fill their whole part of the axis, keys and values half each', () => {
  const bars = [{ name: 'a', note: '', bytes: 512, amount: 'half', kind: /** @type {const} */ ('kv') }, { name: 'b', note: '', bytes: 1024, amount: 'all', kind: /** @type {const} */ ('state') }];
  for (const width of [400, 1000]) {
    const { shapes } = kvBars('light', { width, bars, end: 1024, format: String, weights: null });
    const [k, v, state] = kinds(shapes, 'rect');
    assert.deepEqual([k.fill, v.fill, state.fill], [PALETTE.light.k, PALETTE.light.v, PALETTE.light.state]);
    near(k.w, v.w);
    near(k.x + k.w, v.x);
    near(2 * (k.w + v.w), state.w);
    const end = kinds(shapes, 'path').map((s) => Number(/^M([\d.]+)/.exec(s.d)?.[1]));
    near(state.x + state.w, Math.max(...end));
  }
});

test('layers stand from left to right and fill from below', () => {
  const shapes = /** @type {any[]} */ (layerBars('light', { width: 160, full: [false, false, false, true], filled: [1, 0.5, 0, 0], done: 1, format: String }));
  const boxes = kinds(shapes, 'rect').filter((s) => s.stroke);
  const fills = kinds(shapes, 'rect').filter((s) => !s.stroke);
  assert.ok(boxes.every((b, i) => i === 0 || b.x > boxes[i - 1].x));
  assert.ok(boxes[3].h > boxes[0].h, 'the last has the table');
  assert.equal(fills.length, 2);
  assert.ok(fills[0].x < fills[1].x && fills[0].h > fills[1].h);
  near(fills[0].y + fills[0].h, fills[1].y + fills[1].h);
});

test('cells are painted at the screen’s density, in the shade of the scale, with the value in words', () => {
  /** @type {any} */
  const seen = { fills: [], texts: [] };
  const none = () => {};
  const ctx = { setTransform: (/** @type {number[]} */ ...m) => { seen.transform = m; }, clearRect: none, fillText: (/** @type {string} */ t) => seen.texts.push(t),
    fillRect(/** @type {number[]} */ ...box) { seen.fills.push([this.fillStyle, ...box]); }, fillStyle: '' };
  const colour = valueScale('probability', 'light');
  heatmap(/** @type {any} */ (ctx), { rows: 1, cols: 2, data: [0.1, 0.2] }, {
    cell: 60, ratio: 3, colour, theme: 'light', shade: (v, i, j) => v * 2 + j / 10, format: (v) => v.toFixed(1),
  });
  assert.deepEqual(seen.transform, [3, 0, 0, 3, 0, 0]);
  assert.deepEqual(seen.fills, [[toHex(colour(0.2)), 0, 0, 59, 59], [toHex(colour(0.5)), 60, 0, 59, 59]]);
  assert.deepEqual(seen.texts, ['0.1', '0.2']);
});
