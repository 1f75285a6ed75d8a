/** The softmax where it is easy to get wrong: huge scores, ties, masks. */
import assert from 'node:assert/strict';
import { sum } from '../helpers/numbers.js';
import { random } from '../helpers/prng.js';
import { onWasm } from '../helpers/variants.js';

const LENGTHS = [1, 2, 3, 4, 5, 7, 8, 9, 31, 33, 129, 257, 1023];

/** @type {Record<string, (n: number, i: number) => number>} */
const ROWS = {
  'scores from -1e4 to 1e4': (n, i) => random(`row${n}`, n, 1e4)[i],
  'all 1e4': () => 1e4,
  'all -1e4': () => -1e4,
  '1e4 and -1e4 in turn': (n, i) => (i % 2 ? -1e4 : 1e4),
  'all equal': () => 0.3,
  'all but the last masked': (n, i) => (i === n - 1 ? -1e4 : -Infinity),
  'all but the first masked': (n, i) => (i === 0 ? 1e4 : -Infinity),
  'every third masked': (n, i) => (i % 3 === 1 ? -Infinity : random(`third${n}`, n, 9)[i]),
  'the largest floats': (n, i) => (i % 4 ? -3e38 : 3e38),
};

for (const [name, at] of Object.entries(ROWS)) {
  onWasm(`softmax of ${name}: finite, sums to 1 within 1e-6`, (wasm) => {
    let rows = 0;
    for (const n of LENGTHS) {
      const x = Float32Array.from({ length: n }, (_, i) => at(n, i));
      const top = Math.max(...x);
      const mass = sum(n, (i) => Math.exp(x[i] - top));
      wasm.scope((s) => {
        const block = s.put(x);
        wasm.call('softmax', block, n);
        const p = block.floats(n);
        p.forEach((v, i) => {
          const want = Math.exp(x[i] - top) / mass;
          assert.ok(Number.isFinite(v) && v >= 0 && Math.abs(v - want) <= 2e-6 * want + 1e-37,
            `n = ${n}, [${i}]: expected ${want}, found ${v}`);
          if (x[i] === -Infinity) assert.equal(v, 0, 'masked is exactly 0');
        });
        assert.ok(Math.abs(sum(n, (i) => p[i]) - 1) <= 1e-6, `n = ${n}: sum ${sum(n, (i) => p[i])}`);
        rows += 1;
      });
    }
    assert.equal(rows, LENGTHS.length);
  });
}

onWasm('softmax of a row that may look at nothing: all 0', (wasm) => {
  for (const n of LENGTHS) {
    wasm.scope((s) => {
      const block = s.put(Array(n).fill(-Infinity));
      wasm.call('softmax', block, n);
      assert.deepEqual(block.floats(n), new Float32Array(n));
    });
  }
});

onWasm('softmax with a sink: the rest goes to the sink', (wasm) => {
  for (const [sink, x] of /** @type {[number, number[]][]} */ ([[0, [0, 0, 0]], [1e4, [1e4, -1e4]], [-1e4, [3, 4]],
    [-Infinity, [1, 2]], [2, [-Infinity, -Infinity]], [1e4, [0, 0, 0, 0, 0]]])) {
    const top = Math.max(sink, ...x);
    const mass = Math.exp(sink - top) + sum(x.length, (i) => Math.exp(x[i] - top));
    wasm.scope((s) => {
      const block = s.put(x);
      wasm.call('softmax_sink', block, x.length, sink);
      block.floats(x.length).forEach((v, i) => assert.ok(Math.abs(v - Math.exp(x[i] - top) / mass) < 1e-6,
        `sink ${sink}, [${x}] at ${i}: found ${v}`));
    });
  }
});
