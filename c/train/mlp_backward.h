/* mlp_backward.h - the twin of mlp_forward_traced. */
#ifndef ATTN_TRAIN_MLP_BACKWARD_H
#define ATTN_TRAIN_MLP_BACKWARD_H

#include "mlp.h"

/* Bytes of arena for T tokens. */
double mlp_backward_scratch(const MlpLayer *l, int T);

/* dl and dx (T, N) += gradients, from dout (T, N), the input x (T, N) and the trace of the forward pass.
 * ATTN_OK or ATTN_E_SCRATCH. */
int mlp_backward(const MlpLayer *l, const MlpLayer *dl, const MlpTrace *trace, const real *x, int T, const real *dout,
                 real *dx, Arena *scratch);

#endif
