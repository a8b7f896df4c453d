package gate

import (
	"fmt"
	"slices"
	"strings"

	"github.com/plumbkit/plumb/index"
)

// A quantityUse is a number with its unit of time, in seconds where it has one.
type quantityUse struct {
	value float64
	at    token
}

// newQuantities reads the numbers of tokens; "5 * time.Second" is 5 seconds,
// and a unit of time alone is one of it.
func newQuantities(tokens []token) []quantityUse {
	var out []quantityUse
	for i := range tokens {
		t := &tokens[i]
		if unit, ok := unitOfTime(t.Text); ok && t.word() {
			if n := len(out); n > 0 && i >= 2 && near(tokens, i) {
				out[n-1].value *= unit
			} else {
				out = append(out, quantityUse{unit, *t})
			}
			continue
		}
		if v, ok := quantity(t.Text); ok && t.number() {
			out = append(out, quantityUse{v, *t})
		}
	}
	return out
}

// near reports whether a unit follows its number: "5 * time . Second".
func near(tokens []token, i int) bool {
	for j := i - 1; j >= max(0, i-4); j-- {
		if tokens[j].number() {
			return true
		}
	}
	return false
}

func unitOfTime(s string) (float64, bool) {
	switch s {
	case "Nanosecond":
		return 1e-9, true
	case "Microsecond":
		return 1e-6, true
	case "Millisecond":
		return 1e-3, true
	case "Second":
		return 1, true
	case "Minute":
		return 60, true
	case "Hour":
		return 3600, true
	}
	return 0, false
}

func timedWords(words []string) bool {
	return slices.ContainsFunc(words, func(w string) bool {
		w = strings.ToLower(w)
		for _, s := range []string{"timeout", "deadline", "retr", "attempt", "eventually", "backoff", "sleep", "tries", "within", "maxwait", "waitfor", "flak"} {
			if strings.Contains(w, s) {
				return true
			}
		}
		_, isUnit := unitOfTime(strings.ToUpper(w[:1]) + w[1:])
		return isUnit
	})
}

func timed(tokens []token) bool {
	var words []string
	for i := range tokens {
		if tokens[i].word() {
			words = append(words, tokens[i].Text)
		}
	}
	return timedWords(words)
}

// compareLimits reports timeouts, retries and the like that were raised: lines
// about them that are the same but for their numbers, of which one grew.
func (t *comparison) compareLimits(u, v *unit) {
	most := map[string]float64{}
	for _, l := range u.parts.of(index.Limit) {
		most[l.Name] = max(most[l.Name], l.Value)
	}
	for _, l := range v.parts.of(index.Limit) {
		if l.Value > most[l.Name] {
			t.add("tests.limit-raised", u.sym.Ident, v.place(l), u, fmt.Sprintf("in %s the %s is raised: %q", u.sym.Name, l.Name, v.written(l)),
				"keep the limit, and put right what makes the test slow or unstable")
			return
		}
	}
	now := timedLines(v.tokens)
	for _, was := range timedLines(u.tokens) {
		i := slices.IndexFunc(now, func(o []token) bool { return text(o) == text(was) })
		if i >= 0 {
			now = slices.Delete(now, i, i+1)
			continue
		}
		i = slices.IndexFunc(now, func(o []token) bool { return shape(o) == shape(was) })
		if i < 0 {
			continue
		}
		a, b := newQuantities(was), newQuantities(now[i])
		for j := range min(len(a), len(b)) {
			if b[j].value > a[j].value {
				t.add("tests.limit-raised", spanOf(u, a[j].at), spanOf(v, b[j].at), u, fmt.Sprintf("in %s a limit is raised: %q becomes %q", u.sym.Name, text(was), text(now[i])),
					"keep the limit, and put right what makes the test slow or unstable")
				break
			}
		}
		now = slices.Delete(now, i, i+1)
	}
}

func spanOf(u *unit, t token) index.Span {
	return index.Span{File: u.file, Hash: u.sym.Span.Hash, Start: t.start, End: t.end, Line: t.Line, Col: column(u.src, t.start)}
}

// timedLines are the lines of a unit that are about time or repetition.
func timedLines(tokens []token) [][]token {
	var out [][]token
	for i := 0; i < len(tokens); {
		j := i
		for j < len(tokens) && tokens[j].Line == tokens[i].Line {
			j++
		}
		if l := tokens[i:j]; timed(l) && len(newQuantities(l)) > 0 {
			out = append(out, l)
		}
		i = j
	}
	return out
}

// shape is a line without its numbers and units of time.
func shape(tokens []token) string {
	var b strings.Builder
	for i := range tokens {
		if _, ok := unitOfTime(tokens[i].Text); ok || tokens[i].number() {
			continue
		}
		if s := tokens[i].Text; s != "*" && s != "time" && s != "." {
			b.WriteString(s + " ")
		}
	}
	return b.String()
}
