// What Go calls for a file: parse it, then flatten the tree into an array that
// Go owns, then drop the tree.
#ifndef PLUMB_SYNTAX_WALK_H
#define PLUMB_SYNTAX_WALK_H

#include "capi.h"

// Same layout as Node in syntax.go.
typedef struct {
  uint16_t kind;
  uint16_t field;
  uint16_t flags;
  uint16_t unused;
  uint32_t start;
  uint32_t end;
  int32_t parent;
  int32_t next;
} plumb_node;

enum {
  PLUMB_NAMED = 1,
  PLUMB_MISSING = 2,
  PLUMB_ERROR = 4,
  PLUMB_HAS_ERROR = 8,
  PLUMB_EXTRA = 16,
};

typedef enum {
  PLUMB_DONE,
  PLUMB_STOPPED,  // canceled, or out of time
  PLUMB_TOO_BIG,  // out of memory as limited
  PLUMB_REFUSED,  // the runtime does not take this grammar's version
  PLUMB_BROKEN,   // the runtime contradicts itself
} plumb_status;

typedef struct {
  TSParser *parser;
  TSTreeCursor cursor;
  bool cursor_open;
  TSTree *tree;
  const TSLanguage *language;
  volatile size_t stop; // set from Go to cancel
  int64_t used;         // bytes that the running parse holds
  int64_t most;         // bytes it may hold
  bool too_big;
  uint32_t turns;       // allocations so far
  uint64_t deadline;    // thread CPU time at which the running parse is stopped
  uint64_t parse_ns;   // thread CPU time of the last parse
} plumb_parser;

bool plumb_complete(void);
plumb_parser *plumb_parser_new(void);
void plumb_parser_free(plumb_parser *);
void plumb_stop(plumb_parser *, size_t);

// Parses src; on PLUMB_DONE the tree is held and *count is its number of nodes.
// timeout_us is CPU time, so that a busy machine changes no result; ten times as
// much by the wall clock ends the parse too.
plumb_status plumb_parse(plumb_parser *, const TSLanguage *, const char *src, uint32_t len,
                         uint64_t timeout_us, int64_t most_bytes, uint32_t *count);

// Fills nodes in preorder. named holds, for each of the symbols, whether it is named.
plumb_status plumb_flatten(plumb_parser *, const uint8_t *named, uint32_t symbols, plumb_node *nodes, uint32_t cap);

void plumb_release(plumb_parser *);

#endif
