#include "train/api_train.h"

size_t attn_train_parameters(const TrainConfig *c) {
  return train_parameters(c);
}
double attn_train_scratch(const TrainConfig *c, int T) {
  return train_scratch(c, T);
}
int attn_train_batch(const TrainConfig *c, const real *params, real *grads, const int32_t *tokens, int B, int T,
                     real *loss, Arena *scratch) {
  return train_batch(c, params, grads, tokens, B, T, loss, scratch);
}
real attn_train_clip(real *grads, int n, real limit) {
  return clip_gradients(grads, n, limit);
}
void attn_train_sgd(real *state, const real *grads, int from, int count, real rate, real decay) {
  sgd_update(state + from, grads + from, count, rate, decay);
}
void attn_train_adamw(real *state, const real *grads, int n, int from, int count, real rate, real decay, int step) {
  real *w = state + from;
  adamw_update(w, grads + from, w + n, w + 2 * (size_t)n, count, rate, decay, step);
}
void attn_train_copy(real *to, const real *from, int n) {
  copy_to(to, from, (size_t)n);
}
