//go:build cgo

package syntax

import (
	"bytes"
	"fmt"
	"regexp"
	"slices"
	"strings"
)

// A word is one word of a predicate as written: a capture or a string.
type word struct {
	capture bool
	id      uint32
	text    string
}

// A predicate is a condition on the text of a match's captures. It holds when
// each node captured under subject satisfies it; so it holds where there is none.
type predicate struct {
	subject uint32
	negate  bool
	words   [][]byte       // any of these
	pattern *regexp.Regexp // or this
	other   uint32         // or the first node of this capture
	second  bool
}

func newPredicate(words []word) (predicate, error) {
	if len(words) == 0 || words[0].capture {
		return predicate{}, fmt.Errorf("a predicate begins with its name")
	}
	name, args := words[0].text, words[1:]
	if !slices.Contains([]string{"eq?", "not-eq?", "any-of?", "not-any-of?", "match?", "not-match?"}, name) {
		return predicate{}, fmt.Errorf("the predicate #%s is not supported; #eq?, #any-of?, #match? and their #not- forms are", name)
	}
	if len(args) < 2 || !args[0].capture {
		return predicate{}, fmt.Errorf("#%s needs a capture and what it is compared with", name)
	}
	p := predicate{subject: args[0].id}
	args = args[1:]
	name, p.negate = strings.CutPrefix(name, "not-")
	switch {
	case name != "any-of?" && len(args) > 1:
		return predicate{}, fmt.Errorf("#%s takes two arguments", name)
	case name == "eq?" && args[0].capture:
		p.other, p.second = args[0].id, true
		return p, nil
	}
	return p, p.compare(name, args)
}

func (p *predicate) compare(name string, args []word) error {
	for _, a := range args {
		if a.capture {
			return fmt.Errorf("#%s compares with strings, not with @%s", name, a.text)
		}
		p.words = append(p.words, []byte(a.text))
	}
	if name != "match?" {
		return nil
	}
	re, err := regexp.Compile(args[0].text)
	if err != nil {
		return fmt.Errorf("#match? does not compile: %w", err)
	}
	p.words, p.pattern = nil, re
	return nil
}

// holds reports whether the match satisfies p.
func (p *predicate) holds(t *Tree, m Match) bool {
	for _, c := range t.MatchCaptures(m) {
		if c.Name == p.subject && p.one(t, m, t.Text(c.Node)) == p.negate {
			return false
		}
	}
	return true
}

func (p *predicate) one(t *Tree, m Match, text []byte) bool {
	switch {
	case p.pattern != nil:
		return p.pattern.Match(text)
	case p.second:
		other := t.Captured(m, p.other)
		return other != None && bytes.Equal(text, t.Text(other))
	}
	for _, w := range p.words {
		if bytes.Equal(w, text) {
			return true
		}
	}
	return false
}
