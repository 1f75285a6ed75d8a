/** One sublayer of each kind at the real 0.8B sizes against the golden numbers: every key, every variant. */
import assert from 'node:assert/strict';
import { goldenLayer } from '../helpers/golden.js';
import { flat, norms, Numbers, sum } from '../helpers/numbers.js';
import { onEngine } from '../helpers/variants.js';

const made = new Map();
/** The weights are made once for all variants. */
const layerOf = (name) => {
  if (!made.has(name)) made.set(name, goldenLayer(name));
  return made.get(name);
};

const rows = (n, f) => Array.from({ length: n }, (_, i) => f(i));

/** What both kinds have in common. */
function common({ x, T }, r) {
  const [out, N] = [r.out.data, r.out.shape[1]];
  const each = (f) => rows(T, (t) => sum(N, (i) => f(out[t * N + i])));
  return {
    normed_x_norm: norms(r.normed.data, N),
    attn_out_norm: norms(out, N),
    out_last_first16: out.slice((T - 1) * N, (T - 1) * N + 16),
    residual_out_norm: norms(out.map((y, i) => x.data[i] + y), N),
    head_contrib_norm: r.headContribution.data,
    out_sum: each((y) => y),
    out_abs_sum: each(Math.abs),
  };
}

function full({ T }, r) {
  const [, H, d] = r.headOut.shape;
  const [, K] = r.k.shape;
  return {
    probs: r.probs.data,
    scores_last: rows(H * T, (i) => r.scores.data[(Math.floor(i / T) * T + T - 1) * T + (i % T)]),
    gate_mean_t: rows(T * H, (th) => sum(d, (i) => r.gate.data[th * d + i]) / d),
    head_out_norm: norms(r.headOut.data, d),
    head_gated_norm: norms(r.headOut.data.map((y, i) => y * r.gate.data[i]), d),
    q_rope_last_h0_first72: r.q.data.slice((T - 1) * H * d, (T - 1) * H * d + 72),
    k_rope_last_kv1_first72: r.k.data.slice(((T - 1) * K + 1) * d, ((T - 1) * K + 1) * d + 72),
  };
}

function delta({ T, values }, r) {
  const [Hv, dk, dv] = r.state.shape;
  const N = r.normed.shape[1];
  const weight = (name) => values[`layers.0.linear_attn.${name}.weight`];
  // the last token's convolution, from the raw inputs that were kept and the one that has just been dropped
  const conv = rows(16, (ch) => {
    const dropped = sum(N, (i) => weight('in_proj_qkv')[ch * N + i] * r.normed.data[(T - 4) * N + i]);
    const raw = [dropped, ...r.convState.data.slice(ch * 3, ch * 3 + 3)];
    const y = sum(4, (j) => weight('conv1d')[ch * 4 + j] * raw[j]);
    return y / (1 + Math.exp(-y));
  });
  return {
    beta: r.beta.data,
    decay: r.decay.data,
    core_norm: norms(r.core.data, dv),
    state_norm: norms(r.state.data, dk * dv),
    state_h0_k0_first16: r.state.data.slice(0, 16),
    state_h15_sum: [sum(dk * dv, (i) => r.state.data[(Hv - 1) * dk * dv + i])],
    conv_last_first16: conv,
  };
}

for (const [name, own] of /** @type {[string, any][]} */ ([['layer_full_0p8b', full], ['layer_delta_0p8b', delta]])) {
  onEngine(`${name}: all its numbers`, async (engine) => {
    const golden = layerOf(name);
    const layer = await engine.openLayer({ config: golden.config, kind: golden.kind, tensors: golden.tensors });
    const r = await layer.forward(golden.x, { capture: 'all' });
    assert.equal(r.type, golden.kind);
    const got = { ...common(golden, r), ...own(golden, r) };
    assert.deepEqual(Object.keys(got).sort(), Object.keys(golden.expect).sort(), 'every key is looked at');
    const numbers = new Numbers();
    for (const [key, want] of Object.entries(golden.expect)) {
      numbers.near(got[key], flat(want), golden.tolerance[key], key);
    }
    numbers.exactly(flat(Object.values(golden.expect)).length);
    assert.deepEqual(await layer.forward(golden.x), { out: r.out }, 'captures change nothing');
    await layer.close();
  });
}
