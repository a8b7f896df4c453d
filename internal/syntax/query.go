package syntax

/*
#include <stdlib.h>
#include "walk.h"
*/
import "C"

import (
	"bytes"
	"errors"
	"fmt"
	"strings"
	"unsafe"

	"github.com/plumbkit/plumb/host/fault"
)

// compile compiles the query. The runtime judges it first, because it knows what
// the grammar can produce; then it is read for the matcher.
func (l *Language) compile(text string) error {
	if strings.TrimSpace(text) == "" {
		return nil
	}
	src := C.CString(text)
	defer C.free(unsafe.Pointer(src))
	var offset C.uint32_t
	var code C.int
	raw := C.ts_query_new(l.raw, src, C.uint32_t(len(text)), &offset, &code)
	if raw == nil {
		return l.invalid(text, int(offset), queryReason(int(code), text[min(int(offset), len(text)):]))
	}
	defer C.ts_query_delete(raw)
	for i := range int(C.ts_query_capture_count(raw)) {
		l.captures = append(l.captures, queryString(raw, i, false))
	}
	patterns, err := (&reader{lang: l, text: text}).patterns()
	if err == nil {
		err = readPredicates(raw, patterns)
	}
	var wrong *queryError
	if errors.As(err, &wrong) {
		return l.invalid(text, wrong.at, wrong.reason)
	}
	l.query = newQuery(l, patterns)
	return nil
}

// readPredicates gives each pattern the predicates that stand in it.
func readPredicates(raw *C.TSQuery, patterns []pattern) error {
	if n := int(C.ts_query_pattern_count(raw)); n != len(patterns) {
		return &queryError{0, fmt.Sprintf("the runtime reads %d patterns and the matcher %d", n, len(patterns))}
	}
	for i := range patterns {
		var err error
		if patterns[i].filters, err = patternPredicates(raw, i); err != nil {
			return &queryError{int(C.ts_query_start_byte_for_pattern(raw, C.uint32_t(i))), err.Error()}
		}
	}
	return nil
}

// invalid is the fault for a mistake at a byte offset of the query.
func (l *Language) invalid(text string, offset int, reason string) *fault.Fault {
	before := text[:min(offset, len(text))]
	line := 1 + strings.Count(before, "\n")
	column := len(before) - strings.LastIndexByte(before, '\n')
	rest, _, _ := strings.Cut(text[len(before):], "\n")
	return &fault.Fault{Class: fault.InvalidInput, Op: "syntax.language",
		Subject: fault.Subject{Text: l.name, Line: line},
		Detail:  fmt.Sprintf("the query is wrong at line %d, column %d: %s: %q", line, column, reason, rest),
		Next:    "correct the query"}
}

func queryReason(code int, rest string) string {
	name := rest
	if i := strings.IndexFunc(rest, func(r rune) bool { return !strings.ContainsRune(nameRunes, r) }); i >= 0 {
		name = rest[:i]
	}
	switch code {
	case 2:
		return fmt.Sprintf("the grammar has no node %q", name)
	case 3:
		return fmt.Sprintf("the grammar has no field %q", name)
	case 4:
		return fmt.Sprintf("no capture @%s stands in this pattern", name)
	case 5:
		return "the grammar cannot produce this structure"
	case 6:
		return "the grammar does not fit the runtime"
	}
	return "the syntax is wrong"
}

const nameRunes = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-.?!"

// queryString returns the text of a string literal of the query, or the name of a capture.
func queryString(query *C.TSQuery, id int, literal bool) string {
	var n C.uint32_t
	var s *C.char
	if literal {
		s = C.ts_query_string_value_for_id(query, C.uint32_t(id), &n)
	} else {
		s = C.ts_query_capture_name_for_id(query, C.uint32_t(id), &n)
	}
	return string(bytes.Clone(unsafe.Slice((*byte)(unsafe.Pointer(s)), int(n))))
}

// patternPredicates reads the predicates of one pattern.
func patternPredicates(query *C.TSQuery, pattern int) ([]predicate, error) {
	var count C.uint32_t
	raw := C.ts_query_predicates_for_pattern(query, C.uint32_t(pattern), &count)
	var all []predicate
	var words []word
	for _, step := range unsafe.Slice(raw, int(count)) {
		switch step._type {
		case 0:
			p, err := newPredicate(words)
			if err != nil {
				return nil, err
			}
			all, words = append(all, p), nil
		case 1:
			words = append(words, word{capture: true, id: uint32(step.value_id),
				text: queryString(query, int(step.value_id), false)})
		default:
			words = append(words, word{text: queryString(query, int(step.value_id), true)})
		}
	}
	return all, nil
}
