package syntax

/*
#include <stdlib.h>
#include "walk.h"
*/
import "C"

import (
	"fmt"
	"unsafe"

	"github.com/plumbkit/plumb/host/fault"
	sitter "github.com/smacker/go-tree-sitter"
)

// A Language is a grammar and its compiled query. It is immutable and safe for
// concurrent use.
//
// The slices it returns must not be changed.
type Language struct {
	name     string
	raw      *C.TSLanguage
	query    *query // nil without patterns
	kinds    []string
	named    []byte
	fields   []string
	captures []string
	kindIDs  map[kindKey]uint16
	fieldIDs map[string]uint16
}

type kindKey struct {
	name  string
	named bool
}

// NewLanguage compiles query, the text of .scm files, for grammar. An empty
// query is allowed: trees then have no matches.
//
// The query language is tree-sitter's without supertypes, quantified groups and
// groups inside alternations, which are refused. Supported predicates are #eq?, #not-eq?, #any-of?, #not-any-of?, #match? and
// #not-match?. Other predicates and directives are refused. Which capture names
// mean something is for the caller to judge.
//
// It fails with InvalidInput for a query that does not compile, giving its
// 1-based line and column and the reason, and with Unsupported when the parser's
// runtime is not the one this package knows or does not take the grammar.
func NewLanguage(name string, grammar *sitter.Language, query string) (*Language, error) {
	if !bool(C.plumb_complete()) || grammar == nil {
		return nil, unsupported(name, "the parser's runtime or the grammar is missing from this program")
	}
	l := &Language{name: name, raw: rawLanguage(grammar)}
	if v := uint32(C.ts_language_version(l.raw)); v < 13 || v > 14 {
		return nil, unsupported(name, fmt.Sprintf("the grammar has ABI version %d; 13 and 14 are known", v))
	}
	l.readKinds()
	l.readFields()
	if err := l.compile(query); err != nil {
		return nil, err
	}
	return l, nil
}

func unsupported(name, detail string) *fault.Fault {
	return &fault.Fault{Class: fault.Unsupported, Op: "syntax.language", Subject: fault.Subject{Text: name},
		Detail: detail, Next: "build with the version of github.com/smacker/go-tree-sitter that go.mod names"}
}

func (l *Language) readKinds() {
	count := int(C.ts_language_symbol_count(l.raw))
	l.kinds = make([]string, count+1)
	l.named = make([]byte, count)
	l.kindIDs = make(map[kindKey]uint16, count)
	for i := range count {
		id := C.uint16_t(i)
		l.kinds[i] = C.GoString(C.ts_language_symbol_name(l.raw, id))
		kind := C.ts_language_symbol_type(l.raw, id)
		if kind == 0 {
			l.named[i] = 1
		}
		if key := (kindKey{l.kinds[i], kind == 0}); kind <= 1 {
			if _, dup := l.kindIDs[key]; !dup {
				l.kindIDs[key] = l.publicKind(key, uint16(i))
			}
		}
	}
	l.kinds[count] = "ERROR"
	l.kindIDs[kindKey{"ERROR", true}] = uint16(count)
}

// publicKind returns the id under which the runtime reports nodes of this name.
// The runtime answers prefixes of "ERROR" wrongly, so those keep their own id.
func (l *Language) publicKind(key kindKey, id uint16) uint16 {
	const wrong = "ERROR"
	if len(key.name) <= len(wrong) && wrong[:len(key.name)] == key.name {
		return id
	}
	text := C.CString(key.name)
	defer C.free(unsafe.Pointer(text))
	return uint16(C.ts_language_symbol_for_name(l.raw, text, C.uint32_t(len(key.name)), C.bool(key.named)))
}

func (l *Language) readFields() {
	count := int(C.ts_language_field_count(l.raw))
	l.fields = make([]string, count+1)
	l.fieldIDs = make(map[string]uint16, count)
	for i := 1; i <= count; i++ {
		l.fields[i] = C.GoString(C.ts_language_field_name_for_id(l.raw, C.uint16_t(i)))
		l.fieldIDs[l.fields[i]] = uint16(i)
	}
}

// Name returns the name given to NewLanguage.
func (l *Language) Name() string { return l.name }

// Kinds returns the names of all node kinds, indexed by Node.Kind. The last is
// "ERROR", the kind of nodes that hold what could not be parsed. Several ids may
// share a name; the runtime uses the one that Kind returns.
func (l *Language) Kinds() []string { return l.kinds }

// Kind returns the id of the kind with this name, named or anonymous.
func (l *Language) Kind(name string, named bool) (uint16, bool) {
	id, ok := l.kindIDs[kindKey{name, named}]
	return id, ok
}

// Fields returns the names of all fields, indexed by Node.Field; the first is "" for none.
func (l *Language) Fields() []string { return l.fields }

// Field returns the id of the field with this name.
func (l *Language) Field(name string) (uint16, bool) {
	id, ok := l.fieldIDs[name]
	return id, ok
}

// Captures returns the capture names of the query, without @, indexed by Capture.Name.
func (l *Language) Captures() []string { return l.captures }

// Capture returns the id of the capture with this name, without @.
func (l *Language) Capture(name string) (uint32, bool) {
	for i, n := range l.captures {
		if n == name {
			return uint32(i), true
		}
	}
	return 0, false
}
