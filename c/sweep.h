/* sweep.h - what sharing keys and values saves: counted exactly, and one decode step to time. */
#ifndef ATTN_SWEEP_H
#define ATTN_SWEEP_H

#include "arena.h"

/* Numbers kept per token and layer: K and V of every key/value head, 2 * kv_heads * head_dim. */
double kv_floats_per_token(int kv_heads, int head_dim);

/* Bytes of a whole cache: layers * tokens * kv_floats_per_token * bytes_per_value. Double, exact below 2^53. */
double kv_bytes(int kv_heads, int head_dim, int layers, double tokens, double bytes_per_value);

/* One decode step of one layer's attention: one new token's q (heads, head_dim) against a cache k, v
 * (tokens, kv_heads, head_dim). out (heads, head_dim). ATTN_OK, ATTN_E_SHAPE or ATTN_E_SCRATCH. */
int decode_step(const real *q, const real *k, const real *v, int heads, int kv_heads, int head_dim, int tokens,
                real *out, Arena *scratch);

#endif
