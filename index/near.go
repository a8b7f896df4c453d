package index

import (
	"slices"
	"sort"
	"strings"
	"unicode"
)

// Near returns the canonical names of at most n definitions whose simple name
// is closest to name: the same but for case, few letters apart, or made of the
// same words. Closest first, then in order of name.
func (s *Snapshot) Near(name string, n int) []string {
	type scored struct {
		name string
		cost int
	}
	want := newSpelling(lastPart(name))
	var close []scored
	s.names.all(func(_ uint32, have string) bool {
		if cost, ok := want.distance(have); ok {
			close = append(close, scored{have, cost})
		}
		return true
	})
	sort.Slice(close, func(i, j int) bool {
		if close[i].cost != close[j].cost {
			return close[i].cost < close[j].cost
		}
		return close[i].name < close[j].name
	})
	var out []string
	for _, c := range close {
		for r := range s.named(c.name) {
			if canonical := s.canonical(r); !slices.Contains(out, canonical) {
				out = append(out, canonical)
			}
			if len(out) >= n {
				return out
			}
		}
	}
	return out
}

// A spelling is a name prepared to be compared with many others.
type spelling struct {
	name, lower string
	parts       []string
	limit       int // edits that a slip explains
}

func newSpelling(name string) spelling {
	return spelling{name: name, lower: strings.ToLower(name), parts: camelParts(name), limit: 1 + len(name)/4}
}

// distance returns how far another name is; ok is false beyond what a slip explains.
func (w *spelling) distance(have string) (cost int, ok bool) {
	switch {
	case w.name == "" || have == "":
		return 0, false
	case w.name == have:
		return 0, true
	case strings.EqualFold(w.name, have):
		return 1, true
	}
	if diff := len(w.name) - len(have); diff <= w.limit && -diff <= w.limit {
		if d := edits(w.lower, strings.ToLower(have), w.limit); d <= w.limit {
			return 1 + d, true
		}
	}
	if !w.sharesPart(have) {
		return 0, false
	}
	parts := camelParts(have)
	if shared := sharedParts(w.parts, parts); shared > 0 && 2*shared >= len(w.parts)+1 && 2*shared >= len(parts) {
		return 4 + len(w.parts) + len(parts) - 2*shared, true
	}
	return 0, false
}

// sharesPart is a cheap condition that names with a part in common fulfil.
func (w *spelling) sharesPart(have string) bool {
	for _, p := range w.parts {
		if len(p) > 1 && (strings.Contains(have, p[1:]) || strings.Contains(have, strings.ToUpper(p[1:]))) {
			return true
		}
	}
	return false
}

// edits returns the number of letters to insert, drop, replace or swap, or
// limit+1 when it is larger.
func edits(a, b string, limit int) int {
	const most = 64
	if len(b) > most {
		return limit + 1
	}
	var rows [3][most + 1]int
	prev2, prev, row := rows[0][:len(b)+1], rows[1][:len(b)+1], rows[2][:len(b)+1]
	for j := range prev {
		prev[j] = j
	}
	for i := 1; i <= len(a); i++ {
		row[0] = i
		least := i
		for j := 1; j <= len(b); j++ {
			cost := 1
			if a[i-1] == b[j-1] {
				cost = 0
			}
			row[j] = min(prev[j]+1, row[j-1]+1, prev[j-1]+cost)
			if i > 1 && j > 1 && a[i-1] == b[j-2] && a[i-2] == b[j-1] {
				row[j] = min(row[j], prev2[j-2]+1)
			}
			least = min(least, row[j])
		}
		if least > limit {
			return limit + 1
		}
		prev2, prev, row = prev, row, prev2
	}
	return prev[len(b)]
}

// camelParts splits an identifier into its lower-case words.
func camelParts(name string) []string {
	var parts []string
	var word strings.Builder
	flush := func() {
		if word.Len() > 0 {
			parts = append(parts, word.String())
			word.Reset()
		}
	}
	lower := false
	for _, r := range name {
		switch {
		case r == '_' || r == '-' || r == '$':
			flush()
			lower = false
			continue
		case unicode.IsUpper(r) && lower:
			flush()
		}
		lower = !unicode.IsUpper(r)
		word.WriteRune(unicode.ToLower(r))
	}
	flush()
	return parts
}

func sharedParts(a, b []string) int {
	n := 0
	for _, x := range a {
		if len(x) > 1 && slices.Contains(b, x) {
			n++
		}
	}
	return n
}
