#include "errors.h"

const char *error_text(int code) {
  switch (code) {
  case ATTN_OK:
    return "no error";
  case ATTN_E_SHAPE:
    return "a size is out of range or two sizes contradict each other";
  case ATTN_E_MEMORY:
    return "the allocator has no block of that size";
  case ATTN_E_SCRATCH:
    return "the scratch block is too small";
  case ATTN_E_FULL:
    return "the KV cache has no room for the new tokens";
  case ATTN_E_NUMBER:
    return "a result is not a finite number";
  default:
    return "unknown error code";
  }
}
