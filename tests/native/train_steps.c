/* The steps of training that a gradient check does not see: the optimizers, clipping, and the loss at its edges. */
#include "check.h"
#include "elementary.h"
#include "errors.h"
#include "train/loss.h"
#include "train/model.h"
#include "train/optimizer.h"

enum { N = 7 };

static void optimizers(void) {
  double w[N], m[N] = {0}, v[N] = {0};
  real rw[N], rm[N] = {0}, rv[N] = {0}, sgd[N], dw[N];
  for (int i = 0; i < N; i++) rw[i] = sgd[i] = (real)(w[i] = 0.3 * i - 1);
  for (int step = 1; step <= 40; step++) {
    for (int i = 0; i < N; i++) dw[i] = (real)(sin(step * (i + 1)) * pow(10, i - 3));
    adamw_update(rw, dw, rm, rv, N, (real)0.01, (real)0.1, step);
    for (int i = 0; i < N; i++) { /* arXiv 1711.05101 algorithm 2, line by line */
      double g = (double)dw[i];
      m[i] = 0.9 * m[i] + 0.1 * g;
      v[i] = 0.999 * v[i] + 0.001 * g * g;
      double m_hat = m[i] / (1 - pow(0.9, step)), v_hat = v[i] / (1 - pow(0.999, step));
      w[i] -= 0.01 * (m_hat / (sqrt(v_hat) + 1e-8) + 0.1 * w[i]);
      NEAR(rw[i], w[i], 1e3 * unit(), "adamw: w[%d] after %d", i, step);
    }
  }
  sgd_update(sgd, dw, N, (real)0.5, (real)0.25);
  for (int i = 0; i < N; i++) {
    double was = 0.3 * i - 1;
    NEAR(sgd[i], was - 0.5 * ((double)dw[i] + 0.25 * was), 8 * unit() * (2 + fabs((double)dw[i])), "sgd: w[%d]", i);
  }
}

static void clipping(void) {
  real g[3] = {3, -4, 12};
  NEAR(clip_gradients(g, 3, 0), 13, 1e-5, "length");
  NEAR(g[2], 12, 0, "limit 0: untouched");
  NEAR(clip_gradients(g, 3, 20), 13, 1e-5, "length");
  NEAR(g[2], 12, 0, "below the limit: untouched");
  NEAR(clip_gradients(g, 3, (real)6.5), 13, 1e-5, "length before");
  NEAR(g[0], 1.5, 1e-5, "shortened");
  NEAR(g[1], -2, 1e-5, "shortened");
  NEAR(g[2], 6, 1e-5, "shortened");
}

/* A sure and wrong guess costs its distance: log of a share that has vanished must not become infinite. */
static void loss_edges(void) {
  real logits[6] = {0, 500, 0, 1, 2, 3};
  int32_t targets[2] = {2, 1};
  double expected = 500 + (log(exp(1) + exp(2) + exp(3)) - 2);
  NEAR(cross_entropy(logits, targets, 2, 3, (real)0.5), expected, 1e-4, "loss");
  NEAR(logits[1], 0.5, 1e-6, "softmax");
  NEAR(logits[2], -0.5, 1e-6, "softmax - 1");
  NEAR(logits[4], 0.5 * (exp(2) / (exp(1) + exp(2) + exp(3)) - 1), 1e-6, "softmax - 1");

  static const int32_t kinds[1] = {KIND_FULL};
  TrainConfig c = {.vocab = 3,
                   .hidden = 2,
                   .layers = 1,
                   .intermediate = 1,
                   .heads = 1,
                   .kv_heads = 1,
                   .head_dim = 4,
                   .positions = 5,
                   .tied = 1,
                   .eps = (real)1e-6,
                   .kinds = kinds};
  size_t n = train_parameters(&c), bytes = train_scratch(&c, 6);
  real *params = take_bytes(n * sizeof(real)), *grads = take_bytes(n * sizeof(real)), loss = 0;
  int32_t tokens[7] = {0, 1, 2, 0, 1, 2, 0};
  Arena scratch = {take_bytes(bytes), bytes, 0};
  for (size_t i = 0; i < n; i++) params[i] = (real)0.1;
  CHECK(train_batch(&c, params, grads, tokens, 1, 6, &loss, &scratch) == ATTN_E_SHAPE, "6 tokens, 5 positions");
  CHECK(train_batch(&c, params, grads, tokens, 0, 5, &loss, &scratch) == ATTN_E_SHAPE, "no sequence");
  CHECK(train_batch(&c, params, grads, tokens, 1, 5, &loss, &scratch) == ATTN_OK, "it fits");
  params[0] = (real)NAN;
  CHECK(train_batch(&c, params, grads, tokens, 1, 5, &loss, &scratch) == ATTN_E_NUMBER, "NaN is told");
  c.head_dim = 3;
  c.rotary = 3;
  CHECK(train_batch(&c, params, grads, tokens, 1, 5, &loss, &scratch) == ATTN_E_SHAPE, "odd rotary");
  free_all();
}

/* Powers and angles as the C library has them. */
static void elementary(void) {
  static const double thetas[] = {100, 1e4, 5e5, 1e6, 1e7, 1.3e14};
  for (size_t i = 0; i < sizeof thetas / sizeof *thetas; i++)
    for (int rotary = 2; rotary <= 256; rotary += 14)
      for (int j = 0; j < rotary / 2; j++) {
        double theta = thetas[i], want = pow(theta, -2.0 * j / rotary);
        NEAR(power(theta, -2.0 * j / rotary), want, 1e-14 * want, "%g^(-2 %d/%d)", theta, j, rotary);
      }
  for (int i = 0; i < 6000; i++) {
    double angle = pow(1.0023, i) - 1, s, c; /* up to 1e6 */
    sine_cosine(angle, &s, &c);
    NEAR(s, sin(angle), 3e-16, "sin %.17g", angle);
    NEAR(c, cos(angle), 3e-16, "cos %.17g", angle);
  }
}

int main(void) {
  optimizers();
  clipping();
  loss_edges();
  elementary();
  return check_end(1000);
}
