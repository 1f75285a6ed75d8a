#include "train/delta_backward.h"
#include "errors.h"
#include "kernels.h"
#include "train/backward.h"
#include <tgmath.h>

static const real L2_EPS = (real)1e-6; /* as in delta.c */

double delta_backward_scratch(const DeltaLayer *l, int T) {
  double dk = l->key_dim, dv = l->value_dim, width = l->value_heads * dv, Ch = 2 * l->key_heads * dk + width;
  return 3 * arena_cost(T * width) + 3 * arena_cost(T * Ch) + arena_cost((T + l->kernel - 1) * Ch) +
         2 * arena_cost((double)T * l->value_heads) + arena_cost((T + 2) * dk * dv) + arena_cost(dk) +
         3 * arena_cost(dv);
}

/* y = scale x / sqrt(sum x^2 + 1e-6): dx in place of dy. */
static void l2norm_backward(real *dy, const real *x, int n, real scale) {
  real r = 1 / sqrt(dot(x, x, n) + L2_EPS), along = dot(x, dy, n) * r * r;
  for (int i = 0; i < n; i++) dy[i] = scale * r * (dy[i] - along * x[i]);
}

/* One head of the delta rule as the twin sees it. Rows of q, k, v, dq, dk, dv
 * lie ld apart, those of core w apart. */
typedef struct {
  int T, dk, dv, ld, heads;    /* heads = step from token to token in decay, beta and core */
  const real *q, *k, *v;       /* (T, ...) */
  const real *decay, *beta;    /* (T) */
  const real *dcore;           /* (T, dv) */
  real *dq, *d_k, *d_v;        /* (T, ...) += */
  real *ddecay, *dbeta;        /* (T) = */
  real *tables;                /* (T + 1, dk, dv) scratch: the table before each token */
  real *dtable;                /* (dk, dv) scratch, zeros */
  real *memory, *dmemory, *du; /* (dv) scratch */
  real *row;                   /* (dk) scratch */
} Recurrence;

/* Forward, token by token: S = decay S' + k c^T with c = beta (v - u), u =
 * decay S'^T k; out = S^T q. */
static void recurrence_backward(const Recurrence *p) {
  int dk = p->dk, dv = p->dv, T = p->T, size = dk * dv;
  for (int i = 0; i < size; i++) p->tables[i] = 0;
  for (int t = 0; t < T; t++) { /* the tables again: keeping those of all heads
                                   would cost more than this */
    real *table = p->tables + (size_t)(t + 1) * size;
    copy_to(table, table - size, size);
    delta_step(table, p->memory, p->du, p->q + (size_t)t * p->ld, p->k + (size_t)t * p->ld, p->v + (size_t)t * p->ld,
               p->decay[t * p->heads], p->beta[t * p->heads], dk, dv);
  }
  for (int t = T - 1; t >= 0; t--) {
    size_t at = (size_t)t * p->ld, th = (size_t)t * p->heads;
    const real *before = p->tables + (size_t)t * size, *after = before + size;
    const real *q = p->q + at, *k = p->k + at, *v = p->v + at, *dout = p->dcore + th * dv;
    real decay = p->decay[th], beta = p->beta[th], dbeta = 0;
    Mat now = mat_of(after, dk, dv, dv), old = mat_of(before, dk, dv, dv), grad = mat_of(p->dtable, dk, dv, dv);

    /* out = S^T q */
    matvec(p->row, &now, dout);
    axpy(p->dq + at, 1, p->row, dk);
    for (int i = 0; i < dk; i++) axpy(p->dtable + (size_t)i * dv, q[i], dout, dv);

    /* S += k c^T; c = beta (v - u) */
    gemm_nn(p->memory, dv, k, dk, before, dv, 1, dk, dv);     /* S'^T k */
    gemm_nn(p->dmemory, dv, k, dk, p->dtable, dv, 1, dk, dv); /* dc */
    for (int j = 0; j < dv; j++) {
      real left = v[j] - decay * p->memory[j], dc = p->dmemory[j];
      dbeta += dc * left;
      p->d_v[at + j] += beta * dc;
      p->du[j] = -beta * dc;
      p->memory[j] = beta * left; /* c */
    }
    p->dbeta[th] = dbeta;
    matvec(p->row, &grad, p->memory);
    axpy(p->d_k + at, 1, p->row, dk);

    /* u = decay S'^T k, then S' through both: dS' = decay (dS + k du^T) */
    matvec(p->row, &old, p->du);
    axpy(p->d_k + at, decay, p->row, dk);
    for (int i = 0; i < dk; i++) axpy(p->dtable + (size_t)i * dv, k[i], p->du, dv);
    p->ddecay[th] = dot(before, p->dtable, size);
    for (int i = 0; i < size; i++) p->dtable[i] *= decay;
  }
}

int delta_backward(const DeltaLayer *l, const DeltaLayer *dl, const DeltaCaptures *c, const DeltaTrace *trace,
                   const real *x, int T, const real *dout, real *dx, Arena *scratch) {
  int Hk = l->key_heads, Hv = l->value_heads, dk = l->key_dim, dv = l->value_dim, C = l->kernel;
  int width = Hv * dv, Ch = 2 * Hk * dk + width, group = Hv / Hk;
  size_t mark = scratch->used;
  real *heads = arena_take(scratch, (size_t)T * width);        /* (T, Hv, dv) normed read-out, then what out reads */
  real *dz = arena_zeros(scratch, (size_t)T * width);          /* (T, Hv, dv) of the gated heads, then of z */
  real *dcore = arena_zeros(scratch, (size_t)T * width);       /* (T, Hv, dv) */
  real *mixed = arena_take(scratch, (size_t)T * Ch);           /* (T, Ch) silu of the convolution */
  real *dmixed = arena_zeros(scratch, (size_t)T * Ch);         /* (T, Ch) */
  real *sigma = arena_take(scratch, (size_t)T * Ch);           /* (T, Ch) sigmoid of what silu reads */
  real *draw = arena_zeros(scratch, (size_t)(T + C - 1) * Ch); /* (C-1+T, Ch) */
  real *da = arena_take(scratch, (size_t)T * Hv);              /* (T, Hv) of the decay, then of a */
  real *db = arena_take(scratch, (size_t)T * Hv);              /* (T, Hv) of beta, then of b */
  real *tables = arena_take(scratch, (size_t)(T + 2) * dk * dv);
  real *row = arena_take(scratch, dk), *memory = arena_take(scratch, dv), *dmemory = arena_take(scratch, dv);
  real *du = arena_take(scratch, dv);
  if (!heads || !dz || !dcore || !mixed || !dmixed || !sigma || !draw || !da || !db || !tables || !row || !memory ||
      !dmemory || !du)
    return ATTN_E_SCRATCH;

  /* 7 merge and project, 6 gated norm */
  const real *norm = l->norm.data;
  for (int th = 0; th < T * Hv; th++) rmsnorm(heads + (size_t)th * dv, c->core + (size_t)th * dv, norm, 0, l->eps, dv);
  mul(heads, heads, c->zgate, T * width);
  linear_backward(&l->out, &dl->out, heads, dout, T, dz);
  real *dnormed = heads;
  for (int th = 0; th < T * Hv; th++) {
    size_t at = (size_t)th * dv;
    mul(dnormed + at, dz + at, c->zgate + at, dv);
    rmsnorm_backward(dcore + at, numbers(&dl->norm), dnormed + at, c->core + at, norm, 0, l->eps, dv);
    rmsnorm(dnormed + at, c->core + at, norm, 0, l->eps, dv);
    mul(dz + at, dz + at, dnormed + at, dv);
  }
  sigmoid(sigma, trace->z, T * width);
  silu_backward(dz, trace->z, sigma, T * width);

  /* 5 the delta rule, last token first; the value heads of a group add to one
   * key head */
  for (int h = 0; h < Hv; h++) {
    size_t q = (size_t)(h / group) * dk, k = q + (size_t)Hk * dk, v = 2 * (size_t)Hk * dk + (size_t)h * dv;
    real *dtable = tables + (size_t)(T + 1) * dk * dv;
    for (int i = 0; i < dk * dv; i++) dtable[i] = 0;
    Recurrence head = {T,
                       dk,
                       dv,
                       Ch,
                       Hv,
                       trace->normed + q,
                       trace->normed + k,
                       trace->normed + v,
                       c->decay + h,
                       c->beta + h,
                       dcore + (size_t)h * dv,
                       dmixed + q,
                       dmixed + k,
                       dmixed + v,
                       da + h,
                       db + h,
                       tables,
                       dtable,
                       memory,
                       dmemory,
                       du,
                       row};
    recurrence_backward(&head);
  }

  /* 4 beta = sigmoid(b); decay = e^g with g = -e^A_log softplus(a + dt_bias) */
  const real *a_log = l->a_log.data, *dt_bias = l->dt_bias.data;
  for (int th = 0; th < T * Hv; th++) {
    int h = th % Hv;
    real shifted = trace->a[th] + dt_bias[h], dg = da[th] * c->decay[th], rate = exp(a_log[h]);
    db[th] *= c->beta[th] * (1 - c->beta[th]);
    da[th] = -dg * rate / (1 + exp(-shifted));
    numbers(&dl->a_log)[h] -= dg * rate * (fmax(shifted, (real)0) + log1p(exp(-fabs(shifted))));
    numbers(&dl->dt_bias)[h] += da[th];
  }

  /* 3 normalise every q and k head */
  sigmoid(sigma, trace->mixed, T * Ch);
  mul(mixed, trace->mixed, sigma, T * Ch);
  for (int t = 0; t < T; t++)
    for (int h = 0; h < 2 * Hk; h++) {
      size_t at = (size_t)t * Ch + (size_t)h * dk;
      l2norm_backward(dmixed + at, mixed + at, dk, h < Hk ? 1 / sqrt((real)dk) : 1);
    }

  /* 2 convolution over time, then silu */
  silu_backward(dmixed, trace->mixed, sigma, T * Ch);
  const real *taps = l->conv.data; /* (Ch, C) */
  for (int t = 0; t < T; t++)
    for (int j = 0; j < C; j++)
      for (int i = 0; i < Ch; i++) {
        size_t from = (size_t)(t + j) * Ch + i;
        numbers(&dl->conv)[i * C + j] += dmixed[(size_t)t * Ch + i] * trace->raw[from];
        draw[from] += dmixed[(size_t)t * Ch + i] * taps[i * C + j];
      }

  /* 1 project; what flows to tokens before the first is dropped */
  linear_backward(&l->qkv, &dl->qkv, x, draw + (size_t)(C - 1) * Ch, T, dx);
  linear_backward(&l->z, &dl->z, x, dz, T, dx);
  linear_backward(&l->b, &dl->b, x, db, T, dx);
  linear_backward(&l->a, &dl->a, x, da, T, dx);
  scratch->used = mark;
  return ATTN_OK;
}
