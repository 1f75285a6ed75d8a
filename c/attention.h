/* attention.h - gated grouped-query attention, the mixer of a full-attention layer.
 *
 * Letters: T new tokens, P tokens already in the cache, S = P + T keys, N hidden size, H query heads, K key/value
 * heads, d head size. Query head h reads key/value head h / (H / K). Source: Qwen3.5's self_attn; gate: Qiu et al.,
 * arXiv 2505.06708; GQA: Ainslie et al., arXiv 2305.13245. */
#ifndef ATTN_ATTENTION_H
#define ATTN_ATTENTION_H

#include "arena.h"

/* A pool of the softmax that lets a row sum to less than 1 (only in lab models; 0 in Qwen). */
enum { CURE_NONE = 0, CURE_PLUS_ONE = 1, CURE_SINK_LOGIT = 2 };

typedef struct {
  int32_t hidden;       /* N */
  int32_t heads;        /* H, a multiple of kv_heads */
  int32_t kv_heads;     /* K; K = H is multi-head, K = 1 multi-query attention */
  int32_t head_dim;     /* d */
  int32_t rotary;       /* the first `rotary` of the d dimensions turn with the position; even, 0 = none */
  int32_t gated;        /* 1: q_proj has 2d rows per head, d query then d gate logits */
  int32_t zero_centred; /* 1: norm weights are stored as w of (1 + w) */
  int32_t qk_norm;      /* 1: RMSNorm on every q and k head before the rotation */
  int32_t cure;         /* CURE_... */
  real rope_theta;
  real eps;   /* of q_norm and k_norm */
  Mat q_proj; /* (H*d or H*2d, N) */
  Mat k_proj; /* (K*d, N) */
  Mat v_proj; /* (K*d, N) */
  Mat o_proj; /* (N, H*d) */
  Mat q_norm; /* (1, d), read only with qk_norm */
  Mat k_norm; /* (1, d) */
  Mat sink;   /* (1, H), read only with CURE_SINK_LOGIT */
} AttentionLayer;

/* Keys after norm and rotation, and values, of every token so far. */
typedef struct {
  real *k;     /* (capacity, K, d) */
  real *v;     /* (capacity, K, d) */
  int32_t len; /* P; attention_forward adds T */
  int32_t capacity;
} KvCache;

/* What a reader changes in a running layer. Any pointer may be NULL = untouched. */
typedef struct {
  const real *gate;       /* (H) forced gate of the head, NaN = as computed; only with `gated` */
  const real *zero;       /* (H) nonzero: the head's output becomes 0 before o_proj */
  const real *hide_first; /* (H) nonzero: key 0 is masked for every query but the first */
  int32_t kv_mean;        /* 1: all K heads (after norm and rotation) and all V heads become their mean */
} AttentionEdits;

/* What a reader looks at. Each array is written when its pointer is not NULL. Field order = web/engine/captures.js. */
typedef struct {
  real *q_proj;               /* (T, H, d) as projected, the query half */
  real *k_proj;               /* (T, K, d) as projected */
  real *q_normed;             /* (T, H, d) after QK-norm */
  real *k_normed;             /* (T, K, d) */
  real *q;                    /* (T, H, d) after norm and rotation */
  real *k;                    /* (T, K, d) */
  real *v;                    /* (T, K, d) */
  real *scores;               /* (H, T, S) scaled; -INFINITY where masked */
  real *probs;                /* (H, T, S) 0 where masked */
  real *head_out;             /* (T, H, d) before the gate */
  real *gate;                 /* (T, H, d) after the sigmoid; only with `gated` */
  real *contribution;         /* (T, H) |W_o[:, head] (gated head)| */
  real *contribution_ungated; /* (T, H) the same without the gate */
} AttentionCaptures;

/* Checks that every size is positive, heads divide, and each matrix has the rows and columns above.
 * ATTN_OK or ATTN_E_SHAPE. */
int attention_check(const AttentionLayer *l);

/* Bytes of arena that attention_forward needs for T new tokens and S keys under these edits (NULL = none). */
double attention_scratch(const AttentionLayer *l, const AttentionEdits *edits, int T, int S);

/* out (T, N) = mixer output for x (T, N), the normed residual stream; the residual itself is not added. Tokens stand
 * at positions cache->len ... ; their keys and values are appended to the cache. `edits` and `captures` may be NULL.
 * Returns ATTN_OK, ATTN_E_FULL (cache too small, nothing written) or ATTN_E_SCRATCH. */
int attention_forward(const AttentionLayer *l, const AttentionEdits *edits, KvCache *cache, const real *x, int T,
                      real *out, AttentionCaptures *captures, Arena *scratch);

/* The middle of it: score, mask, softmax, mix, for queries that are already rotated.
 * q (T, H, d), k and v (S, K, d) with kv_stride numbers from token to token; query t stands at position S - T + t
 * when causal, else sees everything. sink (H) is the extra logit of the softmax, NULL = none. out (T, H, d).
 * All query heads of a group are scored together, so K and V are read once per group. */
typedef struct {
  int32_t T, S, heads, kv_heads, head_dim, value_dim, kv_stride, v_stride, causal;
  real scale;
  const real *sink;       /* (H) or NULL */
  const real *hide_first; /* (H) or NULL */
  real *scores;           /* (H, T, S) or NULL */
  real *probs;            /* (H, T, S) or NULL */
} AttendPlan;
double attend_scratch(const AttendPlan *p);
int attend(const AttendPlan *p, real *out, const real *q, const real *k, const real *v, Arena *scratch);

#endif
