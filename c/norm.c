#include "norm.h"
#include "errors.h"
#include "kernels.h"

int norm_forward(const Mat *w, int zero_centred, real eps, const real *x, int T, int n, real *out, Arena *scratch) {
  if (!w->data || w->rows != 1 || w->cols != n) return ATTN_E_SHAPE;
  size_t mark = scratch->used;
  real *weight = arena_take(scratch, n);
  if (!weight) return ATTN_E_SCRATCH;
  expand(weight, w->data, w->dtype, n);
  for (int t = 0; t < T; t++) rmsnorm(out + (size_t)t * n, x + (size_t)t * n, weight, zero_centred ? 1 : 0, eps, n);
  scratch->used = mark;
  return ATTN_OK;
}
