/* What gated grouped-query attention must satisfy whatever its weights: heads add up, tokens may come one by one,
 * sharing keys is the same as repeating them, edits do what they say, and what does not fit is refused. */
#include "attention.h"
#include "check.h"
#include "errors.h"

typedef struct {
  int T, N, H, K, d, rotary, gated;
} Sizes;

static const Sizes CASES[] = {
    {5, 11, 6, 2, 10, 4, 1}, {7, 13, 3, 3, 8, 2, 1}, {6, 9, 5, 1, 12, 8, 0},
    {1, 7, 4, 2, 6, 6, 1},   {37, 5, 8, 2, 4, 2, 1}, {3, 8, 1, 1, 2, 0, 0},
};
enum { N_CASES = sizeof CASES / sizeof *CASES };

static AttentionLayer layer_of(const Sizes *s) {
  AttentionLayer l = {0};
  l.hidden = s->N, l.heads = s->H, l.kv_heads = s->K, l.head_dim = s->d, l.rotary = s->rotary, l.gated = s->gated;
  l.zero_centred = 1, l.qk_norm = 1, l.rope_theta = 10000, l.eps = (real)1e-6;
  l.q_proj = weight(s->H * s->d * (1 + s->gated), s->N, 0.7);
  l.k_proj = weight(s->K * s->d, s->N, 0.7);
  l.v_proj = weight(s->K * s->d, s->N, 0.7);
  l.o_proj = weight(s->N, s->H * s->d, 0.5);
  l.q_norm = weight(1, s->d, 0.5);
  l.k_norm = weight(1, s->d, 0.5);
  return l;
}

static KvCache cache_of(const AttentionLayer *l, int capacity) {
  size_t n = (size_t)capacity * l->kv_heads * l->head_dim;
  KvCache cache = {take(n), take(n), 0, capacity};
  return cache;
}

/* A forward pass with an arena of exactly the bytes that are asked for. */
static int run(const AttentionLayer *l, const AttentionEdits *edits, KvCache *cache, const real *x, int T, real *out,
               AttentionCaptures *captures) {
  Arena scratch = arena_of(attention_scratch(l, edits, T, cache->len + T));
  int code = attention_forward(l, edits, cache, x, T, out, captures, &scratch);
  CHECK(scratch.used == 0, "the arena is given back");
  return code;
}

static AttentionCaptures captures_of(const Sizes *s) {
  size_t Q = (size_t)s->T * s->H * s->d, K = (size_t)s->T * s->K * s->d, S = (size_t)s->H * s->T * s->T;
  size_t TH = (size_t)s->T * s->H;
  AttentionCaptures c = {take(Q),
                         take(K),
                         take(Q),
                         take(K),
                         take(Q),
                         take(K),
                         take(K),
                         take(S),
                         take(S),
                         take(Q),
                         s->gated ? take(Q) : NULL,
                         take(TH),
                         take(TH)};
  return c;
}

/* With a tolerance for sums of a few dozen products of numbers near 1. */
static double slack(void) {
  return 300 * unit();
}

static void heads_add_up(const Sizes *s) {
  AttentionLayer l = layer_of(s);
  int T = s->T, N = s->N, H = s->H, d = s->d;
  real *x = noise((size_t)T * N, 1), *out = take((size_t)T * N), *again = take((size_t)T * N);
  AttentionCaptures c = captures_of(s);
  KvCache cache = cache_of(&l, T), other = cache_of(&l, T);
  CHECK(attention_check(&l) == ATTN_OK, "sizes are good");
  CHECK(run(&l, NULL, &cache, x, T, out, &c) == ATTN_OK, "runs");
  CHECK(cache.len == T, "the cache holds %d tokens", cache.len);
  CHECK(run(&l, NULL, &other, x, T, again, NULL) == ATTN_OK, "runs without captures");
  CHECK(distance(out, again, (size_t)T * N) == 0, "captures change nothing");
  CHECK(distance(c.k, cache.k, (size_t)T * s->K * d) == 0, "cached keys are those after norm and rotation");
  CHECK(distance(c.v, cache.v, (size_t)T * s->K * d) == 0, "cached values are v");

  const real *wo = l.o_proj.data;
  for (int t = 0; t < T; t++) {
    double square[64] = {0}, ungated[64] = {0};
    for (int n = 0; n < N; n++) {
      double total = 0;
      for (int h = 0; h < H; h++) {
        double part = 0, plain = 0;
        for (int i = 0; i < d; i++) {
          size_t at = ((size_t)t * H + h) * d + i;
          double y = c.head_out[at], w = wo[((size_t)n * H + h) * d + i];
          part += w * y * (s->gated ? (double)c.gate[at] : 1), plain += w * y;
        }
        total += part, square[h] += part * part, ungated[h] += plain * plain;
      }
      NEAR(out[t * N + n], total, slack(), "out is the sum of what the heads add, t = %d", t);
    }
    for (int h = 0; h < H; h++) {
      NEAR(c.contribution[t * H + h], sqrt(square[h]), slack(), "contribution, t = %d, h = %d", t, h);
      NEAR(c.contribution_ungated[t * H + h], sqrt(ungated[h]), slack(), "ungated, t = %d, h = %d", t, h);
    }
  }
  for (int row = 0; row < H * T; row++) {
    double total = 0;
    for (int j = 0; j < T; j++) {
      real p = c.probs[row * T + j];
      total += (double)p;
      CHECK(j <= row % T ? p >= 0 : p == 0, "probs where masked, row %d", row);
      CHECK(j <= row % T ? isfinite(c.scores[row * T + j]) : c.scores[row * T + j] == -(real)INFINITY, "row %d", row);
    }
    NEAR(total, 1, 1e-6, "probs sum to 1, row %d", row);
  }
}

static void token_by_token(const Sizes *s) {
  AttentionLayer l = layer_of(s);
  int T = s->T, N = s->N;
  real *x = noise((size_t)T * N, 1), *whole = take((size_t)T * N), *steps = take((size_t)T * N);
  KvCache cache = cache_of(&l, T), grown = cache_of(&l, T);
  CHECK(run(&l, NULL, &cache, x, T, whole, NULL) == ATTN_OK, "prefill");
  for (int t = 0, n; t < T; t += n) {
    n = t % 3 == 2 && t + 2 <= T ? 2 : 1;
    CHECK(run(&l, NULL, &grown, x + (size_t)t * N, n, steps + (size_t)t * N, NULL) == ATTN_OK, "token %d", t);
  }
  NEAR(distance(whole, steps, (size_t)T * N), 0, slack(), "prefill and decode agree, T = %d", T);
  NEAR(distance(cache.k, grown.k, (size_t)T * s->K * s->d), 0, slack(), "keys");
  NEAR(distance(cache.v, grown.v, (size_t)T * s->K * s->d), 0, slack(), "values");

  real *kept = take((size_t)T * s->K * s->d);
  copy_to(kept, grown.k, (size_t)T * s->K * s->d);
  CHECK(run(&l, NULL, &grown, x, 1, steps, NULL) == ATTN_E_FULL, "a full cache");
  CHECK(grown.len == T && distance(kept, grown.k, (size_t)T * s->K * s->d) == 0, "nothing was written");
}

/* Shared keys and values equal keys and values that are repeated for every query head. */
static void shared_is_repeated(const Sizes *s) {
  AttentionLayer l = layer_of(s), mha = l;
  int T = s->T, N = s->N, group = s->H / s->K;
  size_t strip = (size_t)s->d * N;
  real *k = take(s->H * strip), *v = take(s->H * strip);
  for (int h = 0; h < s->H; h++) {
    copy_to(k + h * strip, (const real *)l.k_proj.data + h / group * strip, strip);
    copy_to(v + h * strip, (const real *)l.v_proj.data + h / group * strip, strip);
  }
  mha.kv_heads = s->H;
  mha.k_proj = mat_of(k, s->H * s->d, N, N), mha.v_proj = mat_of(v, s->H * s->d, N, N);
  real *x = noise((size_t)T * N, 1), *out = take((size_t)T * N), *repeated = take((size_t)T * N);
  KvCache small = cache_of(&l, T), large = cache_of(&mha, T);
  CHECK(run(&l, NULL, &small, x, T, out, NULL) == ATTN_OK, "grouped");
  CHECK(run(&mha, NULL, &large, x, T, repeated, NULL) == ATTN_OK, "multi-head");
  NEAR(distance(out, repeated, (size_t)T * N), 0, slack(), "H = %d, K = %d", s->H, s->K);

  /* and with one K/V head for all, kv: 'mean' changes nothing there is to average */
  AttentionEdits mean = {NULL, NULL, NULL, 1};
  KvCache averaged = cache_of(&l, T);
  CHECK(run(&l, &mean, &averaged, x, T, repeated, NULL) == ATTN_OK, "mean");
  if (s->K == 1) NEAR(distance(out, repeated, (size_t)T * N), 0, slack(), "the mean of one head is that head");
}

static void edits(const Sizes *s) {
  AttentionLayer l = layer_of(s);
  int T = s->T, N = s->N, H = s->H, d = s->d;
  size_t TN = (size_t)T * N;
  real *x = noise(TN, 1), *out = take(TN), *edited = take(TN), *flags = take(H);
  AttentionCaptures c = captures_of(s), e = captures_of(s);
  KvCache cache = cache_of(&l, T);
  CHECK(run(&l, NULL, &cache, x, T, out, &c) == ATTN_OK, "as it is");

  /* every head zeroed: nothing is added; one head zeroed: its contribution is missing */
  AttentionEdits zero = {NULL, flags, NULL, 0};
  for (int h = 0; h < H; h++) flags[h] = 1;
  KvCache fresh = cache_of(&l, T);
  CHECK(run(&l, &zero, &fresh, x, T, edited, &e) == ATTN_OK, "all zero");
  for (size_t i = 0; i < TN; i++) CHECK(edited[i] == 0, "silent");
  for (int h = 0; h < H; h++) flags[h] = h == H - 1;
  fresh.len = 0;
  CHECK(run(&l, &zero, &fresh, x, T, edited, &e) == ATTN_OK, "one zero");
  for (int t = 0; t < T; t++) {
    double square = 0;
    for (int n = 0; n < N; n++) square += pow((double)out[t * N + n] - (double)edited[t * N + n], 2);
    NEAR(sqrt(square), c.contribution[t * H + H - 1], slack(), "what is missing is the head's contribution");
  }

  /* gates forced to 1 are no gates */
  if (s->gated) {
    AttentionEdits open = {flags, NULL, NULL, 0};
    for (int h = 0; h < H; h++) flags[h] = 1;
    fresh.len = 0;
    CHECK(run(&l, &open, &fresh, x, T, edited, &e) == ATTN_OK, "gates open");
    NEAR(distance(e.contribution, c.contribution_ungated, (size_t)T * H), 0, slack(), "as if there were none");
    for (int h = 0; h < H; h++) flags[h] = (real)NAN;
    fresh.len = 0;
    CHECK(run(&l, &open, &fresh, x, T, edited, NULL) == ATTN_OK, "NaN means as computed");
    CHECK(distance(out, edited, TN) == 0, "NaN means as computed");
  }

  /* the first key hidden: later queries give it nothing, the first one still sees itself */
  AttentionEdits hide = {NULL, NULL, flags, 0};
  for (int h = 0; h < H; h++) flags[h] = h == 0;
  fresh.len = 0;
  CHECK(run(&l, &hide, &fresh, x, T, edited, &e) == ATTN_OK, "first key hidden");
  for (int h = 0; h < H; h++)
    for (int t = 0; t < T; t++) {
      real p = e.probs[((size_t)h * T + t) * T], before = c.probs[((size_t)h * T + t) * T];
      CHECK(h || t == 0 ? fabs((double)(p - before)) < slack() : p == 0, "h = %d, t = %d", h, t);
    }
  NEAR(distance(c.head_out, e.head_out, d), 0, slack(), "the first query is as before");
}

static void refused(const Sizes *s) {
  AttentionLayer l = layer_of(s);
  int T = s->T, N = s->N;
  real *x = noise((size_t)T * N, 1), *out = take((size_t)T * N);
  KvCache cache = cache_of(&l, T);
  size_t need = attention_scratch(&l, NULL, T, T);
  for (size_t bytes = 0; bytes + 256 < need; bytes += need / 7 + 1) {
    Arena small = arena_of(bytes);
    CHECK(attention_forward(&l, NULL, &cache, x, T, out, NULL, &small) == ATTN_E_SCRATCH, "%zu of %zu", bytes, need);
    CHECK(cache.len == 0, "no token was appended");
  }
  CHECK(run(&l, NULL, &cache, x, T, out, NULL) == ATTN_OK, "and works with enough");

#define BAD(change)                                                                                                    \
  do {                                                                                                                 \
    AttentionLayer bad = l;                                                                                            \
    bad.change;                                                                                                        \
    CHECK(attention_check(&bad) == ATTN_E_SHAPE, #change);                                                             \
  } while (0)
  BAD(hidden = 0);
  BAD(hidden = -N);
  BAD(heads = 0);
  BAD(kv_heads = s->H + 1);
  BAD(kv_heads = 0);
  BAD(head_dim = 0);
  BAD(head_dim = s->d + 1);
  BAD(rotary = s->d + 2);
  BAD(rotary = 1);
  BAD(rotary = -2);
  BAD(gated = !s->gated);
  BAD(q_proj.rows -= 1);
  BAD(q_proj.data = NULL);
  BAD(k_proj.cols += 1);
  BAD(v_proj.ld = N - 1);
  BAD(o_proj.rows += 1);
  BAD(q_norm.cols -= 1);
  BAD(k_norm.data = NULL);
  BAD(cure = CURE_SINK_LOGIT);
#undef BAD
}

static void (*const LAWS[])(const Sizes *) = {heads_add_up, token_by_token, shared_is_repeated, edits, refused};

int main(void) {
  for (int i = 0; i < N_CASES; i++)
    for (size_t law = 0; law < sizeof LAWS / sizeof *LAWS; law++) {
      LAWS[law](&CASES[i]);
      free_all();
    }
  return check_end(2000);
}
