/**
 * Matrices as files store them (F32, BF16, F16): every bit pattern, and matrix products of all tail lengths, with rows
 * further apart than they are long.
 */
import assert from 'node:assert/strict';
import { Numbers, sum, sumError } from '../helpers/numbers.js';
import { fromBf16, fromF16, random, toBf16 } from '../helpers/prng.js';
import { onWasm } from '../helpers/variants.js';
import { Block } from '../../web/engine/wasm.js';

const SIZES = [0, 1, 2, 3, 4, 5, 7, 8, 9, 15, 16, 17, 31, 33, 63, 65, 129, 257];
const DTYPES = [['F32', 0], ['BF16', 1], ['F16', 2]];
const FENCE = Math.fround(-12345.678);

/** Halves between 2^-14 and 1, some subnormal ones among them. */
const halfBits = (name, n) => Uint16Array.from(random(name, n), (x, i) =>
  (x < 0 ? 0x8000 : 0) | (i % 11 === 3 ? Math.floor(Math.abs(x) * 1023) : Math.floor(Math.abs(x) * 15359)));

/** A stored matrix: its bytes and its numbers. */
function storedMatrix(dtype, name, n) {
  if (dtype === 'F32') {
    const values = random(name, n);
    return { bytes: new Uint8Array(values.buffer), values };
  }
  const bits = dtype === 'BF16' ? toBf16(random(name, n)) : halfBits(name, n);
  return { bytes: new Uint8Array(bits.buffer), values: Array.from(bits, dtype === 'BF16' ? fromBf16 : fromF16) };
}

for (const [dtype, code, read] of /** @type {[string, number, (bits: number) => number][]} */ (
  [['BF16', 1, fromBf16], ['F16', 2, fromF16]])) {
  onWasm(`expand: every ${dtype} there is, subnormals, infinities and NaN included`, (wasm) => {
    const bits = Uint16Array.from({ length: 65536 }, (_, i) => i);
    wasm.scope((s) => {
      const [stored, out] = [s.space(32768), s.space(65536)];
      stored.write(new Uint8Array(bits.buffer));
      wasm.call('expand', out, stored, code, 65536);
      const got = out.floats(65536);
      const wrong = bits.findIndex((b) => !Object.is(got[b], Math.fround(read(b))));
      assert.equal(wrong, -1, `bits 0x${wrong.toString(16)}: expected ${read(wrong)}, found ${got[wrong]}`);
    });
  });
}

onWasm('expand: every length, from any address', (wasm) => {
  const numbers = new Numbers();
  for (const [dtype, code] of DTYPES) {
    for (const n of SIZES.slice(1)) {
      const { bytes, values } = storedMatrix(String(dtype), 'w', n);
      wasm.scope((s) => {
        const stored = s.space(n + 2);
        stored.write(bytes, bytes.length / n);
        const out = s.put(Array(n + 2).fill(FENCE));
        wasm.call('expand', Block.address(out, 4), Block.address(stored, bytes.length / n), Number(code), n);
        numbers.near(out.floats(n + 2), [FENCE, ...values, FENCE], 0, `${dtype}, n = ${n}`);
      });
    }
  }
  numbers.exactly(3 * sum(SIZES.length - 1, (i) => SIZES[i + 1] + 2));
});

/** One product of T rows with R rows of n, all of them further apart than they are long. */
function product(wasm, numbers, { dtype, code, T, R, n, pad, call }) {
  const [ldw, ldx, ldo] = [n + pad, n + 2 * pad, R + pad];
  const { bytes, values: w } = storedMatrix(dtype, `w${R},${n}`, R * ldw);
  const x = random(`x${T},${n}`, T * ldx);
  wasm.scope((s) => {
    const block = s.space(Math.max(1, R * ldw));
    block.write(bytes);
    const out = s.put(Array(T * ldo + 1).fill(FENCE));
    const mat = s.struct([block, code, R, n, ldw]);
    if (call === 'matvec') wasm.call('matvec', out, mat, s.put(x));
    else wasm.call('gemm', out, ldo, s.put(x), ldx, mat, T);
    const want = Array.from({ length: T * ldo + 1 }, (_, i) => {
      const [t, r] = [Math.floor(i / ldo), i % ldo];
      return r >= R || t >= T ? FENCE : sum(n, (c) => x[t * ldx + c] * w[r * ldw + c]);
    });
    const mass = (i) => sum(n, (c) => Math.abs(x[Math.floor(i / ldo) * ldx + c] * w[(i % ldo) * ldw + c]));
    numbers.near(out.floats(T * ldo + 1), want, (i) => (want[i] === FENCE ? 0 : sumError(n, mass(i))),
      `${call} ${dtype} T = ${T}, R = ${R}, n = ${n}, pad = ${pad}`);
  });
}

for (const [dtype, code] of DTYPES) {
  onWasm(`gemm and matvec, ${dtype}: T, R and n of every tail`, (wasm) => {
    const numbers = new Numbers();
    for (const n of SIZES) {
      for (const R of [1, 2, 3, 4, 5, 7, 8, 9, 13, 17]) {
        for (const T of [1, 2, 3, 4, 5, 6, 7, 13]) {
          if (n < 32 || R % 4 === 1) product(wasm, numbers, { dtype, code, T, R, n, pad: (T + R) % 3, call: 'gemm' });
        }
        product(wasm, numbers, { dtype, code, T: 1, R, n, pad: 0, call: 'matvec' });
        product(wasm, numbers, { dtype, code, T: 1, R, n, pad: 3, call: 'matvec' });
      }
    }
    assert.ok(numbers.count > 50000, `${numbers.count} numbers compared`);
  });
}

onWasm('gemm: nothing asked for, nothing written', (wasm) => {
  for (const [T, R, n] of [[0, 5, 7], [3, 0, 7], [0, 0, 0]]) {
    wasm.scope((s) => {
      const out = s.put(Array(16).fill(FENCE));
      const w = s.struct([s.put(random('w', 64)), 0, R, n, 7]);
      wasm.call('gemm', out, Math.max(1, R), s.put(random('x', 32)), 7, w, T);
      assert.deepEqual(Array.from(out.floats(16)), Array(16).fill(FENCE), `T = ${T}, R = ${R}, n = ${n}`);
    });
  }
});

onWasm('gemm: an infinity in a half-precision weight stays one', (wasm) => {
  wasm.scope((s) => {
    const block = s.space(8);
    block.write(new Uint8Array(Uint16Array.from([0x7c00, 0x3c00, 0xfc00, 0x0001, 0x3c00]).buffer));
    const out = s.space(5);
    wasm.call('gemm', out, 5, s.put([2]), 1, s.struct([block, 2, 5, 1, 1]), 1);
    assert.deepEqual(Array.from(out.floats(5)), [Infinity, 2, -Infinity, 2 ** -23, 2]);
  });
});

onWasm('gemm_nn: mixing rows of v by p, all strides', (wasm) => {
  const numbers = new Numbers();
  for (const n of SIZES.slice(0, 16)) {
    for (const T of [0, 1, 2, 3, 4, 5, 6, 7, 13]) {
      for (const S of [0, 1, 2, 3, 5, 8, 13]) {
        const pad = (n + T + S) % 3;
        const [ldo, ldp, ldv] = [n + pad, S + pad, n + 2 * pad];
        const [p, v] = [random('p', T * ldp), random('v', S * ldv)];
        wasm.scope((s) => {
          const out = s.put(Array(T * ldo + 1).fill(FENCE));
          wasm.call('gemm_nn', out, ldo, s.put(p), ldp, s.put(v), ldv, T, S, n);
          const total = (f) => Array.from({ length: T * ldo + 1 }, (_, i) => (i >= T * ldo || i % ldo >= n ? FENCE
            : sum(S, (j) => f(p[Math.floor(i / ldo) * ldp + j] * v[j * ldv + (i % ldo)]))));
          const mass = total(Math.abs);
          numbers.near(out.floats(T * ldo + 1), total((x) => x),
            (i) => (mass[i] === FENCE ? 0 : sumError(S, mass[i])), `T = ${T}, S = ${S}, n = ${n}`);
        });
      }
    }
  }
  assert.ok(numbers.count > 20000, `${numbers.count} numbers compared`);
});
