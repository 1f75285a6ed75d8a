/* loss.h - both ends of the model: embedding rows in, cross-entropy out. */
#ifndef ATTN_TRAIN_LOSS_H
#define ATTN_TRAIN_LOSS_H

#include "real.h"

/* h (T, N) = embed[ids[t]], plus positions[t] where there are learned positions (positions->data not NULL). */
void embed_forward(const Mat *embed, const Mat *positions, const int32_t *ids, int T, real *h);

/* The rows that were read get their gradient. dh (T, N). */
void embed_backward(const Mat *dembed, const Mat *dpositions, const int32_t *ids, int T, const real *dh);

/* Sum over T tokens of -log softmax(logits[t])[targets[t]]. In place, logits (T, V) become their gradient times scale:
 * softmax - onehot. */
double cross_entropy(real *logits, const int32_t *targets, int T, int V, real scale);

#endif
