/* attention_backward.h - the twin of attention_forward for a whole sequence from position 0, without edits. */
#ifndef ATTN_TRAIN_ATTENTION_BACKWARD_H
#define ATTN_TRAIN_ATTENTION_BACKWARD_H

#include "attention.h"

/* Bytes of arena for T tokens. */
double attention_backward_scratch(const AttentionLayer *l, int T);

/* dl and dx (T, N) += gradients, from dout (T, N), the input x (T, N) and these captures of the forward pass: q, k, v,
 * probs, head_out, with a gate gate, with QK-norm q_proj and k_proj. ATTN_OK or ATTN_E_SCRATCH. */
int attention_backward(const AttentionLayer *l, const AttentionLayer *dl, const AttentionCaptures *c, const real *x,
                       int T, const real *dout, real *dx, Arena *scratch);

#endif
