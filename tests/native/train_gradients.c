/* Every gradient of the trainer against central differences of its own loss, tensor by tensor, in every kind of model.
 * Meaningful in double (relative error below 1e-5); in float the differences themselves are only good to a per
 * cent, which still catches a missing term. */
#include "check.h"
#include "errors.h"
#include "train/model.h"

/* SAMPLE: so many numbers of each tensor are moved; the whole would take minutes under the sanitizers. */
enum { B = 2, T = 14, MAX_TENSORS = 64, SAMPLE = 14 };

static const double STEP = sizeof(real) == 8 ? 1e-5 : 1e-2;
static const double BOUND = sizeof(real) == 8 ? 1e-5 : 0.02;

typedef struct {
  const char *name;
  int n;
  int plain_norm; /* weights around 1 */
} Tensor;

typedef struct {
  Tensor list[MAX_TENSORS];
  int count;
} Tensors;

static void add(Tensors *t, const char *name, int n, int plain_norm) {
  if (t->count == MAX_TENSORS) exit(2);
  t->list[t->count++] = (Tensor){name, n, plain_norm};
}

/* The block of parameters as web/engine/shapes.js lays it out. */
static Tensors tensors_of(const TrainConfig *c) {
  Tensors t = {.count = 0};
  int N = c->hidden, M = c->intermediate, Hd = c->heads * c->head_dim, Kd = c->kv_heads * c->head_dim;
  int width = c->value_heads * c->value_dim, Ch = 2 * c->key_heads * c->key_dim + width, plain = !c->zero_centred;
  add(&t, "embed_tokens", c->vocab * N, 0);
  if (c->positions) add(&t, "embed_positions", c->positions * N, 0);
  for (int i = 0; i < c->layers; i++) {
    add(&t, "input_layernorm", N, plain);
    if (c->kinds[i] == KIND_FULL) {
      add(&t, "q_proj", Hd * (c->gated ? 2 : 1) * N, 0);
      add(&t, "k_proj", Kd * N, 0);
      add(&t, "v_proj", Kd * N, 0);
      add(&t, "o_proj", N * Hd, 0);
      if (c->qk_norm) add(&t, "q_norm", c->head_dim, plain);
      if (c->qk_norm) add(&t, "k_norm", c->head_dim, plain);
      if (c->cure == CURE_SINK_LOGIT) add(&t, "sinks", c->heads, 0);
    } else {
      add(&t, "in_proj_qkv", Ch * N, 0);
      add(&t, "in_proj_z", width * N, 0);
      add(&t, "in_proj_b", c->value_heads * N, 0);
      add(&t, "in_proj_a", c->value_heads * N, 0);
      add(&t, "conv1d", Ch * c->kernel, 0);
      add(&t, "A_log", c->value_heads, 0);
      add(&t, "dt_bias", c->value_heads, 0);
      add(&t, "norm", c->value_dim, 1);
      add(&t, "out_proj", N * width, 0);
    }
    add(&t, "post_attention_layernorm", N, plain);
    add(&t, "gate_proj", M * N, 0);
    add(&t, "up_proj", M * N, 0);
    add(&t, "down_proj", N * M, 0);
  }
  add(&t, "norm", N, plain);
  if (!c->tied) add(&t, "lm_head", c->vocab * N, 0);
  return t;
}

typedef struct {
  const TrainConfig *config;
  const int32_t *tokens;
  real *params, *grads;
  Arena scratch;
} Run;

static double loss_of(Run *r) {
  real loss = 0;
  r->scratch.used = 0;
  CHECK(train_batch(r->config, r->params, r->grads, r->tokens, B, T, &loss, &r->scratch) == ATTN_OK, "batch");
  return (double)loss;
}

/* d loss / d params[at] by a small step to both sides. */
static double slope(Run *r, size_t at) {
  real kept = r->params[at];
  r->params[at] = (real)(kept + STEP);
  double up = loss_of(r), above = (double)r->params[at];
  r->params[at] = (real)(kept - STEP);
  double down = loss_of(r), below = (double)r->params[at];
  r->params[at] = kept;
  return (up - down) / (above - below);
}

static void check_model(const char *model, const TrainConfig *c) {
  Tensors tensors = tensors_of(c);
  size_t n = train_parameters(c), listed = 0, bytes = train_scratch(c, T);
  for (int i = 0; i < tensors.count; i++) listed += (size_t)tensors.list[i].n;
  CHECK(listed == n, "%s: train_parameters: expected %zu, found %zu", model, listed, n);
  if (listed != n) return;

  int32_t tokens[B * (T + 1)];
  for (int i = 0; i < B * (T + 1); i++) tokens[i] = (int32_t)((next(1) + 1) / 2 * c->vocab);
  Run run = {c, tokens, take_bytes(n * sizeof(real)), take_bytes(n * sizeof(real)), {take_bytes(bytes), bytes, 0}};
  real *analytic = take_bytes(n * sizeof(real));
  size_t at = 0;
  for (int i = 0; i < tensors.count; i++)
    for (int j = 0; j < tensors.list[i].n; j++)
      run.params[at++] = (real)(0.4 * next(1) + (tensors.list[i].plain_norm ? 1 : 0));
  loss_of(&run);
  memcpy(analytic, run.grads, n * sizeof(real));

  double worst = 0;
  at = 0;
  for (int i = 0; i < tensors.count; i++) {
    const Tensor *t = tensors.list + i;
    int samples = t->n < SAMPLE ? t->n : SAMPLE;
    double error = 0, size = 0;
    for (int j = 0; j < samples; j++) {
      size_t place = at + (size_t)j * t->n / samples;
      double numeric = slope(&run, place), found = (double)analytic[place];
      error += (numeric - found) * (numeric - found);
      size += numeric * numeric + found * found;
    }
    at += (size_t)t->n;
    double relative = sqrt(error / size); /* NaN when nothing flows: that fails too */
    CHECK(relative < BOUND, "%s, tensor %d %s: expected a relative error below %g, found %g (gradient %g)", model, i,
          t->name, BOUND, relative, sqrt(size));
    if (relative > worst) worst = relative;
  }
  printf("  %-20s %2d tensors, worst relative error %.1e\n", model, tensors.count, worst);

  /* too little room is said, never written beyond (the blocks have their exact size) */
  real loss;
  for (size_t less = 16; less < bytes; less += bytes / 23) {
    run.scratch.size = bytes - less;
    run.scratch.used = 0;
    int code = train_batch(c, run.params, run.grads, tokens, B, T, &loss, &run.scratch);
    CHECK(code == ATTN_OK || code == ATTN_E_SCRATCH, "%s: %zu bytes less: code %d", model, less, code);
  }
  run.scratch.size = 0;
  CHECK(train_batch(c, run.params, run.grads, tokens, B, T, &loss, &run.scratch) == ATTN_E_SCRATCH, "%s", model);
  free_all();
}

int main(void) {
  static const int32_t full[] = {KIND_FULL}, hybrid[] = {KIND_LINEAR, KIND_FULL};
  const TrainConfig base = {.vocab = 13,
                            .hidden = 10,
                            .layers = 1,
                            .intermediate = 7,
                            .heads = 4,
                            .kv_heads = 2,
                            .head_dim = 6,
                            .key_heads = 3,
                            .value_heads = 9,
                            .key_dim = 8,
                            .value_dim = 11,
                            .kernel = 5,
                            .zero_centred = 1,
                            .rope_theta = 100,
                            .eps = (real)1e-3,
                            .kinds = full};
  TrainConfig lab = base, gated_lab = base, qwen3 = base, qwen35 = base, plus_one = base, sink = base;
  lab.positions = gated_lab.positions = plus_one.positions = 15;
  gated_lab.gated = 1;
  qwen3.zero_centred = 0;
  qwen3.qk_norm = 1;
  qwen3.rotary = 6;
  qwen35.gated = qwen35.qk_norm = qwen35.tied = 1;
  qwen35.rotary = 4;
  qwen35.layers = 2;
  qwen35.kinds = hybrid;
  plus_one.cure = CURE_PLUS_ONE;
  sink.cure = CURE_SINK_LOGIT;
  sink.rotary = 2;
  sink.gated = 1;
  struct {
    const char *name;
    const TrainConfig *config;
  } models[] = {{"lab", &lab},        {"lab with gate", &gated_lab},     {"qwen3", &qwen3},
                {"qwen3.5", &qwen35}, {"off-by-one softmax", &plus_one}, {"learned sink, gate", &sink}};
  for (size_t i = 0; i < sizeof(models) / sizeof(models[0]); i++) check_model(models[i].name, models[i].config);
  return check_end(2000);
}
