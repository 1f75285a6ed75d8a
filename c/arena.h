/* arena.h - scratch memory of one forward pass: a bump pointer over a block the caller owns.
 *
 * Nothing is ever given back inside a pass; the caller starts the next pass with used = 0. A layer asks for its
 * arrays at its top; when one does not fit, arena_take returns NULL and the layer returns ATTN_E_SCRATCH. */
#ifndef ATTN_ARENA_H
#define ATTN_ARENA_H

#include "real.h"

typedef struct {
  char *base;
  size_t size; /* bytes */
  size_t used; /* bytes */
} Arena;

/* n numbers, 16-byte aligned, not cleared; NULL when the block is full. */
static inline real *arena_take(Arena *a, size_t n) {
  size_t at = (a->used + 15) & ~(size_t)15;
  size_t bytes = n * sizeof(real);
  if (at > a->size || bytes > a->size - at) return NULL;
  a->used = at + bytes;
  return (real *)(void *)(a->base + at);
}

/* What arena_take(n) costs at most, in bytes: for the *_scratch functions. They count in double, so that no product
 * wraps: what is too much for the memory is refused where the block is asked for, and what was granted holds all n. */
static inline double arena_cost(double n) {
  return n * sizeof(real) + 16;
}

#endif
