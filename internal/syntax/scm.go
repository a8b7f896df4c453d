//go:build cgo

package syntax

import (
	"fmt"
	"slices"
	"strings"
)

// A reader turns query text into patterns. The runtime has accepted the text
// before, so what the reader refuses is what the matcher does not do.
type reader struct {
	lang *Language
	text string
	at   int
}

// A queryError is a mistake at a byte offset of the query text.
type queryError struct {
	at     int
	reason string
}

func (e *queryError) Error() string { return e.reason }

func (r *reader) fail(format string, args ...any) error {
	return &queryError{r.at, fmt.Sprintf(format, args...)}
}

// patterns reads all patterns of the text.
func (r *reader) patterns() ([]pattern, error) {
	var all []pattern
	for r.space(); r.at < len(r.text); r.space() {
		at := r.at
		elements, err := r.element()
		if err != nil {
			return nil, err
		}
		if len(elements) == 0 {
			r.at = at
			return nil, r.fail("the pattern has no node")
		}
		all = append(all, newPattern(elements))
	}
	return all, nil
}

// space skips white space and comments.
func (r *reader) space() {
	for r.at < len(r.text) {
		switch c := r.text[r.at]; {
		case c == ';':
			if i := strings.IndexByte(r.text[r.at:], '\n'); i >= 0 {
				r.at += i
				continue
			}
			r.at = len(r.text)
		case strings.IndexByte(" \t\r\n\f\v", c) >= 0:
			r.at++
		default:
			return
		}
	}
}

func (r *reader) peek() byte {
	if r.at == len(r.text) {
		return 0
	}
	return r.text[r.at]
}

func (r *reader) take(c byte) bool {
	if r.peek() != c {
		return false
	}
	r.at++
	return true
}

func (r *reader) name() string {
	start := r.at
	for r.at < len(r.text) && strings.IndexByte(nameRunes, r.text[r.at]) >= 0 {
		r.at++
	}
	return r.text[start:r.at]
}

// element reads one element with its field, quantifier and captures. A group
// gives its elements; a predicate gives none.
func (r *reader) element() ([]element, error) {
	start := r.at
	list, group, err := r.bare()
	if err != nil || list == nil {
		return nil, err
	}
	for {
		r.space()
		at := r.at
		switch c := r.peek(); {
		case (c == '?' || c == '*' || c == '+' || c == '@') && (group || len(list) > 1):
			r.at = start
			return nil, r.fail("a quantified or captured group is not supported")
		case c == '?' || c == '*' || c == '+':
			r.at++
			list[0].least, list[0].repeats = 1, c != '?'
			if c != '+' {
				list[0].least = 0
			}
		case c == '@':
			r.at++
			id, ok := r.lang.Capture(r.name())
			if !ok {
				r.at = at
				return nil, r.fail("the capture is not known")
			}
			list[0].captures = append(list[0].captures, id)
		default:
			return list, nil
		}
	}
}

// bare reads an element without what follows it.
func (r *reader) bare() (list []element, group bool, err error) {
	switch c := r.peek(); {
	case c == '"':
		return r.literal()
	case c == '[':
		return r.alternation()
	case c == '(':
		return r.parenthesis()
	case strings.IndexByte(nameRunes, c) >= 0:
		return r.fieldOrWildcard()
	}
	return nil, false, r.fail("the syntax is wrong")
}

func (r *reader) literal() ([]element, bool, error) {
	start := r.at
	var b strings.Builder
	for r.at++; r.at < len(r.text) && r.text[r.at] != '"'; r.at++ {
		c := r.text[r.at]
		if c == '\\' && r.at+1 < len(r.text) {
			r.at++
			c = r.text[r.at]
			if i := strings.IndexByte("ntr0", c); i >= 0 {
				c = "\n\t\r\x00"[i]
			}
		}
		b.WriteByte(c)
	}
	r.at++
	kind, ok := r.lang.Kind(b.String(), false)
	if !ok {
		r.at = start
		return nil, false, r.fail("the grammar has no token %q", b.String())
	}
	return []element{{kind: kind, least: 1}}, false, nil
}

func (r *reader) alternation() ([]element, bool, error) {
	e := element{least: 1}
	r.at++
	for r.space(); !r.take(']'); r.space() {
		at := r.at
		list, err := r.element()
		if err != nil {
			return nil, false, err
		}
		if len(list) != 1 || list[0].least != 1 || list[0].repeats {
			r.at = at
			return nil, false, r.fail("a group or quantifier inside an alternation is not supported")
		}
		e.alternatives = append(e.alternatives, list[0])
	}
	return []element{e}, false, nil
}

func (r *reader) fieldOrWildcard() ([]element, bool, error) {
	start := r.at
	name := r.name()
	r.space()
	if name == "_" && r.peek() != ':' {
		return []element{{wildcard: true, least: 1}}, false, nil
	}
	field, ok := r.lang.Field(name)
	if !ok || !r.take(':') {
		r.at = start
		return nil, false, r.fail("the grammar has no field %q", name)
	}
	r.space()
	list, group, err := r.bare()
	if err == nil && len(list) != 1 {
		r.at = start
		return nil, false, r.fail("a field of a group is not supported")
	}
	if err == nil {
		list[0].field = field
	}
	return list, group, err
}

// parenthesis reads a node, a group or a predicate.
func (r *reader) parenthesis() ([]element, bool, error) {
	r.at++
	r.space()
	switch c := r.peek(); {
	case c == '#' || c == '.' && strings.IndexByte(nameRunes[:52], (r.text + "\x00")[r.at+1]) >= 0:
		return nil, false, r.predicate()
	case strings.IndexByte("([\"", c) >= 0:
		list, last, negated, err := r.children()
		if err == nil && (last || negated != nil) {
			return nil, false, r.fail("a group cannot end in an anchor or negate a field")
		}
		return list, true, err
	}
	start := r.at
	name := r.name()
	e := element{wildcard: name == "_", named: true, least: 1}
	if !e.wildcard {
		var ok bool
		if e.kind, ok = r.lang.Kind(name, true); !ok || r.peek() == '/' {
			r.at = start
			return nil, false, r.fail("%q is a supertype, which is not supported: list its kinds or use (_)", name)
		}
	}
	var err error
	e.children, e.lastAnchor, e.negated, err = r.children()
	return []element{e}, false, err
}

// children reads up to the closing parenthesis.
func (r *reader) children() (list []element, last bool, negated []uint16, err error) {
	anchored := false
	for r.space(); !r.take(')'); r.space() {
		switch {
		case r.at == len(r.text):
			return nil, false, nil, r.fail("the syntax is wrong")
		case r.take('.'):
			anchored = true
			continue
		case r.take('!'):
			field, ok := r.lang.Field(r.name())
			if !ok {
				return nil, false, nil, r.fail("the grammar has no such field")
			}
			negated = append(negated, field)
			continue
		}
		more, err := r.element()
		if err != nil {
			return nil, false, nil, err
		}
		if len(more) > 0 {
			more[0].anchored = more[0].anchored || anchored
			list, anchored = append(list, more...), false
		}
	}
	return list, anchored, slices.Clip(negated), nil
}

// predicate skips a predicate: the runtime reads those.
func (r *reader) predicate() error {
	for depth := 1; r.at < len(r.text); r.at++ {
		switch r.text[r.at] {
		case '(':
			depth++
		case ')':
			if depth--; depth == 0 {
				r.at++
				return nil
			}
		case ';':
			r.space()
			r.at--
		case '"':
			for r.at++; r.at < len(r.text) && r.text[r.at] != '"'; r.at++ {
				if r.text[r.at] == '\\' {
					r.at++
				}
			}
		}
	}
	return r.fail("the syntax is wrong")
}
