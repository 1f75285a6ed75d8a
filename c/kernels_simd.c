/* kernels_simd.c - the kernels of kernels.h on wasm_simd128.h intrinsics, four floats at a time.
 *
 * With -DATTN_RELAXED the multiply-adds become relaxed_madd (one rounding instead of two where the CPU has FMA, so
 * last bits differ between machines). Tails of n % 4 are plain code at the end of each loop. */
#include "kernels.h"
#include <math.h>
#include <wasm_simd128.h>

#ifdef ATTN_RELAXED
#define MADD(acc, a, b) wasm_f32x4_relaxed_madd(a, b, acc)
#else
#define MADD(acc, a, b) wasm_f32x4_add(acc, wasm_f32x4_mul(a, b))
#endif
#define LOAD(p) wasm_v128_load(p)
#define STORE(p, v) wasm_v128_store(p, v)
#define SPLAT(x) wasm_f32x4_splat(x)
#define INLINE static inline __attribute__((always_inline))
#define UNROLL _Pragma("clang loop unroll(full)")

INLINE float sum4(v128_t v) {
  v = wasm_f32x4_add(v, wasm_i32x4_shuffle(v, v, 2, 3, 0, 1));
  v = wasm_f32x4_add(v, wasm_i32x4_shuffle(v, v, 1, 0, 3, 2));
  return wasm_f32x4_extract_lane(v, 0);
}

/* ---- eight stored weights as two vectors of floats ---- */

typedef struct {
  v128_t lo, hi;
} Eight;

INLINE Eight eight_f32(const void *p) {
  Eight e = {LOAD(p), LOAD((const float *)p + 4)};
  return e;
}

/* bf16 is the upper half of a float. Shuffles, not extend + shift: clang 14 to 19 turn that pair into slow code. */
INLINE Eight eight_bf16(const void *p) {
  v128_t h = LOAD(p), zero = wasm_i32x4_splat(0);
  Eight e = {wasm_i16x8_shuffle(zero, h, 0, 8, 1, 9, 2, 10, 3, 11),
             wasm_i16x8_shuffle(zero, h, 4, 12, 5, 13, 6, 14, 7, 15)};
  return e;
}

/* u = a half in the lower 16 bits of each lane; the arithmetic of from_f16 in kernels_ref.c */
INLINE v128_t half_to_float(v128_t u) {
  v128_t body = wasm_i32x4_shl(wasm_v128_and(u, wasm_i32x4_splat(0x7fff)), 13);
  v128_t sign = wasm_i32x4_shl(wasm_v128_and(u, wasm_i32x4_splat(0x8000)), 16);
  v128_t special = wasm_i32x4_ge(body, wasm_i32x4_splat(0x7c00 << 13));
  v128_t f = wasm_f32x4_mul(body, SPLAT(0x1p112f));
  f = wasm_v128_or(f, wasm_v128_and(special, wasm_i32x4_splat(0x7f800000)));
  return wasm_v128_or(f, sign);
}

INLINE Eight eight_f16(const void *p) {
  v128_t h = LOAD(p), zero = wasm_i32x4_splat(0);
  Eight e = {half_to_float(wasm_i16x8_shuffle(h, zero, 0, 8, 1, 9, 2, 10, 3, 11)),
             half_to_float(wasm_i16x8_shuffle(h, zero, 4, 12, 5, 13, 6, 14, 7, 15))};
  return e;
}

void expand_simd(real *out, const void *in, int dtype, int n) {
  const char *p = in;
  size_t size = dtype_size(dtype);
  int i = 0;
  for (; i + 8 <= n; i += 8) {
    Eight e = dtype == DT_BF16  ? eight_bf16(p + i * size)
              : dtype == DT_F16 ? eight_f16(p + i * size)
                                : eight_f32(p + i * size);
    STORE(out + i, e.lo);
    STORE(out + i + 4, e.hi);
  }
  expand_ref(out + i, p + i * size, dtype, n - i);
}

/* ---- vectors ---- */

real dot_simd(const real *a, const real *b, int n) {
  v128_t s0 = SPLAT(0), s1 = s0, s2 = s0, s3 = s0;
  int i = 0;
  for (; i + 16 <= n; i += 16) {
    s0 = MADD(s0, LOAD(a + i), LOAD(b + i));
    s1 = MADD(s1, LOAD(a + i + 4), LOAD(b + i + 4));
    s2 = MADD(s2, LOAD(a + i + 8), LOAD(b + i + 8));
    s3 = MADD(s3, LOAD(a + i + 12), LOAD(b + i + 12));
  }
  for (; i + 4 <= n; i += 4) s0 = MADD(s0, LOAD(a + i), LOAD(b + i));
  float s = sum4(wasm_f32x4_add(wasm_f32x4_add(s0, s1), wasm_f32x4_add(s2, s3)));
  for (; i < n; i++) s += a[i] * b[i];
  return s;
}

void axpy_simd(real *y, real a, const real *x, int n) {
  v128_t va = SPLAT(a);
  int i = 0;
  for (; i + 4 <= n; i += 4) STORE(y + i, MADD(LOAD(y + i), va, LOAD(x + i)));
  for (; i < n; i++) y[i] += a * x[i];
}

void mul_simd(real *out, const real *a, const real *b, int n) {
  int i = 0;
  for (; i + 4 <= n; i += 4) STORE(out + i, wasm_f32x4_mul(LOAD(a + i), LOAD(b + i)));
  for (; i < n; i++) out[i] = a[i] * b[i];
}

void muladd_simd(real *y, const real *a, const real *b, int n) {
  int i = 0;
  for (; i + 4 <= n; i += 4) STORE(y + i, MADD(LOAD(y + i), LOAD(a + i), LOAD(b + i)));
  for (; i < n; i++) y[i] += a[i] * b[i];
}

void rmsnorm_simd(real *out, const real *x, const real *w, real bias, real eps, int n) {
  float r = 1 / sqrtf(dot_simd(x, x, n) / (float)n + eps);
  v128_t vr = SPLAT(r), vb = SPLAT(bias);
  int i = 0;
  for (; i + 4 <= n; i += 4)
    STORE(out + i, wasm_f32x4_mul(wasm_f32x4_mul(LOAD(x + i), vr), wasm_f32x4_add(vb, LOAD(w + i))));
  for (; i < n; i++) out[i] = x[i] * r * (bias + w[i]);
}

void rope_simd(real *x, const real *cosines, const real *sines, int half) {
  int j = 0;
  for (; j + 4 <= half; j += 4) {
    v128_t a = LOAD(x + j), b = LOAD(x + j + half), c = LOAD(cosines + j), s = LOAD(sines + j);
    STORE(x + j, wasm_f32x4_sub(wasm_f32x4_mul(a, c), wasm_f32x4_mul(b, s)));
    STORE(x + j + half, wasm_f32x4_add(wasm_f32x4_mul(b, c), wasm_f32x4_mul(a, s)));
  }
  for (; j < half; j++) {
    float a = x[j], b = x[j + half];
    x[j] = a * cosines[j] - b * sines[j];
    x[j + half] = b * cosines[j] + a * sines[j];
  }
}

/* ---- the exponential and what is made of it ---- */

/* e^x, relative error below 2e-7; 0 below -87.3 (so a masked score gives exactly 0), the largest float above 88.7.
 * x = n ln2 + r, |r| <= ln2/2, polynomial of Cephes expf, 2^n through the exponent bits. NaN stays NaN. */
INLINE v128_t exp4(v128_t x) {
  v128_t tiny = wasm_f32x4_lt(x, SPLAT(-87.3f));
  v128_t y = wasm_f32x4_min(wasm_f32x4_max(x, SPLAT(-87.3f)), SPLAT(88.72f));
  v128_t n = wasm_f32x4_nearest(wasm_f32x4_mul(y, SPLAT(1.44269504f)));
  v128_t r = wasm_f32x4_sub(y, wasm_f32x4_mul(n, SPLAT(0.693359375f)));
  r = wasm_f32x4_add(r, wasm_f32x4_mul(n, SPLAT(2.12194440e-4f)));
  v128_t p = SPLAT(1.9875691500e-4f);
  p = MADD(SPLAT(1.3981999507e-3f), p, r);
  p = MADD(SPLAT(8.3334519073e-3f), p, r);
  p = MADD(SPLAT(4.1665795894e-2f), p, r);
  p = MADD(SPLAT(1.6666665459e-1f), p, r);
  p = MADD(SPLAT(5.0000001201e-1f), p, r);
  p = wasm_f32x4_add(MADD(r, wasm_f32x4_mul(r, r), p), SPLAT(1));
  /* 2^n in two factors, because n = 128 has no exponent of its own */
  v128_t whole = wasm_i32x4_trunc_sat_f32x4(n), half = wasm_i32x4_shr(whole, 1);
  v128_t bias = wasm_i32x4_splat(127);
  p = wasm_f32x4_mul(p, wasm_i32x4_shl(wasm_i32x4_add(half, bias), 23));
  p = wasm_f32x4_mul(p, wasm_i32x4_shl(wasm_i32x4_add(wasm_i32x4_sub(whole, half), bias), 23));
  return wasm_v128_andnot(p, tiny);
}

INLINE v128_t sigmoid4(v128_t x) {
  return wasm_f32x4_div(SPLAT(1), wasm_f32x4_add(SPLAT(1), exp4(wasm_f32x4_neg(x))));
}

/* x sigmoid(x). Below -88.72 sigmoid4 stays at 2.9e-39; x is held there too, so that -1e38 gives 0 and not -0.3. */
INLINE v128_t silu4(v128_t x) {
  return wasm_f32x4_mul(wasm_f32x4_max(x, SPLAT(-88.72f)), sigmoid4(x));
}

/* The first n < 4 numbers of p, the rest `pad`. */
INLINE v128_t load_tail(const float *p, int n, float pad) {
  float t[4] = {pad, pad, pad, pad};
  for (int i = 0; i < n; i++) t[i] = p[i];
  return LOAD(t);
}

INLINE void store_tail(float *p, v128_t v, int n) {
  float t[4];
  STORE(t, v);
  for (int i = 0; i < n; i++) p[i] = t[i];
}

void softmax_simd(real *x, int n, real sink) {
  v128_t vtop = SPLAT(sink);
  int i = 0, tail = n & 3;
  for (; i + 4 <= n; i += 4) vtop = wasm_f32x4_max(vtop, LOAD(x + i));
  if (tail) vtop = wasm_f32x4_max(vtop, load_tail(x + i, tail, sink));
  vtop = wasm_f32x4_max(vtop, wasm_i32x4_shuffle(vtop, vtop, 2, 3, 0, 1));
  vtop = wasm_f32x4_max(vtop, wasm_i32x4_shuffle(vtop, vtop, 1, 0, 3, 2));
  float top = wasm_f32x4_extract_lane(vtop, 0);
  if (top == -INFINITY) { /* nothing to look at */
    for (i = 0; i < n; i++) x[i] = 0;
    return;
  }
  v128_t vsum = SPLAT(0);
  for (i = 0; i + 4 <= n; i += 4) {
    v128_t e = exp4(wasm_f32x4_sub(LOAD(x + i), vtop));
    STORE(x + i, e);
    vsum = wasm_f32x4_add(vsum, e);
  }
  if (tail) {
    v128_t e = exp4(wasm_f32x4_sub(load_tail(x + i, tail, -INFINITY), vtop));
    store_tail(x + i, e, tail);
    vsum = wasm_f32x4_add(vsum, e);
  }
  float sum = sum4(vsum) + expf(sink - top);
  v128_t vr = SPLAT(1 / sum);
  for (i = 0; i + 4 <= n; i += 4) STORE(x + i, wasm_f32x4_mul(LOAD(x + i), vr));
  for (; i < n; i++) x[i] *= 1 / sum;
}

void sigmoid_simd(real *out, const real *x, int n) {
  int i = 0;
  for (; i + 4 <= n; i += 4) STORE(out + i, sigmoid4(LOAD(x + i)));
  if (i < n) store_tail(out + i, sigmoid4(load_tail(x + i, n - i, 0)), n - i);
}

void silu_simd(real *out, const real *x, int n) {
  int i = 0;
  for (; i + 4 <= n; i += 4) STORE(out + i, silu4(LOAD(x + i)));
  if (i < n) store_tail(out + i, silu4(load_tail(x + i, n - i, 0)), n - i);
}

/* ---- matrices ---- */

/* Four rows of W against one x: W is read once, in its stored form. */
#define MATVEC(name, eight, size)                                                                                      \
  static void name(float *out, const Mat *w, const float *x) {                                                         \
    int n = w->cols;                                                                                                   \
    for (int r = 0; r < w->rows; r += 4) {                                                                             \
      const char *p[4];                                                                                                \
      v128_t s[4];                                                                                                     \
      int rows = w->rows - r < 4 ? w->rows - r : 4, i = 0;                                                             \
      UNROLL for (int k = 0; k < 4; k++) {                                                                             \
        int row = k < rows ? r + k : r; /* a missing row repeats the first; its sum is dropped */                      \
        p[k] = (const char *)w->data + (size_t)row * w->ld * size;                                                     \
        s[k] = SPLAT(0);                                                                                               \
      }                                                                                                                \
      for (; i + 8 <= n; i += 8) {                                                                                     \
        v128_t x0 = LOAD(x + i), x1 = LOAD(x + i + 4);                                                                 \
        UNROLL for (int k = 0; k < 4; k++) {                                                                           \
          Eight e = eight(p[k] + (size_t)i * size);                                                                    \
          s[k] = MADD(MADD(s[k], e.lo, x0), e.hi, x1);                                                                 \
        }                                                                                                              \
      }                                                                                                                \
      for (int k = 0; k < rows; k++) {                                                                                 \
        float tail[8], sum = sum4(s[k]);                                                                               \
        expand_ref(tail, p[k] + (size_t)i * size, w->dtype, n - i);                                                    \
        for (int j = i; j < n; j++) sum += tail[j - i] * x[j];                                                         \
        out[r + k] = sum;                                                                                              \
      }                                                                                                                \
    }                                                                                                                  \
  }
MATVEC(matvec_f32, eight_f32, 4)
MATVEC(matvec_bf16, eight_bf16, 2)
MATVEC(matvec_f16, eight_f16, 2)

void matvec_simd(real *out, const Mat *w, const real *x) {
  (w->dtype == DT_BF16 ? matvec_bf16 : w->dtype == DT_F16 ? matvec_f16 : matvec_f32)(out, w, x);
}

/* Register tile of gemm: NW rows of W against NX rows of x along n inputs, both contiguous, so nothing is packed or
 * transposed. 2 x 6 sums + 2 weights + 1 x = 15 of the 16 vector registers of x86. */
INLINE void tile(const int NW, const int NX, float *out, int ldo, const float *x, int ldx, const float *w, int ldw,
                 int n, int add) {
  v128_t s[2][6];
  UNROLL for (int a = 0; a < NW; a++) UNROLL for (int b = 0; b < NX; b++) s[a][b] = SPLAT(0);
  int i = 0;
  for (; i + 4 <= n; i += 4) {
    v128_t w0 = LOAD(w + i), w1 = NW > 1 ? LOAD(w + ldw + i) : w0;
    UNROLL for (int b = 0; b < NX; b++) {
      v128_t xb = LOAD(x + b * ldx + i);
      s[0][b] = MADD(s[0][b], w0, xb);
      if (NW > 1) s[1][b] = MADD(s[1][b], w1, xb);
    }
  }
  float lanes[2 * 6 * 4]; /* the epilogue stays a loop: unrolled, it would be most of the module */
  UNROLL for (int a = 0; a < NW; a++) UNROLL for (int b = 0; b < NX; b++) STORE(lanes + (a * 6 + b) * 4, s[a][b]);
  _Pragma("clang loop unroll(disable)") for (int a = 0; a < NW; a++)
      _Pragma("clang loop unroll(disable)") for (int b = 0; b < NX; b++) {
    float sum = sum4(LOAD(lanes + (a * 6 + b) * 4));
    for (int j = i; j < n; j++) sum += w[a * ldw + j] * x[b * ldx + j];
    out[b * ldo + a] = add ? out[b * ldo + a] + sum : sum;
  }
}

#define TILE_ARGS float *out, int ldo, const float *x, int ldx, const float *w, int ldw, int n, int add
#define TILE(NW, NX)                                                                                                   \
  static void tile_##NW##x##NX(TILE_ARGS) {                                                                            \
    tile(NW, NX, out, ldo, x, ldx, w, ldw, n, add);                                                                    \
  }
/* clang-format off */
TILE(1, 1) TILE(2, 1) TILE(2, 2) TILE(2, 3) TILE(2, 4) TILE(2, 5) TILE(2, 6)
    /* clang-format on */
    static void (*const TILES[6])(TILE_ARGS) = {tile_2x1, tile_2x2, tile_2x3, tile_2x4, tile_2x5, tile_2x6};

/* A panel of 8 rows x 512 inputs of W (16 KB as float) and 6 rows of x (12 KB) stay in the first-level cache. Weights
 * are expanded into the panel once and then used by all T tokens; float weights are copied too, because rows a multiple
 * of 4 KB apart would fight for the same cache lines. */
enum { PANEL = 8, DEPTH = 512 };

void gemm_simd(real *out, int ldo, const real *x, int ldx, const Mat *w, int T) {
  float panel[PANEL * DEPTH];
  size_t size = dtype_size(w->dtype);
  if (T == 1) {
    matvec_simd(out, w, x);
    return;
  }
  if (w->cols == 0)
    for (int t = 0; t < T; t++)
      for (int r = 0; r < w->rows; r++) out[(size_t)t * ldo + r] = 0;
  for (int r = 0; r < w->rows; r += PANEL) {
    int rows = w->rows - r < PANEL ? w->rows - r : PANEL;
    for (int c = 0; c < w->cols; c += DEPTH) {
      int n = w->cols - c < DEPTH ? w->cols - c : DEPTH;
      for (int k = 0; k < rows; k++) {
        const char *row = (const char *)w->data + ((size_t)(r + k) * w->ld + c) * size;
        expand_simd(panel + k * DEPTH, row, w->dtype, n);
      }
      for (int t = 0; t < T; t += 6) {
        int nx = T - t < 6 ? T - t : 6, k = 0;
        float *o = out + (size_t)t * ldo + r;
        const float *xt = x + (size_t)t * ldx + c;
        for (; k + 2 <= rows; k += 2) TILES[nx - 1](o + k, ldo, xt, ldx, panel + k * DEPTH, DEPTH, n, c > 0);
        if (k < rows) /* the last row of an odd W */
          for (int b = 0; b < nx; b++)
            tile_1x1(o + b * ldo + k, ldo, xt + b * ldx, ldx, panel + k * DEPTH, DEPTH, n, c > 0);
      }
    }
  }
}

/* Where an element of p lies: p[t,s] of gemm_nn at t * ldp + s, p[t,r] of gemm_tn, read as (r,t), at r + t * ldp. */
#define SHARES const float *p, int row, int col

/* Register tile of gemm_nn and gemm_tn: four rows of p, eight columns of v. */
INLINE void mix_tile(const int NP, float *out, int ldo, SHARES, const float *v, int ldv, int S, int add) {
  v128_t s0[4], s1[4];
  UNROLL for (int a = 0; a < NP; a++) {
    s0[a] = add ? LOAD(out + a * ldo) : SPLAT(0);
    s1[a] = add ? LOAD(out + a * ldo + 4) : SPLAT(0);
  }
  for (int i = 0; i < S; i++) {
    v128_t v0 = LOAD(v + (size_t)i * ldv), v1 = LOAD(v + (size_t)i * ldv + 4);
    UNROLL for (int a = 0; a < NP; a++) {
      v128_t share = wasm_v128_load32_splat(p + a * row + (size_t)i * col);
      s0[a] = MADD(s0[a], share, v0);
      s1[a] = MADD(s1[a], share, v1);
    }
  }
  UNROLL for (int a = 0; a < NP; a++) {
    STORE(out + a * ldo, s0[a]);
    STORE(out + a * ldo + 4, s1[a]);
  }
}

/* One copy for the three kernels below; inlined, it would be three. */
static __attribute__((noinline)) void mix(float *out, int ldo, SHARES, const float *v, int ldv, int T, int S, int n,
                                          int add) {
  int wide = n & ~7;
  for (int t = 0; t < T; t += 4) {
    float *o = out + (size_t)t * ldo;
    const float *pt = p + (size_t)t * row;
    int rows = T - t < 4 ? T - t : 4;
    for (int j = 0; j < wide; j += 8) {
      if (rows == 4)
        mix_tile(4, o + j, ldo, pt, row, col, v + j, ldv, S, add);
      else
        for (int a = 0; a < rows; a++) mix_tile(1, o + j + a * ldo, ldo, pt + a * row, row, col, v + j, ldv, S, add);
    }
    for (int a = 0; a < rows; a++)
      for (int j = wide; j < n; j++) {
        float s = add ? o[a * ldo + j] : 0;
        for (int i = 0; i < S; i++) s += pt[a * row + (size_t)i * col] * v[(size_t)i * ldv + j];
        o[a * ldo + j] = s;
      }
  }
}

void gemm_nn_simd(real *out, int ldo, const real *p, int ldp, const real *v, int ldv, int T, int S, int n) {
  mix(out, ldo, p, ldp, 1, v, ldv, T, S, n, 0);
}

void gemm_nn_add_simd(real *out, int ldo, const real *p, int ldp, const real *v, int ldv, int T, int S, int n) {
  mix(out, ldo, p, ldp, 1, v, ldv, T, S, n, 1);
}

void gemm_tn_simd(real *out, int ldo, const real *p, int ldp, const real *v, int ldv, int T, int R, int n) {
  mix(out, ldo, p, 1, ldp, v, ldv, R, T, n, 1);
}

/* ---- the delta rule ---- */

/* Sixteen columns of the table at a time: one cache line a row, 8 KB in all at dk = 128. */
void delta_step_simd(real *S, real *out, real *d, const real *q, const real *k, const real *v, real decay, real beta,
                     int dk, int dv) {
  v128_t vdecay = SPLAT(decay), vbeta = SPLAT(beta);
  int j = 0;
  for (; j + 16 <= dv; j += 16) {
    v128_t m[4], o[4];
    UNROLL for (int c = 0; c < 4; c++) m[c] = o[c] = SPLAT(0);
    for (int i = 0; i < dk; i++) {
      v128_t ki = wasm_v128_load32_splat(k + i);
      UNROLL for (int c = 0; c < 4; c++) m[c] = MADD(m[c], ki, LOAD(S + i * dv + j + 4 * c));
    }
    UNROLL for (int c = 0; c < 4; c++) m[c] =
        wasm_f32x4_mul(vbeta, wasm_f32x4_sub(LOAD(v + j + 4 * c), wasm_f32x4_mul(vdecay, m[c])));
    for (int i = 0; i < dk; i++) {
      v128_t ki = wasm_v128_load32_splat(k + i), qi = wasm_v128_load32_splat(q + i);
      UNROLL for (int c = 0; c < 4; c++) {
        float *s = S + i * dv + j + 4 * c;
        v128_t written = MADD(wasm_f32x4_mul(vdecay, LOAD(s)), ki, m[c]);
        STORE(s, written);
        o[c] = MADD(o[c], qi, written);
      }
    }
    UNROLL for (int c = 0; c < 4; c++) STORE(out + j + 4 * c, o[c]);
  }
  for (; j < dv; j++) {
    float m = 0, o = 0;
    for (int i = 0; i < dk; i++) m += k[i] * S[i * dv + j];
    d[j] = beta * (v[j] - decay * m);
    for (int i = 0; i < dk; i++) o += q[i] * (S[i * dv + j] = decay * S[i * dv + j] + k[i] * d[j]);
    out[j] = o;
  }
}
