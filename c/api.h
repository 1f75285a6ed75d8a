/* api.h - the manual of the WebAssembly module. Every export is listed here; web/engine/wasm.js is its only caller.
 *
 * The module has no imports, no globals of its own and no start-up but `_initialize`. All memory is linear memory that
 * the caller takes with attn_alloc and gives back with attn_free; functions keep no pointer after they return.
 * Structs cross the border as consecutive 4-byte fields in the order of their C declaration (real = float, pointers and
 * int32_t = 4 bytes, a Mat = data, dtype, rows, cols, ld). Memory may grow inside attn_alloc only, so a view taken
 * after the last allocation is good until the next one. Results: 0 or a negative code of errors.h. */
#ifndef ATTN_API_H
#define ATTN_API_H

#include "attention.h"
#include "delta.h"
#include "errors.h"
#include "kernels.h"
#include "mlp.h"
#include "norm.h"
#include "sweep.h"
#include "toys.h"

#ifdef __EMSCRIPTEN__
#define ATTN_EXPORT(name) __attribute__((export_name(#name)))
#else
#define ATTN_EXPORT(name)
#endif

/* Which build this is: 0 scalar, 1 simd, 2 relaxed. */
ATTN_EXPORT(attn_variant) int attn_variant(void);
/* `bytes` of 16-byte aligned memory, uninitialised; NULL (0) when there is no room: heap.h. */
ATTN_EXPORT(attn_alloc) void *attn_alloc(size_t bytes);
/* Gives back what attn_alloc gave; NULL is fine. */
ATTN_EXPORT(attn_free) void attn_free(void *block);
/* Static zero-terminated English sentence for a code of errors.h. */
ATTN_EXPORT(attn_error) const char *attn_error(int code);

/* Kernels as in kernels.h, for tests and benchmarks. attn_softmax is the plain one (no sink). */
ATTN_EXPORT(attn_dot) real attn_dot(const real *a, const real *b, int n);
ATTN_EXPORT(attn_axpy) void attn_axpy(real *y, real a, const real *x, int n);
ATTN_EXPORT(attn_expand) void attn_expand(real *out, const void *in, int dtype, int n);
ATTN_EXPORT(attn_matvec) void attn_matvec(real *out, const Mat *w, const real *x);
ATTN_EXPORT(attn_gemm) void attn_gemm(real *out, int ldo, const real *x, int ldx, const Mat *w, int T);
ATTN_EXPORT(attn_gemm_nn)
void attn_gemm_nn(real *out, int ldo, const real *p, int ldp, const real *v, int ldv, int T, int S, int n);
ATTN_EXPORT(attn_softmax) void attn_softmax(real *x, int n);
ATTN_EXPORT(attn_softmax_sink) void attn_softmax_sink(real *x, int n, real sink);
ATTN_EXPORT(attn_rmsnorm) void attn_rmsnorm(real *out, const real *x, const real *w, real bias, real eps, int n);
ATTN_EXPORT(attn_rope) void attn_rope(real *x, const real *cosines, const real *sines, int half);
ATTN_EXPORT(attn_rope_table)
void attn_rope_table(real *cosines, real *sines, int first_pos, int T, int rotary, real theta);
ATTN_EXPORT(attn_sigmoid) void attn_sigmoid(real *out, const real *x, int n);
ATTN_EXPORT(attn_silu) void attn_silu(real *out, const real *x, int n);
ATTN_EXPORT(attn_muladd) void attn_muladd(real *y, const real *a, const real *b, int n);
ATTN_EXPORT(attn_delta_step)
void attn_delta_step(real *S, real *out, real *d, const real *q, const real *k, const real *v, real decay, real beta,
                     int dk, int dv);
ATTN_EXPORT(attn_mul) void attn_mul(real *out, const real *a, const real *b, int n);

/* toys.h. attn_toy_scratch: bytes of arena for attn_toy_attention (of any size, as all attn_..._scratch: arena.h). */
ATTN_EXPORT(attn_toy_scratch) double attn_toy_scratch(int queries, int keys, int dim, int value_dim);
ATTN_EXPORT(attn_toy_attention)
int attn_toy_attention(const real *q, const real *k, const real *v, int queries, int keys, int dim, int value_dim,
                       int causal, real scale, real *scores, real *probs, real *out, Arena *scratch);
ATTN_EXPORT(attn_toy_gate)
void attn_toy_gate(const real *x, const real *w_gate, const real *head_out, int features, int heads, int dim, real *z,
                   real *gate, real *out);
ATTN_EXPORT(attn_toy_gate_sgd)
void attn_toy_gate_sgd(const real *x, const real *residual, const real *head_out, const real *target, const real *w0,
                       int n, int features, int steps, real learning_rate, real *w, real *gate, real *loss, real *grad);

/* sweep.h. attn_decode_scratch: bytes of arena for attn_decode_step. */
ATTN_EXPORT(attn_kv_floats) double attn_kv_floats(int kv_heads, int head_dim);
ATTN_EXPORT(attn_kv_bytes)
double attn_kv_bytes(int kv_heads, int head_dim, int layers, double tokens, double bytes_per_value);
ATTN_EXPORT(attn_decode_scratch) double attn_decode_scratch(int heads, int kv_heads, int head_dim, int tokens);
ATTN_EXPORT(attn_decode_step)
int attn_decode_step(const real *q, const real *k, const real *v, int heads, int kv_heads, int head_dim, int tokens,
                     real *out, Arena *scratch);

/* norm.h, attention.h, delta.h, mlp.h: the layers of the model. */
ATTN_EXPORT(attn_norm_forward)
int attn_norm_forward(const Mat *w, int zero_centred, real eps, const real *x, int T, int n, real *out, Arena *scratch);
ATTN_EXPORT(attn_attention_check) int attn_attention_check(const AttentionLayer *l);
ATTN_EXPORT(attn_attention_scratch)
double attn_attention_scratch(const AttentionLayer *l, const AttentionEdits *edits, int T, int S);
ATTN_EXPORT(attn_attention_forward)
int attn_attention_forward(const AttentionLayer *l, const AttentionEdits *edits, KvCache *cache, const real *x, int T,
                           real *out, AttentionCaptures *captures, Arena *scratch);

ATTN_EXPORT(attn_delta_check) int attn_delta_check(const DeltaLayer *l);
ATTN_EXPORT(attn_delta_scratch) double attn_delta_scratch(const DeltaLayer *l, int T);
ATTN_EXPORT(attn_delta_forward)
int attn_delta_forward(const DeltaLayer *l, const real *zero, DeltaState *state, const real *x, int T, real *out,
                       DeltaCaptures *captures, Arena *scratch);
ATTN_EXPORT(attn_mlp_scratch) double attn_mlp_scratch(const MlpLayer *l, int T);
ATTN_EXPORT(attn_mlp_forward) int attn_mlp_forward(const MlpLayer *l, const real *x, int T, real *out, Arena *scratch);

#endif
