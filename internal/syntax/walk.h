// What Go calls: parse, flatten and query one file, each in one step whose
// results land in arrays that Go owns.
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

// Same layout as Capture in syntax.go.
typedef struct {
  int32_t node;
  uint32_t id;
} plumb_capture;

// Same layout as Match in syntax.go.
typedef struct {
  uint32_t pattern;
  uint32_t first;
  uint32_t count;
} plumb_match;

enum {
  PLUMB_NAMED = 1,
  PLUMB_MISSING = 2,
  PLUMB_ERROR = 4,
  PLUMB_HAS_ERROR = 8,
  PLUMB_EXTRA = 16,
};

typedef enum {
  PLUMB_DONE,
  PLUMB_MORE,     // the array is full; call again with a larger one
  PLUMB_STOPPED,  // canceled, or out of time
  PLUMB_REFUSED,  // the runtime does not take this grammar's version
  PLUMB_BROKEN,   // the runtime contradicts itself
} plumb_status;

typedef struct {
  TSParser *parser;
  TSTreeCursor cursor;
  bool cursor_open;
  TSQueryCursor *matches;
  TSQueryMatch pending; // a match that did not fit
  bool has_pending;
  TSTree *tree;
  const TSLanguage *language;
  volatile size_t stop; // set from Go to cancel
  uint64_t deadline;    // CLOCK_MONOTONIC ns; 0 none
  const void **ids;     // id of each flat node, for captures
  uint32_t ids_cap;
  uint32_t count;       // flat nodes
  uint32_t hint;        // where the last capture was found
  uint64_t parse_ns;    // thread CPU time of the last parse
  uint64_t walk_ns;     // thread CPU time of flattening and matching
} plumb_parser;

bool plumb_complete(void);
plumb_parser *plumb_parser_new(void);
void plumb_parser_free(plumb_parser *);
void plumb_stop(plumb_parser *, size_t);

// Parses src; on PLUMB_DONE the tree is held and *count is its number of nodes.
plumb_status plumb_parse(plumb_parser *, const TSLanguage *, const char *src, uint32_t len,
                         uint64_t timeout_us, uint32_t *count);

// Fills nodes in preorder. symbols maps a symbol id to its named flag.
plumb_status plumb_flatten(plumb_parser *, const uint8_t *named, uint32_t symbols,
                           plumb_node *nodes, uint32_t cap, bool keep_ids);

void plumb_query_start(plumb_parser *, const TSQuery *, uint32_t limit);

// Appends matches at matches[*nm] and captures at captures[*nc].
plumb_status plumb_query_next(plumb_parser *, const plumb_node *nodes, plumb_match *matches, uint32_t match_cap,
                              plumb_capture *captures, uint32_t capture_cap, uint32_t *nm, uint32_t *nc,
                              bool *exceeded);

// Drops the tree, and scratch beyond what keep nodes need.
void plumb_release(plumb_parser *, uint32_t keep);

#endif
