#include "train/attention_backward.h"
#include "errors.h"
#include "kernels.h"
#include "train/backward.h"
#include <tgmath.h>

double attention_backward_scratch(const AttentionLayer *l, int T) {
  double Hd = (double)l->heads * l->head_dim, Kd = (double)l->kv_heads * l->head_dim;
  int pairs = l->rotary / 2;
  return 3 * arena_cost(T * Hd) + arena_cost(T * Hd * 2) + 3 * arena_cost(T * Kd) + arena_cost((double)T * T) +
         2 * arena_cost((double)T * pairs);
}

/* In place: the gradient of the shares p of one query becomes that of its
 * scores, times scale. With a pool in the denominator the row sums to less than
 * 1, and the pool's own logit gets what is missing; returns that. */
static real softmax_backward(real *dp, const real *p, int n, real scale) {
  real mean = dot(p, dp, n), sum = 0;
  for (int i = 0; i < n; i++) {
    sum += p[i];
    dp[i] = p[i] * (dp[i] - mean) * scale;
  }
  return -(1 - sum) * mean;
}

int attention_backward(const AttentionLayer *l, const AttentionLayer *dl, const AttentionCaptures *c, const real *x,
                       int T, const real *dout, real *dx, Arena *scratch) {
  int H = l->heads, K = l->kv_heads, d = l->head_dim, half = l->rotary / 2, group = H / K;
  int own = l->gated ? 2 * d : d; /* rows of q_proj that belong to one head */
  size_t queries = (size_t)T * H * d, keys = (size_t)T * K * d;

  size_t mark = scratch->used;
  real *heads = arena_take(scratch, queries);                   /* (T, H, d) what o_proj reads */
  real *dheads = arena_zeros(scratch, queries);                 /* (T, H, d) */
  real *dq = arena_take(scratch, queries);                      /* (T, H, d) */
  real *dprojected = arena_zeros(scratch, (size_t)T * H * own); /* (T, H, [d query | d gate]) */
  real *dk = arena_zeros(scratch, keys);                        /* (T, K, d) */
  real *dv = arena_zeros(scratch, keys);                        /* (T, K, d) */
  real *dk_proj = arena_zeros(scratch, keys);                   /* (T, K, d) */
  real *dscores = arena_take(scratch, (size_t)T * T);           /* (T, T) of one head */
  real *cosines = arena_take(scratch, (size_t)T * half), *sines = arena_take(scratch, (size_t)T * half);
  if (!heads || !dheads || !dq || !dprojected || !dk || !dv || !dk_proj || !dscores || !cosines || !sines)
    return ATTN_E_SCRATCH;

  /* 7 merge and project */
  copy_to(heads, c->head_out, queries);
  if (l->gated) mul(heads, heads, c->gate, (int)queries);
  linear_backward(&l->o_proj, &dl->o_proj, heads, dout, T, dheads);

  /* 6 gate: sigmoid' = g (1 - g) */
  if (l->gated)
    for (size_t i = 0; i < queries; i++) {
      real g = c->gate[i];
      dprojected[i / d * own + d + i % d] = dheads[i] * c->head_out[i] * g * (1 - g);
      dheads[i] *= g;
    }

  /* 5 mix, softmax, score: the query heads of a group add to one key and value
   * head */
  for (int h = 0; h < H; h++) {
    int kv = h / group;
    const real *probs = c->probs + (size_t)h * T * T, *dmixed = dheads + (size_t)h * d;
    Mat values = mat_of(c->v + (size_t)kv * d, T, d, K * d);
    gemm(dscores, T, dmixed, H * d, &values, T);
    gemm_tn(dv + (size_t)kv * d, K * d, probs, T, dmixed, H * d, T, T, d);
    for (int t = 0; t < T; t++) {
      real dpool = softmax_backward(dscores + (size_t)t * T, probs + (size_t)t * T, T, 1 / sqrt((real)d));
      if (l->cure == CURE_SINK_LOGIT) numbers(&dl->sink)[h] += dpool;
    }
    gemm_nn(dq + (size_t)h * d, H * d, dscores, T, c->k + (size_t)kv * d, K * d, T, T, d);
    gemm_tn(dk + (size_t)kv * d, K * d, dscores, T, c->q + (size_t)h * d, H * d, T, T, d);
  }

  /* 4 rotate back: the twin of a rotation is the opposite rotation */
  rope_table(cosines, sines, 0, T, l->rotary, (double)l->rope_theta);
  for (int i = 0; i < T * half; i++) sines[i] = -sines[i];
  for (int th = 0; th < T * H; th++)
    rope(dq + (size_t)th * d, cosines + (size_t)(th / H) * half, sines + (size_t)(th / H) * half, half);
  for (int tj = 0; tj < T * K; tj++)
    rope(dk + (size_t)tj * d, cosines + (size_t)(tj / K) * half, sines + (size_t)(tj / K) * half, half);

  /* 3 normalise and 2 split */
  real bias = l->zero_centred ? 1 : 0;
  for (size_t th = 0; th < (size_t)T * H; th++) {
    if (l->qk_norm)
      rmsnorm_backward(dprojected + th * own, numbers(&dl->q_norm), dq + th * d, c->q_proj + th * d, l->q_norm.data,
                       bias, l->eps, d);
    else
      copy_to(dprojected + th * own, dq + th * d, d);
  }
  for (size_t tj = 0; tj < (size_t)T * K; tj++) {
    if (l->qk_norm)
      rmsnorm_backward(dk_proj + tj * d, numbers(&dl->k_norm), dk + tj * d, c->k_proj + tj * d, l->k_norm.data, bias,
                       l->eps, d);
    else
      copy_to(dk_proj + tj * d, dk + tj * d, d);
  }

  /* 1 project */
  linear_backward(&l->q_proj, &dl->q_proj, x, dprojected, T, dx);
  linear_backward(&l->k_proj, &dl->k_proj, x, dk_proj, T, dx);
  linear_backward(&l->v_proj, &dl->v_proj, x, dv, T, dx);
  scratch->used = mark;
  return ATTN_OK;
}
