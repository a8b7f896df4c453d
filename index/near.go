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
	want := lastPart(name)
	var close []scored
	s.names.all(func(_ uint32, have string) bool {
		if cost, ok := distance(want, have); ok {
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

// distance returns how far two names are apart; ok is false beyond what a slip explains.
func distance(a, b string) (cost int, ok bool) {
	if a == "" || b == "" {
		return 0, false
	}
	if a == b {
		return 0, true
	}
	if strings.EqualFold(a, b) {
		return 1, true
	}
	limit := 1 + len(a)/4
	if diff := len(a) - len(b); diff <= limit && -diff <= limit {
		if d := edits(strings.ToLower(a), strings.ToLower(b), limit); d <= limit {
			return 1 + d, true
		}
	}
	x, y := camelParts(a), camelParts(b)
	if shared := sharedParts(x, y); shared > 0 && 2*shared >= len(x)+1 && 2*shared >= len(y) {
		return 4 + len(x) + len(y) - 2*shared, true
	}
	return 0, false
}

// edits returns the number of letters to insert, drop, replace or swap, or
// limit+1 when it is larger.
func edits(a, b string, limit int) int {
	prev2, prev, row := make([]int, len(b)+1), make([]int, len(b)+1), make([]int, len(b)+1)
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
