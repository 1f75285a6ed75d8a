/* delta_backward.h - the twin of delta_forward_traced for a whole sequence from an empty table: back through time. */
#ifndef ATTN_TRAIN_DELTA_BACKWARD_H
#define ATTN_TRAIN_DELTA_BACKWARD_H

#include "delta.h"

/* Bytes of arena for T tokens: the table of one head after every token is among them. */
double delta_backward_scratch(const DeltaLayer *l, int T);

/* dl and dx (T, N) += gradients, from dout (T, N), the input x (T, N), the captures beta, decay, core and zgate and
 * the whole trace of the forward pass. ATTN_OK or ATTN_E_SCRATCH. */
int delta_backward(const DeltaLayer *l, const DeltaLayer *dl, const DeltaCaptures *c, const DeltaTrace *trace,
                   const real *x, int T, const real *dout, real *dx, Arena *scratch);

#endif
