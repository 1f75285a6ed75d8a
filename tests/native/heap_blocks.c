/* The heap: blocks never overlap, everything given back is one piece again, and what does not fit is refused. */
#include "check.h"
#include "heap.h"

enum { ROOM = 1 << 20, SLOTS = 200 };

static char *room;
static uintptr_t limit; /* how far memory can be made to reach */
static int asked;

static int reach(uintptr_t end) {
  asked++;
  return end <= limit;
}

static Heap new_heap(void) {
  uintptr_t start = ((uintptr_t)room + 15) & ~(uintptr_t)15;
  limit = start + ROOM - 16;
  Heap heap = {NULL, start, reach};
  return heap;
}

typedef struct {
  unsigned char *at;
  size_t bytes;
  unsigned char mark;
} Slot;

static int intact(const Slot *s) {
  for (size_t i = 0; i < s->bytes; i++)
    if (s->at[i] != s->mark) return 0;
  return 1;
}

static void many_blocks(void) {
  Heap heap = new_heap();
  uintptr_t start = heap.end;
  static Slot slots[SLOTS];
  int refused = 0, granted = 0;
  for (int turn = 0; turn < 20000; turn++) {
    Slot *s = slots + (int)(next(0.5) * SLOTS + SLOTS / 2.0);
    if (s->at) {
      CHECK(intact(s), "turn %d: somebody wrote into a block of %zu bytes", turn, s->bytes);
      heap_give(&heap, s->at);
      s->at = NULL;
      continue;
    }
    s->bytes = (size_t)fabs(next(turn % 5 ? 300 : 100000));
    s->mark = (unsigned char)turn;
    s->at = heap_take(&heap, s->bytes);
    if (!s->at) {
      refused++;
      continue;
    }
    granted++;
    CHECK((uintptr_t)s->at % 16 == 0, "block of %zu bytes", s->bytes);
    CHECK((uintptr_t)s->at >= start && (uintptr_t)s->at + s->bytes <= heap.end, "block of %zu bytes", s->bytes);
    memset(s->at, s->mark, s->bytes);
  }
  CHECK(refused > 100 && granted > 5000, "%d refused, %d granted", refused, granted);
  for (int i = 0; i < SLOTS; i++) heap_give(&heap, slots[i].at);
  CHECK(heap.free && !heap.free->next && (uintptr_t)heap.free == start, "one piece again");
  uintptr_t end = heap.end;
  CHECK(heap.free->size == end - start, "of everything");
  CHECK(heap_take(&heap, end - start - 16) != NULL && !heap.free && heap.end == end, "taken at once, without growing");
}

static void joins_and_splits(void) {
  Heap heap = new_heap();
  char *a = heap_take(&heap, 100), *b = heap_take(&heap, 100), *c = heap_take(&heap, 100);
  uintptr_t end = heap.end;
  heap_give(&heap, b);
  CHECK(heap_take(&heap, 100) == b, "the gap is used");
  heap_give(&heap, a);
  heap_give(&heap, b);
  CHECK(heap_take(&heap, 240) == a, "two gaps are one");
  heap_give(&heap, c);
  CHECK(heap_take(&heap, 1000) == c, "the last piece grows at its end");
  CHECK(heap.end > end, "by what is missing");
  CHECK(heap_take(&heap, 0) != heap_take(&heap, 0), "blocks of no bytes are two");
  heap_give(&heap, NULL);
}

static void too_much(void) {
  Heap heap = new_heap();
  char *kept = heap_take(&heap, 1000);
  memset(kept, 7, 1000);
  uintptr_t end = heap.end;
  const size_t sizes[] = {ROOM, SIZE_MAX / 2, SIZE_MAX - 100, SIZE_MAX - 31, SIZE_MAX - 15, SIZE_MAX};
  for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) CHECK(!heap_take(&heap, sizes[i]), "%zu bytes", sizes[i]);
  CHECK(heap.end == end && !heap.free, "nothing has changed");
  for (int i = 0; i < 1000; i++) CHECK(kept[i] == 7, "byte %d", i);
  /* a gap high up, where its address and the size wrap around */
  heap.end = UINTPTR_MAX - 1023;
  limit = UINTPTR_MAX;
  asked = 0;
  CHECK(!heap_take(&heap, 1024), "beyond the last address");
  CHECK(asked == 0, "memory was not even asked for");
  CHECK(heap_take(&heap, 1000000) == NULL, "far beyond it");
}

int main(void) {
  room = malloc(ROOM + 16);
  if (!room) return 3;
  many_blocks();
  joins_and_splits();
  too_much();
  free(room);
  return check_end(15000);
}
