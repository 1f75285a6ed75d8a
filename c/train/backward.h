/* backward.h - the twins of the small steps that every layer is made of.
 *
 * The rule in all of c/train: gradient = d + name; a gradient is added to what is there (+=), because parameters and
 * inputs are used more than once, so the caller clears it first. The gradients of a layer's parameters are a struct of
 * the layer's own type, whose matrices are views into the block of gradients. Everything is `real` here: training
 * keeps its weights in full precision. */
#ifndef ATTN_TRAIN_BACKWARD_H
#define ATTN_TRAIN_BACKWARD_H

#include "arena.h"

/* The numbers behind a view of parameters or gradients, to be written. */
static inline real *numbers(const Mat *m) {
  return (real *)(uintptr_t)m->data;
}

/* n zeros taken from the arena, or NULL. */
real *arena_zeros(Arena *a, size_t n);

/* Room for structs. */
static inline void *arena_bytes(Arena *a, size_t bytes) {
  return arena_take(a, bytes / sizeof(real) + 1);
}

/* y = x W^T: dW += dy^T x, dx += dy W. x and dx (T, cols), dy (T, rows). */
void linear_backward(const Mat *w, const Mat *dw, const real *x, const real *dy, int T, real *dx);

/* y = x / sqrt(mean(x^2) + eps) * (bias + w) of one row of n. dx and dw are added to; dx must not be dy. */
void rmsnorm_backward(real *dx, real *dw, const real *dy, const real *x, const real *w, real bias, real eps, int n);

/* norm_forward: T rows. x, dx, dy (T, n). */
void norm_backward(const Mat *w, const Mat *dw, int zero_centred, real eps, const real *x, int T, const real *dy,
                   real *dx);

/* In place, what came through y = silu(x) = x s with sigma = s = sigmoid(x): dx[i] *= s (1 + x (1 - s)). */
void silu_backward(real *dx, const real *x, const real *sigma, int n);

#endif
