package gate

import (
	"slices"
	"strings"

	"github.com/plumbkit/plumb/index"
)

// covers reports whether a failure that v keeps quiet about may be one of code that
// was there and whose failure was seen: what is new, as a hook of new tests that
// takes away what they made, hides nothing.
func covers(u, v *unit, s index.Statement) bool {
	was, now := rows(u.unguarded()), rows(v.unguarded())
	from, to := v.guarded(s)
	for _, row := range rows(within(v.tokens, from, to)) {
		row = strings.TrimSuffix(strings.TrimPrefix(strings.TrimPrefix(row, "try { "), "await "), " ;")
		if strings.ContainsAny(row, "(=") && holding(was, row) > holding(now, row) {
			return true
		}
	}
	return false
}

// unguarded are the tokens of a unit that stand where no failure is caught in silence.
func (u *unit) unguarded() []token {
	quiet := u.parts.of(index.Swallow)
	return slices.DeleteFunc(slices.Clone(u.tokens), func(k token) bool {
		return slices.ContainsFunc(quiet, func(s index.Statement) bool {
			from, to := u.guarded(s)
			return from <= k.start && k.start < to
		})
	})
}

// guarded is where the code stands whose failure is caught by a statement.
func (u *unit) guarded(s index.Statement) (from, to int) {
	for _, h := range u.parts.of(index.Handler) {
		if s.Start <= h.Start && h.Start <= s.End && h.Head < s.Start {
			return int(h.Head), int(s.Start)
		}
	}
	from, to = int(s.Start), int(s.End)
	if at := strings.LastIndex(string(u.src[from:to]), ".catch"); at > 0 {
		to = from + at
	}
	return from, to
}

// rows are the texts of tokens by line.
func rows(tokens []token) []string {
	var out []string
	for i := range tokens {
		if i > 0 && tokens[i].Line == tokens[i-1].Line {
			out[len(out)-1] += " " + tokens[i].Text
			continue
		}
		out = append(out, tokens[i].Text)
	}
	return out
}

// holding counts the rows in which a text stands.
func holding(rows []string, text string) int {
	n := 0
	for _, r := range rows {
		if strings.Contains(r, text) {
			n++
		}
	}
	return n
}
