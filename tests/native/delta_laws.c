/* What the gated delta rule must satisfy whatever its weights: the formulas token by token, one token at a time or all
 * at once, and a state of constant size. */
#include "check.h"
#include "delta.h"
#include "errors.h"

typedef struct {
  int T, N, Hk, Hv, dk, dv, C;
} Sizes;

static const Sizes CASES[] = {
    {5, 9, 2, 6, 4, 7, 4}, {7, 11, 3, 3, 10, 6, 2}, {2, 6, 1, 4, 5, 3, 5},
    {1, 5, 2, 2, 3, 8, 4}, {40, 7, 1, 2, 6, 5, 1},
};
enum { N_CASES = sizeof CASES / sizeof *CASES };

static int channels_of(const Sizes *s) {
  return 2 * s->Hk * s->dk + s->Hv * s->dv;
}

static DeltaLayer layer_of(const Sizes *s) {
  DeltaLayer l = {0};
  l.hidden = s->N, l.key_heads = s->Hk, l.value_heads = s->Hv, l.key_dim = s->dk, l.value_dim = s->dv, l.kernel = s->C;
  l.eps = (real)1e-6;
  l.qkv = weight(channels_of(s), s->N, 0.7);
  l.z = weight(s->Hv * s->dv, s->N, 0.7);
  l.b = weight(s->Hv, s->N, 0.7);
  l.a = weight(s->Hv, s->N, 0.7);
  l.conv = weight(channels_of(s), s->C, 0.7);
  l.a_log = weight(1, s->Hv, 1);
  l.dt_bias = weight(1, s->Hv, 1);
  l.norm = weight(1, s->dv, 1);
  l.out = weight(s->N, s->Hv * s->dv, 0.5);
  return l;
}

static DeltaState state_of(const Sizes *s) {
  size_t n = (size_t)channels_of(s) * (s->C - 1), table = (size_t)s->Hv * s->dk * s->dv;
  DeltaState state = {take(n), take(table)};
  for (size_t i = 0; i < n; i++) state.conv[i] = 0;
  for (size_t i = 0; i < table; i++) state.table[i] = 0;
  return state;
}

static int run(const DeltaLayer *l, const real *zero, DeltaState *state, const real *x, int T, real *out,
               DeltaCaptures *captures) {
  Arena scratch = arena_of(delta_scratch(l, T));
  int code = delta_forward(l, zero, state, x, T, out, captures, &scratch);
  CHECK(scratch.used == 0, "the arena is given back");
  return code;
}

static DeltaCaptures captures_of(const Sizes *s) {
  size_t TH = (size_t)s->T * s->Hv, values = TH * s->dv;
  DeltaCaptures c = {take(TH),
                     take(TH),
                     take(values),
                     take(values),
                     take(TH),
                     take((size_t)s->Hv * s->dk * s->dv),
                     take((size_t)channels_of(s) * (s->C - 1))};
  return c;
}

static double slack(void) {
  return 1000 * unit();
}

static void one_by_one(const Sizes *s) {
  DeltaLayer l = layer_of(s);
  int T = s->T, N = s->N;
  size_t TN = (size_t)T * N, table = (size_t)s->Hv * s->dk * s->dv, conv = (size_t)channels_of(s) * (s->C - 1);
  real *x = noise(TN, 1), *whole = take(TN), *steps = take(TN);
  DeltaState a = state_of(s), b = state_of(s);
  DeltaCaptures c = captures_of(s);
  CHECK(delta_check(&l) == ATTN_OK, "sizes are good");
  CHECK(run(&l, NULL, &a, x, T, whole, &c) == ATTN_OK, "prefill");
  CHECK(distance(c.table, a.table, table) == 0 && distance(c.conv, a.conv, conv) == 0, "captured state is the state");
  for (int t = 0; t < T; t++)
    CHECK(run(&l, NULL, &b, x + (size_t)t * N, 1, steps + (size_t)t * N, NULL) == ATTN_OK, "token %d", t);
  NEAR(distance(whole, steps, TN), 0, slack(), "prefill and one by one agree");
  NEAR(distance(a.table, b.table, table), 0, slack(), "tables");
  NEAR(distance(a.conv, b.conv, conv), 0, slack(), "conv states");
  for (int i = 0; i < T * s->Hv; i++) {
    CHECK(c.beta[i] > 0 && c.beta[i] < 1, "beta %g", (double)c.beta[i]);
    CHECK(c.decay[i] > 0 && c.decay[i] <= 1, "decay %g", (double)c.decay[i]);
  }
}

/* What stays in the conv state: the last C-1 raw projections of each channel, oldest first. */
static void conv_state(const Sizes *s) {
  DeltaLayer l = layer_of(s);
  int T = s->T, N = s->N, past = s->C - 1;
  real *x = noise((size_t)T * N, 1), *out = take((size_t)T * N);
  const real *w = l.qkv.data;
  DeltaState state = state_of(s);
  CHECK(run(&l, NULL, &state, x, T, out, NULL) == ATTN_OK, "runs");
  for (int ch = 0; ch < channels_of(s); ch++)
    for (int j = 0; j < past; j++) {
      int t = T - past + j;
      double raw = 0;
      for (int i = 0; t >= 0 && i < N; i++) raw += (double)w[(size_t)ch * N + i] * x[t * N + i];
      NEAR(state.conv[ch * past + j], raw, slack(), "channel %d, token %d", ch, t);
    }
}

/* From core, z and W_out follow the output and each head's length in it; silenced heads are missing from it. */
static void heads_add_up(const Sizes *s) {
  DeltaLayer l = layer_of(s);
  int T = s->T, N = s->N, Hv = s->Hv, dv = s->dv;
  size_t TN = (size_t)T * N;
  real *x = noise(TN, 1), *out = take(TN), *without = take(TN), *zero = take(Hv);
  DeltaState state = state_of(s), other = state_of(s);
  DeltaCaptures c = captures_of(s);
  CHECK(run(&l, NULL, &state, x, T, out, &c) == ATTN_OK, "runs");
  const real *wo = l.out.data, *w = l.norm.data;
  double heads[512];
  for (int t = 0; t < T; t++) {
    for (int h = 0; h < Hv; h++) {
      const real *core = c.core + ((size_t)t * Hv + h) * dv, *z = c.zgate + ((size_t)t * Hv + h) * dv;
      double square = 0;
      for (int i = 0; i < dv; i++) square += (double)core[i] * core[i];
      for (int i = 0; i < dv; i++) heads[h * dv + i] = core[i] / sqrt(square / dv + 1e-6) * w[i] * z[i];
    }
    double squares[16] = {0};
    for (int n = 0; n < N; n++) {
      double total = 0;
      for (int h = 0; h < Hv; h++) {
        double part = 0;
        for (int i = 0; i < dv; i++) part += heads[h * dv + i] * wo[((size_t)n * Hv + h) * dv + i];
        total += part, squares[h] += part * part;
      }
      NEAR(out[t * N + n], total, slack(), "out is the sum of what the heads add, t = %d", t);
    }
    for (int h = 0; h < Hv; h++) NEAR(c.contribution[t * Hv + h], sqrt(squares[h]), slack(), "t = %d, h = %d", t, h);
  }
  for (int h = 0; h < Hv; h++) zero[h] = h == 0;
  CHECK(run(&l, zero, &other, x, T, without, NULL) == ATTN_OK, "head 0 silenced");
  for (int t = 0; t < T; t++) {
    double square = 0;
    for (int n = 0; n < N; n++) square += pow((double)out[t * N + n] - (double)without[t * N + n], 2);
    NEAR(sqrt(square), c.contribution[(size_t)t * Hv], slack(), "what is missing is head 0's");
  }
  CHECK(distance(state.table, other.table, (size_t)Hv * s->dk * dv) == 0, "silence does not touch the memory");
}

static void refused(const Sizes *s) {
  DeltaLayer l = layer_of(s);
  int T = s->T, N = s->N;
  real *x = noise((size_t)T * N, 1), *out = take((size_t)T * N);
  DeltaState state = state_of(s), untouched = state_of(s);
  size_t need = delta_scratch(&l, T), table = (size_t)s->Hv * s->dk * s->dv;
  for (size_t bytes = 0; bytes + 512 < need; bytes += need / 7 + 1) {
    Arena small = arena_of(bytes);
    CHECK(delta_forward(&l, NULL, &state, x, T, out, NULL, &small) == ATTN_E_SCRATCH, "%zu of %zu", bytes, need);
    CHECK(distance(state.table, untouched.table, table) == 0, "the state is untouched");
    CHECK(distance(state.conv, untouched.conv, (size_t)channels_of(s) * (s->C - 1)) == 0, "the state is untouched");
  }
#define BAD(change)                                                                                                    \
  do {                                                                                                                 \
    DeltaLayer bad = l;                                                                                                \
    bad.change;                                                                                                        \
    CHECK(delta_check(&bad) == ATTN_E_SHAPE, #change);                                                                 \
  } while (0)
  BAD(hidden = 0);
  BAD(key_heads = 0);
  BAD(value_heads = s->Hv + 1);
  BAD(key_dim = -1);
  BAD(value_dim = 0);
  BAD(kernel = 0);
  BAD(qkv.rows -= 1);
  BAD(z.cols += 1);
  BAD(b.data = NULL);
  BAD(a.rows += 1);
  BAD(conv.cols += 1);
  BAD(a_log.cols -= 1);
  BAD(dt_bias.data = NULL);
  BAD(norm.cols += 1);
  BAD(out.rows -= 1);
#undef BAD
}

static void (*const LAWS[])(const Sizes *) = {one_by_one, conv_state, heads_add_up, refused};

int main(void) {
  for (int i = 0; i < N_CASES; i++)
    for (size_t law = 0; law < sizeof LAWS / sizeof *LAWS; law++) {
      LAWS[law](&CASES[i]);
      free_all();
    }
  return check_end(1000);
}
