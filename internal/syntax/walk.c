//go:build cgo

#include "walk.h"

#include <stdlib.h>
#include <time.h>

static uint64_t now(clockid_t clock) {
  struct timespec t;
  clock_gettime(clock, &t);
  return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

bool plumb_complete(void) {
  return ts_parser_new && ts_parser_delete && ts_parser_set_language && ts_parser_parse_string &&
         ts_parser_reset && ts_parser_set_timeout_micros && ts_parser_set_cancellation_flag &&
         ts_tree_delete && ts_tree_root_node && ts_node_symbol && ts_node_end_byte && ts_node_is_missing &&
         ts_node_is_extra && ts_node_has_error && ts_node_descendant_count && ts_tree_cursor_new &&
         ts_tree_cursor_reset && ts_tree_cursor_delete && ts_tree_cursor_current_node &&
         ts_tree_cursor_current_field_id && ts_tree_cursor_goto_parent && ts_tree_cursor_goto_next_sibling &&
         ts_tree_cursor_goto_first_child && ts_query_new && ts_query_delete && ts_query_pattern_count &&
         ts_query_capture_count && ts_query_start_byte_for_pattern && ts_query_predicates_for_pattern &&
         ts_query_capture_name_for_id && ts_query_string_value_for_id && ts_query_cursor_new &&
         ts_query_cursor_delete && ts_query_cursor_exec && ts_query_cursor_set_match_limit &&
         ts_query_cursor_did_exceed_match_limit && ts_query_cursor_next_match && ts_language_version &&
         ts_language_symbol_count && ts_language_symbol_name && ts_language_symbol_type &&
         ts_language_symbol_for_name && ts_language_field_count && ts_language_field_name_for_id;
}

plumb_parser *plumb_parser_new(void) {
  plumb_parser *p = calloc(1, sizeof *p);
  if (!p) return NULL;
  p->parser = ts_parser_new();
  ts_parser_set_cancellation_flag(p->parser, (const size_t *)&p->stop);
  return p;
}

void plumb_parser_free(plumb_parser *p) {
  plumb_release(p, 0);
  if (p->cursor_open) ts_tree_cursor_delete(&p->cursor);
  if (p->matches) ts_query_cursor_delete(p->matches);
  ts_parser_delete(p->parser);
  free(p);
}

void plumb_stop(plumb_parser *p, size_t value) { __atomic_store_n(&p->stop, value, __ATOMIC_RELEASE); }

static bool stopped(plumb_parser *p) {
  return __atomic_load_n(&p->stop, __ATOMIC_ACQUIRE) || (p->deadline && now(CLOCK_MONOTONIC) > p->deadline);
}

plumb_status plumb_parse(plumb_parser *p, const TSLanguage *language, const char *src, uint32_t len,
                         uint64_t timeout_us, uint32_t *count) {
  uint64_t begin = now(CLOCK_THREAD_CPUTIME_ID);
  p->count = 0;
  p->walk_ns = 0;
  if (p->language != language) {
    p->language = NULL;
    if (!ts_parser_set_language(p->parser, language)) return PLUMB_REFUSED;
    p->language = language;
  }
  p->deadline = timeout_us ? now(CLOCK_MONOTONIC) + timeout_us * 1000 : 0;
  ts_parser_set_timeout_micros(p->parser, timeout_us);
  p->tree = ts_parser_parse_string(p->parser, NULL, src, len);
  p->parse_ns = now(CLOCK_THREAD_CPUTIME_ID) - begin;
  if (!p->tree) {
    ts_parser_reset(p->parser);
    return stopped(p) ? PLUMB_STOPPED : PLUMB_BROKEN;
  }
  *count = ts_node_descendant_count(ts_tree_root_node(p->tree));
  return PLUMB_DONE;
}

static bool reserve_ids(plumb_parser *p, uint32_t cap) {
  if (p->ids_cap >= cap) return true;
  free(p->ids);
  p->ids_cap = 0;
  cap += cap / 4;
  p->ids = malloc((size_t)cap * sizeof *p->ids);
  if (!p->ids) return false;
  p->ids_cap = cap;
  return true;
}

static void open_cursor(plumb_parser *p, TSNode root) {
  if (p->cursor_open) {
    ts_tree_cursor_reset(&p->cursor, root);
    return;
  }
  p->cursor = ts_tree_cursor_new(root);
  p->cursor_open = true;
}

// The deepest place is kept in the parent links, so that depth costs no stack.
static plumb_status flatten(plumb_parser *p, const uint8_t *named, uint32_t symbols, plumb_node *nodes,
                            uint32_t cap, const void **ids) {
  TSNode root = ts_tree_root_node(p->tree);
  open_cursor(p, root);
  TSTreeCursor *cursor = &p->cursor;
  bool broken = ts_node_has_error(root);
  int32_t parent = -1;
  uint32_t n = 0;
  for (;;) {
    if (n == cap) return PLUMB_BROKEN;
    TSNode node = ts_tree_cursor_current_node(cursor);
    plumb_node *out = &nodes[n];
    uint32_t kind = ts_node_symbol(node);
    uint16_t flags = 0;
    if (kind >= symbols) {
      kind = symbols;
      flags = PLUMB_NAMED | PLUMB_ERROR;
    } else if (named[kind]) {
      flags = PLUMB_NAMED;
    }
    out->start = node.context[0];
    out->end = ts_node_end_byte(node);
    if (ts_node_is_extra(node)) flags |= PLUMB_EXTRA;
    if (broken && (parent < 0 || nodes[parent].flags & PLUMB_HAS_ERROR)) {
      if (ts_node_has_error(node)) flags |= PLUMB_HAS_ERROR;
      if (out->start == out->end && ts_node_is_missing(node)) flags |= PLUMB_MISSING;
    }
    out->kind = (uint16_t)kind;
    out->field = ts_tree_cursor_current_field_id(cursor);
    out->flags = flags;
    out->unused = 0;
    out->parent = parent;
    if (ids) ids[n] = node.id;
    int32_t self = (int32_t)n++;
    if (ts_tree_cursor_goto_first_child(cursor)) {
      parent = self;
      continue;
    }
    out->next = (int32_t)n;
    while (parent < 0 || !ts_tree_cursor_goto_next_sibling(cursor)) {
      if (parent < 0) {
        p->count = n;
        return PLUMB_DONE;
      }
      nodes[parent].next = (int32_t)n;
      parent = nodes[parent].parent;
      if (!ts_tree_cursor_goto_parent(cursor)) return PLUMB_BROKEN;
    }
  }
}

plumb_status plumb_flatten(plumb_parser *p, const uint8_t *named, uint32_t symbols, plumb_node *nodes, uint32_t cap,
                           bool keep_ids) {
  uint64_t begin = now(CLOCK_THREAD_CPUTIME_ID);
  if (keep_ids && !reserve_ids(p, cap)) return PLUMB_BROKEN;
  plumb_status status = flatten(p, named, symbols, nodes, cap, keep_ids ? p->ids : NULL);
  p->walk_ns += now(CLOCK_THREAD_CPUTIME_ID) - begin;
  return status;
}

void plumb_query_start(plumb_parser *p, const TSQuery *query, uint32_t limit) {
  if (!p->matches) p->matches = ts_query_cursor_new();
  ts_query_cursor_set_match_limit(p->matches, limit);
  ts_query_cursor_exec(p->matches, query, ts_tree_root_node(p->tree));
  p->hint = 0;
  p->has_pending = false;
}

// First index whose node starts at or after start: gallops from the last hit,
// because captures come in nearly ascending order.
static uint32_t lower_bound(const plumb_parser *p, const plumb_node *nodes, uint32_t start) {
  uint32_t low = 0, high = p->count, at = p->hint, step = 1;
  if (nodes[at].start < start) {
    low = at;
    while (at + step < high && nodes[at + step].start < start) low = at + step, step *= 2;
    if (at + step < high) high = at + step;
  } else {
    high = at;
    while (step <= at && nodes[at - step].start >= start) high = at - step, step *= 2;
    if (step <= at) low = at - step;
  }
  while (low < high) {
    uint32_t mid = low + (high - low) / 2;
    if (nodes[mid].start < start) low = mid + 1;
    else high = mid;
  }
  return low;
}

static int32_t index_of(plumb_parser *p, const plumb_node *nodes, TSNode node) {
  uint32_t start = node.context[0];
  for (uint32_t i = lower_bound(p, nodes, start); i < p->count && nodes[i].start == start; i++) {
    if (p->ids[i] == node.id) {
      p->hint = i;
      return (int32_t)i;
    }
  }
  return -1;
}

static plumb_status collect(plumb_parser *p, const plumb_node *nodes, plumb_match *matches, uint32_t match_cap,
                            plumb_capture *captures, uint32_t capture_cap, uint32_t *nm, uint32_t *nc) {
  for (uint32_t turns = 1;; turns++) {
    if (!p->has_pending && !ts_query_cursor_next_match(p->matches, &p->pending)) return PLUMB_DONE;
    p->has_pending = true;
    if (*nm == match_cap || *nc + p->pending.capture_count > capture_cap) return PLUMB_MORE;
    matches[*nm] = (plumb_match){p->pending.pattern_index, *nc, p->pending.capture_count};
    for (uint32_t i = 0; i < p->pending.capture_count; i++) {
      const TSQueryCapture *c = &p->pending.captures[i];
      int32_t index = index_of(p, nodes, c->node);
      if (index < 0) return PLUMB_BROKEN;
      captures[*nc + i] = (plumb_capture){index, c->index};
    }
    *nc += p->pending.capture_count;
    ++*nm;
    p->has_pending = false;
    if (turns % 256 == 0 && stopped(p)) return PLUMB_STOPPED;
  }
}

plumb_status plumb_query_next(plumb_parser *p, const plumb_node *nodes, plumb_match *matches, uint32_t match_cap,
                              plumb_capture *captures, uint32_t capture_cap, uint32_t *nm, uint32_t *nc,
                              bool *exceeded) {
  uint64_t begin = now(CLOCK_THREAD_CPUTIME_ID);
  plumb_status status = collect(p, nodes, matches, match_cap, captures, capture_cap, nm, nc);
  p->walk_ns += now(CLOCK_THREAD_CPUTIME_ID) - begin;
  if (status == PLUMB_DONE) *exceeded = ts_query_cursor_did_exceed_match_limit(p->matches);
  return status;
}

void plumb_release(plumb_parser *p, uint32_t keep) {
  if (p->tree) ts_tree_delete(p->tree);
  p->tree = NULL;
  if (p->ids_cap <= keep) return;
  free(p->ids);
  p->ids = NULL;
  p->ids_cap = 0;
}
