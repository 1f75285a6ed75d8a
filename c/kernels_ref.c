/* kernels_ref.c - every kernel as plain loops: the definition the SIMD versions are tested against. */
#include "elementary.h"
#include "kernels.h"
#include <tgmath.h>

/* `-DATTN_SIMD` maps the plain names to the SIMD versions; here the reference versions call each other by full name. */

static real from_bf16(uint16_t h) {
  union {
    uint32_t u;
    float f;
  } v = {(uint32_t)h << 16};
  return v.f;
}

/* IEEE half: rebias by multiplying with 2^112, which is exact for subnormals too; exponent 31 is inf or NaN. */
static real from_f16(uint16_t h) {
  union {
    uint32_t u;
    float f;
  } v = {(uint32_t)(h & 0x7fff) << 13};
  v.f *= 0x1p112f;
  if ((h & 0x7c00) == 0x7c00) v.u |= 0x7f800000u;
  v.u |= (uint32_t)(h & 0x8000) << 16;
  return v.f;
}

static real element(const void *data, int dtype, size_t i) {
  switch (dtype) {
  case DT_BF16:
    return from_bf16(((const uint16_t *)data)[i]);
  case DT_F16:
    return from_f16(((const uint16_t *)data)[i]);
  case DT_F64:
    return (real)((const double *)data)[i];
  default:
    return ((const float *)data)[i];
  }
}

/* Sums are kept in double: a thousand float additions in a row would lose three digits. */
real dot_ref(const real *a, const real *b, int n) {
  double s = 0;
  for (int i = 0; i < n; i++) s += (double)a[i] * b[i];
  return (real)s;
}

void axpy_ref(real *y, real a, const real *x, int n) {
  for (int i = 0; i < n; i++) y[i] += a * x[i];
}

void expand_ref(real *out, const void *in, int dtype, int n) {
  for (int i = 0; i < n; i++) out[i] = element(in, dtype, (size_t)i);
}

void matvec_ref(real *out, const Mat *w, const real *x) {
  for (int r = 0; r < w->rows; r++) {
    double s = 0;
    for (int c = 0; c < w->cols; c++) s += (double)element(w->data, w->dtype, (size_t)r * w->ld + c) * x[c];
    out[r] = (real)s;
  }
}

void gemm_ref(real *out, int ldo, const real *x, int ldx, const Mat *w, int T) {
  for (int t = 0; t < T; t++) matvec_ref(out + (size_t)t * ldo, w, x + (size_t)t * ldx);
}

void gemm_nn_ref(real *out, int ldo, const real *p, int ldp, const real *v, int ldv, int T, int S, int n) {
  for (int t = 0; t < T; t++)
    for (int j = 0; j < n; j++) out[(size_t)t * ldo + j] = 0;
  gemm_nn_add_ref(out, ldo, p, ldp, v, ldv, T, S, n);
}

void gemm_nn_add_ref(real *out, int ldo, const real *p, int ldp, const real *v, int ldv, int T, int S, int n) {
  for (int t = 0; t < T; t++)
    for (int s = 0; s < S; s++) axpy_ref(out + (size_t)t * ldo, p[(size_t)t * ldp + s], v + (size_t)s * ldv, n);
}

void gemm_tn_ref(real *out, int ldo, const real *p, int ldp, const real *v, int ldv, int T, int R, int n) {
  for (int t = 0; t < T; t++)
    for (int r = 0; r < R; r++) axpy_ref(out + (size_t)r * ldo, p[(size_t)t * ldp + r], v + (size_t)t * ldv, n);
}

void softmax_ref(real *x, int n, real sink) {
  real top = sink;
  for (int i = 0; i < n; i++)
    if (x[i] > top) top = x[i];
  if (top == -(real)INFINITY) { /* nothing to look at */
    for (int i = 0; i < n; i++) x[i] = 0;
    return;
  }
  real sum = exp(sink - top);
  for (int i = 0; i < n; i++) sum += x[i] = exp(x[i] - top);
  for (int i = 0; i < n; i++) x[i] /= sum;
}

void rmsnorm_ref(real *out, const real *x, const real *w, real bias, real eps, int n) {
  real r = 1 / sqrt(dot_ref(x, x, n) / n + eps);
  for (int i = 0; i < n; i++) out[i] = x[i] * r * (bias + w[i]);
}

void rope_ref(real *x, const real *cosines, const real *sines, int half) {
  for (int j = 0; j < half; j++) {
    real a = x[j], b = x[j + half];
    x[j] = a * cosines[j] - b * sines[j];
    x[j + half] = b * cosines[j] + a * sines[j];
  }
}

void sigmoid_ref(real *out, const real *x, int n) {
  for (int i = 0; i < n; i++) out[i] = 1 / (1 + exp(-x[i]));
}

void silu_ref(real *out, const real *x, int n) {
  for (int i = 0; i < n; i++) out[i] = x[i] / (1 + exp(-x[i]));
}

void mul_ref(real *out, const real *a, const real *b, int n) {
  for (int i = 0; i < n; i++) out[i] = a[i] * b[i];
}

void muladd_ref(real *y, const real *a, const real *b, int n) {
  for (int i = 0; i < n; i++) y[i] += a[i] * b[i];
}

void delta_step_ref(real *S, real *out, real *d, const real *q, const real *k, const real *v, real decay, real beta,
                    int dk, int dv) {
  for (int j = 0; j < dv; j++) d[j] = out[j] = 0;
  for (int i = 0; i < dk; i++)
    for (int j = 0; j < dv; j++) d[j] += k[i] * (S[i * dv + j] *= decay);
  for (int j = 0; j < dv; j++) d[j] = beta * (v[j] - d[j]);
  for (int i = 0; i < dk; i++)
    for (int j = 0; j < dv; j++) out[j] += q[i] * (S[i * dv + j] += k[i] * d[j]);
}

void rope_table(real *cosines, real *sines, int first_pos, int T, int rotary, double theta) {
  int half = rotary / 2;
  for (int j = 0; j < half; j++) {
    double frequency = power(theta, -2.0 * j / rotary), sine, cosine;
    for (int t = 0; t < T; t++) {
      sine_cosine((double)(first_pos + t) * frequency, &sine, &cosine);
      cosines[t * half + j] = (real)cosine;
      sines[t * half + j] = (real)sine;
    }
  }
}
