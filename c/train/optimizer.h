/* optimizer.h - from gradients to the next parameters. All arrays (n), in place. */
#ifndef ATTN_TRAIN_OPTIMIZER_H
#define ATTN_TRAIN_OPTIMIZER_H

#include "real.h"

/* Length of the gradient over all parameters; when it is above limit (> 0), all are shortened to that length.
 * Source: Pascanu et al., arXiv 1211.5063. Returns the length found. */
real clip_gradients(real *grads, int n, real limit);

/* w -= rate * (dw + decay * w) */
void sgd_update(real *w, const real *dw, int n, real rate, real decay);

/* AdamW, update number step from 1. m and v (n) are its running means of dw and dw^2, zeros before the first.
 * Source: Loshchilov and Hutter, arXiv 1711.05101 algorithm 2, with beta = 0.9, 0.999 and eps = 1e-8. */
void adamw_update(real *w, const real *dw, real *m, real *v, int n, real rate, real decay, int step);

#endif
