/** A run against a golden file: every key of every layer within its tolerance, every comparison counted. */
import assert from 'node:assert/strict';
import { flat, norms } from './numbers.js';

/** @param {Record<string, number>} tolerance */
export function createComparer(tolerance) {
  let count = 0;
  return {
    get count() {
      return count;
    },
    /** @param {string} key @param {any} found @param {any} expected @param {string} where */
    near(key, found, expected, where, within = tolerance[key]) {
      const a = flat(found);
      const b = flat(expected);
      assert.ok(within > 0, `a tolerance for ${key}`);
      assert.equal(a.length, b.length, `${where}: how many ${key}`);
      a.forEach((x, i) => {
        const error = Math.abs(x - b[i]);
        assert.ok(error <= within, `${where}: ${key}[${i}] expected ${b[i]} ± ${within}, found ${x}`);
        count += 1;
      });
    },
  };
}

const last = (m) => m.data.slice(m.data.length - m.data.length / m.shape[0]);
const columnSums = ({ shape: [rows, columns], data }) => Array.from({ length: columns }, (_, c) =>
  Array.from({ length: rows }, (__, r) => data[r * columns + c]).reduce((a, b) => a + b, 0));

/** Mean of (T, H, d) over d. */
function meanOverDims({ shape: [T, H, d], data }) {
  return Array.from({ length: T * H }, (_, i) => data.subarray(i * d, (i + 1) * d).reduce((a, b) => a + b, 0) / d);
}

/** Smallest or largest of (T, H, d) for each head. */
function extremeOfHeads({ shape: [T, H, d], data }, pick) {
  return Array.from({ length: H }, (_, h) => pick(...Array.from({ length: T }, (__, t) =>
    pick(...data.subarray((t * H + h) * d, (t * H + h + 1) * d)))));
}

/** Mean over T and dv of (T, Hv, dv). */
function meanOfHeads({ shape: [T, H, d], data }) {
  return Array.from({ length: H }, (_, h) => {
    let sum = 0;
    for (let t = 0; t < T; t++) for (let i = 0; i < d; i++) sum += data[(t * H + h) * d + i];
    return sum / (T * d);
  });
}

/** Every expectation key, by what a capture says of it. */
const OF_LAYER = {
  h_in_norm: (c, N) => norms(c.hIn.data, N),
  attn_out_norm: (c, N) => norms(c.mixerOut.data, N),
  mlp_out_norm: (c, N) => norms(c.mlpOut.data, N),
  h_out_norm: (c, N) => norms(c.hOut.data, N),
  h_out_last: (c) => last(c.hOut),
  probs: (c) => c.probs.data,
  head_out_norm: (c) => norms(c.headOut.data, c.headOut.shape[2]),
  head_contrib_norm: (c) => c.headContribution.data,
  gate_mean_t: (c) => meanOverDims(c.gate),
  gate_min: (c) => extremeOfHeads(c.gate, Math.min),
  gate_max: (c) => extremeOfHeads(c.gate, Math.max),
  q_rope_last: (c) => last(c.q),
  k_rope_last: (c) => last(c.k),
  v_last: (c) => last(c.v),
  beta: (c) => c.beta.data,
  decay: (c) => c.decay.data,
  core_norm: (c) => norms(c.core.data, c.core.shape[2]),
  zgate_mean: (c) => meanOfHeads(c.zgate),
  state_norm: (c) => norms(c.state.data, c.state.shape[1] * c.state.shape[2]),
  state_h0_k0: (c) => c.state.data.slice(0, c.state.shape[2]),
  conv_state_sum: (c) => columnSums(c.convState),
};

/**
 * @param {any} run of forward with capture 'all' @param {any} golden @param {number} N hidden
 * @param {ReturnType<typeof createComparer>} compare
 */
export function expectRun(run, golden, N, compare) {
  const { expect, name } = golden;
  compare.near('logits_last', run.logits.data, expect.logits_last, name);
  compare.near('final_hidden_last', last(run.finalHidden), expect.final_hidden_last, name);
  assert.equal(run.layers.length, expect.layers.length);
  expect.layers.forEach((wanted, i) => {
    for (const [key, value] of Object.entries(wanted)) {
      if (key === 'type') assert.equal(run.layers[i].type, value);
      else compare.near(key, OF_LAYER[key](run.layers[i], N), value, `${name} layer ${i}`);
    }
  });
}
