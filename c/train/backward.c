#include "train/backward.h"
#include "kernels.h"
#include <tgmath.h>

real *arena_zeros(Arena *a, size_t n) {
  real *zeros = arena_take(a, n);
  if (zeros)
    for (size_t i = 0; i < n; i++) zeros[i] = 0;
  return zeros;
}

void linear_backward(const Mat *w, const Mat *dw, const real *x, const real *dy, int T, real *dx) {
  int R = w->rows, n = w->cols;
  gemm_tn(numbers(dw), n, dy, R, x, n, T, R, n);
  gemm_nn_add(dx, n, dy, R, w->data, n, T, R, n);
}

void rmsnorm_backward(real *dx, real *dw, const real *dy, const real *x, const real *w, real bias, real eps, int n) {
  real r = 1 / sqrt(dot(x, x, n) / n + eps), along = 0;
  for (int i = 0; i < n; i++) along += dy[i] * (bias + w[i]) * x[i];
  along *= r * r / n; /* the part of dy that would only lengthen x does nothing */
  for (int i = 0; i < n; i++) {
    dw[i] += dy[i] * x[i] * r;
    dx[i] += r * (dy[i] * (bias + w[i]) - along * x[i]);
  }
}

void norm_backward(const Mat *w, const Mat *dw, int zero_centred, real eps, const real *x, int T, const real *dy,
                   real *dx) {
  int n = w->cols;
  for (int t = 0; t < T; t++) {
    size_t row = (size_t)t * n;
    rmsnorm_backward(dx + row, numbers(dw), dy + row, x + row, w->data, zero_centred ? 1 : 0, eps, n);
  }
}

void silu_backward(real *dx, const real *x, const real *sigma, int n) {
  for (int i = 0; i < n; i++) dx[i] *= sigma[i] * (1 + x[i] * (1 - sigma[i]));
}
