#include "attention.h"
#include "contribution.h"
#include "errors.h"
#include "kernels.h"
#include <tgmath.h>

/* Rows of scores worked on at a time: enough to fill the register tiles, few enough to stay in cache. */
enum { SCORE_ROWS = 32 };

int attention_check(const AttentionLayer *l) {
  int N = l->hidden, H = l->heads, K = l->kv_heads, d = l->head_dim;
  if (N <= 0 || H <= 0 || K <= 0 || d <= 0 || H % K || l->rotary < 0 || l->rotary > d || l->rotary % 2)
    return ATTN_E_SHAPE;
  int good = mat_is(&l->q_proj, H * d * (l->gated ? 2 : 1), N) && mat_is(&l->k_proj, K * d, N) &&
             mat_is(&l->v_proj, K * d, N) && mat_is(&l->o_proj, N, H * d);
  if (l->qk_norm) good = good && mat_is(&l->q_norm, 1, d) && mat_is(&l->k_norm, 1, d);
  if (l->cure == CURE_SINK_LOGIT) good = good && mat_is(&l->sink, 1, H);
  return good ? ATTN_OK : ATTN_E_SHAPE;
}

/* ---- score, mask, softmax, mix ---- */

static int attend_block(const AttendPlan *p) {
  int group = p->heads / p->kv_heads;
  int tokens = SCORE_ROWS / group > 0 ? SCORE_ROWS / group : 1;
  return tokens < p->T ? tokens : p->T;
}

double attend_scratch(const AttendPlan *p) {
  int group = p->heads / p->kv_heads;
  double rows = (double)attend_block(p) * group;
  return arena_cost(rows * p->head_dim) + arena_cost(rows * p->S) + arena_cost(rows * p->value_dim);
}

int attend(const AttendPlan *p, real *out, const real *q, const real *k, const real *v, Arena *scratch) {
  int T = p->T, S = p->S, H = p->heads, d = p->head_dim, dv = p->value_dim, group = H / p->kv_heads;
  int block = attend_block(p), past = S - T;
  size_t mark = scratch->used;
  real *q_rows = arena_take(scratch, (size_t)block * group * d); /* (block, group, d), already scaled */
  real *shares = arena_take(scratch, (size_t)block * group * S); /* (block, group, S) */
  real *mixed = arena_take(scratch, (size_t)block * group * dv); /* (block, group, dv) */
  if (!q_rows || !shares || !mixed) return ATTN_E_SCRATCH;

  for (int kv = 0; kv < p->kv_heads; kv++) {
    for (int t0 = 0; t0 < T; t0 += block) {
      int tokens = T - t0 < block ? T - t0 : block, rows = tokens * group;
      int visible = p->causal ? past + t0 + tokens : S; /* keys that any of these queries can see */

      /* gather and scale: softmax(q k / sqrt(d)), arXiv 1706.03762 eq. 1 */
      for (int r = 0; r < rows; r++) {
        const real *q_th = q + ((size_t)(t0 + r / group) * H + kv * group + r % group) * d;
        for (int i = 0; i < d; i++) q_rows[(size_t)r * d + i] = q_th[i] * p->scale;
      }
      Mat keys = mat_of(k + (size_t)kv * d, visible, d, p->kv_stride);
      gemm(shares, S, q_rows, d, &keys, rows);

      for (int r = 0; r < rows; r++) {
        int t = t0 + r / group, h = kv * group + r % group;
        int seen = p->causal ? past + t + 1 : S;
        real *row = shares + (size_t)r * S;
        for (int s = seen; s < S; s++) row[s] = -(real)INFINITY;
        if (p->hide_first && p->hide_first[h] && past + t > 0) row[0] = -(real)INFINITY;
        if (p->scores)
          for (int s = 0; s < S; s++) p->scores[((size_t)h * T + t) * S + s] = row[s];
        softmax(row, seen, p->sink ? p->sink[h] : -(real)INFINITY);
        for (int s = seen; s < S; s++) row[s] = 0;
        if (p->probs)
          for (int s = 0; s < S; s++) p->probs[((size_t)h * T + t) * S + s] = row[s];
      }

      gemm_nn(mixed, dv, shares, S, v + (size_t)kv * dv, p->v_stride, rows, visible, dv);
      for (int r = 0; r < rows; r++) {
        real *out_th = out + ((size_t)(t0 + r / group) * H + kv * group + r % group) * dv;
        for (int i = 0; i < dv; i++) out_th[i] = mixed[(size_t)r * dv + i];
      }
    }
  }
  scratch->used = mark;
  return ATTN_OK;
}

/* ---- the layer ---- */

static AttendPlan plan_of(const AttentionLayer *l, int T, int S) {
  AttendPlan p = {T,
                  S,
                  l->heads,
                  l->kv_heads,
                  l->head_dim,
                  l->head_dim,
                  l->kv_heads * l->head_dim,
                  l->kv_heads * l->head_dim,
                  1,
                  1 / sqrt((real)l->head_dim),
                  NULL,
                  NULL,
                  NULL,
                  NULL};
  return p;
}

double attention_scratch(const AttentionLayer *l, const AttentionEdits *edits, int T, int S) {
  double Hd = (double)l->heads * l->head_dim, Kd = (double)l->kv_heads * l->head_dim;
  int pairs = l->rotary / 2;
  AttendPlan p = plan_of(l, T, S);
  return 2 * arena_cost(l->head_dim) + 2 * arena_cost((double)T * pairs) + arena_cost(l->heads) +
         arena_cost(T * Hd * (l->gated ? 2 : 1)) + 3 * arena_cost(T * Hd) +
         2 * arena_cost(edits && edits->kv_mean ? S * Kd : 0) + arena_cost((double)T * l->hidden) + attend_scratch(&p);
}

/* Every K head and every V head of every token becomes the mean over heads: multi-query attention by force. */
static void mean_heads(real *out, const real *in, int S, int K, int d) {
  for (int s = 0; s < S; s++)
    for (int i = 0; i < d; i++) {
      real sum = 0;
      for (int j = 0; j < K; j++) sum += in[((size_t)s * K + j) * d + i];
      for (int j = 0; j < K; j++) out[((size_t)s * K + j) * d + i] = sum / K;
    }
}

int attention_forward(const AttentionLayer *l, const AttentionEdits *edits, KvCache *cache, const real *x, int T,
                      real *out, AttentionCaptures *captures, Arena *scratch) {
  static const AttentionEdits no_edits = {NULL, NULL, NULL, 0};
  AttentionCaptures no_captures = {0}, *c = captures ? captures : &no_captures;
  const AttentionEdits *e = edits ? edits : &no_edits;
  int N = l->hidden, H = l->heads, K = l->kv_heads, d = l->head_dim, half = l->rotary / 2;
  int P = cache->len, S = P + T, q_width = H * d * (l->gated ? 2 : 1);
  real bias = l->zero_centred ? 1 : 0;
  if (S > cache->capacity) return ATTN_E_FULL;

  size_t mark = scratch->used;
  real *q_norm = arena_take(scratch, d), *k_norm = arena_take(scratch, d);
  real *cosines = arena_take(scratch, (size_t)T * half), *sines = arena_take(scratch, (size_t)T * half);
  real *sink = arena_take(scratch, H);
  real *projected = arena_take(scratch, (size_t)T * q_width); /* (T, H, [query d | gate d]) */
  real *q = arena_take(scratch, (size_t)T * H * d);           /* (T, H, d) */
  real *gate = arena_take(scratch, (size_t)T * H * d);        /* (T, H, d) */
  real *heads = arena_take(scratch, (size_t)T * H * d);       /* (T, H, d) */
  real *mean_k = arena_take(scratch, e->kv_mean ? (size_t)S * K * d : 0);
  real *mean_v = arena_take(scratch, e->kv_mean ? (size_t)S * K * d : 0);
  real *added = arena_take(scratch, (size_t)T * N);
  if (!q_norm || !k_norm || !cosines || !sines || !sink || !projected || !q || !gate || !heads || !mean_k || !mean_v ||
      !added)
    return ATTN_E_SCRATCH;
  real *k = cache->k + (size_t)P * K * d, *v = cache->v + (size_t)P * K * d; /* (T, K, d): the new rows of the cache */

  /* 1 project */
  gemm(projected, q_width, x, N, &l->q_proj, T);
  gemm(k, K * d, x, N, &l->k_proj, T);
  gemm(v, K * d, x, N, &l->v_proj, T);

  /* 2 split: head h owns the rows [query d | gate d], so a gate always travels with its head */
  for (int th = 0; th < T * H; th++) {
    const real *own = projected + (size_t)th * (l->gated ? 2 * d : d);
    copy_to(q + (size_t)th * d, own, d);
    if (l->gated) copy_to(gate + (size_t)th * d, own + d, d);
  }
  copy_to(c->q_proj, q, (size_t)T * H * d);
  copy_to(c->k_proj, k, (size_t)T * K * d);
  copy_to(c->v, v, (size_t)T * K * d);

  /* 3 normalise every q and k head; values and gates are left alone (Qwen3, QK-norm: arXiv 2010.04245) */
  if (l->qk_norm) {
    expand(q_norm, l->q_norm.data, l->q_norm.dtype, d);
    expand(k_norm, l->k_norm.data, l->k_norm.dtype, d);
    for (int i = 0; i < T * H; i++) rmsnorm(q + (size_t)i * d, q + (size_t)i * d, q_norm, bias, l->eps, d);
    for (int i = 0; i < T * K; i++) rmsnorm(k + (size_t)i * d, k + (size_t)i * d, k_norm, bias, l->eps, d);
  }
  copy_to(c->q_normed, q, (size_t)T * H * d);
  copy_to(c->k_normed, k, (size_t)T * K * d);

  /* 4 rotate the first `rotary` dimensions by position */
  rope_table(cosines, sines, P, T, l->rotary, (double)l->rope_theta);
  for (int t = 0; t < T; t++) {
    const real *ct = cosines + (size_t)t * half, *st = sines + (size_t)t * half;
    for (int h = 0; h < H; h++) rope(q + ((size_t)t * H + h) * d, ct, st, half);
    for (int j = 0; j < K; j++) rope(k + ((size_t)t * K + j) * d, ct, st, half);
  }

  /* 5 score, mask, softmax, mix */
  const real *keys = cache->k, *values = cache->v;
  if (e->kv_mean) {
    mean_heads(mean_k, cache->k, S, K, d);
    mean_heads(mean_v, cache->v, S, K, d);
    keys = mean_k;
    values = mean_v;
    copy_to(c->v, mean_v + (size_t)P * K * d, (size_t)T * K * d);
  }
  copy_to(c->q, q, (size_t)T * H * d);
  copy_to(c->k, keys + (size_t)P * K * d, (size_t)T * K * d);
  AttendPlan plan = plan_of(l, T, S);
  plan.hide_first = e->hide_first;
  plan.scores = c->scores;
  plan.probs = c->probs;
  if (l->cure != CURE_NONE) {
    for (int h = 0; h < H; h++) sink[h] = 0; /* "+1" in the denominator: Miller 2023, Attention Is Off By One */
    if (l->cure == CURE_SINK_LOGIT) expand(sink, l->sink.data, l->sink.dtype, H);
    plan.sink = sink;
  }
  int code = attend(&plan, heads, q, keys, values, scratch);
  if (code) return code;
  copy_to(c->head_out, heads, (size_t)T * H * d);
  if (e->zero)
    for (int th = 0; th < T * H; th++)
      if (e->zero[th % H])
        for (int i = 0; i < d; i++) heads[(size_t)th * d + i] = 0;
  if (c->contribution_ungated) head_contributions(c->contribution_ungated, &l->o_proj, heads, T, H, d, added);

  /* 6 gate: the current token alone decides, element by element, how much of each head leaves */
  if (l->gated) {
    sigmoid(gate, gate, T * H * d);
    if (e->gate)
      for (int th = 0; th < T * H; th++)
        if (!isnan(e->gate[th % H]))
          for (int i = 0; i < d; i++) gate[(size_t)th * d + i] = e->gate[th % H];
    copy_to(c->gate, gate, (size_t)T * H * d);
    mul(heads, heads, gate, T * H * d);
  }
  if (c->contribution) head_contributions(c->contribution, &l->o_proj, heads, T, H, d, added);

  /* 7 merge and project: heads lie side by side already, so one product is the sum of all contributions */
  gemm(out, N, heads, H * d, &l->o_proj, T);
  cache->len = S;
  scratch->used = mark;
  return ATTN_OK;
}
