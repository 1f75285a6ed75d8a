#include "train/optimizer.h"
#include "elementary.h"
#include "kernels.h"
#include <tgmath.h>

static const real BETA1 = (real)0.9, BETA2 = (real)0.999, EPS = (real)1e-8;

real clip_gradients(real *grads, int n, real limit) {
  real length = sqrt(dot(grads, grads, n));
  if (limit > 0 && length > limit)
    for (int i = 0; i < n; i++) grads[i] *= limit / length;
  return length;
}

void sgd_update(real *w, const real *dw, int n, real rate, real decay) {
  for (int i = 0; i < n; i++) w[i] -= rate * (dw[i] + decay * w[i]);
}

void adamw_update(real *w, const real *dw, real *m, real *v, int n, real rate, real decay, int step) {
  real m_share = (real)(1 - power(0.9, step)), v_share = (real)(1 - power(0.999, step));
  for (int i = 0; i < n; i++) {
    m[i] = BETA1 * m[i] + (1 - BETA1) * dw[i];
    v[i] = BETA2 * v[i] + (1 - BETA2) * dw[i] * dw[i];
    w[i] -= rate * (m[i] / m_share / (sqrt(v[i] / v_share) + EPS) + decay * w[i]);
  }
}
