/* api_train.h - the exports of training, beside those of api.h and under the same rules. */
#ifndef ATTN_TRAIN_API_H
#define ATTN_TRAIN_API_H

#include "api.h"
#include "train/model.h"
#include "train/optimizer.h"

/* model.h */
ATTN_EXPORT(attn_train_parameters) size_t attn_train_parameters(const TrainConfig *c);
ATTN_EXPORT(attn_train_scratch) double attn_train_scratch(const TrainConfig *c, int T);
ATTN_EXPORT(attn_train_batch)
int attn_train_batch(const TrainConfig *c, const real *params, real *grads, const int32_t *tokens, int B, int T,
                     real *loss, Arena *scratch);

/* optimizer.h. n numbers in all; an update changes `count` of them from `from` on. state (3, n): parameters, then
 * AdamW's running means m and v. */
ATTN_EXPORT(attn_train_clip) real attn_train_clip(real *grads, int n, real limit);
ATTN_EXPORT(attn_train_sgd)
void attn_train_sgd(real *state, const real *grads, int from, int count, real rate, real decay);
ATTN_EXPORT(attn_train_adamw)
void attn_train_adamw(real *state, const real *grads, int n, int from, int count, real rate, real decay, int step);
/* to[i] = from[i], i < n */
ATTN_EXPORT(attn_train_copy) void attn_train_copy(real *to, const real *from, int n);

#endif
