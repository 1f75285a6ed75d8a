#include "contribution.h"
#include "kernels.h"
#include <tgmath.h>

void head_contributions(real *norms, const Mat *w, const real *heads, int T, int H, int d, real *scratch) {
  int N = w->rows;
  for (int h = 0; h < H; h++) {
    Mat strip = mat_columns(w, h * d, d);
    gemm(scratch, N, heads + (size_t)h * d, H * d, &strip, T);
    for (int t = 0; t < T; t++) norms[t * H + h] = sqrt(dot(scratch + (size_t)t * N, scratch + (size_t)t * N, N));
  }
}
