/* One table of sizes and one harness for all kernels: each row computes in double what must come out and how far off
 * it may be, as a multiple of sum|ab|. */
#include "check.h"

static const int SIZES[] = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 12, 15, 16, 17, 31, 32, 33, 63, 64, 65, 127, 129, 257};
enum { N_SIZES = sizeof SIZES / sizeof *SIZES };

static double bound(int terms, double mass) {
  return unit() * (4 + 2 * sqrt(terms)) * mass + 1e-37;
}

static void row_dot(int n) {
  real *a = noise(n, 1), *b = noise(n, 1);
  double want = 0, mass = 0;
  for (int i = 0; i < n; i++) want += (double)a[i] * b[i], mass += fabs((double)a[i] * b[i]);
  NEAR(dot(a, b, n), want, bound(n, mass), "n = %d", n);
}

static void row_axpy(int n) {
  real *y = noise(n, 1), *x = noise(n, 1), *old = take(n), a = (real)0.7;
  copy_to(old, y, n);
  axpy(y, a, x, n);
  for (int i = 0; i < n; i++) NEAR(y[i], old[i] + (double)a * x[i], bound(1, 2), "n = %d, i = %d", n, i);
}

static void row_mul_muladd(int n) {
  real *a = noise(n, 1), *b = noise(n, 1), *y = noise(n, 1), *product = take(n), *old = take(n);
  copy_to(old, y, n);
  muladd(y, a, b, n);
  mul(product, a, b, n);
  for (int i = 0; i < n; i++) {
    NEAR(product[i], (double)a[i] * b[i], bound(1, 1), "mul, n = %d, i = %d", n, i);
    NEAR(y[i], old[i] + (double)a[i] * b[i], bound(1, 2), "muladd, n = %d, i = %d", n, i);
  }
  mul(a, a, b, n);
  CHECK(distance(a, product, n) == 0, "mul in place, n = %d", n);
}

static void row_sigmoid_silu(int n) {
  real *x = noise(n, 100), *s = take(n), *u = take(n);
  if (n > 4) x[0] = 100, x[1] = -100, x[2] = 0, x[3] = 1000, x[4] = -1000;
  sigmoid(s, x, n);
  silu(u, x, n);
  for (int i = 0; i < n; i++) {
    double want = 1 / (1 + exp(-(double)x[i])), slack = unit() * 8 * (1 + fabs((double)x[i])) * want + 1e-37;
    NEAR(s[i], want, slack, "sigmoid, n = %d, x = %g", n, (double)x[i]);
    NEAR(u[i], x[i] * want, slack * fabs((double)x[i]), "silu, n = %d, x = %g", n, (double)x[i]);
  }
  silu(x, x, n);
  CHECK(distance(x, u, n) == 0, "silu in place, n = %d", n);
}

static void softmax_case(real *x, int n, double sink, const char *what) {
  double top = sink, mass = 0, total = 0, share;
  real *old = take(n);
  copy_to(old, x, n);
  for (int i = 0; i < n; i++) top = fmax(top, (double)x[i]);
  if (!isinf(top)) {
    mass = exp(sink - top);
    for (int i = 0; i < n; i++) mass += exp(x[i] - top);
  }
  softmax(x, n, (real)sink);
  for (int i = 0; i < n; i++) {
    share = isinf(top) ? 0 : exp(old[i] - top) / mass;
    NEAR(x[i], share, 2e-6 * share + 1e-37, "%s, n = %d, i = %d", what, n, i);
    CHECK(x[i] >= 0 && (!isinf(old[i]) || x[i] == 0), "%s, n = %d, i = %d", what, n, i);
    total += (double)x[i];
  }
  share = n == 0 || isinf(top) ? 0 : 1 - exp(sink - top) / mass;
  NEAR(total, share, 1e-6, "%s, n = %d: sum", what, n);
}

static void row_softmax(int n) {
  softmax_case(noise(n, 5), n, -INFINITY, "random");
  softmax_case(noise(n, 1e4), n, -INFINITY, "up to 1e4");
  softmax_case(noise(n, 3), n, 0, "plus one");
  real *equal = take(n), *low = take(n), *one = take(n), *none = take(n), *huge = take(n);
  for (int i = 0; i < n; i++) {
    equal[i] = 7, low[i] = -10000, none[i] = -(real)INFINITY, huge[i] = i % 2 ? -10000 : 10000;
    one[i] = i == n / 2 ? -10000 : -(real)INFINITY;
  }
  softmax_case(equal, n, -INFINITY, "all equal");
  softmax_case(low, n, -INFINITY, "all -1e4");
  softmax_case(huge, n, -INFINITY, "1e4 and -1e4");
  softmax_case(one, n, -INFINITY, "all masked but one");
  softmax_case(none, n, -INFINITY, "all masked");
  softmax_case(noise(n, 1), n, 10000, "a sink that takes all");
}

static void row_rmsnorm(int n) {
  for (int zero_centred = 0; zero_centred < 2; zero_centred++) {
    real *x = noise(n, 3), *w = noise(n, 1), *out = take(n);
    double square = 0;
    for (int i = 0; i < n; i++) square += (double)x[i] * x[i];
    rmsnorm(out, x, w, (real)zero_centred, (real)1e-6, n);
    for (int i = 0; i < n; i++) {
      double y = x[i] / sqrt(square / n + (double)(real)1e-6);
      NEAR(out[i], y * (zero_centred + (double)w[i]), (8 + sqrt(n)) * unit() * fabs(y) * 2, "n = %d, i = %d", n, i);
    }
    rmsnorm(x, x, w, (real)zero_centred, (real)1e-6, n);
    CHECK(distance(x, out, n) == 0, "in place, n = %d", n);
  }
}

static void row_rope(int half) {
  real *x = noise(2 * (size_t)half, 1), *c = noise(half, 1), *s = noise(half, 1), *old = take(2 * (size_t)half);
  copy_to(old, x, 2 * (size_t)half);
  rope(x, c, s, half);
  for (int j = 0; j < half; j++) {
    double a = old[j], b = old[j + half];
    NEAR(x[j], a * c[j] - b * s[j], bound(2, 2), "half = %d, j = %d", half, j);
    NEAR(x[j + half], b * c[j] + a * s[j], bound(2, 2), "half = %d, j = %d", half, j);
  }
}

static void row_expand(int n) {
  static const uint16_t halves[][2] = {/* bits of F16, value / 2^-24 is hard: as 1/1024 of it */
                                       {0x0001, 1},
                                       {0x03ff, 1023},
                                       {0x0400, 1024},
                                       {0x0000, 0}};
  uint16_t *bits = take_bytes(2 * (size_t)n);
  real *out = take(n);
  for (int i = 0; i < n; i++) bits[i] = halves[i % 4][0];
  expand(out, bits, DT_F16, n);
  for (int i = 0; i < n; i++) NEAR(out[i], ldexp(halves[i % 4][1], -24), 0, "F16, n = %d, i = %d", n, i);
  for (int i = 0; i < n; i++) bits[i] = (uint16_t)(i % 3 ? 0xfc00 : 0x7c00);
  expand(out, bits, DT_F16, n);
  for (int i = 0; i < n; i++) CHECK(out[i] == (i % 3 ? -(real)INFINITY : (real)INFINITY), "n = %d, i = %d", n, i);
  for (int i = 0; i < n; i++) bits[i] = (uint16_t)(0x3f80 + 128 * (i % 5));
  expand(out, bits, DT_BF16, n);
  for (int i = 0; i < n; i++) NEAR(out[i], ldexp(1, i % 5), 0, "BF16, n = %d, i = %d", n, i);
  real *x = noise(n, 1);
  expand(out, x, DT_REAL, n);
  CHECK(distance(out, x, n) == 0, "real, n = %d", n);
}

static void row_products(int n) {
  for (int R = 0; R < 10; R++)
    for (int T = 1; T < 8; T++) {
      int pad = (n + R + T) % 3, ldw = n + pad, ldx = n + 2 * pad, ldo = R + pad;
      size_t w_size = R ? (size_t)(R - 1) * ldw + n : 0; /* to the last number that is there, not to the stride */
      Mat w = mat_of(noise(w_size, 1), R, n, ldw);
      const real *rows = w.data;
      real *x = noise((size_t)(T - 1) * ldx + n, 1), *out = take((size_t)(T - 1) * ldo + R), *one = take(R);
      gemm(out, ldo, x, ldx, &w, T);
      matvec(one, &w, x);
      for (int t = 0; t < T; t++)
        for (int r = 0; r < R; r++) {
          double want = 0, mass = 0;
          for (int i = 0; i < n; i++) {
            double product = (double)x[(size_t)t * ldx + i] * rows[(size_t)r * ldw + i];
            want += product, mass += fabs(product);
          }
          NEAR(out[(size_t)t * ldo + r], want, bound(n, mass), "gemm T = %d, R = %d, n = %d", T, R, n);
          if (t == 0) NEAR(one[r], want, bound(n, mass), "matvec R = %d, n = %d", R, n);
        }
      for (int t = 0; t + 1 < T; t++)
        for (int r = R; r < ldo; r++)
          CHECK(out[(size_t)t * ldo + r] == (real)-12345.678, "between the rows, T = %d, R = %d, n = %d", T, R, n);
      free_all();
    }
}

static void row_gemm_nn(int n) {
  for (int S = 0; S < 10; S++)
    for (int T = 1; T < 8; T++) {
      int pad = (n + S + T) % 3, ldo = n + pad, ldp = S + pad, ldv = n + 2 * pad;
      real *p = noise((size_t)(T - 1) * ldp + S, 1), *v = noise(S ? (size_t)(S - 1) * ldv + n : 0, 1);
      real *out = take((size_t)(T - 1) * ldo + n);
      gemm_nn(out, ldo, p, ldp, v, ldv, T, S, n);
      for (int t = 0; t < T; t++)
        for (int j = 0; j < n; j++) {
          double want = 0, mass = 0;
          for (int s = 0; s < S; s++) {
            double product = (double)p[t * ldp + s] * v[(size_t)s * ldv + j];
            want += product, mass += fabs(product);
          }
          NEAR(out[(size_t)t * ldo + j], want, bound(S, mass), "T = %d, S = %d, n = %d", T, S, n);
        }
      free_all();
    }
}

static void row_delta_step(int n) {
  for (int turn = 0; turn < 2; turn++) {
    int dk = turn ? 5 : n, dv = turn ? n : 7;
    real *S = noise((size_t)dk * dv, 1), *out = take(dv), *d = take(dv), *q = noise(dk, 1), *k = noise(dk, 1);
    real *v = noise(dv, 1), *old = take((size_t)dk * dv), decay = (real)0.75, beta = (real)0.5;
    copy_to(old, S, (size_t)dk * dv);
    delta_step(S, out, d, q, k, v, decay, beta, dk, dv);
    for (int j = 0; j < dv; j++) {
      double memory = 0, read = 0;
      for (int i = 0; i < dk; i++) memory += 0.75 * old[(size_t)i * dv + j] * k[i];
      for (int i = 0; i < dk; i++) {
        double now = 0.75 * old[(size_t)i * dv + j] + k[i] * 0.5 * (v[j] - memory);
        NEAR(S[(size_t)i * dv + j], now, bound(dk, 2 + dk), "S, dk = %d, dv = %d", dk, dv);
        read += now * q[i];
      }
      NEAR(out[j], read, 2 * bound(dk, (2 + dk) * (2 + sqrt(dk))), "out, dk = %d, dv = %d", dk, dv);
    }
  }
}

static void row_rope_table(int half) {
  enum { T = 3, FIRST = 262140 };
  real *c = take((size_t)T * half), *s = take((size_t)T * half);
  rope_table(c, s, FIRST, T, 2 * half, 1e7);
  for (int i = 0; i < T * half; i++) {
    int position = FIRST + i / half;
    double angle = position * pow(1e7, -2.0 * (i % half) / (2 * half));
    NEAR(c[i], cos(angle), 1e-7, "half = %d, i = %d", half, i);
    NEAR(s[i], sin(angle), 1e-7, "half = %d, i = %d", half, i);
  }
}

static void (*const ROWS[])(int n) = {row_dot,      row_axpy,    row_mul_muladd, row_sigmoid_silu,
                                      row_softmax,  row_rmsnorm, row_rope,       row_expand,
                                      row_products, row_gemm_nn, row_delta_step, row_rope_table};

int main(void) {
  for (int i = 0; i < N_SIZES; i++)
    for (size_t row = 0; row < sizeof ROWS / sizeof *ROWS; row++) {
      ROWS[row](SIZES[i]);
      free_all();
    }
  return check_end(50000);
}
