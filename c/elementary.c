#include "elementary.h"
#include <math.h>

/* ln 2 and pi/2 in two and three pieces; the first have zeros at their end, so that a whole multiple is exact. */
static const double LN2[2] = {6.93147180369123816490e-01, 1.90821492927058770002e-10};
static const double HALF_PI[3] = {1.57079632673412561417e+00, 6.07710050630396597660e-11, 2.02226624879595063154e-21};

/* 1 + x/from + x/from x/(from+1) ... : the series of e^x and, in steps of two with x = -r^2, of sine and cosine */
static double series(double x, int from, int step, int terms) {
  double sum = 1;
  for (int i = from + step * (terms - 1); i >= from; i -= step) sum = 1 + x / (step == 1 ? i : i * (i + 1)) * sum;
  return sum;
}

double power(double base, double exponent) {
  int e;
  double m = frexp(base, &e), log_m = 0;
  if (m < 0.70710678118654752) {
    m *= 2;
    e -= 1;
  }
  /* ln m = 2 artanh s, |s| <= 0.172 */
  double s = (m - 1) / (m + 1);
  for (int i = 23; i >= 1; i -= 2) log_m = log_m * s * s + 2.0 / i;
  log_m *= s;
  double x = exponent * (e * LN2[0] + (e * LN2[1] + log_m)), k = floor(x / (LN2[0] + LN2[1]) + 0.5);
  return ldexp(series(x - k * LN2[0] - k * LN2[1], 1, 1, 14), (int)k);
}

void sine_cosine(double angle, double *sine, double *cosine) {
  double k = floor(angle / HALF_PI[0] + 0.5);
  double r = angle - k * HALF_PI[0] - k * HALF_PI[1] - k * HALF_PI[2];
  double s = r * series(-r * r, 2, 2, 9), c = series(-r * r, 1, 2, 9);
  int quarter = (int)(k - 4 * floor(k / 4));
  *sine = quarter == 0 ? s : quarter == 1 ? c : quarter == 2 ? -s : -c;
  *cosine = quarter == 0 ? c : quarter == 1 ? -s : quarter == 2 ? -c : s;
}
