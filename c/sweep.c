#include "sweep.h"
#include "attention.h"
#include "errors.h"
#include <tgmath.h>

double kv_floats_per_token(int kv_heads, int head_dim) {
  return 2.0 * kv_heads * head_dim;
}

double kv_bytes(int kv_heads, int head_dim, int layers, double tokens, double bytes_per_value) {
  return layers * tokens * kv_floats_per_token(kv_heads, head_dim) * bytes_per_value;
}

int decode_step(const real *q, const real *k, const real *v, int heads, int kv_heads, int head_dim, int tokens,
                real *out, Arena *scratch) {
  if (heads < 1 || kv_heads < 1 || heads % kv_heads || head_dim < 1 || tokens < 1) return ATTN_E_SHAPE;
  int width = kv_heads * head_dim;
  AttendPlan plan = {1,    tokens, heads, kv_heads, head_dim, head_dim, width, width, 1, 1 / sqrt((real)head_dim),
                     NULL, NULL,   NULL,  NULL};
  return attend(&plan, out, q, k, v, scratch);
}
