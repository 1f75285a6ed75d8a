#include "train/mlp_backward.h"
#include "errors.h"
#include "kernels.h"
#include "train/backward.h"

double mlp_backward_scratch(const MlpLayer *l, int T) {
  return 4 * arena_cost((double)T * l->gate.rows);
}

int mlp_backward(const MlpLayer *l, const MlpLayer *dl, const MlpTrace *trace, const real *x, int T, const real *dout,
                 real *dx, Arena *scratch) {
  int n = T * l->gate.rows;
  size_t mark = scratch->used;
  real *sigma = arena_take(scratch, n);   /* (T, M) sigmoid(gate x) */
  real *inner = arena_take(scratch, n);   /* (T, M) what down reads, then silu(gate x) */
  real *dgate = arena_take(scratch, n);   /* (T, M) */
  real *dinner = arena_zeros(scratch, n); /* (T, M), then d up */
  if (!sigma || !inner || !dgate || !dinner) return ATTN_E_SCRATCH;
  sigmoid(sigma, trace->gate, n);
  mul(inner, trace->gate, sigma, n);
  mul(inner, inner, trace->up, n);
  linear_backward(&l->down, &dl->down, inner, dout, T, dinner);
  mul(dgate, dinner, trace->up, n);
  silu_backward(dgate, trace->gate, sigma, n);
  real *opened = inner, *dup = dinner;
  mul(opened, trace->gate, sigma, n);
  mul(dup, dinner, opened, n);
  linear_backward(&l->gate, &dl->gate, x, dgate, T, dx);
  linear_backward(&l->up, &dl->up, x, dup, T, dx);
  scratch->used = mark;
  return ATTN_OK;
}
