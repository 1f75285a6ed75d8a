/* check.h - what the native tests share: exact-size blocks (so that the address sanitizer sees any step beside them),
 * numbers from a seed, comparisons that are counted, and an exit status. */
#ifndef ATTN_CHECK_H
#define ATTN_CHECK_H

#include "arena.h"
#include "kernels.h"
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int checks, failures;

#define CHECK(condition, ...) check_that(!!(condition), #condition, __FILE__, __LINE__, __VA_ARGS__)
#define NEAR(got, want, tolerance, ...)                                                                                \
  check_that(fabs((double)(got) - (double)(want)) <= (double)(tolerance), #got, __FILE__, __LINE__, __VA_ARGS__)

__attribute__((format(printf, 5, 6))) static void check_that(int good, const char *what, const char *file, int line,
                                                             const char *format, ...);

static void check_that(int good, const char *what, const char *file, int line, const char *format, ...) {
  checks++;
  if (good) return;
  if (failures++ > 20) return;
  va_list list;
  va_start(list, format);
  printf("%s:%d: %s: ", file, line, what);
  vprintf(format, list);
  printf("\n");
  va_end(list);
}

/* Exit status of a test's main: at least `least` comparisons were made, none failed. */
static int check_end(int least) {
  if (checks < least) printf("only %d comparisons, expected at least %d\n", checks, least);
  if (failures) printf("%d of %d comparisons failed\n", failures, checks);
  return failures || checks < least;
}

/* Relative rounding of `real`. */
static inline double unit(void) {
  return sizeof(real) == 8 ? ldexp(1, -53) : ldexp(1, -24);
}

/* Every block taken in a case is given back at its end. */
static void *blocks[256];
static int n_blocks;

static inline void *take_bytes(size_t bytes) {
  if (n_blocks == (int)(sizeof blocks / sizeof *blocks)) exit(3);
  void *block = malloc(bytes ? bytes : 1);
  if (!block) exit(3);
  memset(block, 0x7e, bytes);
  return blocks[n_blocks++] = block;
}
static inline void free_all(void) {
  while (n_blocks) free(blocks[--n_blocks]);
}

/* n numbers, to the byte; filled with a number that no test expects. */
static inline real *take(size_t n) {
  real *x = take_bytes(n * sizeof(real));
  for (size_t i = 0; i < n; i++) x[i] = (real)-12345.678;
  return x;
}

static uint32_t seed = 1;

/* The next number in (-scale, scale). */
static inline double next(double scale) {
  seed = seed * 1664525u + 1013904223u;
  return scale * (((double)(seed >> 8) + 0.5) / 8388608.0 - 1.0);
}

/* n random numbers in (-scale, scale). */
static inline real *noise(size_t n, double scale) {
  real *x = take(n);
  for (size_t i = 0; i < n; i++) x[i] = (real)next(scale);
  return x;
}

/* (rows, cols) random numbers as a weight. */
static inline Mat weight(int rows, int cols, double scale) {
  return mat_of(noise((size_t)rows * cols, scale), rows, cols, cols);
}

static inline Arena arena_of(size_t bytes) {
  Arena a = {take_bytes(bytes), bytes, 0};
  return a;
}

/* Largest |a - b|. */
static inline double distance(const real *a, const real *b, size_t n) {
  double most = 0;
  for (size_t i = 0; i < n; i++) {
    double d = fabs((double)a[i] - (double)b[i]);
    if (!(d <= most)) most = d; /* NaN too */
  }
  return most;
}

#endif
