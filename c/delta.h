/* delta.h - Gated DeltaNet, the mixer of a linear-attention layer: a table per head that is read, corrected and
 * rewritten with every token and never grows. Source: Yang et al., arXiv 2412.06464.
 *
 * Letters: T new tokens, N hidden size, Hk key heads of dk, Hv value heads of dv, C conv taps,
 * Ch = 2*Hk*dk + Hv*dv channels [q | k | v]. Value head h uses key head h / (Hv / Hk). */
#ifndef ATTN_DELTA_H
#define ATTN_DELTA_H

#include "arena.h"

typedef struct {
  int32_t hidden;      /* N */
  int32_t key_heads;   /* Hk */
  int32_t value_heads; /* Hv, a multiple of Hk */
  int32_t key_dim;     /* dk */
  int32_t value_dim;   /* dv */
  int32_t kernel;      /* C */
  real eps;            /* of the gated norm; the l2 norms use 1e-6, fixed */
  Mat qkv;             /* (Ch, N) */
  Mat z;               /* (Hv*dv, N) */
  Mat b;               /* (Hv, N) */
  Mat a;               /* (Hv, N) */
  Mat conv;            /* (Ch, C); tap C-1 multiplies the current token */
  Mat a_log;           /* (1, Hv) */
  Mat dt_bias;         /* (1, Hv) */
  Mat norm;            /* (1, dv) plain weight, not 1 + w */
  Mat out;             /* (N, Hv*dv) */
} DeltaLayer;

/* All that a layer remembers of the text so far. Zeros at the start. */
typedef struct {
  real *conv;  /* (Ch, C-1) raw projections of the last tokens, oldest first */
  real *table; /* (Hv, dk, dv) */
} DeltaState;

/* Each array is written when its pointer is not NULL. Field order = web/engine/captures.js. */
typedef struct {
  real *beta;         /* (T, Hv) write strength */
  real *decay;        /* (T, Hv) e^g */
  real *core;         /* (T, Hv, dv) read-out before the gated norm */
  real *zgate;        /* (T, Hv, dv) silu(z) */
  real *contribution; /* (T, Hv) |W_out[:, head] head| */
  real *table;        /* (Hv, dk, dv) after the last token */
  real *conv;         /* (Ch, C-1) after the last token */
} DeltaCaptures;

/* ATTN_OK or ATTN_E_SHAPE. */
int delta_check(const DeltaLayer *l);

/* Bytes of arena for T new tokens. */
double delta_scratch(const DeltaLayer *l, int T);

/* out (T, N) = mixer output for x (T, N), the normed residual stream. zero (Hv) or NULL: nonzero silences that head
 * before out_proj. The state is advanced by T tokens. ATTN_OK or ATTN_E_SCRATCH (then the state is untouched). */
int delta_forward(const DeltaLayer *l, const real *zero, DeltaState *state, const real *x, int T, real *out,
                  DeltaCaptures *captures, Arena *scratch);

/* The same, keeping what c/train/delta_backward.h asks for. Each array is written when its pointer is not NULL. */
typedef struct {
  real *raw;    /* (C-1 + T, Ch) projections, the remembered tokens first */
  real *mixed;  /* (T, Ch) after the convolution, before silu */
  real *normed; /* (T, Ch) q and k of length 1 (q over sqrt(dk)), v */
  real *z;      /* (T, Hv, dv) before silu */
  real *a;      /* (T, Hv) as projected */
} DeltaTrace;
int delta_forward_traced(const DeltaLayer *l, const real *zero, DeltaState *state, const real *x, int T, real *out,
                         DeltaCaptures *captures, const DeltaTrace *trace, Arena *scratch);

#endif
