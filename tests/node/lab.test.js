/** The toys' logic: numbers as printed, typed and grouped; steps, cells, tokens, downloads. */
import assert from 'node:assert/strict';
import { isPrinted } from '../../web/lab/chapter.js';
import { QWEN35 } from '../../web/lab/ladder.js';
import { test } from 'node:test';
import { arrived, freshDownload, secondsLeft, speed } from '../../web/lab/download.js';
import { formatter, parseNumber } from '../../web/lab/format.js';
import { factors, freshLesson } from '../../web/lab/gate-sgd.js';
import { freshGateToy, gateArgs, meanGates, toggled, withWeight } from '../../web/lab/gate-toy.js';
import { divisors, groupOf, nonDivisors } from '../../web/lab/gqa.js';
import { moveCell } from '../../web/lab/grid.js';
import { headMatrix, layerCounts, meanGate, topOfRow } from '../../web/lab/layer.js';
import { freshMask, hidden, maskArgs } from '../../web/lab/mask.js';
import { makeText, placeholders, segments } from '../../web/lab/text.js';
import { hexBytes, isFragment, joinedRuns, quotable, tokenName, visibleParts, visibleText } from '../../web/lab/tokens.js';
import { argmax, attentionArgs, freshToy, held, rawScores, sceneOf, withCoordinate } from '../../web/lab/toy.js';

test('numbers: real minus, exact zero, nearly zero, groups, units', () => {
  const f = formatter('en');
  assert.deepEqual([f.fixed(0.7684), f.fixed(-2.8284, 2), f.fixed(0), f.fixed(0.0002), f.fixed(-0.0002), f.fixed(-Infinity), f.fixed(Number.NaN)],
    ['0.768', '−2.83', '0', '<0.001', '−<0.001', '−∞', 'NaN']);
  assert.deepEqual([f.signed(0.01), f.signed(-0.02), f.signed(0)], ['+0.010', '−0.020', '0']);
  assert.deepEqual([f.short(4), f.short(-0.5), f.short(-0)], ['4', '−0.5', '0']);
  assert.deepEqual([f.count(122461), f.percent(0.768)], ['122,461', '77%']);
  assert.deepEqual([f.bytes(14_700_000), f.bytes(1.5e9), f.memory(100_663_296), f.memory(402_653_184)],
    ['14.7 MB', '1.50 GB', '96.0 MiB', '384.0 MiB']);
  assert.deepEqual([f.time(3.456), f.time(120), f.time(1500)], ['3.46 ms', '120 ms', '1.5 s']);
});

test('typed numbers: any minus, full width, point or comma, grouped thousands, k and m; nothing else', () => {
  for (const [typed, value] of /** @type {[string, number][]} */ ([
    ['4', 4], ['−4', -4], ['-0.5', -0.5], ['–2', -2], [' 1,5 ', 1.5], ['+2', 2], ['.5', 0.5], ['5.', 5], ['４０９６', 4096], ['－１．５', -1.5], ['０．２５', 0.25],
    ['＋７', 7], ['1,000', 1000], ['1,234,567', 1234567], ['262 144', 262144], ['262\u202f144', 262144], ['262\u00a0144', 262144], ['1’000', 1000],
    ["1'000.5", 1000.5], ['4，096', 4096], ['32k', 32000], ['32 K', 32000], ['1.5k', 1500], ['1,5k', 1500], ['2m', 2e6], ['1M', 1e6], ['３２ｋ', 32000], ['2万', 20000],
    ['3千', 3000], ['−1k', -1000], ['0,125', 0.125], ['12,34', 12.34], ['1,2345', 1.2345],
  ])) assert.equal(parseNumber(typed), value, typed);
  for (const bad of ['', ' ', 'x', '1e5', '1.2.3', '−', '1 2', 'k', '.', ',', '1,2,3', '12,34,567', '1kk', '3g', '--1', '1-', '0x10', 'NaN', '∞', 'Infinity', '一']) {
    assert.ok(Number.isNaN(parseNumber(bad)), `${bad}: ${parseNumber(bad)}`);
  }
});

test('text: placeholders, emphasis with placeholders inside, unknown keys', () => {
  assert.deepEqual(segments('**Q{h}** reads `c/a.c` {g}'),
    [{ strong: [{ text: 'Q' }, { arg: 'h' }] }, { text: ' reads ' }, { code: 'c/a.c' }, { text: ' ' }, { arg: 'g' }]);
  assert.deepEqual(placeholders('{b} **{a}**'), ['a', 'b']);
  const t = makeText('en', { k: '**Drag** {what}' });
  assert.equal(t('k', { what: 'q' }), 'Drag q');
  assert.throws(() => t('nothing'), /no text for "nothing"/);
});

test('toy: book numbers, scenes, one coordinate at a time', () => {
  const toy = freshToy('share');
  const args = attentionArgs(toy);
  assert.deepEqual([...args.q, ...args.k, ...args.v], [0, 4, 1, 0, 0, 1, 0.5, 0.5, 2, 0, 0, 2, 1, 1]);
  assert.deepEqual([sceneOf('sink'), sceneOf('constructor'), sceneOf(null)], ['sink', 'share', 'share']);
  const next = withCoordinate(toy, 'values', 0, 1, 3);
  assert.deepEqual([next.values[0], toy.values[0]], [[2, 3], [2, 0]]);
  assert.deepEqual(held([9, -0.04], 4), [4, 0]);
  assert.equal(argmax([0.2, 0.5, 0.5]), 1);
  assert.deepEqual(rawScores([1, 2], 4), [2, 4]);
  assert.deepEqual([maskArgs(freshMask(), true).queries, hidden(0, 1), hidden(2, 2)], [3, true, false]);
});

test('cells: arrows stay inside, Home and End with and without Ctrl', () => {
  const size = { rows: 5, cols: 7 };
  const go = (key, cell, ctrlKey = false) => Object.values(moveCell(cell, size, { key, ctrlKey }));
  assert.deepEqual(go('ArrowUp', { row: 0, col: 3 }), [0, 3]);
  assert.deepEqual(go('ArrowRight', { row: 4, col: 6 }), [4, 6]);
  assert.deepEqual(go('End', { row: 2, col: 1 }), [2, 6]);
  assert.deepEqual(go('Home', { row: 2, col: 4 }, true), [0, 0]);
  assert.deepEqual(go('End', { row: 2, col: 4 }, true), [4, 6]);
  assert.deepEqual(go('x', { row: 2, col: 4 }), [2, 4]);
});

test('gate toy, lesson, notebooks', () => {
  const toy = freshGateToy();
  assert.deepEqual([...gateArgs(toy).x], [1, 0, 0, 1]);
  assert.deepEqual(toggled(toy, 0).x[0], [0, 0, 0, 1]);
  assert.equal(withWeight(toy, 1, 2, 9).wGate[1][2], 9);
  assert.equal(toy.wGate[1][2], -1);
  assert.deepEqual(meanGates([0.2, 0.4, 1, 0]).map((x) => Number(x.toFixed(2))), [0.3, 0.5]);
  const f = factors(freshLesson(), 1, 0.5);
  assert.equal(Number((f.error * f.head * f.slope * f.input).toFixed(4)), 0.08);
  assert.deepEqual([divisors(12), nonDivisors(8), groupOf(5, 8, 2), groupOf(5, 6, 3)], [[1, 2, 3, 4, 6, 12], [3, 5, 6, 7], 1, 2]);
});

test('layer: counted from the config as the chapter prints them', () => {
  const counts = layerCounts({ hidden: 1024, heads: 8, kvHeads: 2, headDim: 256, gated: true });
  assert.deepEqual(counts, { query: 4_194_304, total: 7_340_544, kept: 1024, keptMHA: 4096 });
  const probs = { shape: [2, 3, 3], data: Float32Array.from([1, 0, 0, 0.2, 0.8, 0, 0.1, 0.2, 0.7, 1, 0, 0, 0.9, 0.1, 0, 0.5, 0.4, 0.1]) };
  const second = headMatrix(probs, 1);
  assert.deepEqual([second.rows, topOfRow(second, 2).col, topOfRow(headMatrix(probs, 0), 2).col], [3, 0, 2]);
  assert.equal(meanGate({ data: Float32Array.from([0.25, 0.75]) }), 0.5);
  assert.ok(Number.isNaN(meanGate(undefined)));
});

test('tokens: what cannot be seen has a mark, lone bytes are shown as bytes and joined', () => {
  const seen = (text) => visibleParts(text).map((p) => p.text).join('');
  assert.equal(seen(' \n\n\t  x'), '␣⏎⏎⇥␣␣x');
  assert.equal(seen('a\u00a0b\u200d'), 'a⍽b‹ZWJ›');
  assert.equal(seen('👩‍👩‍👧'), '👩‍👩‍👧');
  for (const whole of ['❤️', '1️⃣', '👍🏽', '🏴\u{e0067}\u{e0062}\u{e007f}', '葛\u{e0100}', 'é']) assert.equal(seen(whole), whole);
  assert.equal(hexBytes([0xf0, 0xa0]), 'F0 A0');
  const bytes = [...new TextEncoder().encode('𠮷')];
  const pieces = [
    { id: 1, text: 'x', bytes: [0x78], joins: [] },
    { id: 2, text: '𠮷', bytes: bytes.slice(0, 2), joins: [1, 2, 3] },
    { id: 3, text: '', bytes: bytes.slice(2, 3), joins: [1, 2, 3] },
    { id: 4, text: '', bytes: bytes.slice(3), joins: [1, 2, 3] },
    { id: 5, text: '野', bytes: [...new TextEncoder().encode('野')], joins: [] },
  ];
  assert.deepEqual(pieces.map(isFragment), [false, true, true, true, false]);
  assert.deepEqual(joinedRuns(pieces), [{ first: 1, last: 3, text: '𠮷' }]);
  assert.deepEqual(pieces.map(tokenName), ['x', 'F0 A0', 'AE', 'B7', '野']);
});

test('tokens: every character of the basic plane that cannot be seen has a sign or a name of its own', () => {
  const unseen = /[\p{Cc}\p{Cf}\p{Cs}\p{Z}\p{Noncharacter_Code_Point}\p{Default_Ignorable_Code_Point}]/u;
  const names = new Set();
  let count = 0;
  for (let code = 0; code < 0x10000; code += 1) {
    const c = String.fromCharCode(code);
    const [part, ...more] = visibleParts(c);
    assert.equal(more.length, 0);
    assert.equal(part.mark, unseen.test(c), code.toString(16));
    if (!part.mark) continue;
    assert.doesNotMatch(part.text, unseen, code.toString(16));
    names.add(part.text);
    count += 1;
  }
  assert.ok(count > 2000, `${count} characters`);
  assert.equal(names.size, count);
  assert.deepEqual(['\0', '\u0007', '\u001b', '\u007f', '\u0085', '\u200d', '\u2028', '\ufffe', '\ud800', '\udc00'].map(visibleText),
    ['␀', '␇', '␛', '␡', '‹U+0085›', '‹ZWJ›', '‹U+2028›', '‹U+FFFE›', '‹U+D800›', '‹U+DC00›']);
  assert.equal(quotable('a b\n\u200dc'), 'a b⏎‹ZWJ›c');
});

test('downloads: speed over the last seconds, time left only when it can be known', () => {
  let d = freshDownload(0);
  assert.ok(Number.isNaN(speed(d.samples)));
  for (const at of [0, 500, 1000, 2000, 3000, 4000]) d = arrived(d, at, { loadedBytes: at * 10, totalBytes: 100_000, phase: 'weights' });
  assert.equal(speed(d.samples), 10_000);
  assert.equal(secondsLeft(d.samples, d.total, d.startedAt), 6);
  assert.ok(Number.isNaN(secondsLeft(d.samples, 0, 0)), 'no total');
  assert.ok(Number.isNaN(secondsLeft(d.samples.slice(0, 2), 100_000, 0)), 'too early');
  assert.ok(arrived(d, 5000, { loadedBytes: 1, totalBytes: 2, phase: 'retrying' }).retrying);
});

test('only the printed run is held against the printed matrix', () => {
  const run = { src: `${QWEN35.bases[0]}/`, layer: 3, prompt: '今天天气不错，我们去公园' };
  const is = (change) => isPrinted({ ...run, ...change }, QWEN35.bases);
  assert.ok(is({}));
  assert.ok(is({ src: `${QWEN35.bases[1]}/resolve/main/` }));
  for (const other of [{ layer: 7 }, { prompt: '今天' }, { src: `${QWEN35.bases[0]}-Base/` }, { src: 'https://example.org/Qwen3.5-0.8B/' }]) {
    assert.ok(!is(other), JSON.stringify(other));
  }
});
