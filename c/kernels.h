/* kernels.h - the inner loops. Each exists twice with one signature: NAME_ref (kernels_ref.c, scalar, readable, any
 * `real`) and NAME_simd (kernels_simd.c, wasm_simd128.h, float only). The build chooses once, below.
 *
 * Kernels trust their arguments, never allocate, and accept every n >= 0; no padding or alignment is asked for.
 * Letters: T tokens (rows of x), R outputs (rows of W), n inputs. Unless said otherwise out must not overlap an input.
 */
#ifndef ATTN_KERNELS_H
#define ATTN_KERNELS_H

#include "real.h"

#ifdef ATTN_SIMD
#define ATTN_KERNEL(name) name##_simd
#else
#define ATTN_KERNEL(name) name##_ref
#endif

#define ATTN_KERNEL_LIST(K)                                                                                            \
  /* sum_i a[i] b[i] */                                                                                                \
  K(real, dot, (const real *a, const real *b, int n))                                                                  \
  /* y[i] += a x[i] */                                                                                                 \
  K(void, axpy, (real * y, real a, const real *x, int n))                                                              \
  /* out[i] = stored element i as real (BF16, F16, F32, F64) */                                                        \
  K(void, expand, (real * out, const void *in, int dtype, int n))                                                      \
  /* out[r] = sum_c W[r,c] x[c]; out (R), x (n). One token: bound by reading W once. */                                \
  K(void, matvec, (real * out, const Mat *w, const real *x))                                                           \
  /* out[t,r] = sum_c x[t,c] W[r,c]: a linear layer. out (T,R) rows ldo apart, x (T,n) rows ldx apart. */              \
  K(void, gemm, (real * out, int ldo, const real *x, int ldx, const Mat *w, int T))                                    \
  /* out[t,j] = sum_s p[t,s] v[s,j]: mixing values. out (T,n) ldo, p (T,S) ldp, v (S,n) ldv. */                        \
  K(void, gemm_nn, (real * out, int ldo, const real *p, int ldp, const real *v, int ldv, int T, int S, int n))         \
  /* The same, added to out: the gradient of a linear layer's input, dx += dy W. */                                    \
  K(void, gemm_nn_add, (real * out, int ldo, const real *p, int ldp, const real *v, int ldv, int T, int S, int n))     \
  /* out[r,j] += sum_t p[t,r] v[t,j]: a weight's gradient. out (R,n) ldo, p (T,R) ldp, v (T,n) ldv. */                 \
  K(void, gemm_tn, (real * out, int ldo, const real *p, int ldp, const real *v, int ldv, int T, int R, int n))         \
  /* In place: x[i] = e^x[i] / (e^sink + sum_j e^x[j]). Plain softmax is sink = -INFINITY. -INFINITY marks a masked    \
   * score and becomes exactly 0; a row with nothing to look at becomes all 0. */                                      \
  K(void, softmax, (real * x, int n, real sink))                                                                       \
  /* out[i] = x[i] / sqrt(mean(x^2) + eps) * (bias + w[i]); bias 1 = zero-centred weight, 0 = plain. out may be x. */  \
  K(void, rmsnorm, (real * out, const real *x, const real *w, real bias, real eps, int n))                             \
  /* In place rotation of the pairs (j, j + half), j < half, by the angles whose cosines and sines are given. */       \
  K(void, rope, (real * x, const real *cosines, const real *sines, int half))                                          \
  /* out[i] = 1 / (1 + e^-x[i]); out may be x */                                                                       \
  K(void, sigmoid, (real * out, const real *x, int n))                                                                 \
  /* out[i] = x[i] / (1 + e^-x[i]); out may be x */                                                                    \
  K(void, silu, (real * out, const real *x, int n))                                                                    \
  /* y[i] += a[i] b[i] */                                                                                              \
  K(void, muladd, (real * y, const real *a, const real *b, int n))                                                     \
  /* One token of the gated delta rule on one head's table S (dk, dv), arXiv 2412.06464 eq. 10:                        \
   * S <- decay S; d = beta (v - S^T k); S <- S + k d^T; out = S^T q. q, k (dk); v, out, d (dv), d is scratch. */      \
  K(void, delta_step,                                                                                                  \
    (real * S, real * out, real * d, const real *q, const real *k, const real *v, real decay, real beta, int dk,       \
     int dv))                                                                                                          \
  /* out[i] = a[i] b[i]; out may be a or b */                                                                          \
  K(void, mul, (real * out, const real *a, const real *b, int n))

#define ATTN_DECLARE(type, name, args) type name##_ref args;
ATTN_KERNEL_LIST(ATTN_DECLARE)
#undef ATTN_DECLARE
#ifdef ATTN_SIMD
#define ATTN_DECLARE(type, name, args) type name##_simd args;
ATTN_KERNEL_LIST(ATTN_DECLARE)
#undef ATTN_DECLARE
#endif

#define dot ATTN_KERNEL(dot)
#define axpy ATTN_KERNEL(axpy)
#define expand ATTN_KERNEL(expand)
#define matvec ATTN_KERNEL(matvec)
#define gemm ATTN_KERNEL(gemm)
#define gemm_nn ATTN_KERNEL(gemm_nn)
#define gemm_nn_add ATTN_KERNEL(gemm_nn_add)
#define gemm_tn ATTN_KERNEL(gemm_tn)
#define softmax ATTN_KERNEL(softmax)
#define rmsnorm ATTN_KERNEL(rmsnorm)
#define rope ATTN_KERNEL(rope)
#define sigmoid ATTN_KERNEL(sigmoid)
#define silu ATTN_KERNEL(silu)
#define mul ATTN_KERNEL(mul)
#define muladd ATTN_KERNEL(muladd)
#define delta_step ATTN_KERNEL(delta_step)

/* Cosines and sines of the rotary angles p * theta^(-2j / rotary), j < rotary/2, for T positions from first_pos on:
 * both (T, rotary/2). Angles are formed in double: at position 1e5 a float angle is off by 1e-2. Source: RoFormer,
 * arXiv 2104.09864 eq. 15. */
void rope_table(real *cosines, real *sines, int first_pos, int T, int rotary, double theta);

#endif
