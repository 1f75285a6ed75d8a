/** Numbers that are none: a word, a colour, a place in every ranking, wherever in a list they stand. */
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { test } from 'node:test';
import { shareBar } from '../../web/draw/bars.js';
import { barcode, streamBars } from '../../web/draw/barcode.js';
import { nowBar } from '../../web/draw/before-after.js';
import { chart, chartScales } from '../../web/draw/chart.js';
import { toHex, valueScale, warning } from '../../web/draw/colour.js';
import { foldedStrip } from '../../web/draw/concat-model.js';
import { gateDots } from '../../web/draw/gate-map.js';
import { heatmap } from '../../web/draw/heatmap.js';
import { PALETTE } from '../../web/draw/palette.js';
import { profileChart, spreadBar } from '../../web/draw/profile.js';
import { drawable } from '../../web/draw/shapes.js';
import { svgFile } from '../../web/draw/svg.js';
import { contributions } from '../../web/lab/concat-model.js';
import { compareGuesses } from '../../web/lab/edits.js';
import { falling, farthestOf, largestOf, rising } from '../../web/lab/finite.js';
import { extreme } from '../../web/lab/follow.js';
import { formatter } from '../../web/lab/format.js';
import { countGates, mostlyShut, mostOpen, silenceIsDefault, spreadOf } from '../../web/lab/gates.js';
import { nearestHeads, sharedScale, topKeys } from '../../web/lab/heads.js';
import { topOfRow } from '../../web/lab/layer.js';
import { divergence, firstTokenAttention, meanOf, probabilities, topTokens, valueNormRatio } from '../../web/lab/measure.js';

const NONE = [Number.NaN, Infinity, -Infinity];
const { isFinite } = Number;

/** A list with one of its numbers replaced, at every place. @param {number[]} list */
function* spoilt(list) {
  for (const none of NONE) for (let at = 0; at < list.length; at += 1) yield { none, at, list: list.map((x, i) => (i === at ? none : x)) };
}

test('a word, never a unit: every formatter, both languages', () => {
  for (const [name, f] of /** @type {[string, any][]} */ ([['not a number', formatter('en', 'not a number')], ['非数', formatter('zh-CN', '非数')]])) {
    for (const kind of ['fixed', 'signed', 'short', 'exponent', 'count', 'percent', 'bytes', 'memory', 'time']) {
      const said = NONE.map((x) => f[kind](x));
      assert.equal(said[0], name, kind);
      assert.match(said[1], /^\+?∞$/, kind);
      assert.equal(said[2], '−∞', kind);
    }
  }
});

test('nearly nothing keeps its sign before the sign of less', () => {
  const f = formatter('en');
  assert.deepEqual([f.fixed(-0.004, 2), f.signed(-0.004, 2), f.signed(0.004, 2), f.short(-0.0004, 2), f.percent(-0.001)],
    ['−<0.01', '−<0.01', '+<0.01', '0', '0%']);
});

test('numbers become text in one place only', () => {
  const web = new URL('../../web/', import.meta.url);
  for (const folder of ['lab/', 'draw/', 'widgets/', 'pages/']) {
    for (const name of readdirSync(new URL(folder, web), { recursive: true }).map(String).filter((n) => n.endsWith('.js') && n !== 'format.js')) {
      assert.doesNotMatch(readFileSync(new URL(folder + name, web), 'utf8'), /\.toFixed\(|\.toExponential\(|NumberFormat|\.toLocaleString\(/, name);
    }
  }
});

test('a colour of its own in every value scale, and in what is painted with one', () => {
  for (const theme of /** @type {const} */ (['light', 'dark', 'forced'])) {
    for (const name of /** @type {const} */ (['probability', 'signed', 'gate'])) {
      for (const x of NONE) assert.deepEqual(valueScale(name, theme, 2)(x), warning(theme));
    }
  }
  const warn = toHex(warning('light'));
  for (const { list, at } of spoilt([0.2, 0.4, 0.1, 0.3])) {
    assert.equal(/** @type {any} */ (barcode('light', list, { width: 80, height: 9, scale: 'signed', max: 1 })[at]).fill, warn);
    assert.equal(gateDots('light', list, { x: 0, y: 0, size: 40 })[at].fill, warn);
    const strip = foldedStrip('light', list, { width: 80, height: 9, max: 1 });
    assert.equal(strip.filter((s) => /** @type {any} */ (s).fill === warn).length, 1);
  }
});

test('a pixel of a map is a warning, the others what they were', () => {
  for (const { list, at } of spoilt([0.2, 0.4, 0.1, 0.3])) {
    let image = { data: new Uint8ClampedArray(16) };
    const ctx = { createImageData: () => image, putImageData: (/** @type {any} */ made) => { image = made; } };
    const colour = valueScale('probability', 'light');
    heatmap(/** @type {any} */ (ctx), { rows: 2, cols: 2, data: list }, { cell: 0, theme: 'light', colour });
    list.forEach((x, i) => assert.deepEqual([...image.data.slice(4 * i, 4 * i + 3)], i === at ? warning('light') : colour(x)));
  }
});

test('bars and charts: a warn cell with a cross where there is no number, and nothing drawn nowhere', () => {
  const { warn } = PALETTE.light;
  const crossed = (/** @type {any[]} */ shapes) => shapes.filter((s) => s.kind === 'path' && s.stroke === warn).length;
  const scales = chartScales({ width: 300, height: 200, steps: 3, top: 1 });
  for (const none of NONE) {
    assert.equal(crossed(shareBar('light', none, 80, 12)), 1);
    assert.equal(crossed(nowBar('light', { before: 0.2, after: none, top: 1, width: 80, changed: true })), 1);
    assert.equal(crossed(streamBars('light', { residual: 1, added: none, ungated: none, gated: true, width: 90 })), 1);
    assert.equal(crossed(streamBars('light', { residual: none, added: 0.5, ungated: 1, gated: true, width: 90 })), 1);
    assert.equal(crossed(spreadBar('light', { low: none, high: none, mean: none, width: 90, picked: false, cited: { low: 0, high: 1 } })), 1);
  }
  for (const { list } of spoilt([0.2, 0.4, 0.1, 0.3])) {
    const points = list.map((y, x) => ({ x, y }));
    const profile = profileChart('light', { width: 400, height: 200, top: 1, layers: 4, marks: [0], picked: 1,
      series: [{ name: 's', gated: true, points }], even: null, format: String });
    assert.equal(crossed(profile), 1);
    const curve = chart('light', scales, { curves: [{ name: 'c', values: list, colour: '#000' }], cursor: 1, shown: 3, format: String, count: String });
    for (const shapes of [profile, curve]) {
      assert.doesNotMatch(svgFile({ width: 400, height: 200, shapes }), /NaN|Infinity|undefined/);
    }
    const line = /** @type {any} */ (profile.find((s) => s.kind === 'path' && /** @type {any} */ (s).width === 2.5));
    assert.ok(drawable(line), line.d);
  }
});

test('rankings: never the winner, always there', () => {
  for (const { list, none, at } of spoilt([0.2, 0.4, 0.1, 0.3])) {
    const rest = list.filter(isFinite);
    assert.equal(largestOf(list), Math.max(...rest));
    assert.equal(farthestOf(list.map((x) => -x)), Math.max(...rest));
    assert.deepEqual([...list].sort(falling), [...rest.sort((a, b) => b - a), none]);
    assert.deepEqual([...list].sort(rising), [...rest.sort((a, b) => a - b), none]);
    for (const which of /** @type {const} */ (['quietest', 'loudest'])) {
      const wanted = which === 'quietest' ? Math.min(...rest) : Math.max(...rest);
      assert.equal(extreme(list, which), list.indexOf(wanted));
    }
    const map = { rows: 4, cols: 4, data: new Float32Array([...new Array(12).fill(0), ...list]) };
    assert.equal(topOfRow(map, 3).col, at);
    assert.equal(isFinite(topOfRow(map, 3).share), false);
    assert.equal(topKeys(map, 3, 4)[0].col, at);
    assert.equal(new Set(topKeys(map, 3, 4).map((k) => k.col)).size, 4);
    for (const scale of /** @type {const} */ (['linear', 'row', 'log'])) {
      for (const hide of [true, false]) {
        const range = sharedScale([map], scale, hide);
        assert.ok(isFinite(range.max) && isFinite(range.shadeOf(map)(0.2, 3)), `${scale} ${hide}`);
      }
    }
  }
  assert.equal(extreme([NaN, NaN], 'quietest'), 0);
});

test('nearest heads: one whose map is no number is last', () => {
  const data = Float32Array.from([1, 0, 0.5, 0.5, 1, 0, NaN, 0.5, 1, 0, 0.2, 0.8]);
  assert.deepEqual(nearestHeads([{ layer: 3, probs: { shape: [3, 2, 2], data } }], 3, 0).map((h) => h.head), [2, 1]);
});

test('softmax, guesses and divergence: all or nothing', () => {
  for (const { list, none } of spoilt([2, 1, 0, -1])) {
    const whole = none === -Infinity;
    assert.equal(probabilities(list).every(isFinite), whole);
    assert.equal(topTokens(list, 3).length, whole ? 3 : 0);
    assert.equal(isFinite(divergence([2, 1, 0, -1], list)), whole);
    assert.equal(isFinite(divergence(list, [2, 1, 0, -1])), whole);
    const p = probabilities([2, 1, 0, -1]);
    for (const rows of [compareGuesses(p, probabilities(list), 3), compareGuesses(probabilities(list), p, 3)]) {
      assert.ok(rows.every((r) => isFinite(r.before) || isFinite(r.after)));
    }
  }
  assert.deepEqual(compareGuesses(new Float64Array([NaN, NaN]), new Float64Array([NaN, NaN]), 2), []);
});

test('means tell what they are means of', () => {
  for (const { list } of spoilt([0.2, 0.4, 0.1, 0.3])) {
    const data = Float32Array.from(list);
    assert.equal(isFinite(meanOf({ shape: [4], data })), false);
    assert.equal(isFinite(valueNormRatio({ shape: [2, 1, 2], data })), false);
    assert.equal(isFinite(countGates(list, 0.5).mean), false);
    const gate = { shape: [2, 2, 1], data };
    assert.ok([spreadOf(gate).low, spreadOf(gate).high, spreadOf(gate).median].every(Number.isNaN));
    assert.equal(mostlyShut(gate) || silenceIsDefault(gate), false);
    const { token, head } = mostOpen(gate);
    assert.ok(token >= 0 && head >= 0);
    const whole = { shape: [1, 4], data };
    const at = contributions({ whole, solos: [whole] }, 0, 1);
    assert.ok(isFinite(at.max) && !isFinite(at.length) && !isFinite(at.difference ?? 0));
  }
  assert.ok(Number.isNaN(firstTokenAttention({ shape: [1, 2, 2], data: [1, 0, NaN, 0] })));
});
