#include "mlp.h"
#include "errors.h"
#include "kernels.h"

double mlp_scratch(const MlpLayer *l, int T) {
  return 2 * arena_cost((double)T * l->gate.rows);
}

int mlp_forward(const MlpLayer *l, const real *x, int T, real *out, Arena *scratch) {
  static const MlpTrace no_trace = {NULL, NULL};
  return mlp_forward_traced(l, x, T, out, &no_trace, scratch);
}

int mlp_forward_traced(const MlpLayer *l, const real *x, int T, real *out, const MlpTrace *trace, Arena *scratch) {
  int N = l->gate.cols, M = l->gate.rows;
  if (l->up.rows != M || l->up.cols != N || l->down.rows != N || l->down.cols != M) return ATTN_E_SHAPE;
  size_t mark = scratch->used;
  real *gate = arena_take(scratch, (size_t)T * M), *up = arena_take(scratch, (size_t)T * M);
  if (!gate || !up) return ATTN_E_SCRATCH;
  gemm(gate, M, x, N, &l->gate, T);
  gemm(up, M, x, N, &l->up, T);
  copy_to(trace->gate, gate, (size_t)T * M);
  copy_to(trace->up, up, (size_t)T * M);
  silu(gate, gate, T * M);
  mul(gate, gate, up, T * M);
  gemm(out, N, gate, M, &l->down, T);
  scratch->used = mark;
  return ATTN_OK;
}
