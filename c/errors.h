/* errors.h - result codes of every C function that can fail: 0 is good, negative is one of these. */
#ifndef ATTN_ERRORS_H
#define ATTN_ERRORS_H

enum {
  ATTN_OK = 0,
  ATTN_E_SHAPE = -1,   /* a size is negative, zero where it must not be, or two sizes contradict each other */
  ATTN_E_MEMORY = -2,  /* the allocator has no block of that size */
  ATTN_E_SCRATCH = -3, /* the arena handed in is smaller than the layer's *_scratch() */
  ATTN_E_FULL = -4,    /* the KV cache has no room for the new tokens */
  ATTN_E_NUMBER = -5   /* a result is NaN or infinite where the caller asked to be told (training) */
};

/* One English sentence for a code; never NULL. The string is static. */
const char *error_text(int code);

#endif
