//go:build cgo

#include "meter.h"

#include <stdlib.h>
#ifdef __APPLE__
#include <malloc/malloc.h>
#define malloc_usable_size malloc_size
#else
#include <malloc.h>
#endif

static _Thread_local plumb_parser *running;

static void watch_clock(void) {
  if (++running->turns % 4096 == 0 && plumb_now(CLOCK_THREAD_CPUTIME_ID) > running->deadline) plumb_stop(running, 1);
}

static void count(int64_t bytes) {
  running->used += bytes;
  if (running->used <= running->most || running->too_big) return;
  running->too_big = true;
  plumb_stop(running, 1);
}

// The runtime never checks for NULL; its own functions abort as well.
static void *counted(void *p, size_t size) {
  if (!p && size > 0) abort();
  if (running) {
    count((int64_t)malloc_usable_size(p));
    watch_clock();
  }
  return p;
}

static void *meter_malloc(size_t size) { return counted(malloc(size), size); }

static void *meter_calloc(size_t n, size_t size) { return counted(calloc(n, size), n * size); }

static void *meter_realloc(void *p, size_t size) {
  if (running && p) count(-(int64_t)malloc_usable_size(p));
  return counted(realloc(p, size), size);
}

static void meter_free(void *p) {
  if (running && p) count(-(int64_t)malloc_usable_size(p));
  free(p);
}

void meter_install(void) {
  if (ts_current_free == free) ts_set_allocator(meter_malloc, meter_calloc, meter_realloc, meter_free);
}

void meter_start(plumb_parser *p, int64_t most, uint64_t nanos) {
  p->turns = 0;
  p->deadline = plumb_now(CLOCK_THREAD_CPUTIME_ID) + nanos;
  p->used = 0;
  p->most = most;
  p->too_big = false;
  running = p;
}

void meter_end(void) { running = NULL; }
