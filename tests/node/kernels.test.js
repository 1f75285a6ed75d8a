/**
 * Every kernel of every variant against a float64 reference, at every size of one table: errors are measured against
 * sum|ab|, never against the result, and nothing may be written beside the output or into an input.
 */
import assert from 'node:assert/strict';
import { Numbers, sum, sumError } from '../helpers/numbers.js';
import { random } from '../helpers/prng.js';
import { onWasm } from '../helpers/variants.js';
import { Block } from '../../web/engine/wasm.js';

const SIZES = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 11, 12, 13, 15, 16, 17, 31, 32, 33, 63, 64, 65, 127, 129, 255, 257];
const FENCE = -12345.678;
const EPS = 2 ** -24;

const sigmoid = (x) => 1 / (1 + Math.exp(-x));
const each = (n, f) => Array.from({ length: n }, (_, i) => f(i));
const dots = (n, a, b) => sum(n, (i) => a[i] * b[i]);
const masses = (n, a, b) => sum(n, (i) => Math.abs(a[i] * b[i]));

/**
 * One row per kernel: its arrays for size n, the call, the array it writes (none: it returns a number), what must be
 * there and how far off it may be.
 * @type {Record<string, (n: number) => { arrays: Record<string, ArrayLike<number>>, out?: string, want: number[],
 *   call: (p: any) => [string, ...any[]], tolerance: (i: number) => number }>}
 */
const KERNELS = {
  dot: (n) => {
    const [a, b] = [random('a', n), random('b', n)];
    return { arrays: { a, b }, call: (p) => ['dot', p.a, p.b, n], want: [dots(n, a, b)],
      tolerance: () => sumError(n, masses(n, a, b)) };
  },
  axpy: (n) => {
    const [y, x] = [random('y', n), random('x', n)];
    return { arrays: { y, x }, call: (p) => ['axpy', p.y, 0.7, p.x, n], out: 'y',
      want: each(n, (i) => y[i] + Math.fround(0.7) * x[i]), tolerance: () => 2 * EPS };
  },
  mul: (n) => {
    const [a, b] = [random('a', n), random('b', n)];
    return { arrays: { out: random('o', n), a, b }, call: (p) => ['mul', p.out, p.a, p.b, n], out: 'out',
      want: each(n, (i) => Math.fround(a[i] * b[i])), tolerance: () => 0 };
  },
  muladd: (n) => {
    const [y, a, b] = [random('y', n), random('a', n), random('b', n)];
    return { arrays: { y, a, b }, call: (p) => ['muladd', p.y, p.a, p.b, n], out: 'y',
      want: each(n, (i) => y[i] + a[i] * b[i]), tolerance: () => 2 * EPS };
  },
  sigmoid: (n) => {
    const x = random('x', n, 100);
    return { arrays: { out: random('o', n), x }, call: (p) => ['sigmoid', p.out, p.x, n], out: 'out',
      want: each(n, (i) => sigmoid(x[i])), tolerance: (i) => 8 * EPS * (1 + Math.abs(x[i])) * sigmoid(x[i]) + 1e-37 };
  },
  silu: (n) => {
    const x = random('x', n, 100);
    return { arrays: { out: random('o', n), x }, call: (p) => ['silu', p.out, p.x, n], out: 'out',
      want: each(n, (i) => x[i] * sigmoid(x[i])),
      tolerance: (i) => 8 * EPS * (1 + Math.abs(x[i])) * Math.abs(x[i]) * sigmoid(x[i]) + 1e-36 };
  },
  'silu in place': (n) => {
    const x = random('x', n, 5);
    return { arrays: { x }, call: (p) => ['silu', p.x, p.x, n], out: 'x', want: each(n, (i) => x[i] * sigmoid(x[i])),
      tolerance: () => 40 * EPS };
  },
  softmax: (n) => {
    const x = random('x', n, 6);
    const mass = sum(n, (i) => Math.exp(x[i]));
    return { arrays: { x }, call: (p) => ['softmax', p.x, n], out: 'x', want: each(n, (i) => Math.exp(x[i]) / mass),
      tolerance: (i) => 32 * EPS * Math.exp(x[i]) / mass };
  },
  'softmax with a sink': (n) => {
    const x = random('x', n, 6);
    const mass = Math.exp(1.5) + sum(n, (i) => Math.exp(x[i]));
    return { arrays: { x }, call: (p) => ['softmax_sink', p.x, n, 1.5], out: 'x',
      want: each(n, (i) => Math.exp(x[i]) / mass), tolerance: (i) => 32 * EPS * Math.exp(x[i]) / mass };
  },
  'rmsnorm, zero-centred': (n) => rmsnorm(n, 1),
  'rmsnorm, plain': (n) => rmsnorm(n, 0),
  rope: (n) => {
    const [x, cosines, sines] = [random('x', 2 * n), random('c', n), random('s', n)];
    return { arrays: { x, cosines, sines }, call: (p) => ['rope', p.x, p.cosines, p.sines, n], out: 'x',
      want: each(2 * n, (i) => (i < n ? x[i] * cosines[i] - x[i + n] * sines[i]
        : x[i] * cosines[i - n] + x[i - n] * sines[i - n])), tolerance: () => 4 * EPS };
  },
  'delta_step, dv = n': (n) => deltaStep(5, n),
  'delta_step, dk = n': (n) => deltaStep(n, 7),
};

function rmsnorm(n, bias) {
  const [x, w] = [random('x', n, 3), random('w', n)];
  const root = Math.sqrt(sum(n, (i) => x[i] * x[i]) / n + 1e-6);
  return { arrays: { out: random('o', n), x, w }, call: (p) => ['rmsnorm', p.out, p.x, p.w, bias, 1e-6, n], out: 'out',
    want: each(n, (i) => (x[i] / root) * (bias + w[i])),
    tolerance: (i) => (12 + n / 8) * EPS * Math.abs((x[i] / root)) * (bias + Math.abs(w[i])) };
}

function deltaStep(dk, dv) {
  const [S, q, k, v] = [random('S', dk * dv), random('q', dk), random('k', dk, 0.5), random('v', dv)];
  const [decay, beta] = [0.75, 0.5];
  const memory = each(dv, (j) => sum(dk, (i) => decay * S[i * dv + j] * k[i]));
  const d = each(dv, (j) => beta * (v[j] - memory[j]));
  const next = each(dk * dv, (i) => decay * S[i] + k[Math.floor(i / dv)] * d[i % dv]);
  const out = each(dv, (j) => sum(dk, (i) => next[i * dv + j] * q[i]));
  return { arrays: { S, out: random('o', dv), d: random('d', dv), q, k, v }, out: 'S', also: { out }, scratch: 'd',
    call: (p) => ['delta_step', p.S, p.out, p.d, p.q, p.k, p.v, decay, beta, dk, dv], want: next,
    tolerance: () => sumError(dk, 2 + dk) };
}

/** Puts the arrays one number off every alignment, with a fence before and behind; calls; looks at everything. */
function run(wasm, name, n, numbers) {
  const { arrays, call, out, want, tolerance, also = {}, scratch } = /** @type {any} */ (KERNELS[name](n));
  const where = `${name}, n = ${n}`;
  wasm.scope((s) => {
    const blocks = Object.fromEntries(Object.entries(arrays).map(([key, values]) =>
      [key, s.put([FENCE, ...values, FENCE, FENCE])]));
    const at = Object.fromEntries(Object.entries(blocks).map(([key, block]) => [key, Block.address(block, 4)]));
    const returned = wasm.call(...call(at));
    if (!out) numbers.near([returned], want, tolerance, where);
    for (const [key, values] of Object.entries(arrays)) {
      const now = blocks[key].floats(values.length + 3);
      assert.deepEqual([now[0], ...now.slice(-2)], [FENCE, FENCE, FENCE].map(Math.fround), `${where}: beside ${key}`);
      const inside = now.slice(1, -2);
      if (key === out || key in also) {
        const wanted = key === out ? want : also[key];
        if (values.length) numbers.near(inside, wanted, tolerance, `${where}: ${key}`);
      } else if (key !== scratch) {
        assert.deepEqual(inside, values, `${where}: ${key} is only read`);
      }
    }
  });
}

for (const name of Object.keys(KERNELS)) {
  onWasm(`${name} at every size`, (wasm) => {
    const numbers = new Numbers();
    for (const n of SIZES) run(wasm, name, n, numbers);
    assert.ok(numbers.count >= SIZES.length - 1, `${numbers.count} numbers compared`);
  });
}

onWasm('rope_table: angles far out are those of float64', (wasm) => {
  const numbers = new Numbers();
  for (const [first, T, rotary, theta] of [[0, 6, 64, 1e7], [4095, 2, 6, 1e4], [262140, 3, 32, 1e6]]) {
    wasm.scope((s) => {
      const n = T * rotary / 2;
      const [cosines, sines] = [s.space(n), s.space(n)];
      wasm.call('rope_table', cosines, sines, first, T, rotary, theta);
      const angle = (i) => (first + Math.floor(i / (rotary / 2))) * theta ** (-2 * (i % (rotary / 2)) / rotary);
      numbers.near(cosines.floats(n), each(n, (i) => Math.cos(angle(i))), 1e-7, `cosines from ${first}`);
      numbers.near(sines.floats(n), each(n, (i) => Math.sin(angle(i))), 1e-7, `sines from ${first}`);
    });
  }
  numbers.exactly(2 * (6 * 32 + 2 * 3 + 3 * 16));
});

onWasm('sigmoid and silu at the ends: finite, monotone, exact where they must be', (wasm) => {
  wasm.scope((s) => {
    const x = [-3e38, -1000, -100, -88, -87, -6, -0, 0, 6, 87, 88, 100, 1000, 1e30];
    const block = s.space(x.length);
    wasm.call('sigmoid', block, s.put(x), x.length);
    const y = Array.from(block.floats(x.length));
    assert.ok(y.every((v, i) => Number.isFinite(v) && v >= 0 && v <= 1 && (i === 0 || v >= y[i - 1])), String(y));
    assert.ok(y[2] < 1e-38, `sigmoid(-100) is ${y[2]}`);
    assert.deepEqual([y[6], y[7], y[11], y[13]], [0.5, 0.5, 1, 1]);
    wasm.call('silu', block, s.put(x), x.length);
    const z = Array.from(block.floats(x.length));
    assert.ok(z.every(Number.isFinite), String(z));
    assert.deepEqual(z.slice(6).map((v) => v + 0), [0, 0, z[8], 87, 88, 100, 1000, Math.fround(1e30)]);
    assert.ok(z.slice(0, 5).every((v) => v <= 0 && v > -1e-35), String(z));
  });
});
