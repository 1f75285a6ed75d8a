#include "train/model.h"
#include "errors.h"
#include "kernels.h"
#include "norm.h"
#include "train/attention_backward.h"
#include "train/backward.h"
#include "train/delta_backward.h"
#include "train/loss.h"
#include "train/mlp_backward.h"
#include <math.h>

/* ---- the parameters as layers: the same views serve weights and gradients
 * ---- */

typedef struct {
  int kind;
  Mat norm_in, norm_post; /* (1, N) */
  AttentionLayer attention;
  DeltaLayer delta;
  MlpLayer mlp;
} TrainLayer;

typedef struct {
  Mat embed, positions; /* (V, N), (positions, N) */
  TrainLayer *layers;   /* (L) */
  Mat norm, head;       /* (1, N), (V, N) */
} TrainModel;

/* A walk over the block; without a block it only counts. */
typedef struct {
  const real *block;
  size_t used; /* numbers */
} Cursor;

static Mat next(Cursor *at, int rows, int cols) {
  Mat m = mat_of(at->block ? at->block + at->used : NULL, rows, cols, cols);
  at->used += (size_t)rows * cols;
  return m;
}

static void bind_attention(const TrainConfig *c, AttentionLayer *l, Cursor *at) {
  int N = c->hidden, H = c->heads, K = c->kv_heads, d = c->head_dim;
  *l = (AttentionLayer){.hidden = N,
                        .heads = H,
                        .kv_heads = K,
                        .head_dim = d,
                        .rotary = c->rotary,
                        .gated = c->gated,
                        .zero_centred = c->zero_centred,
                        .qk_norm = c->qk_norm,
                        .cure = c->cure,
                        .rope_theta = c->rope_theta,
                        .eps = c->eps};
  l->q_proj = next(at, H * d * (c->gated ? 2 : 1), N);
  l->k_proj = next(at, K * d, N);
  l->v_proj = next(at, K * d, N);
  l->o_proj = next(at, N, H * d);
  if (c->qk_norm) {
    l->q_norm = next(at, 1, d);
    l->k_norm = next(at, 1, d);
  }
  if (c->cure == CURE_SINK_LOGIT) l->sink = next(at, 1, H);
}

static void bind_delta(const TrainConfig *c, DeltaLayer *l, Cursor *at) {
  int N = c->hidden, Hv = c->value_heads, dv = c->value_dim, Ch = 2 * c->key_heads * c->key_dim + Hv * dv;
  *l = (DeltaLayer){.hidden = N,
                    .key_heads = c->key_heads,
                    .value_heads = Hv,
                    .key_dim = c->key_dim,
                    .value_dim = dv,
                    .kernel = c->kernel,
                    .eps = c->eps};
  l->qkv = next(at, Ch, N);
  l->z = next(at, Hv * dv, N);
  l->b = next(at, Hv, N);
  l->a = next(at, Hv, N);
  l->conv = next(at, Ch, c->kernel);
  l->a_log = next(at, 1, Hv);
  l->dt_bias = next(at, 1, Hv);
  l->norm = next(at, 1, dv);
  l->out = next(at, N, Hv * dv);
}

static void bind_layer(const TrainConfig *c, int kind, TrainLayer *l, Cursor *at) {
  int N = c->hidden, M = c->intermediate;
  l->kind = kind;
  l->norm_in = next(at, 1, N);
  if (kind == KIND_FULL)
    bind_attention(c, &l->attention, at);
  else
    bind_delta(c, &l->delta, at);
  l->norm_post = next(at, 1, N);
  l->mlp.gate = next(at, M, N);
  l->mlp.up = next(at, M, N);
  l->mlp.down = next(at, N, M);
}

static int bind_model(const TrainConfig *c, TrainModel *m, const real *block, Arena *scratch) {
  Cursor at = {block, 0};
  m->layers = arena_bytes(scratch, (size_t)c->layers * sizeof(TrainLayer));
  if (!m->layers) return ATTN_E_SCRATCH;
  m->embed = next(&at, c->vocab, c->hidden);
  m->positions = next(&at, c->positions, c->hidden);
  if (!c->positions) m->positions.data = NULL;
  for (int i = 0; i < c->layers; i++) {
    TrainLayer *l = m->layers + i;
    bind_layer(c, c->kinds[i], l, &at);
    if (l->kind == KIND_FULL ? attention_check(&l->attention) : delta_check(&l->delta)) return ATTN_E_SHAPE;
  }
  m->norm = next(&at, 1, c->hidden);
  m->head = c->tied ? m->embed : next(&at, c->vocab, c->hidden);
  return ATTN_OK;
}

size_t train_parameters(const TrainConfig *c) {
  Cursor at = {NULL, 0};
  TrainLayer l;
  for (int i = 0; i < c->layers; i++) bind_layer(c, c->kinds[i], &l, &at);
  return at.used + (size_t)c->hidden * (c->vocab * (c->tied ? 1 : 2) + c->positions + 1);
}

/* ---- what the forward pass of one sequence leaves for the way back ---- */

typedef struct {
  real *in, *normed, *middle, *normed_middle; /* (T, N) before, normed; after the mixer, normed */
  AttentionCaptures attention;                /* k and v lie in the cache */
  DeltaCaptures delta;
  DeltaTrace delta_trace;
  MlpTrace mlp; /* (T, M) */
} LayerTrace;

/* Numbers and arrays of a trace, both counted to the full. */
static double trace_cost(const TrainConfig *c, int T) {
  double Hd = (double)c->heads * c->head_dim, Kd = (double)c->kv_heads * c->head_dim;
  double width = (double)c->value_heads * c->value_dim, Ch = 2 * (double)c->key_heads * c->key_dim + width;
  double full = T * (4 * Hd + 3 * Kd) + (double)c->heads * T * T;
  double linear = T * (3 * Ch + 3 * width + 3 * (double)c->value_heads) + (c->kernel - 1) * Ch;
  return 20 * arena_cost(0) +
         sizeof(real) * (T * (4 * (double)c->hidden + 2 * (double)c->intermediate) + (full > linear ? full : linear));
}

/* Takes n numbers for *out; *good stays 1 when they were there. */
static void take(Arena *a, real **out, size_t n, int *good) {
  *out = arena_take(a, n);
  *good = *good && *out;
}

static int trace_take(const TrainConfig *c, int kind, LayerTrace *t, int T, Arena *a) {
  size_t TN = (size_t)T * c->hidden, TM = (size_t)T * c->intermediate;
  int good = 1;
  *t = (LayerTrace){0};
  real **residual[] = {&t->in, &t->normed, &t->middle, &t->normed_middle};
  for (int i = 0; i < 4; i++) take(a, residual[i], TN, &good);
  take(a, (real **)&t->mlp.gate, TM, &good);
  take(a, (real **)&t->mlp.up, TM, &good);
  if (kind == KIND_FULL) {
    AttentionCaptures *f = &t->attention;
    size_t queries = (size_t)T * c->heads * c->head_dim, keys = (size_t)T * c->kv_heads * c->head_dim;
    real **of_queries[] = {&f->q_proj, &f->q, &f->head_out, &f->gate}, **of_keys[] = {&f->k_proj, &f->k, &f->v};
    for (int i = 0; i < 4; i++) take(a, of_queries[i], queries, &good);
    for (int i = 0; i < 3; i++) take(a, of_keys[i], keys, &good);
    take(a, &f->probs, (size_t)c->heads * T * T, &good);
  } else {
    size_t heads = (size_t)T * c->value_heads, width = heads * c->value_dim;
    size_t Ch = 2 * (size_t)c->key_heads * c->key_dim + (size_t)c->value_heads * c->value_dim;
    take(a, &t->delta.beta, heads, &good);
    take(a, &t->delta.decay, heads, &good);
    take(a, &t->delta.core, width, &good);
    take(a, &t->delta.zgate, width, &good);
    take(a, &t->delta_trace.raw, (T + c->kernel - 1) * Ch, &good);
    take(a, &t->delta_trace.mixed, T * Ch, &good);
    take(a, &t->delta_trace.normed, T * Ch, &good);
    take(a, &t->delta_trace.z, width, &good);
    take(a, &t->delta_trace.a, heads, &good);
  }
  return good ? ATTN_OK : ATTN_E_SCRATCH;
}

/* ---- one layer ---- */

static int mixer_forward(const TrainLayer *l, LayerTrace *t, int T, real *out, Arena *scratch) {
  if (l->kind == KIND_FULL) {
    KvCache cache = {t->attention.k, t->attention.v, 0, T};
    return attention_forward(&l->attention, NULL, &cache, t->normed, T, out, &t->attention, scratch);
  }
  const DeltaLayer *d = &l->delta;
  DeltaState state = {arena_zeros(scratch, (size_t)d->qkv.rows * (d->kernel - 1)),
                      arena_zeros(scratch, (size_t)d->value_heads * d->key_dim * d->value_dim)};
  if (!state.conv || !state.table) return ATTN_E_SCRATCH;
  return delta_forward_traced(d, NULL, &state, t->normed, T, out, &t->delta, &t->delta_trace, scratch);
}

static int mixer_backward(const TrainLayer *l, const TrainLayer *dl, const LayerTrace *t, int T, const real *dout,
                          real *dx, Arena *scratch) {
  if (l->kind == KIND_FULL)
    return attention_backward(&l->attention, &dl->attention, &t->attention, t->normed, T, dout, dx, scratch);
  return delta_backward(&l->delta, &dl->delta, &t->delta, &t->delta_trace, t->normed, T, dout, dx, scratch);
}

/* out (T, N) = the next layer's input: h + mixer(norm h), then + mlp(norm of
 * that). t->in is there already. */
static int layer_forward(const TrainConfig *c, const TrainLayer *l, LayerTrace *t, int T, real *out, Arena *scratch) {
  int N = c->hidden, code;
  size_t TN = (size_t)T * N, mark = scratch->used;
  if ((code = norm_forward(&l->norm_in, c->zero_centred, c->eps, t->in, T, N, t->normed, scratch))) return code;
  if ((code = mixer_forward(l, t, T, t->middle, scratch))) return code;
  axpy(t->middle, 1, t->in, (int)TN);
  if ((code = norm_forward(&l->norm_post, c->zero_centred, c->eps, t->middle, T, N, t->normed_middle, scratch)))
    return code;
  if ((code = mlp_forward_traced(&l->mlp, t->normed_middle, T, out, &t->mlp, scratch))) return code;
  axpy(out, 1, t->middle, (int)TN);
  scratch->used = mark;
  return ATTN_OK;
}

/* dh (T, N): the gradient of what the layer gave becomes that of what it got.
 */
static int layer_backward(const TrainConfig *c, const TrainLayer *l, const TrainLayer *dl, const LayerTrace *t, int T,
                          real *dh, Arena *scratch) {
  size_t TN = (size_t)T * c->hidden, mark = scratch->used;
  real *dnormed_middle = arena_zeros(scratch, TN), *dnormed = arena_zeros(scratch, TN);
  int code;
  if (!dnormed_middle || !dnormed) return ATTN_E_SCRATCH;
  if ((code = mlp_backward(&l->mlp, &dl->mlp, &t->mlp, t->normed_middle, T, dh, dnormed_middle, scratch))) return code;
  norm_backward(&l->norm_post, &dl->norm_post, c->zero_centred, c->eps, t->middle, T, dnormed_middle, dh);
  if ((code = mixer_backward(l, dl, t, T, dh, dnormed, scratch))) return code;
  norm_backward(&l->norm_in, &dl->norm_in, c->zero_centred, c->eps, t->in, T, dnormed, dh);
  scratch->used = mark;
  return ATTN_OK;
}

/* ---- the model ---- */

/* Adds to dm the gradient of scale times the loss of ids[1 .. T], which it adds
 * to *loss. */
static int sequence(const TrainConfig *c, const TrainModel *m, const TrainModel *dm, const int32_t *ids, int T,
                    real scale, double *loss, Arena *scratch) {
  int N = c->hidden, V = c->vocab, L = c->layers, code;
  size_t TN = (size_t)T * N, mark = scratch->used;
  LayerTrace *traces = arena_bytes(scratch, (size_t)L * sizeof(LayerTrace));
  real *h = arena_take(scratch, TN), *normed = arena_take(scratch, TN); /* (T, N) of the last layer */
  real *dh = arena_zeros(scratch, TN), *dnormed = arena_zeros(scratch, TN);
  real *logits = arena_take(scratch, (size_t)T * V); /* (T, V), then their gradient */
  if (!traces || !h || !normed || !dh || !dnormed || !logits) return ATTN_E_SCRATCH;
  for (int i = 0; i < L; i++)
    if ((code = trace_take(c, m->layers[i].kind, traces + i, T, scratch))) return code;

  embed_forward(&m->embed, &m->positions, ids, T, L ? traces[0].in : h);
  for (int i = 0; i < L; i++)
    if ((code = layer_forward(c, m->layers + i, traces + i, T, i + 1 < L ? traces[i + 1].in : h, scratch))) return code;
  if ((code = norm_forward(&m->norm, c->zero_centred, c->eps, h, T, N, normed, scratch))) return code;
  gemm(logits, V, normed, N, &m->head, T);
  *loss += cross_entropy(logits, ids + 1, T, V, scale);

  linear_backward(&m->head, &dm->head, normed, logits, T, dnormed);
  norm_backward(&m->norm, &dm->norm, c->zero_centred, c->eps, h, T, dnormed, dh);
  for (int i = L - 1; i >= 0; i--)
    if ((code = layer_backward(c, m->layers + i, dm->layers + i, traces + i, T, dh, scratch))) return code;
  embed_backward(&dm->embed, &dm->positions, ids, T, dh);
  scratch->used = mark;
  return ATTN_OK;
}

double train_scratch(const TrainConfig *c, int T) {
  double most = 0;
  for (int i = 0; i < c->layers; i++) {
    Cursor nowhere = {NULL, 0};
    TrainLayer l;
    bind_layer(c, c->kinds[i], &l, &nowhere);
    double table = arena_cost((double)c->value_heads * c->key_dim * c->value_dim);
    double forward = l.kind == KIND_FULL
                         ? attention_scratch(&l.attention, NULL, T, T)
                         : delta_scratch(&l.delta, T) + table + arena_cost((double)l.delta.qkv.rows * c->kernel);
    double backward =
        l.kind == KIND_FULL ? attention_backward_scratch(&l.attention, T) : delta_backward_scratch(&l.delta, T);
    double mlp = mlp_backward_scratch(&l.mlp, T), layer = (forward > backward ? forward : backward);
    if (mlp > layer) layer = mlp;
    if (layer > most) most = layer;
  }
  return c->layers * (2 * sizeof(TrainLayer) + sizeof(LayerTrace) + trace_cost(c, T)) + 4 * arena_cost(0) +
         7 * arena_cost((double)T * c->hidden) + arena_cost((double)T * c->vocab) + most;
}

int train_batch(const TrainConfig *c, const real *params, real *grads, const int32_t *tokens, int B, int T, real *loss,
                Arena *scratch) {
  TrainModel m, dm;
  size_t mark = scratch->used, n = train_parameters(c);
  if (B < 1 || T < 1 || (c->positions && T > c->positions)) return ATTN_E_SHAPE;
  int code = bind_model(c, &m, params, scratch);
  if (!code) code = bind_model(c, &dm, grads, scratch);
  for (size_t i = 0; i < n; i++) grads[i] = 0;
  double sum = 0;
  for (int b = 0; b < B && !code; b++)
    code = sequence(c, &m, &dm, tokens + (size_t)b * (T + 1), T, 1 / (real)(B * T), &sum, scratch);
  scratch->used = mark;
  *loss = (real)(sum / ((double)B * T));
  return code ? code : isfinite(*loss) ? ATTN_OK : ATTN_E_NUMBER;
}
