//go:build cgo

#include "meter.h"

#include <stdlib.h>

uint64_t plumb_now(clockid_t clock) {
  struct timespec t;
  clock_gettime(clock, &t);
  return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

bool plumb_complete(void) {
  return &ts_current_free && ts_set_allocator && ts_parser_new && ts_parser_delete && ts_parser_set_language && ts_parser_parse_string &&
         ts_parser_reset && ts_parser_set_timeout_micros && ts_parser_set_cancellation_flag &&
         ts_tree_delete && ts_tree_root_node && ts_node_symbol && ts_node_end_byte && ts_node_is_missing &&
         ts_node_is_extra && ts_node_has_error && ts_node_descendant_count && ts_tree_cursor_new &&
         ts_tree_cursor_reset && ts_tree_cursor_delete && ts_tree_cursor_current_node &&
         ts_tree_cursor_current_field_id && ts_tree_cursor_goto_parent && ts_tree_cursor_goto_next_sibling &&
         ts_tree_cursor_goto_first_child && ts_query_new && ts_query_delete && ts_query_pattern_count &&
         ts_query_capture_count && ts_query_start_byte_for_pattern && ts_query_predicates_for_pattern &&
         ts_query_capture_name_for_id && ts_query_string_value_for_id && ts_language_version &&
         ts_language_symbol_count && ts_language_symbol_name && ts_language_symbol_type &&
         ts_language_symbol_for_name && ts_language_field_count && ts_language_field_name_for_id;
}

plumb_parser *plumb_parser_new(void) {
  meter_install();
  plumb_parser *p = calloc(1, sizeof *p);
  if (!p) return NULL;
  p->parser = ts_parser_new();
  ts_parser_set_cancellation_flag(p->parser, (const size_t *)&p->stop);
  return p;
}

void plumb_parser_free(plumb_parser *p) {
  plumb_release(p);
  if (p->cursor_open) ts_tree_cursor_delete(&p->cursor);
  ts_parser_delete(p->parser);
  free(p);
}

void plumb_stop(plumb_parser *p, size_t value) { __atomic_store_n(&p->stop, value, __ATOMIC_RELEASE); }

plumb_status plumb_parse(plumb_parser *p, const TSLanguage *language, const char *src, uint32_t len,
                         uint64_t timeout_us, int64_t most_bytes, uint32_t *count) {
  uint64_t begin = plumb_now(CLOCK_THREAD_CPUTIME_ID);
  if (p->language != language) {
    p->language = NULL;
    if (!ts_parser_set_language(p->parser, language)) return PLUMB_REFUSED;
    p->language = language;
  }
  ts_parser_set_timeout_micros(p->parser, 10 * timeout_us);
  meter_start(p, most_bytes, timeout_us * 1000);
  p->tree = ts_parser_parse_string(p->parser, NULL, src, len);
  meter_end();
  p->parse_ns = plumb_now(CLOCK_THREAD_CPUTIME_ID) - begin;
  if (!p->tree) {
    ts_parser_reset(p->parser);
    return p->too_big ? PLUMB_TOO_BIG : PLUMB_STOPPED;
  }
  *count = ts_node_descendant_count(ts_tree_root_node(p->tree));
  return PLUMB_DONE;
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
plumb_status plumb_flatten(plumb_parser *p, const uint8_t *named, uint32_t symbols, plumb_node *nodes, uint32_t cap) {
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
    int32_t self = (int32_t)n++;
    if (ts_tree_cursor_goto_first_child(cursor)) {
      parent = self;
      continue;
    }
    out->next = (int32_t)n;
    while (parent < 0 || !ts_tree_cursor_goto_next_sibling(cursor)) {
      if (parent < 0) return n == cap ? PLUMB_DONE : PLUMB_BROKEN;
      nodes[parent].next = (int32_t)n;
      parent = nodes[parent].parent;
      if (!ts_tree_cursor_goto_parent(cursor)) return PLUMB_BROKEN;
    }
  }
}

void plumb_release(plumb_parser *p) {
  if (p->tree) ts_tree_delete(p->tree);
  p->tree = NULL;
}
