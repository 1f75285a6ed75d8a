/** What model figures count and compare: downloads, selections, distances, labels, a run one token longer. */
import assert from 'node:assert/strict';
import { fileURLToPath } from 'node:url';
import { test } from 'node:test';
import { parseConfig } from '../../web/engine/config.js';
import { createEngine, loadTokenizer } from '../../web/engine/index.js';
import { expectedShapes, layerShapes } from '../../web/engine/shapes.js';
import { arrived, freshDownload, secondsToRetry } from '../../web/lab/download.js';
import { extendCaptures } from '../../web/lab/extend-captures.js';
import { cacheBytes, mapDistance, nearestHeads, rowDistance, sharedScale, topKeys, windowOf } from '../../web/lab/heads.js';
import { askFor, countedSizes, fillBars, headerSizes, ladder, QWEN35 } from '../../web/lab/ladder.js';
import { defaultLayer, fitSelection, fullLayers } from '../../web/lab/selection.js';
import { DITTO, wordLabels } from '../../web/lab/words.js';
import { CONFIG_0P8B } from '../helpers/synthetic-model.js';

const EXAMPLE = fileURLToPath(new URL('../../web/models/example', import.meta.url));
const size = (shape) => shape.reduce((a, b) => a * b, 1);

test('the ladder counts what the engine fetches, byte for byte', () => {
  const config = parseConfig(CONFIG_0P8B);
  const layers = config.layerTypes.map((_, i) => layerShapes(config, i).reduce((n, [, shape]) => n + 2 * size(shape), 0));
  const all = [...expectedShapes(config).values()].reduce((n, shape) => n + 2 * size(shape), 0);
  assert.deepEqual(countedSizes(QWEN35).layers, layers);
  const rungs = ladder(QWEN35);
  assert.deepEqual(rungs.map(({ rung, layers: n, bytes }) => `${rung} ${n} ${(bytes / 1e6).toFixed(1)}`),
    ['one 1 14.7', 'four 4 166.0', 'all 24 996.2', 'next 24 1504.8']);
  assert.equal(rungs[3].bytes, all);
  let at = 0;
  const tensors = new Map([...expectedShapes(config)].map(([name, shape]) => [name, { begin: at, end: at += 2 * size(shape) }]));
  assert.deepEqual(headerSizes(QWEN35, tensors), countedSizes(QWEN35));
  assert.deepEqual(askFor(QWEN35, 'four'), { layers: 4, logits: 'none' });
  assert.deepEqual(askFor(QWEN35, 'next'), { layers: 24, logits: 'last' });
  assert.deepEqual(fillBars([10, 10, 20], 25), [1, 1, 0.25]);
});

test('a countdown runs to the first of several tries, and ends with the next byte', () => {
  const report = (phase, waitMs) => ({ loadedBytes: 41_200_000, totalBytes: 99_000_000, phase, waitMs });
  let d = arrived(freshDownload(0), 1000, report('retrying', 4000));
  assert.deepEqual([1000, 1001, 2500, 5000, 9000].map((now) => secondsToRetry(d, now)), [4, 4, 3, 0, 0]);
  d = arrived(d, 2000, report('retrying', 1500));
  assert.equal(d.retryAt, 3500);
  d = arrived(d, 2100, report('retrying', 9000));
  assert.equal(d.retryAt, 3500, 'the sooner one counts');
  d = arrived(d, 4000, report('retrying', 9000));
  assert.equal(d.retryAt, 13000, 'what is over no longer counts');
  d = arrived(d, 4100, report('weights', 9000));
  assert.deepEqual([d.retrying, d.retryAt], [false, 0]);
  assert.ok(arrived(d, 4200, { ...report('weights'), full: true }).full);
});

test('a selection is kept where the model has it, else the nearest that it has', () => {
  const types = (n) => Array.from({ length: n }, (_, i) => (i % 4 === 3 ? 'full_attention' : 'linear_attention'));
  const big = { layers: 24, heads: 8, layerTypes: types(24) };
  const small = { layers: 8, heads: 3, layerTypes: types(8) };
  assert.equal(defaultLayer(fullLayers(big)), 15);
  assert.equal(defaultLayer(fullLayers(small)), 7);
  assert.equal(defaultLayer([]), -1);
  assert.deepEqual(fitSelection({}, big, 5), { layer: 15, heads: [0, 1], token: 4 });
  assert.deepEqual(fitSelection({ layer: 11, heads: [7, 2], token: 1 }, big, 5), { layer: 11, heads: [7, 2], token: 1 });
  assert.deepEqual(fitSelection({ layer: 11, heads: [7, 2], token: 9 }, small, 5), { layer: 7, heads: [2], token: 4 });
  assert.deepEqual(fitSelection({ layer: 2, heads: [1, 1] }, small, 5), { layer: 7, heads: [1], token: 4 });
  assert.deepEqual(fitSelection({ layer: 7 }, small, 5, 4), { layer: 3, heads: [0, 1], token: 4 });
});

const A = { rows: 3, cols: 3, data: Float32Array.from([1, 0, 0, 0.5, 0.5, 0, 0.25, 0.25, 0.5]) };
const B = { rows: 3, cols: 3, data: Float32Array.from([1, 0, 0, 0, 1, 0, 0.25, 0.5, 0.25]) };

test('distances: half the summed difference, 0 to 1, the first row left out of the mean', () => {
  assert.equal(rowDistance(A, A, 2), 0);
  assert.equal(rowDistance(A, B, 1), 0.5);
  assert.equal(rowDistance(A, B, 2), 0.25);
  assert.equal(mapDistance(A, B), 0.375);
  const probs = { shape: [3, 3, 3], data: Float32Array.from([...A.data, ...B.data, ...A.data]) };
  assert.deepEqual(nearestHeads([{ layer: 3, probs }], 3, 0), [
    { layer: 3, head: 2, distance: 0 }, { layer: 3, head: 1, distance: 0.375 }]);
  assert.deepEqual(topKeys(A, 2, 2), [{ col: 2, share: 0.5 }, { col: 0, share: 0.25 }]);
});

test('one scale for two maps: linear, per row, log, the first token hidden', () => {
  const linear = sharedScale([A, B], 'linear', false);
  assert.equal(linear.shadeOf(A)(0.5, 1, 0), 0.5);
  const hidden = sharedScale([A, { ...B, data: B.data.map((x) => x / 2) }], 'linear', true);
  assert.equal(hidden.max, 0.5);
  assert.equal(hidden.shadeOf(A)(0.5, 2, 2), 1);
  assert.equal(sharedScale([A, B], 'row', false).shadeOf(A)(0.25, 2, 0), 0.5);
  assert.equal(sharedScale([A, B], 'row', true).shadeOf(A)(0.25, 2, 1), 0.5);
  const log = sharedScale([A, B], 'log', false);
  assert.equal(log.shadeOf(A)(1, 0, 0), 1);
  assert.ok(Math.abs(log.shadeOf(A)(0.01, 2, 0) - 0.5) < 1e-12);
  assert.equal(log.shadeOf(A)(0, 2, 0), 0);
});

test('a window stays inside the map and holds its values', () => {
  const T = 30;
  const map = { rows: T, cols: T, data: Float32Array.from({ length: T * T }, (_, n) => n) };
  for (const [row, col, top, left] of [[0, 0, 0, 0], [15, 20, 9, 14], [29, 29, 18, 18]]) {
    const cut = windowOf(map, { row, col }, 12);
    assert.deepEqual([cut.top, cut.left, cut.map.rows], [top, left, 12]);
    assert.equal(cut.map.data[5 * 12 + 7], (top + 5) * T + left + 7);
  }
  assert.equal(cacheBytes({ kvHeads: 2, headDim: 256 }, 6, 8192, 2), 96 * 2 ** 20);
});

const piece = (text) => ({ id: 0, text, bytes: new TextEncoder().encode(text) });

test('words name tokens and change nothing else', () => {
  assert.deepEqual(wordLabels(['The', ' un', 'believ', 'able', ' cat', '.'].map(piece), 'en'),
    ['The', 'unbelievable', DITTO, DITTO, 'cat', '.']);
  assert.deepEqual(wordLabels(['今', '天', '天气', '，我们'].map(piece), 'zh-CN'), ['今天', DITTO, '天气', '，我们']);
  assert.deepEqual(wordLabels([{ ...piece('𠮷'), joins: [0, 1] }, { id: 1, text: '', bytes: [0xb7], joins: [0, 1] }], 'zh-CN'), ['𠮷', DITTO]);
});

test('without a dictionary of words: letters in a row, Chinese sign by sign', () => {
  const { Segmenter } = Intl;
  Reflect.deleteProperty(Intl, 'Segmenter');
  try {
    assert.deepEqual(wordLabels(['The', ' un', 'believ', 'able', ' cat', '.'].map(piece), 'en'),
      ['The', 'unbelievable', DITTO, DITTO, 'cat', '.']);
    assert.deepEqual(wordLabels(['It', ' don', '’t', ' café', ' 3', '!'].map(piece), 'en'),
      ['It', 'don’t', DITTO, 'café', '3', '!']);
    assert.deepEqual(wordLabels(['今', '天', '，', 'cat'].map(piece), 'zh-CN'), ['今', '天', '，', 'cat']);
  } finally {
    Object.assign(Intl, { Segmenter });
  }
});

test('captures of a session, set behind those of the prompt, are those of the whole', async () => {
  const engine = await createEngine();
  const [model, tokenizer] = await Promise.all([engine.openModel(EXAMPLE), loadTokenizer(EXAMPLE)]);
  const { ids } = await tokenizer.encode('The cat sat on the mat');
  const capture = ['probs', 'scores', 'gate', 'v', 'hIn', 'headContribution', 'state', 'type'];
  const whole = await model.forward(ids, { capture });
  const session = await model.session();
  const n = ids.length - 2;
  const first = await model.forward(ids.slice(0, n), { capture });
  await session.append(ids.slice(0, n));
  const second = await session.append(ids.slice(n), { capture });
  const joined = extendCaptures(first.layers, second.layers);
  let compared = 0;
  whole.layers.forEach((captures, i) => {
    assert.deepEqual(Object.keys(joined[i]).sort(), Object.keys(captures).sort());
    for (const [name, { shape, data }] of Object.entries(captures).filter(([, value]) => value.data)) {
      assert.deepEqual(joined[i][name].shape, shape, name);
      data.forEach((x, k) => {
        const y = joined[i][name].data[k];
        assert.ok(Object.is(x, y) || Math.abs(x - y) <= 1e-5 * Math.max(1, Math.abs(x)), `${name}[${k}] ${x} ${y}`);
        compared += 1;
      });
    }
  });
  assert.ok(compared > 1000, `${compared}`);
  await engine.close();
});
