/**
 * The two mixers in float64, written from their formulas and sharing nothing with the engine. Weights are flat arrays
 * by the tensor's name without 'layers.i.'; x is (T, N), the residual stream. Every capture comes back flat.
 */
const sigmoid = (z) => 1 / (1 + Math.exp(-z));
const silu = (z) => z * sigmoid(z);
const softplus = (z) => (z > 30 ? z : Math.log1p(Math.exp(z)));

/** x (T, N) W^T for W (R, N). */
function linear(x, w, N) {
  const [T, R] = [x.length / N, w.length / N];
  const y = new Float64Array(T * R);
  for (let t = 0; t < T; t++) {
    for (let r = 0; r < R; r++) {
      let total = 0;
      for (let i = 0; i < N; i++) total += x[t * N + i] * w[r * N + i];
      y[t * R + r] = total;
    }
  }
  return y;
}

/** RMSNorm of every row of width n; bias 1 where the weight is stored zero-centred. */
function rmsNorm(x, w, n, eps, bias) {
  return x.map((value, i) => {
    const row = i - (i % n);
    let square = 0;
    for (let j = 0; j < n; j++) square += x[row + j] ** 2;
    return (value / Math.sqrt(square / n + eps)) * (bias + w[i % n]);
  });
}

/** Rotates the pairs (j, j + R/2) of the first R of the d dimensions of every head by p theta^(-2j/R). */
function rope(x, heads, d, R, theta) {
  const y = x.slice();
  for (let row = 0; row < x.length / d; row++) {
    const p = Math.floor(row / heads);
    for (let j = 0; j < R / 2; j++) {
      const angle = p * theta ** ((-2 * j) / R);
      const [a, b] = [x[row * d + j], x[row * d + j + R / 2]];
      y[row * d + j] = a * Math.cos(angle) - b * Math.sin(angle);
      y[row * d + j + R / 2] = b * Math.cos(angle) + a * Math.sin(angle);
    }
  }
  return y;
}

/** |W_o[:, head] head| for every token and head; heads (T, H, d), W_o (N, H d). */
function contributions(heads, wo, H, d, N) {
  return Array.from({ length: heads.length / d }, (_, th) => {
    let square = 0;
    for (let n = 0; n < N; n++) {
      let total = 0;
      for (let i = 0; i < d; i++) total += wo[n * H * d + (th % H) * d + i] * heads[th * d + i];
      square += total * total;
    }
    return Math.sqrt(square);
  });
}

/** softmax(scale q k^T + mask) v of one head; causal query i stands at keys - queries + i. */
export function attend({ q, k, v, queries, keys, dim, valueDim, causal, scale = 1 / Math.sqrt(dim) }) {
  const scores = new Float64Array(queries * keys).fill(-Infinity);
  const probs = new Float64Array(queries * keys);
  const out = new Float64Array(queries * valueDim);
  for (let i = 0; i < queries; i++) {
    const seen = causal ? keys - queries + i + 1 : keys;
    let top = -Infinity;
    for (let j = 0; j < seen; j++) {
      let total = 0;
      for (let c = 0; c < dim; c++) total += q[i * dim + c] * k[j * dim + c];
      scores[i * keys + j] = total * scale;
      top = Math.max(top, total * scale);
    }
    let mass = 0;
    for (let j = 0; j < seen; j++) mass += Math.exp(scores[i * keys + j] - top);
    for (let j = 0; j < seen; j++) {
      probs[i * keys + j] = Math.exp(scores[i * keys + j] - top) / mass;
      for (let c = 0; c < valueDim; c++) out[i * valueDim + c] += probs[i * keys + j] * v[j * valueDim + c];
    }
  }
  return { scores, probs, out };
}

/** Every d-wide row of one head out of (T, H, d). */
const headOf = (x, h, H, d) => Float64Array.from({ length: x.length / H }, (_, i) =>
  x[(Math.floor(i / d) * H + h) * d + (i % d)]);

/** Gated (or plain) grouped-query attention. @param {any} c sizes as in config.json */
export function fullAttention(c, w, x) {
  const { N, H, K, d, R, theta, eps, gated, bias } = c;
  const T = x.length / N;
  const normed = rmsNorm(Float64Array.from(x), w['input_layernorm.weight'], N, eps, bias);
  const u = linear(normed, w['self_attn.q_proj.weight'], N);
  const part = (from) => Float64Array.from({ length: T * H * d }, (_, i) => {
    const row = Math.floor(i / d);
    return u[row * d * (gated ? 2 : 1) + from + (i % d)];
  });
  const [qProj, kProj, v] = [part(0), ...['k', 'v'].map((n) => linear(normed, w[`self_attn.${n}_proj.weight`], N))];
  const qNormed = rmsNorm(qProj, w['self_attn.q_norm.weight'], d, eps, bias);
  const kNormed = rmsNorm(kProj, w['self_attn.k_norm.weight'], d, eps, bias);
  const [q, k] = [rope(qNormed, H, d, R, theta), rope(kNormed, K, d, R, theta)];
  const scores = [];
  const probs = [];
  const headOut = new Float64Array(T * H * d);
  for (let h = 0; h < H; h++) {
    const g = Math.floor(h / (H / K));
    const one = attend({ q: headOf(q, h, H, d), k: headOf(k, g, K, d), v: headOf(v, g, K, d), queries: T, keys: T,
      dim: d, valueDim: d, causal: true });
    scores.push(...one.scores);
    probs.push(...one.probs);
    one.out.forEach((y, i) => {
      headOut[(Math.floor(i / d) * H + h) * d + (i % d)] = y;
    });
  }
  const gate = gated ? part(d).map(sigmoid) : undefined;
  const gatedOut = gated ? headOut.map((y, i) => y * gate[i]) : headOut;
  const wo = w['self_attn.o_proj.weight'];
  const out = linear(gatedOut, wo, H * d);
  return {
    hIn: x, normed, qProj, kProj, qNormed, kNormed, q, k, v, scores, probs, headOut, ...(gated && { gate }),
    headContribution: contributions(gatedOut, wo, H, d, N),
    headContributionUngated: contributions(headOut, wo, H, d, N), mixerOut: out, out,
  };
}

/** Gated DeltaNet. */
export function linearAttention(c, w, x) {
  const { N, Hk, Hv, dk, dv, C, eps, bias } = c;
  const T = x.length / N;
  const Ch = 2 * Hk * dk + Hv * dv;
  const normed = rmsNorm(Float64Array.from(x), w['input_layernorm.weight'], N, eps, bias);
  const project = (name) => linear(normed, w[`linear_attn.${name}.weight`], N);
  const u = project('in_proj_qkv');
  const zgate = project('in_proj_z').map(silu);
  const beta = project('in_proj_b').map(sigmoid);
  const decay = project('in_proj_a').map((a, i) =>
    Math.exp(-Math.exp(w['linear_attn.A_log'][i % Hv]) * softplus(a + w['linear_attn.dt_bias'][i % Hv])));
  const raw = (t, ch) => (t < 0 ? 0 : u[t * Ch + ch]);
  const y = Float64Array.from(u, (_, i) => {
    let total = 0;
    for (let j = 0; j < C; j++) {
      total += w['linear_attn.conv1d.weight'][(i % Ch) * C + j] * raw(Math.floor(i / Ch) - C + 1 + j, i % Ch);
    }
    return silu(total);
  });
  const unit = (t, at) => {
    const head = y.slice(t * Ch + at, t * Ch + at + dk);
    const length = Math.sqrt(head.reduce((s, a) => s + a * a, 0) + 1e-6);
    return head.map((a) => a / length);
  };
  const core = new Float64Array(T * Hv * dv);
  const state = new Float64Array(Hv * dk * dv);
  for (let h = 0; h < Hv; h++) {
    const S = state.subarray(h * dk * dv, (h + 1) * dk * dv);
    const kh = Math.floor(h / (Hv / Hk));
    for (let t = 0; t < T; t++) {
      const [q, k] = [unit(t, kh * dk), unit(t, (Hk + kh) * dk)];
      for (let i = 0; i < dk * dv; i++) S[i] *= decay[t * Hv + h];
      for (let j = 0; j < dv; j++) {
        let memory = 0;
        for (let i = 0; i < dk; i++) memory += S[i * dv + j] * k[i];
        const delta = beta[t * Hv + h] * (y[t * Ch + 2 * Hk * dk + h * dv + j] - memory);
        let read = 0;
        for (let i = 0; i < dk; i++) {
          S[i * dv + j] += k[i] * delta;
          read += (S[i * dv + j] * q[i]) / Math.sqrt(dk);
        }
        core[(t * Hv + h) * dv + j] = read;
      }
    }
  }
  const heads = rmsNorm(core, w['linear_attn.norm.weight'], dv, eps, 0).map((n, i) => n * zgate[i]);
  const wo = w['linear_attn.out_proj.weight'];
  const out = linear(heads, wo, Hv * dv);
  const past = C - 1;
  const convState = Array.from({ length: Ch * past }, (_, i) => raw(T - past + (i % past), Math.floor(i / past)));
  return { hIn: x, normed, beta, decay, core, zgate, state, convState,
    headContribution: contributions(heads, wo, Hv, dv, N), mixerOut: out, out };
}
