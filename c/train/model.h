/* model.h - the whole model for training: one block of parameters, one of gradients, one sequence at a time. */
#ifndef ATTN_TRAIN_MODEL_H
#define ATTN_TRAIN_MODEL_H

#include "arena.h"
#include "attention.h"
#include "delta.h"
#include "mlp.h"

enum { KIND_FULL = 0, KIND_LINEAR = 1 };

/* Field order = web/engine/trainer.js. */
typedef struct {
  int32_t vocab;                                                                 /* V */
  int32_t hidden;                                                                /* N */
  int32_t layers;                                                                /* L */
  int32_t intermediate;                                                          /* M */
  int32_t heads, kv_heads, head_dim, rotary, gated, zero_centred, qk_norm, cure; /* as in AttentionLayer */
  int32_t key_heads, value_heads, key_dim, value_dim, kernel;                    /* as in DeltaLayer */
  int32_t positions;                                                             /* rows of learned positions, or 0 */
  int32_t tied; /* 1: the output matrix is the embedding */
  real rope_theta, eps;
  const int32_t *kinds; /* (L) KIND_... */
} TrainConfig;

/* Numbers in the block of parameters. The tensors lie in it without gaps in the order of a forward pass, which is that
 * of expectedShapes() in web/engine/shapes.js: embedding, positions, per layer input norm, mixer, post norm, MLP; then
 * final norm and output matrix. */
size_t train_parameters(const TrainConfig *c);

/* Bytes of arena for train_batch with sequences of T tokens. */
double train_scratch(const TrainConfig *c, int T);

/* grads = the gradient of *loss = mean over all tokens of -log p(next token), over B sequences of T tokens and their
 * last target: tokens (B, T + 1), each in [0, V). params and grads (train_parameters).
 * ATTN_OK, ATTN_E_SHAPE (contradicting sizes, T beyond the learned positions), ATTN_E_SCRATCH, or ATTN_E_NUMBER when
 * the loss is not a finite number. */
int train_batch(const TrainConfig *c, const real *params, real *grads, const int32_t *tokens, int B, int T, real *loss,
                Arena *scratch);

#endif
