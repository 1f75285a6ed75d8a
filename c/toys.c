#include "toys.h"
#include "attention.h"
#include "errors.h"
#include "kernels.h"

int toy_attention(const real *q, const real *k, const real *v, int queries, int keys, int dim, int value_dim,
                  int causal, real scale, real *scores, real *probs, real *out, Arena *scratch) {
  if (queries < 1 || keys < 1 || dim < 1 || value_dim < 1 || (causal && queries > keys)) return ATTN_E_SHAPE;
  AttendPlan plan = {queries, keys, 1, 1, dim, value_dim, dim, value_dim, causal, scale, NULL, NULL, scores, probs};
  return attend(&plan, out, q, k, v, scratch);
}

void toy_gate(const real *x, const real *w_gate, const real *head_out, int features, int heads, int dim, real *z,
              real *gate, real *out) {
  int n = heads * dim;
  gemm_nn(z, n, x, features, w_gate, n, 1, features, n);
  sigmoid(gate, z, n);
  mul(out, head_out, gate, n);
}

void toy_gate_sgd(const real *x, const real *residual, const real *head_out, const real *target, const real *w0, int n,
                  int features, int steps, real learning_rate, real *w, real *gate, real *loss, real *grad) {
  for (int j = 0; j < features; j++) w[j] = w0[j];
  for (int s = 0; s <= steps; s++) {
    real *ws = w + (size_t)s * features, *gs = gate + (size_t)s * n, *ds = grad + (size_t)s * features;
    loss[s] = 0;
    for (int j = 0; j < features; j++) ds[j] = 0;
    for (int i = 0; i < n; i++) {
      const real *xi = x + (size_t)i * features;
      real z = dot(xi, ws, features);
      sigmoid(&gs[i], &z, 1);
      real g = gs[i], error = residual[i] + g * head_out[i] - target[i];
      loss[s] += error * error / 2;
      axpy(ds, error * head_out[i] * g * (1 - g), xi, features);
    }
    if (s < steps)
      for (int j = 0; j < features; j++) ws[features + j] = ws[j] - learning_rate * ds[j];
  }
}
