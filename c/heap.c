#include "heap.h"

enum { HEAD = 16 };
_Static_assert(sizeof(HeapPiece) <= HEAD, "the head of a piece has no room before a block");

static HeapPiece *after(HeapPiece *piece) {
  return (HeapPiece *)((char *)piece + piece->size);
}

/* The link to the first free piece at or above `at`; *below is the free piece before it, if any. */
static HeapPiece **link_at(Heap *heap, const HeapPiece *at, HeapPiece **below) {
  HeapPiece **link = &heap->free;
  *below = NULL;
  while (*link && *link < at) {
    *below = *link;
    link = &(*link)->next;
  }
  return link;
}

/* A piece of `size` at the end, joined with the free piece that ends there. 0 when memory does not reach so far. */
static HeapPiece *grow(Heap *heap, size_t size) {
  HeapPiece *last, **link = link_at(heap, (HeapPiece *)heap->end, &last);
  int joins = last && (uintptr_t)after(last) == heap->end;
  uintptr_t start = joins ? (uintptr_t)last : heap->end;
  if (size > UINTPTR_MAX - start || !heap->reach(start + size)) return NULL;
  heap->end = start + size;
  HeapPiece *piece = (HeapPiece *)start;
  piece->size = size;
  if (joins) return piece;
  piece->next = NULL;
  *link = piece;
  return piece;
}

void *heap_take(Heap *heap, size_t bytes) {
  if (bytes > SIZE_MAX - 2 * HEAD) return NULL;
  size_t size = HEAD + ((bytes ? bytes : 1) + (HEAD - 1)) / HEAD * HEAD;
  HeapPiece *piece = heap->free, *below;
  while (piece && piece->size < size) piece = piece->next;
  if (!piece) piece = grow(heap, size);
  if (!piece) return NULL;
  HeapPiece **link = link_at(heap, piece, &below), *rest = piece->next;
  if (piece->size - size > HEAD) {
    rest = (HeapPiece *)((char *)piece + size);
    rest->size = piece->size - size;
    rest->next = piece->next;
    piece->size = size;
  }
  *link = rest;
  return (char *)piece + HEAD;
}

void heap_give(Heap *heap, void *block) {
  if (!block) return;
  HeapPiece *piece = (HeapPiece *)((char *)block - HEAD), *below, **link = link_at(heap, piece, &below);
  piece->next = *link;
  *link = piece;
  if (piece->next && after(piece) == piece->next) {
    piece->size += piece->next->size;
    piece->next = piece->next->next;
  }
  if (below && after(below) == piece) {
    below->size += piece->size;
    below->next = piece->next;
  }
}
