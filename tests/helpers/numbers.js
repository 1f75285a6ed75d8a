/**
 * Comparing numbers so that nothing slips through: every comparison is counted, NaN and missing numbers fail.
 */
import assert from 'node:assert/strict';

const EPS = 2 ** -24;

/** Row-major numbers of any nested list. @param {any} x @returns {number[]} */
export const flat = (x) => (ArrayBuffer.isView(x) ? Array.from(/** @type {any} */ (x)) : [x].flat(Infinity));

/** Length of the vector a[begin .. begin + n). */
export function norm(a, begin = 0, n = a.length - begin) {
  let sum = 0;
  for (let i = begin; i < begin + n; i++) sum += a[i] * a[i];
  return Math.sqrt(sum);
}

/** Lengths of the rows of width n. @param {ArrayLike<number>} a @param {number} n */
export const norms = (a, n) => Array.from({ length: a.length / n }, (_, i) => norm(a, i * n, n));

export const sum = (n, f) => {
  let total = 0;
  for (let i = 0; i < n; i++) total += f(i);
  return total;
};

/**
 * What a float sum of `terms` products may be off by, given sum|ab|: rounding grows with the square root of the number
 * of terms (measured: less than half of this on every variant).
 */
export const sumError = (terms, mass) => EPS * (4 + 2 * Math.sqrt(terms)) * mass + 1e-38;

export class Numbers {
  /** How many numbers have been compared. */
  count = 0;

  /**
   * |got - want| <= tolerance for every number; infinities must be the same.
   * @param {any} got @param {any} want @param {number | ((i: number) => number)} tolerance @param {string} where
   */
  near(got, want, tolerance, where) {
    const [a, b] = [flat(got), flat(want)];
    assert.equal(a.length, b.length, `${where}: how many numbers`);
    assert.ok(b.length > 0, `${where}: nothing to compare`);
    for (let i = 0; i < b.length; i++) {
      const allowed = typeof tolerance === 'function' ? tolerance(i) : tolerance;
      const same = a[i] === b[i] || Math.abs(a[i] - b[i]) <= allowed;
      if (typeof a[i] !== 'number' || !same) {
        assert.fail(`${where}[${i}]: expected ${b[i]} ± ${allowed}, found ${a[i]}`);
      }
    }
    this.count += b.length;
  }

  /** Every number is what is printed: the same after rounding to so many digits, as a reader sees it. */
  printed(got, want, digits, where) {
    const [a, b] = [flat(got), flat(want)];
    const read = (x) => (Number(x.toFixed(digits)) || 0).toFixed(digits); // a reader sees no -0
    assert.deepEqual(a.map(read), b.map(read), where);
    this.count += b.length;
  }

  /** { shape, data } of that shape, all numbers finite or in `allowed`. @param {any} matrix @param {number[]} shape */
  shape(matrix, shape, where, allowed = []) {
    assert.ok(matrix, `${where} is missing`);
    assert.deepEqual(matrix.shape, shape, `${where}: shape`);
    assert.ok(matrix.data instanceof Float32Array, `${where}: a Float32Array`);
    assert.equal(matrix.data.length, shape.reduce((a, b) => a * b, 1), `${where}: as many numbers as the shape says`);
    const bad = matrix.data.findIndex((x) => !Number.isFinite(x) && !allowed.includes(x));
    assert.equal(bad, -1, `${where}[${bad}] is ${matrix.data[bad]}`);
    this.count += 1;
  }

  /** The tally, so that a loop that did not run is noticed. */
  exactly(n) {
    assert.equal(this.count, n, 'numbers compared');
  }
}
