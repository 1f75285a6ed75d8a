/** Every number that the chapter prints, to every printed digit, through the public door. */
import assert from 'node:assert/strict';
import { Numbers } from '../helpers/numbers.js';
import { onEngine } from '../helpers/variants.js';

const K = [1, 0, 0, 1, 0.5, 0.5]; // 今天 天气 不错
const V = [2, 0, 0, 2, 1, 1];

onEngine('three tokens by hand: scores, shares, output', async (engine) => {
  const numbers = new Numbers();
  const { scores, probs, out } = await engine.attention(
    { q: [0, 4], k: K, v: V, queries: 1, keys: 3, dim: 2, valueDim: 2 });
  numbers.printed(scores.data, [0, 2.83, 1.41], 2, 'scores');
  numbers.printed(probs.data, [0.045, 0.768, 0.187], 3, 'shares');
  numbers.printed([probs.data[0] + probs.data[1] + probs.data[2]], [1], 3, 'sum of the shares');
  numbers.printed(out.data, [0.277, 1.723], 3, 'output');
  numbers.printed([Math.exp(scores.data[1]), Math.exp(scores.data[2])], [16.9, 4.1], 1, 'proportions');
  assert.deepEqual([scores.shape, probs.shape, out.shape], [[1, 3], [1, 3], [1, 2]]);
  numbers.exactly(11);
});

onEngine('three rows at once under the causal mask', async (engine) => {
  const numbers = new Numbers();
  const { scores, probs, out } = await engine.attention(
    { q: [0, 0, 3, 0, 0, 4], k: K, v: V, queries: 3, keys: 3, dim: 2, valueDim: 2, causal: true });
  numbers.printed(probs.data, [1, 0, 0, 0.893, 0.107, 0, 0.045, 0.768, 0.187], 3, 'shares');
  assert.deepEqual([1, 2, 5].map((i) => scores.data[i]), [-Infinity, -Infinity, -Infinity]);
  assert.deepEqual([1, 2, 5].map((i) => probs.data[i]), [0, 0, 0]);
  numbers.printed(out.data.slice(0, 2), [2, 0], 3, '今天 sees itself alone');
  numbers.printed(out.data.slice(4), [0.277, 1.723], 3, '不错');
  numbers.exactly(13);
});

onEngine('a query of zeros still hands in the average; a gate of sigmoid(-6) silences it', async (engine) => {
  const numbers = new Numbers();
  const { probs, out } = await engine.attention({ q: [0, 0], k: K, v: V, queries: 1, keys: 3, dim: 2, valueDim: 2 });
  numbers.printed(probs.data, [0.333, 0.333, 0.333], 3, 'shares');
  numbers.printed(out.data, [1, 1], 3, 'the average');
  const gated = await engine.gate({ x: [1], wGate: [-6, -6], headOut: out.data, features: 1, heads: 1, dim: 2 });
  numbers.printed(gated.gate.data, [0.0025, 0.0025], 4, 'sigmoid(-6)');
  numbers.printed(gated.out.data, [0.0025, 0.0025], 4, 'nearly nothing');
  for (const [z, want, digits] of [[-6, 0.0025, 4], [0, 0.5, 1], [6, 0.9975, 4]]) {
    const one = await engine.gate({ x: [1], wGate: [z], headOut: [1], features: 1, heads: 1, dim: 1 });
    numbers.printed(one.gate.data, [want], digits, `sigmoid(${z})`);
  }
  numbers.exactly(12);
});

onEngine('the gate toy: one head closes for 书 and opens for 她', async (engine) => {
  const numbers = new Numbers();
  const wGate = [-5, -5, 2, 1, 6, 5, -1, -1, -2, -2, 2, 2, 0.5, 0.5, 0, 0];
  const cases = [
    { word: '书', x: [1, 0, 0, 1], headOut: [0.8, -0.3, 0.4, 0.9], z: [-4.5, -4.5, 2, 1],
      gate: [0.011, 0.011, 0.881, 0.731], out: [0.009, -0.003, 0.352, 0.658] },
    { word: '她', x: [0, 1, 0, 1], headOut: [1.2, 0.5, 0.3, -0.2], z: [6.5, 5.5, -1, -1],
      gate: [0.998, 0.996, 0.269, 0.269], out: [1.198, 0.498, 0.081, -0.054] },
  ];
  for (const { word, x, headOut, ...want } of cases) {
    const got = await engine.gate({ x, wGate, headOut, features: 4, heads: 2, dim: 2 });
    numbers.printed(got.z.data, want.z, 1, `${word}: z`);
    numbers.printed(got.gate.data, want.gate, 3, `${word}: gate`);
    numbers.printed(got.out.data, want.out, 3, `${word}: output`);
    for (const name of ['z', 'gate', 'out']) assert.deepEqual(got[name].shape, [2, 2], name);
  }
  numbers.exactly(24);
});

onEngine('a gate learns: the table at steps 0 1 2 5 20 50 200', async (engine) => {
  const numbers = new Numbers();
  const { w, gate, loss, grad } = await engine.gateSgd({ x: [1, 0, 0, 1], residual: [0, 1], headOut: [1, 0.8],
    target: [1, 1], w0: [0.01, -0.02], learningRate: 1, steps: 200, n: 2, features: 2 });
  const table = [
    [0, 0.010, -0.020, 0.502, 0.495, 0.2022, -0.1244, 0.0792],
    [1, 0.134, -0.099, 0.534, 0.475, 0.1811, -0.1161, 0.0758],
    [2, 0.250, -0.175, 0.562, 0.456, 0.1624, -0.1077, 0.0725],
    [5, 0.550, -0.382, 0.634, 0.406, 0.1196, -0.0849, 0.0626],
    [20, 1.365, -1.065, 0.797, 0.256, 0.0417, -0.0330, 0.0313],
    [50, 1.980, -1.678, 0.879, 0.157, 0.0153, -0.0129, 0.0134],
    [200, 2.835, -2.568, 0.945, 0.071, 0.0032, -0.0029, 0.0030],
  ];
  for (const [s, w0, w1, g0, g1, l, d0, d1] of table) {
    const row = (m) => m.data.slice(2 * s, 2 * s + 2);
    numbers.printed(row(w), [w0, w1], 3, `w at step ${s}`);
    numbers.printed(row(gate), [g0, g1], 3, `gates at step ${s}`);
    numbers.printed([loss.data[s]], [l], 4, `loss at step ${s}`);
    numbers.printed(row(grad), [d0, d1], 4, `gradient at step ${s}`);
  }
  assert.deepEqual([w.shape, gate.shape, loss.shape, grad.shape], [[201, 2], [201, 2], [201], [201, 2]]);
  numbers.exactly(7 * 7);
});

onEngine('the sweep: numbers per token, ratios, and the cache of 8192 tokens', async (engine) => {
  const rows = await engine.gqaSweep(
    { heads: 8, headDim: 256, kvHeads: [8, 4, 2, 1], layers: 6, seqLen: 8192, bytesPerValue: 2 });
  assert.deepEqual(rows, [
    { kvHeads: 8, groupSize: 1, floatsPerToken: 4096, bytes: 384 * 2 ** 20, ratio: 1 },
    { kvHeads: 4, groupSize: 2, floatsPerToken: 2048, bytes: 192 * 2 ** 20, ratio: 2 },
    { kvHeads: 2, groupSize: 4, floatsPerToken: 1024, bytes: 96 * 2 ** 20, ratio: 4 },
    { kvHeads: 1, groupSize: 8, floatsPerToken: 512, bytes: 48 * 2 ** 20, ratio: 8 },
  ]);
  assert.equal((rows[0].bytes / 2 ** 20).toFixed(1), '384.0');
  assert.equal((rows[2].bytes / 2 ** 20).toFixed(1), '96.0');
});

onEngine('the sweep, measured: one time per row; a cache over 512 MB is refused before it is made', async (engine) => {
  const small = { heads: 6, headDim: 10, kvHeads: [6, 3, 2, 1], layers: 3, seqLen: 77, bytesPerValue: 4 };
  const rows = await engine.gqaSweep({ ...small, measure: true });
  const counted = await engine.gqaSweep(small);
  assert.equal(rows.length, 4);
  rows.forEach(({ decodeMs, ...rest }, i) => {
    assert.ok(Number.isFinite(decodeMs) && decodeMs >= 0, `decodeMs ${decodeMs}`);
    assert.deepEqual(rest, counted[i]);
    assert.ok(!('decodeMs' in counted[i]));
  });
  const before = engine.memoryBytes;
  await assert.rejects(engine.gqaSweep({ heads: 8, headDim: 256, kvHeads: [1, 8], layers: 1, seqLen: 40000,
    bytesPerValue: 2, measure: true }), { name: 'EngineError', code: 'OUT_OF_MEMORY' });
  assert.equal(engine.memoryBytes, before);
  const [exact] = await engine.gqaSweep({ heads: 64, headDim: 4096, kvHeads: [64], layers: 96, seqLen: 1e6,
    bytesPerValue: 2 });
  assert.equal(exact.bytes, 96 * 1e6 * 2 * 64 * 4096 * 2);
});
