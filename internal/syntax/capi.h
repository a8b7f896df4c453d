// The part of tree-sitter's C API (runtime ABI 14) that this package calls.
//
// The definitions are linked in by github.com/smacker/go-tree-sitter, whose
// headers another module cannot include; so they are declared here. The
// declarations are weak: this package alone links without them, and a symbol
// that is missing from the program is NULL rather than a crash at its first call
// (see plumb_complete). layout_test.go and differential_test.go prove layouts
// and semantics against the binding.
#ifndef PLUMB_SYNTAX_CAPI_H
#define PLUMB_SYNTAX_CAPI_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct TSLanguage TSLanguage;
typedef struct TSParser TSParser;
typedef struct TSTree TSTree;
typedef struct TSQuery TSQuery;

typedef struct {
  uint32_t context[4];
  const void *id;
  const TSTree *tree;
} TSNode;

typedef struct {
  const void *tree;
  const void *id;
  uint32_t context[3];
} TSTreeCursor;

typedef struct {
  int type; // 0 done, 1 capture, 2 string
  uint32_t value_id;
} TSQueryPredicateStep;

#define TS_API extern __attribute__((weak))

TS_API void (*ts_current_free)(void *);
TS_API void ts_set_allocator(void *(*)(size_t), void *(*)(size_t, size_t), void *(*)(void *, size_t), void (*)(void *));

TS_API TSParser *ts_parser_new(void);
TS_API void ts_parser_delete(TSParser *);
TS_API bool ts_parser_set_language(TSParser *, const TSLanguage *);
TS_API TSTree *ts_parser_parse_string(TSParser *, const TSTree *, const char *, uint32_t);
TS_API void ts_parser_reset(TSParser *);
TS_API void ts_parser_set_timeout_micros(TSParser *, uint64_t);
TS_API void ts_parser_set_cancellation_flag(TSParser *, const size_t *);

TS_API void ts_tree_delete(TSTree *);
TS_API TSNode ts_tree_root_node(const TSTree *);

TS_API uint16_t ts_node_symbol(TSNode);
TS_API uint32_t ts_node_end_byte(TSNode);
TS_API bool ts_node_is_missing(TSNode);
TS_API bool ts_node_is_extra(TSNode);
TS_API bool ts_node_has_error(TSNode);
TS_API uint32_t ts_node_descendant_count(TSNode);

TS_API TSTreeCursor ts_tree_cursor_new(TSNode);
TS_API void ts_tree_cursor_reset(TSTreeCursor *, TSNode);
TS_API void ts_tree_cursor_delete(TSTreeCursor *);
TS_API TSNode ts_tree_cursor_current_node(const TSTreeCursor *);
TS_API uint16_t ts_tree_cursor_current_field_id(const TSTreeCursor *);
TS_API bool ts_tree_cursor_goto_parent(TSTreeCursor *);
TS_API bool ts_tree_cursor_goto_next_sibling(TSTreeCursor *);
TS_API bool ts_tree_cursor_goto_first_child(TSTreeCursor *);

TS_API TSQuery *ts_query_new(const TSLanguage *, const char *, uint32_t, uint32_t *, int *);
TS_API void ts_query_delete(TSQuery *);
TS_API uint32_t ts_query_pattern_count(const TSQuery *);
TS_API uint32_t ts_query_capture_count(const TSQuery *);
TS_API uint32_t ts_query_start_byte_for_pattern(const TSQuery *, uint32_t);
TS_API const TSQueryPredicateStep *ts_query_predicates_for_pattern(const TSQuery *, uint32_t, uint32_t *);
TS_API const char *ts_query_capture_name_for_id(const TSQuery *, uint32_t, uint32_t *);
TS_API const char *ts_query_string_value_for_id(const TSQuery *, uint32_t, uint32_t *);

TS_API uint32_t ts_language_version(const TSLanguage *);
TS_API uint32_t ts_language_symbol_count(const TSLanguage *);
TS_API const char *ts_language_symbol_name(const TSLanguage *, uint16_t);
TS_API int ts_language_symbol_type(const TSLanguage *, uint16_t);
TS_API uint16_t ts_language_symbol_for_name(const TSLanguage *, const char *, uint32_t, bool);
TS_API uint32_t ts_language_field_count(const TSLanguage *);
TS_API const char *ts_language_field_name_for_id(const TSLanguage *, uint16_t);

#endif
