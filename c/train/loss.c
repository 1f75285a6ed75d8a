#include "train/loss.h"
#include "kernels.h"
#include "train/backward.h"
#include <tgmath.h>

void embed_forward(const Mat *embed, const Mat *positions, const int32_t *ids, int T, real *h) {
  int N = embed->cols;
  for (int t = 0; t < T; t++) {
    copy_to(h + (size_t)t * N, numbers(embed) + (size_t)ids[t] * N, N);
    if (positions->data) axpy(h + (size_t)t * N, 1, numbers(positions) + (size_t)t * N, N);
  }
}

void embed_backward(const Mat *dembed, const Mat *dpositions, const int32_t *ids, int T, const real *dh) {
  int N = dembed->cols;
  for (int t = 0; t < T; t++) {
    axpy(numbers(dembed) + (size_t)ids[t] * N, 1, dh + (size_t)t * N, N);
    if (dpositions->data) axpy(numbers(dpositions) + (size_t)t * N, 1, dh + (size_t)t * N, N);
  }
}

double cross_entropy(real *logits, const int32_t *targets, int T, int V, real scale) {
  double loss = 0;
  for (int t = 0; t < T; t++) {
    real *row = logits + (size_t)t * V, wanted = row[targets[t]];
    int top = 0;
    for (int i = 1; i < V; i++)
      if (row[i] > row[top]) top = i;
    real highest = row[top];
    softmax(row, V, -(real)INFINITY);
    /* log sum e^x = top - log p[top], and p[top] >= 1/V never vanishes as
     * p[target] may */
    loss += (double)highest - (double)wanted - (double)log(row[top]);
    row[targets[t]] -= 1;
    for (int i = 0; i < V; i++) row[i] *= scale;
  }
  return loss;
}
