package index

import (
	"bytes"
	"context"
	"regexp"
	"unicode"
	"unicode/utf8"

	"github.com/plumbkit/plumb/host/fault"
)

// A Pattern is what Search looks for: Text or Regexp, not both.
type Pattern struct {
	Text   string `json:"text,omitempty"`
	Regexp string `json:"regexp,omitempty"` // RE2; ^ and $ match at lines
	// Word asks that no letter, digit or underscore stands beside the match.
	Word bool `json:"word,omitempty"`
	// Limit is the largest number of hits; 0 means all.
	Limit int `json:"limit,omitempty"`
}

// A Hit is one match.
type Hit struct {
	Span Span `json:"span"`
	// Line is the line in which the match begins, cut to 400 bytes around it.
	Line string `json:"line"`
	In   string `json:"in,omitempty"` // ID of the innermost enclosing symbol
	// Kind is "code", "comment" or "string"; "text" in files of no language.
	Kind string `json:"kind"`

	text string // the match itself
}

// Search looks through the bytes of every listed file, in order of path.
// All hits are Sure. When the limit stops it, Total is what was found until
// then and a note says that it is a lower bound; otherwise it is exact. Files
// that can no longer be read as indexed are left out and named in the notes.
// Faults: invalid_input for a pattern that is empty or does not compile, canceled.
func (s *Snapshot) Search(ctx context.Context, p Pattern) (Answer[Hit], error) {
	a := Answer[Hit]{Sure: []Hit{}, Confirm: []Hit{}}
	find, err := p.finder()
	if err != nil {
		return a, err
	}
	a.Basis = s.basis(tierSymbols, "")
	a.Basis.Tier = "text"
	err = s.scan(ctx, find, func(f *file, r scanned) bool {
		if r.problem != "" {
			a.Basis.Notes = append(a.Basis.Notes, r.problem)
		}
		for _, h := range r.hits {
			if p.Limit > 0 && len(a.Sure) == p.Limit {
				a.Total = len(a.Sure) + 1
				a.Basis.Notes = append(a.Basis.Notes, "the limit stopped the search: the total is a lower bound")
				return false
			}
			a.Sure = append(a.Sure, h)
			a.Total = len(a.Sure)
		}
		return true
	})
	if err != nil {
		return Answer[Hit]{}, fault.From(err, "index.search", "search again")
	}
	a.Basis.grade()
	return a, nil
}

// finder returns a function that yields the [start, end) of every match.
func (p Pattern) finder() (finder, error) {
	bad := func(detail string, err error) error {
		return &fault.Fault{Class: fault.InvalidInput, Op: "index.search", Subject: fault.Subject{Text: p.Text + p.Regexp},
			Detail: detail, Next: "give a text or a regular expression in RE2 syntax", Err: err}
	}
	if (p.Text == "") == (p.Regexp == "") {
		return nil, bad("a pattern is either a text or a regular expression", nil)
	}
	next := func(data []byte) []int {
		i := bytes.Index(data, []byte(p.Text))
		if i < 0 {
			return nil
		}
		return []int{i, i + len(p.Text)}
	}
	if p.Regexp != "" {
		re, err := regexp.Compile("(?m:" + p.Regexp + ")")
		if err != nil {
			return nil, bad("the regular expression does not compile", err)
		}
		return func(data []byte) func(func([2]int) bool) {
			return p.matches(data, re.FindAllIndex(data, -1))
		}, nil
	}
	return func(data []byte) func(func([2]int) bool) {
		return func(yield func([2]int) bool) {
			for at := 0; ; {
				m := next(data[at:])
				if m == nil {
					return
				}
				from := at + m[0]
				to := at + m[1]
				if (!p.Word || isWord(data, from, to)) && !yield([2]int{from, to}) {
					return
				}
				at = to
			}
		}
	}, nil
}

func (p Pattern) matches(data []byte, all [][]int) func(func([2]int) bool) {
	return func(yield func([2]int) bool) {
		for _, m := range all {
			if (!p.Word || isWord(data, m[0], m[1])) && !yield([2]int{m[0], m[1]}) {
				return
			}
		}
	}
}

func isWord(data []byte, from, to int) bool {
	before, _ := utf8.DecodeLastRune(data[:from])
	after, _ := utf8.DecodeRune(data[to:])
	return !wordRune(before) && !wordRune(after)
}

func wordRune(r rune) bool {
	return r != utf8.RuneError && (r == '_' || unicode.IsLetter(r) || unicode.IsDigit(r))
}

func (s *Snapshot) hit(f *file, data []byte, at [2]int) Hit {
	start := bytes.LastIndexByte(data[:at[0]], '\n') + 1
	end := len(data)
	if i := bytes.IndexByte(data[at[0]:], '\n'); i >= 0 {
		end = at[0] + i
	}
	line := 1 + bytes.Count(data[:start], []byte("\n"))
	h := Hit{Span: Span{File: f.path, Hash: f.hashString(), Start: at[0], End: at[1], Line: line, Col: at[0] - start + 1},
		Line: string(data[max(start, at[0]-200):min(end, max(at[0]+200, at[0]))]), Kind: "text",
		text: string(data[at[0]:at[1]])}
	if f.packed == nil {
		return h
	}
	h.Kind = f.textKind(uint32(at[0]))
	if def := f.innermost(uint32(at[0])); def >= 0 {
		h.In = s.id(symRef{f, def})
	}
	return h
}

// marks returns how many marks the file has; none has kind zero, so that their
// column is never left out.
func (f *file) marks() int { return columnLen(f.pack().part(partMarkKind)) }

// textKind classes an offset by the marks around it.
func (f *file) textKind(offset uint32) string {
	v := openMarks(f.pack())
	kind := "code"
	for i := range f.marks() {
		start := v.start.at(i)
		if offset < start || offset >= start+v.length.at(i) {
			continue
		}
		switch MarkKind(v.kind.at(i)) {
		case MarkComment:
			return "comment"
		case MarkString, MarkImport:
			kind = "string"
		}
	}
	return kind
}
