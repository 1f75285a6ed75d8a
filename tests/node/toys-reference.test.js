/** The toys on random numbers against an independent float64 reference, and every way to hand arrays over. */
import assert from 'node:assert/strict';
import { Numbers, sum, sumError } from '../helpers/numbers.js';
import { random } from '../helpers/prng.js';
import { attend } from '../helpers/reference.js';
import { onEngine } from '../helpers/variants.js';

const sigmoid = (z) => 1 / (1 + Math.exp(-z));

/** queries, keys, dim, valueDim: pairwise different, so that no size can stand in for another. */
const SIZES = [[1, 2, 3, 4], [3, 5, 7, 2], [5, 9, 4, 13], [8, 33, 17, 6], [31, 64, 1, 65], [2, 129, 257, 1],
  [40, 41, 8, 7]];

onEngine('attention: random sizes, causal with fewer queries than keys, other scales', async (engine) => {
  const numbers = new Numbers();
  let cases = 0;
  for (const [queries, keys, dim, valueDim] of SIZES) {
    for (const causal of [false, true]) {
      for (const scale of [undefined, 0.3, -2]) {
        const given = { q: random('q', queries * dim, 2), k: random('k', keys * dim), v: random('v', keys * valueDim),
          queries, keys, dim, valueDim, causal, ...(scale === undefined ? {} : { scale }) };
        const { scores, probs, out } = await engine.attention(given);
        const want = attend(given);
        const where = `${queries}x${keys}, ${dim}, ${valueDim}, causal ${causal}, scale ${scale}`;
        const error = 2 * sumError(dim, 2 * dim * Math.abs(scale ?? 1 / Math.sqrt(dim)));
        numbers.near(scores.data, Array.from(want.scores), error, `scores ${where}`);
        numbers.near(probs.data, Array.from(want.probs), 4 * error + 4e-7, `probs ${where}`);
        numbers.near(out.data, Array.from(want.out), 4 * error + 4e-7, `out ${where}`);
        for (let i = 0; i < queries; i++) {
          assert.ok(Math.abs(sum(keys, (j) => probs.data[i * keys + j]) - 1) < 1e-6, `row ${i} of ${where}`);
        }
        cases += 1;
      }
    }
  }
  assert.equal(cases, 42);
  numbers.exactly(6 * sum(SIZES.length, (i) => SIZES[i][0] * (2 * SIZES[i][1] + SIZES[i][3])));
});

onEngine('attention: {shape, data}, typed and plain arrays give the same; shapes give sizes', async (engine) => {
  const [q, k, v] = [random('q', 6), random('k', 8), random('v', 20)];
  const sizes = { queries: 3, keys: 4, dim: 2, valueDim: 5 };
  const want = await engine.attention({ q, k, v, ...sizes });
  const shaped = { q: { shape: [3, 2], data: q }, k: { shape: [4, 2], data: k }, v: { shape: [4, 5], data: v } };
  for (const given of [{ ...shaped }, { ...shaped, ...sizes }, { q: [...q], k: [...k], v: [...v], ...sizes },
    { q: Float64Array.from(q), k: Float64Array.from(k), v: Float64Array.from(v), ...sizes, causal: false },
    { ...shaped, scale: 1 / Math.sqrt(2) }]) {
    assert.deepEqual(await engine.attention(given), want);
  }
  const kept = want.out.data.slice();
  want.out.data.fill(0);
  assert.deepEqual((await engine.attention({ ...shaped })).out.data, kept, 'results are copies');
});

onEngine('attention: huge, equal and tiny scores stay finite', async (engine) => {
  for (const q of [1e4, -1e4, 0, 1e-30, 3e18]) {
    const { probs, out } = await engine.attention({ q: [q], k: [1, -1, 0.5, 1], v: [1, 2, 3, 4], queries: 1, keys: 4,
      dim: 1, valueDim: 1 });
    assert.ok(Math.abs(probs.data.reduce((a, b) => a + b, 0) - 1) < 1e-6, `q = ${q}: ${probs.data}`);
    assert.ok(out.data[0] >= 1 && out.data[0] <= 4, `q = ${q}: ${out.data}`);
  }
});

onEngine('gate: random sizes', async (engine) => {
  const numbers = new Numbers();
  for (const [features, heads, dim] of [[1, 2, 3], [7, 3, 5], [33, 1, 9], [4, 6, 31], [129, 2, 17]]) {
    const [x, wGate, headOut] = [random('x', features), random('w', features * heads * dim), random('o', heads * dim)];
    const got = await engine.gate({ x, wGate, headOut, features, heads, dim });
    const n = heads * dim;
    const z = Array.from({ length: n }, (_, j) => sum(features, (i) => x[i] * wGate[i * n + j]));
    const error = sumError(features, features);
    numbers.near(got.z.data, z, error, 'z');
    numbers.near(got.gate.data, z.map(sigmoid), error + 3e-7, 'gate');
    numbers.near(got.out.data, z.map((v, j) => sigmoid(v) * headOut[j]), error + 3e-7, 'out');
    for (const name of ['z', 'gate', 'out']) assert.deepEqual(got[name].shape, [heads, dim]);
    const shaped = { x: { shape: [features], data: x }, wGate: { shape: [features, n], data: wGate },
      headOut: { shape: [heads, dim], data: headOut } };
    assert.deepEqual(await engine.gate(shaped), got);
  }
  numbers.exactly(3 * (6 + 15 + 9 + 186 + 34));
});

onEngine('gateSgd: random examples step by step', async (engine) => {
  const numbers = new Numbers();
  for (const [n, features, steps, learningRate] of [[3, 2, 7, 0.5], [5, 9, 4, 0.1], [1, 4, 0, 1], [8, 3, 20, 0]]) {
    const [x, residual, headOut, target, w0] = [['x', n * features], ['r', n], ['o', n], ['t', n], ['w', features]]
      .map(([name, length]) => random(String(name), Number(length)));
    const got = await engine.gateSgd({ x, residual, headOut, target, w0, learningRate, steps, n, features });
    let w = Array.from(w0);
    for (let s = 0; s <= steps; s++) {
      const g = Array.from({ length: n }, (_, i) => sigmoid(sum(features, (j) => x[i * features + j] * w[j])));
      const error = g.map((v, i) => residual[i] + v * headOut[i] - target[i]);
      const grad = w.map((_, j) => sum(n, (i) => error[i] * headOut[i] * g[i] * (1 - g[i]) * x[i * features + j]));
      const row = (m, width) => m.data.slice(s * width, (s + 1) * width);
      numbers.near(row(got.w, features), w, 2e-6, `w ${s}`);
      numbers.near(row(got.gate, n), g, 2e-6, `gate ${s}`);
      numbers.near(got.loss.data[s], [sum(n, (i) => error[i] ** 2 / 2)], 4e-6, `loss ${s}`);
      numbers.near(row(got.grad, features), grad, 4e-6, `grad ${s}`);
      w = w.map((v, j) => v - learningRate * grad[j]);
    }
    assert.deepEqual([got.w.shape, got.gate.shape, got.loss.shape, got.grad.shape],
      [[steps + 1, features], [steps + 1, n], [steps + 1], [steps + 1, features]]);
  }
  numbers.exactly(8 * (2 * 2 + 3 + 1) + 5 * (18 + 5 + 1) + (8 + 1 + 1) + 21 * (6 + 8 + 1));
});
