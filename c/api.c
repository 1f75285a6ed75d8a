/* api.c - the exports. The only file that knows WebAssembly. */
#include "api.h"
#include "heap.h"
#include <math.h>

/* Linear memory from behind the stack to its end is the heap. The allocator that some toolchains link (emmalloc of
 * emcc 3.1.6) adds a size to an address without looking, and hands out a block that is not there near 4 GiB. */
enum { PAGE = 65536 };

static int reach(uintptr_t end) {
  size_t pages = end / PAGE + (end % PAGE != 0), here = __builtin_wasm_memory_size(0);
  return pages <= here || __builtin_wasm_memory_grow(0, pages - here) != SIZE_MAX;
}

/* The linker's, on a multiple of 16. NOLINTNEXTLINE(bugprone-reserved-identifier) */
extern char __heap_base;
static Heap heap = {NULL, (uintptr_t)&__heap_base, reach};

int attn_variant(void) {
#if defined(ATTN_RELAXED)
  return 2;
#elif defined(ATTN_SIMD)
  return 1;
#else
  return 0;
#endif
}

void *attn_alloc(size_t bytes) {
  return heap_take(&heap, bytes);
}
void attn_free(void *block) {
  heap_give(&heap, block);
}
const char *attn_error(int code) {
  return error_text(code);
}

real attn_dot(const real *a, const real *b, int n) {
  return dot(a, b, n);
}
void attn_axpy(real *y, real a, const real *x, int n) {
  axpy(y, a, x, n);
}
void attn_expand(real *out, const void *in, int dtype, int n) {
  expand(out, in, dtype, n);
}
void attn_matvec(real *out, const Mat *w, const real *x) {
  matvec(out, w, x);
}
void attn_gemm(real *out, int ldo, const real *x, int ldx, const Mat *w, int T) {
  gemm(out, ldo, x, ldx, w, T);
}
void attn_gemm_nn(real *out, int ldo, const real *p, int ldp, const real *v, int ldv, int T, int S, int n) {
  gemm_nn(out, ldo, p, ldp, v, ldv, T, S, n);
}
void attn_softmax(real *x, int n) {
  softmax(x, n, -INFINITY);
}
void attn_softmax_sink(real *x, int n, real sink) {
  softmax(x, n, sink);
}
void attn_rmsnorm(real *out, const real *x, const real *w, real bias, real eps, int n) {
  rmsnorm(out, x, w, bias, eps, n);
}
void attn_rope(real *x, const real *cosines, const real *sines, int half) {
  rope(x, cosines, sines, half);
}
void attn_rope_table(real *cosines, real *sines, int first_pos, int T, int rotary, real theta) {
  rope_table(cosines, sines, first_pos, T, rotary, (double)theta);
}
void attn_sigmoid(real *out, const real *x, int n) {
  sigmoid(out, x, n);
}
void attn_silu(real *out, const real *x, int n) {
  silu(out, x, n);
}
void attn_mul(real *out, const real *a, const real *b, int n) {
  mul(out, a, b, n);
}

void attn_muladd(real *y, const real *a, const real *b, int n) {
  muladd(y, a, b, n);
}
void attn_delta_step(real *S, real *out, real *d, const real *q, const real *k, const real *v, real decay, real beta,
                     int dk, int dv) {
  delta_step(S, out, d, q, k, v, decay, beta, dk, dv);
}

double attn_toy_scratch(int queries, int keys, int dim, int value_dim) {
  AttendPlan plan = {queries, keys, 1, 1, dim, value_dim, dim, value_dim, 0, 1, NULL, NULL, NULL, NULL};
  return attend_scratch(&plan);
}
int attn_toy_attention(const real *q, const real *k, const real *v, int queries, int keys, int dim, int value_dim,
                       int causal, real scale, real *scores, real *probs, real *out, Arena *scratch) {
  return toy_attention(q, k, v, queries, keys, dim, value_dim, causal, scale, scores, probs, out, scratch);
}
void attn_toy_gate(const real *x, const real *w_gate, const real *head_out, int features, int heads, int dim, real *z,
                   real *gate, real *out) {
  toy_gate(x, w_gate, head_out, features, heads, dim, z, gate, out);
}
void attn_toy_gate_sgd(const real *x, const real *residual, const real *head_out, const real *target, const real *w0,
                       int n, int features, int steps, real learning_rate, real *w, real *gate, real *loss,
                       real *grad) {
  toy_gate_sgd(x, residual, head_out, target, w0, n, features, steps, learning_rate, w, gate, loss, grad);
}

double attn_kv_floats(int kv_heads, int head_dim) {
  return kv_floats_per_token(kv_heads, head_dim);
}
double attn_kv_bytes(int kv_heads, int head_dim, int layers, double tokens, double bytes_per_value) {
  return kv_bytes(kv_heads, head_dim, layers, tokens, bytes_per_value);
}
double attn_decode_scratch(int heads, int kv_heads, int head_dim, int tokens) {
  AttendPlan plan = {1, tokens, heads, kv_heads, head_dim, head_dim, 0, 0, 1, 1, NULL, NULL, NULL, NULL};
  return attend_scratch(&plan);
}
int attn_decode_step(const real *q, const real *k, const real *v, int heads, int kv_heads, int head_dim, int tokens,
                     real *out, Arena *scratch) {
  return decode_step(q, k, v, heads, kv_heads, head_dim, tokens, out, scratch);
}

int attn_norm_forward(const Mat *w, int zero_centred, real eps, const real *x, int T, int n, real *out,
                      Arena *scratch) {
  return norm_forward(w, zero_centred, eps, x, T, n, out, scratch);
}
int attn_attention_check(const AttentionLayer *l) {
  return attention_check(l);
}
double attn_attention_scratch(const AttentionLayer *l, const AttentionEdits *edits, int T, int S) {
  return attention_scratch(l, edits, T, S);
}
int attn_attention_forward(const AttentionLayer *l, const AttentionEdits *edits, KvCache *cache, const real *x, int T,
                           real *out, AttentionCaptures *captures, Arena *scratch) {
  return attention_forward(l, edits, cache, x, T, out, captures, scratch);
}
int attn_delta_check(const DeltaLayer *l) {
  return delta_check(l);
}
double attn_delta_scratch(const DeltaLayer *l, int T) {
  return delta_scratch(l, T);
}
int attn_delta_forward(const DeltaLayer *l, const real *zero, DeltaState *state, const real *x, int T, real *out,
                       DeltaCaptures *captures, Arena *scratch) {
  return delta_forward(l, zero, state, x, T, out, captures, scratch);
}
double attn_mlp_scratch(const MlpLayer *l, int T) {
  return mlp_scratch(l, T);
}
int attn_mlp_forward(const MlpLayer *l, const real *x, int T, real *out, Arena *scratch) {
  return mlp_forward(l, x, T, out, scratch);
}
