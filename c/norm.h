/* norm.h - RMSNorm of the residual stream (arXiv 1910.07467): the norm in front of a mixer, of an MLP, of the logits.
 */
#ifndef ATTN_NORM_H
#define ATTN_NORM_H

#include "arena.h"

/* out[t] = x[t] / sqrt(mean(x[t]^2) + eps) * (1 + w) when zero_centred, else * w. x, out (T, n); w (1, n) as stored.
 * out may be x. ATTN_OK, ATTN_E_SHAPE (w is not (1, n)) or ATTN_E_SCRATCH (needs arena_cost(n)). */
int norm_forward(const Mat *w, int zero_centred, real eps, const real *x, int T, int n, real *out, Arena *scratch);

#endif
