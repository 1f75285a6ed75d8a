/* mlp.h - the SwiGLU block behind every mixer: down(silu(gate x) * up x). Source: Shazeer, arXiv 2002.05202. */
#ifndef ATTN_MLP_H
#define ATTN_MLP_H

#include "arena.h"

typedef struct {
  Mat gate; /* (M, N) */
  Mat up;   /* (M, N) */
  Mat down; /* (N, M) */
} MlpLayer;

/* Bytes of arena for T tokens. */
double mlp_scratch(const MlpLayer *l, int T);

/* out (T, N) for x (T, N), the normed residual stream. ATTN_OK, ATTN_E_SHAPE or ATTN_E_SCRATCH. */
int mlp_forward(const MlpLayer *l, const real *x, int T, real *out, Arena *scratch);

/* The same, keeping what c/train/mlp_backward.h asks for. gate and up may be NULL. */
typedef struct {
  real *gate; /* (T, M) gate x, before silu */
  real *up;   /* (T, M) up x */
} MlpTrace;
int mlp_forward_traced(const MlpLayer *l, const real *x, int T, real *out, const MlpTrace *trace, Arena *scratch);

#endif
