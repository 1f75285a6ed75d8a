/* toys.h - the small examples that are worked by hand: attention over a few vectors, one gate, a gate that learns.
 * Everything row-major; nothing is kept between calls. */
#ifndef ATTN_TOYS_H
#define ATTN_TOYS_H

#include "arena.h"

/* softmax(scale q k^T + mask) v for one head. q (queries, dim), k (keys, dim), v (keys, value_dim).
 * causal: query i stands at position keys - queries + i and sees the keys up to there.
 * scores (queries, keys) scaled, -INFINITY where masked; probs (queries, keys); out (queries, value_dim).
 * ATTN_OK, ATTN_E_SHAPE (causal with queries > keys, a size < 1) or ATTN_E_SCRATCH. */
int toy_attention(const real *q, const real *k, const real *v, int queries, int keys, int dim, int value_dim,
                  int causal, real scale, real *scores, real *probs, real *out, Arena *scratch);

/* The output gate: z = x W_gate, gate = sigmoid(z), out = head_out * gate.
 * x (features), w_gate (features, heads*dim), head_out, z, gate, out (heads, dim). */
void toy_gate(const real *x, const real *w_gate, const real *head_out, int features, int heads, int dim, real *z,
              real *gate, real *out);

/* A gate learns by plain gradient descent. Each of n examples has x (features), a residual r, a head output o and a
 * target t; g = sigmoid(x w), y = r + g o, loss = sum (y - t)^2 / 2, so dloss/dw = (y - t) * o * g (1 - g) * x.
 * w (steps+1, features), gate (steps+1, n), loss (steps+1), grad (steps+1, features); row s is the state before
 * update s. */
void toy_gate_sgd(const real *x, const real *residual, const real *head_out, const real *target, const real *w0, int n,
                  int features, int steps, real learning_rate, real *w, real *gate, real *loss, real *grad);

#endif
