/* heap.h - blocks of one stretch of memory that can grow at its end: first fit, neighbours joined when given back.
 *
 * The caller says where the stretch begins and how it grows; nothing else is assumed, so that the native tests run it
 * over an array. All arithmetic is checked: a block that would end beyond the last address is refused before a byte is
 * written. Source: Kernighan & Ritchie, The C Programming Language, 8.7. */
#ifndef ATTN_HEAP_H
#define ATTN_HEAP_H

#include <stddef.h>
#include <stdint.h>

/* What stands before every block, free or not; 16 bytes apart, so that blocks are aligned to 16. */
typedef struct HeapPiece {
  size_t size;            /* bytes, this head among them, a multiple of 16 */
  struct HeapPiece *next; /* the next free piece by address; unused in a block that is taken */
} HeapPiece;

typedef struct {
  HeapPiece *free;             /* by address, no two of them side by side; NULL at the start */
  uintptr_t end;               /* the first byte beyond the heap, a multiple of 16; at the start where it begins */
  int (*reach)(uintptr_t end); /* makes all bytes below `end` usable; 0 when that cannot be */
} Heap;

/* `bytes` of memory, 16-byte aligned, uninitialised; NULL when there is no room. */
void *heap_take(Heap *heap, size_t bytes);

/* Gives back what heap_take gave; NULL is fine. */
void heap_give(Heap *heap, void *block);

#endif
