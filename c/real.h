/* real.h - the number type of the C core, and the dtypes weights are stored in.
 *
 * `real` is float in every WebAssembly build. The native build of the same sources may be compiled with
 * -DATTN_REAL=double, which is what makes central-difference gradient checks meaningful. */
#ifndef ATTN_REAL_H
#define ATTN_REAL_H

#include <stddef.h>
#include <stdint.h>

#ifndef ATTN_REAL
#define ATTN_REAL float
#endif
typedef ATTN_REAL real;

/* Stored dtype of a weight. The order is part of the interface with web/engine/wasm.js. */
typedef enum { DT_F32 = 0, DT_BF16 = 1, DT_F16 = 2, DT_F64 = 3 } DType;

/* dtype of an array of `real` in this build */
#define DT_REAL (sizeof(real) == 8 ? DT_F64 : DT_F32)

/* A weight matrix as the file stores it: row r = output r, so y = W x. A view, never an owner.
 * Vectors (norm weights, A_log, ...) are matrices of one row. */
typedef struct {
  const void *data; /* (rows, cols), element (r, c) at r * ld + c */
  int32_t dtype;    /* DType */
  int32_t rows;     /* outputs */
  int32_t cols;     /* inputs */
  int32_t ld;       /* elements from one row to the next, >= cols */
} Mat;

/* Bytes of one stored element. */
static inline size_t dtype_size(int32_t dtype) {
  return dtype == DT_F64 ? 8 : dtype == DT_F32 ? 4 : 2;
}

/* View of `rows` x `cols` numbers of type `real`, `ld` apart. */
static inline Mat mat_of(const real *data, int rows, int cols, int ld) {
  Mat m = {data, DT_REAL, rows, cols, ld};
  return m;
}

/* Columns [c0, c0 + n) of w, all rows. */
static inline Mat mat_columns(const Mat *w, int c0, int n) {
  Mat m = {(const char *)w->data + (size_t)c0 * dtype_size(w->dtype), w->dtype, w->rows, n, w->ld};
  return m;
}

/* Is it there, with that shape? */
static inline int mat_is(const Mat *m, int rows, int cols) {
  return m->data && m->rows == rows && m->cols == cols && m->ld >= cols;
}

/* out = in, n numbers, where out is asked for (not NULL). */
static inline void copy_to(real *out, const real *in, size_t n) {
  if (out)
    for (size_t i = 0; i < n; i++) out[i] = in[i];
}

#endif
