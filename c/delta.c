#include "delta.h"
#include "contribution.h"
#include "errors.h"
#include "kernels.h"
#include <tgmath.h>

/* Inside the root of the l2 norms of q and k; not rms_norm_eps. */
static const real L2_EPS = (real)1e-6;

static int channels(const DeltaLayer *l) {
  return 2 * l->key_heads * l->key_dim + l->value_heads * l->value_dim;
}

int delta_check(const DeltaLayer *l) {
  int N = l->hidden, Hv = l->value_heads, dv = l->value_dim;
  if (N <= 0 || l->key_heads <= 0 || Hv <= 0 || l->key_dim <= 0 || dv <= 0 || l->kernel <= 0 || Hv % l->key_heads)
    return ATTN_E_SHAPE;
  int good = mat_is(&l->qkv, channels(l), N) && mat_is(&l->z, Hv * dv, N) && mat_is(&l->b, Hv, N) &&
             mat_is(&l->a, Hv, N) && mat_is(&l->conv, channels(l), l->kernel) && mat_is(&l->a_log, 1, Hv) &&
             mat_is(&l->dt_bias, 1, Hv) && mat_is(&l->norm, 1, dv) && mat_is(&l->out, N, Hv * dv);
  return good ? ATTN_OK : ATTN_E_SHAPE;
}

double delta_scratch(const DeltaLayer *l, int T) {
  double Ch = channels(l), values = (double)l->value_heads * l->value_dim, C = l->kernel;
  return 2 * arena_cost(C * Ch) + arena_cost((T + C - 1) * Ch) + arena_cost(T * Ch) + 3 * arena_cost(T * values) +
         2 * arena_cost((double)T * l->value_heads) + 2 * arena_cost(l->value_heads) + 2 * arena_cost(l->value_dim) +
         arena_cost((double)T * l->hidden);
}

static real softplus(real x) {
  return fmax(x, (real)0) + log1p(exp(-fabs(x)));
}

/* x / sqrt(sum x^2 + 1e-6) * scale: a sum, not a mean */
static void l2norm(real *x, int n, real scale) {
  real r = scale / sqrt(dot(x, x, n) + L2_EPS);
  for (int i = 0; i < n; i++) x[i] *= r;
}

int delta_forward(const DeltaLayer *l, const real *zero, DeltaState *state, const real *x, int T, real *out,
                  DeltaCaptures *captures, Arena *scratch) {
  static const DeltaTrace no_trace = {NULL, NULL, NULL, NULL, NULL};
  return delta_forward_traced(l, zero, state, x, T, out, captures, &no_trace, scratch);
}

int delta_forward_traced(const DeltaLayer *l, const real *zero, DeltaState *state, const real *x, int T, real *out,
                         DeltaCaptures *captures, const DeltaTrace *trace, Arena *scratch) {
  DeltaCaptures no_captures = {0}, *c = captures ? captures : &no_captures;
  int N = l->hidden, Hk = l->key_heads, Hv = l->value_heads, dk = l->key_dim, dv = l->value_dim, C = l->kernel;
  int Ch = channels(l), past = C - 1, width = Hv * dv;

  size_t mark = scratch->used;
  real *stored_taps = arena_take(scratch, (size_t)C * Ch);  /* (Ch, C) */
  real *taps = arena_take(scratch, (size_t)C * Ch);         /* (C, Ch): a tap of all channels side by side */
  real *raw = arena_take(scratch, (size_t)(past + T) * Ch); /* (C-1+T, Ch): the remembered tokens, then the new ones */
  real *qkv = arena_take(scratch, (size_t)T * Ch);          /* (T, Ch) after conv and silu */
  real *z = arena_take(scratch, (size_t)T * width);         /* (T, Hv, dv) */
  real *core = arena_take(scratch, (size_t)T * width);      /* (T, Hv, dv) */
  real *heads = arena_take(scratch, (size_t)T * width);     /* (T, Hv, dv) */
  real *beta = arena_take(scratch, (size_t)T * Hv);         /* (T, Hv) */
  real *decay = arena_take(scratch, (size_t)T * Hv);        /* (T, Hv) */
  real *a_log = arena_take(scratch, Hv), *dt_bias = arena_take(scratch, Hv);
  real *norm = arena_take(scratch, dv), *correction = arena_take(scratch, dv);
  real *added = arena_take(scratch, (size_t)T * N);
  if (!stored_taps || !taps || !raw || !qkv || !z || !core || !heads || !beta || !decay || !a_log || !dt_bias ||
      !norm || !correction || !added)
    return ATTN_E_SCRATCH;
  expand(stored_taps, l->conv.data, l->conv.dtype, C * Ch);
  expand(a_log, l->a_log.data, l->a_log.dtype, Hv);
  expand(dt_bias, l->dt_bias.data, l->dt_bias.dtype, Hv);
  expand(norm, l->norm.data, l->norm.dtype, dv);

  /* 1 project: q, k, v of all heads in three whole blocks; z, b, a */
  for (int j = 0; j < past; j++)
    for (int i = 0; i < Ch; i++) raw[(size_t)j * Ch + i] = state->conv[i * past + j];
  gemm(raw + (size_t)past * Ch, Ch, x, N, &l->qkv, T);
  gemm(z, width, x, N, &l->z, T);
  gemm(beta, Hv, x, N, &l->b, T);
  gemm(decay, Hv, x, N, &l->a, T);
  copy_to(trace->raw, raw, (size_t)(past + T) * Ch);
  copy_to(trace->z, z, (size_t)T * width);
  copy_to(trace->a, decay, (size_t)T * Hv);

  /* 2 causal depthwise convolution over time, then silu */
  for (int j = 0; j < C; j++)
    for (int i = 0; i < Ch; i++) taps[(size_t)j * Ch + i] = stored_taps[i * C + j];
  for (int t = 0; t < T; t++) {
    real *y = qkv + (size_t)t * Ch;
    mul(y, taps, raw + (size_t)t * Ch, Ch);
    for (int j = 1; j < C; j++) muladd(y, taps + (size_t)j * Ch, raw + (size_t)(t + j) * Ch, Ch);
    copy_to(trace->mixed ? trace->mixed + (size_t)t * Ch : NULL, y, Ch);
    silu(y, y, Ch);
  }
  for (int j = 0; j < past; j++)
    for (int i = 0; i < Ch; i++) state->conv[i * past + j] = raw[(size_t)(T + j) * Ch + i];

  /* 3 normalise every q and k head; q carries 1/sqrt(dk) */
  for (int t = 0; t < T; t++)
    for (int h = 0; h < Hk; h++) {
      l2norm(qkv + (size_t)t * Ch + h * dk, dk, 1 / sqrt((real)dk));
      l2norm(qkv + (size_t)t * Ch + (Hk + h) * dk, dk, 1);
    }

  copy_to(trace->normed, qkv, (size_t)T * Ch);

  /* 4 write strength beta = sigmoid(b), decay = e^g with g = -e^A_log softplus(a + dt_bias) */
  sigmoid(beta, beta, T * Hv);
  for (int th = 0; th < T * Hv; th++) decay[th] = exp(-exp(a_log[th % Hv]) * softplus(decay[th] + dt_bias[th % Hv]));

  /* 5 the delta rule, token by token: decay, read with k, correct, write, read with q */
  for (int h = 0; h < Hv; h++) {
    real *table = state->table + (size_t)h * dk * dv;
    for (int t = 0; t < T; t++) {
      const real *row = qkv + (size_t)t * Ch;
      const real *q = row + h * Hk / Hv * dk, *k = q + (size_t)Hk * dk, *v = row + 2 * (size_t)Hk * dk + h * dv;
      delta_step(table, core + (size_t)(t * Hv + h) * dv, correction, q, k, v, decay[t * Hv + h], beta[t * Hv + h], dk,
                 dv);
    }
  }

  /* 6 gated norm: norm first, then silu(z) */
  silu(z, z, T * width);
  for (int th = 0; th < T * Hv; th++) {
    rmsnorm(heads + (size_t)th * dv, core + (size_t)th * dv, norm, 0, l->eps, dv);
    if (zero && zero[th % Hv])
      for (int i = 0; i < dv; i++) heads[(size_t)th * dv + i] = 0;
  }
  mul(heads, heads, z, T * width);

  /* 7 merge and project */
  gemm(out, N, heads, width, &l->out, T);

  copy_to(c->beta, beta, (size_t)T * Hv);
  copy_to(c->decay, decay, (size_t)T * Hv);
  copy_to(c->core, core, (size_t)T * width);
  copy_to(c->zgate, z, (size_t)T * width);
  copy_to(c->table, state->table, (size_t)Hv * dk * dv);
  copy_to(c->conv, state->conv, (size_t)Ch * past);
  if (c->contribution) head_contributions(c->contribution, &l->out, heads, T, Hv, dv, added);
  scratch->used = mark;
  return ATTN_OK;
}
