/* The chapter's numbers, the MLP, the residual norm and the sweep, in C. */
#include "check.h"
#include "errors.h"
#include "mlp.h"
#include "norm.h"
#include "sweep.h"
#include "toys.h"

/* Copies into a block of exactly that size. */
#define BLOCK(...) block_of((const double[]){__VA_ARGS__}, sizeof((const double[]){__VA_ARGS__}) / sizeof(double))
static real *block_of(const double *values, size_t n) {
  real *x = take(n);
  for (size_t i = 0; i < n; i++) x[i] = (real)values[i];
  return x;
}

/* As printed with so many digits. */
static void printed(const real *got, const double *want, int n, int digits, const char *what) {
  for (int i = 0; i < n; i++) NEAR(got[i], want[i], 0.5 * pow(10, -digits), "%s[%d]", what, i);
}
#define PRINTED(got, digits, what, ...)                                                                                \
  printed(got, (const double[]){__VA_ARGS__}, sizeof((const double[]){__VA_ARGS__}) / sizeof(double), digits, what)

static size_t attention_scratch_of(int queries, int keys, int dim, int value_dim) {
  return (size_t)48 + sizeof(real) * queries * ((size_t)dim + keys + value_dim);
}

static void three_tokens(void) {
  real *k = BLOCK(1, 0, 0, 1, 0.5, 0.5), *v = BLOCK(2, 0, 0, 2, 1, 1), *q = BLOCK(0, 0, 3, 0, 0, 4);
  real *scores = take(9), *probs = take(9), *out = take(6);
  Arena scratch = arena_of(attention_scratch_of(3, 3, 2, 2));
  real scale = (real)(1 / sqrt(2));
  CHECK(toy_attention(q, k, v, 3, 3, 2, 2, 1, scale, scores, probs, out, &scratch) == ATTN_OK, "causal");
  PRINTED(probs, 3, "causal", 1, 0, 0, 0.893, 0.107, 0, 0.045, 0.768, 0.187);
  CHECK(scores[1] == -(real)INFINITY && scores[2] == -(real)INFINITY && scores[5] == -(real)INFINITY, "masked");
  PRINTED(scores + 6, 2, "scores", 0, 2.83, 1.41);
  PRINTED(out + 4, 3, "output", 0.277, 1.723);
  CHECK(toy_attention(q, k, v, 1, 3, 2, 2, 0, scale, scores, probs, out, &scratch) == ATTN_OK, "zero query");
  PRINTED(out, 3, "the average", 1, 1);
  CHECK(toy_attention(q + 4, k, v, 1, 3, 2, 2, 1, scale, scores, probs, out, &scratch) == ATTN_OK, "last of three");
  PRINTED(probs, 3, "fewer queries than keys", 0.045, 0.768, 0.187);
  Arena none = arena_of(0);
  CHECK(toy_attention(q, k, v, 3, 3, 2, 2, 1, scale, scores, probs, out, &none) == ATTN_E_SCRATCH, "no arena");
  CHECK(toy_attention(q, k, v, 3, 2, 2, 2, 1, scale, scores, probs, out, &scratch) == ATTN_E_SHAPE, "queries > keys");
  CHECK(toy_attention(q, k, v, 0, 3, 2, 2, 0, scale, scores, probs, out, &scratch) == ATTN_E_SHAPE, "no queries");
  CHECK(toy_attention(q, k, v, 1, 3, -2, 2, 0, scale, scores, probs, out, &scratch) == ATTN_E_SHAPE, "negative dim");
}

static void gates(void) {
  real *w = BLOCK(-5, -5, 2, 1, 6, 5, -1, -1, -2, -2, 2, 2, 0.5, 0.5, 0, 0), *z = take(4), *gate = take(4);
  real *out = take(4);
  toy_gate(BLOCK(1, 0, 0, 1), w, BLOCK(0.8, -0.3, 0.4, 0.9), 4, 2, 2, z, gate, out);
  PRINTED(z, 1, "book: z", -4.5, -4.5, 2, 1);
  PRINTED(gate, 3, "book: gate", 0.011, 0.011, 0.881, 0.731);
  PRINTED(out, 3, "book: out", 0.009, -0.003, 0.352, 0.658);
  toy_gate(BLOCK(0, 1, 0, 1), w, BLOCK(1.2, 0.5, 0.3, -0.2), 4, 2, 2, z, gate, out);
  PRINTED(z, 1, "she: z", 6.5, 5.5, -1, -1);
  PRINTED(gate, 3, "she: gate", 0.998, 0.996, 0.269, 0.269);
  PRINTED(out, 3, "she: out", 1.198, 0.498, 0.081, -0.054);
  toy_gate(BLOCK(1), BLOCK(-6), BLOCK(1), 1, 1, 1, z, gate, out);
  PRINTED(gate, 4, "sigmoid(-6)", 0.0025);
}

static void gate_learns(void) {
  enum { STEPS = 200 };
  static const double TABLE[][8] = {
      {0, 0.010, -0.020, 0.502, 0.495, 0.2022, -0.1244, 0.0792},
      {1, 0.134, -0.099, 0.534, 0.475, 0.1811, -0.1161, 0.0758},
      {2, 0.250, -0.175, 0.562, 0.456, 0.1624, -0.1077, 0.0725},
      {5, 0.550, -0.382, 0.634, 0.406, 0.1196, -0.0849, 0.0626},
      {20, 1.365, -1.065, 0.797, 0.256, 0.0417, -0.0330, 0.0313},
      {50, 1.980, -1.678, 0.879, 0.157, 0.0153, -0.0129, 0.0134},
      {200, 2.835, -2.568, 0.945, 0.071, 0.0032, -0.0029, 0.0030},
  };
  size_t rows = STEPS + 1;
  real *w = take(2 * rows), *gate = take(2 * rows), *loss = take(rows), *grad = take(2 * rows);
  toy_gate_sgd(BLOCK(1, 0, 0, 1), BLOCK(0, 1), BLOCK(1, 0.8), BLOCK(1, 1), BLOCK(0.01, -0.02), 2, 2, STEPS, 1, w, gate,
               loss, grad);
  for (size_t i = 0; i < sizeof TABLE / sizeof *TABLE; i++) {
    size_t s = (size_t)TABLE[i][0];
    printed(w + 2 * s, TABLE[i] + 1, 2, 3, "w");
    printed(gate + 2 * s, TABLE[i] + 3, 2, 3, "gate");
    printed(loss + s, TABLE[i] + 5, 1, 4, "loss");
    printed(grad + 2 * s, TABLE[i] + 6, 2, 4, "grad");
  }
}

static void mlp(int T, int N, int M) {
  MlpLayer l = {weight(M, N, 1), weight(M, N, 1), weight(N, M, 1)};
  const real *g = l.gate.data, *u = l.up.data, *d = l.down.data;
  real *x = noise((size_t)T * N, 1), *out = take((size_t)T * N);
  Arena scratch = arena_of(mlp_scratch(&l, T)), small = arena_of((size_t)T * M * sizeof(real));
  CHECK(mlp_forward(&l, x, T, out, &small) == ATTN_E_SCRATCH, "room for one of two arrays");
  CHECK(mlp_forward(&l, x, T, out, &scratch) == ATTN_OK, "T = %d, N = %d, M = %d", T, N, M);
  for (int t = 0; t < T; t++) {
    for (int n = 0; n < N; n++) {
      double want = 0;
      for (int m = 0; m < M; m++) {
        double a = 0, b = 0;
        for (int i = 0; i < N; i++) a += (double)g[m * N + i] * x[t * N + i], b += (double)u[m * N + i] * x[t * N + i];
        want += d[n * M + m] * a / (1 + exp(-a)) * b;
      }
      NEAR(out[t * N + n], want, 1000 * unit() * (1 + fabs(want)), "T = %d, N = %d, M = %d", T, N, M);
    }
  }
  l.down.cols -= 1;
  CHECK(mlp_forward(&l, x, T, out, &scratch) == ATTN_E_SHAPE, "shapes that contradict");
}

static void norms(int T, int n) {
  for (int zero_centred = 0; zero_centred < 2; zero_centred++) {
    Mat w = weight(1, n, 1), narrow = w;
    const real *stored = w.data;
    real *x = noise((size_t)T * n, 2), *out = take((size_t)T * n);
    Arena scratch = arena_of(arena_cost(n)), none = arena_of(0);
    narrow.cols = n - 1;
    CHECK(norm_forward(&w, zero_centred, (real)1e-6, x, T, n, out, &none) == ATTN_E_SCRATCH, "no arena");
    CHECK(norm_forward(&narrow, zero_centred, (real)1e-6, x, T, n, out, &scratch) == ATTN_E_SHAPE, "one too few");
    CHECK(norm_forward(&w, zero_centred, (real)1e-6, x, T, n, out, &scratch) == ATTN_OK, "T = %d, n = %d", T, n);
    for (int t = 0; t < T; t++) {
      double square = 0;
      for (int i = 0; i < n; i++) square += (double)x[t * n + i] * x[t * n + i];
      for (int i = 0; i < n; i++)
        NEAR(out[t * n + i], x[t * n + i] / sqrt(square / n + 1e-6) * (zero_centred + (double)stored[i]), 100 * unit(),
             "t = %d, i = %d", t, i);
    }
  }
}

static void sweep(void) {
  static const int KV[] = {8, 4, 2, 1};
  static const double MIB[] = {384, 192, 96, 48};
  for (int i = 0; i < 4; i++) {
    NEAR(kv_floats_per_token(KV[i], 256), 4096 >> i, 0, "K = %d", KV[i]);
    NEAR(kv_bytes(KV[i], 256, 6, 8192, 2) / 1048576, MIB[i], 0, "K = %d", KV[i]);
  }
  enum { H = 6, K = 2, D = 5, TOKENS = 9 };
  real *q = noise((size_t)H * D, 1), *k = noise((size_t)TOKENS * K * D, 1), *v = noise((size_t)TOKENS * K * D, 1);
  real *out = take((size_t)H * D);
  Arena scratch = arena_of(65536);
  CHECK(decode_step(q, k, v, H, K, D, TOKENS, out, &scratch) == ATTN_OK, "one step");
  for (int h = 0; h < H; h++) {
    double share[TOKENS], mass = 0;
    for (int s = 0; s < TOKENS; s++) {
      double score = 0;
      for (int i = 0; i < D; i++) score += (double)q[h * D + i] * k[(s * K + h / 3) * D + i];
      mass += share[s] = exp(score / sqrt(D));
    }
    for (int i = 0; i < D; i++) {
      double want = 0;
      for (int s = 0; s < TOKENS; s++) want += share[s] / mass * v[(s * K + h / 3) * D + i];
      NEAR(out[h * D + i], want, 100 * unit(), "h = %d", h);
    }
  }
  CHECK(decode_step(q, k, v, 6, 4, D, TOKENS, out, &scratch) == ATTN_E_SHAPE, "heads not divisible");
  CHECK(decode_step(q, k, v, 6, 2, D, 0, out, &scratch) == ATTN_E_SHAPE, "no tokens");
}

int main(void) {
  three_tokens();
  gates();
  gate_learns();
  free_all();
  mlp(5, 7, 11);
  mlp(1, 9, 4);
  norms(3, 13);
  norms(1, 1);
  free_all();
  sweep();
  for (int code = -6; code <= 1; code++) CHECK(strlen(error_text(code)) > 5, "code %d", code);
  free_all();
  return check_end(250);
}
