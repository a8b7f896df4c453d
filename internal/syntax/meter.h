// Counts what a parse allocates, so that a hostile file cannot take the machine's
// memory: the runtime holds 200 bytes and more for one byte of unclosed brackets.
#ifndef PLUMB_SYNTAX_METER_H
#define PLUMB_SYNTAX_METER_H

#include <time.h>

#include "walk.h"

uint64_t plumb_now(clockid_t);

// Puts counting functions around malloc into the runtime, unless the program has
// given the runtime an allocator of its own: then nothing is counted. The functions
// allocate as the runtime's own do, so memory may cross from one to the other.
void meter_install(void);

// Counts what this thread allocates until meter_end, and stops p beyond most bytes
// or nanos of this thread's CPU time.
void meter_start(plumb_parser *p, int64_t most, uint64_t nanos);
void meter_end(void);

#endif
