package gate

import (
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/plumbkit/plumb/index"
)

// replaced reports a test in which something takes the place of what it tests:
// of a function that it calls for what it compares, of the object that it calls
// it on, or of that function's module; or in which the test does by itself what
// the code should.
func (t *comparison) replaced(u, v *unit) {
	var was structured
	if u != nil {
		was = u.parts.of(index.Mock)
	}
	for _, m := range v.parts.of(index.Mock) {
		if slices.ContainsFunc(was, func(o index.Statement) bool { return o.Name == m.Name && o.Form == m.Form }) {
			continue
		}
		if m.Form == index.FormThrown {
			if u != nil {
				t.add("tests.assertion-loosened", u.sym.Ident, v.place(m), u, v.sym.Name+" throws by itself what it expects", "let the code throw it")
			}
			continue
		}
		if w, name := t.comparesWhat(u, v, m); name != "" {
			if u != nil {
				w = u
			}
			t.add("tests.assertion-loosened", w.sym.Ident, v.place(m), w, fmt.Sprintf("%s puts something in the place of %s, which is tested", v.sym.Name, name), "test what the code does, and replace only what it calls")
		}
	}
}

// comparesWhat names what a replacement takes the place of, with the unit that
// tests it, "" when no assertion that was there compares what it gives. What
// stands outside of the tests of a file holds for all of them, and what tests
// stand inside or ask for, for those.
func (t *comparison) comparesWhat(u, v *unit, m index.Statement) (*unit, string) {
	for _, w := range t.before.units {
		if w != u && (w.file != v.file || !v.isRest()) && !t.runsIn(w, v) {
			continue
		}
		for _, r := range w.calls {
			if t.takenBy(w, v, r, m) && w.tested(r) {
				return w, r.Name
			}
		}
	}
	return nil, ""
}

// runsIn reports whether what a unit before has become runs inside or behind v.
func (t *comparison) runsIn(w, v *unit) bool {
	now := t.pairs[w]
	if now == nil || now == v || v.test {
		return false
	}
	return v.around && w.file == v.file || slices.ContainsFunc(t.after.refsIn(now.file), func(r index.Ref) bool {
		return r.Span.Start >= now.from && r.Span.End <= now.sym.Span.End && slices.Contains(r.Targets, v.sym.ID) && r.Status == index.Static
	})
}

// takenBy reports whether a replacement takes the place of what a call of w leads to.
func (t *comparison) takenBy(w, v *unit, r index.Ref, m index.Statement) bool {
	switch m.Form {
	case index.FormModule:
		return slices.ContainsFunc(t.before.targets(r), func(id string) bool { return inModule(t.before.snap, id, v.file, m.Name) }) ||
			strings.HasPrefix(m.Name, ".") && slices.ContainsFunc(t.before.snap.Imports(w.file), func(im index.Import) bool {
				return im.Path == m.Name && (slices.Contains(im.Aliases, r.Name) || slices.Contains(im.Symbols, r.Name))
			})
	case index.FormObject:
		return strings.HasPrefix(chain(w.src, r.Span.End), m.Name+".")
	}
	return r.Name == m.Name
}

// chain is the name that ends at an offset, with what stands before it as in a.b.c.
func chain(src []byte, end int) string {
	i := end
	for i > 0 && (src[i-1] == '.' || src[i-1] == '_' || src[i-1] == '$' || src[i-1] >= 0x80 || src[i-1] >= '0' && src[i-1] <= '9' || src[i-1]|0x20 >= 'a' && src[i-1]|0x20 <= 'z') {
		i--
	}
	return string(src[i:end])
}

// inModule reports whether a symbol stands in the module that a file imports by name.
func inModule(s *index.Snapshot, id, file, name string) bool {
	sym, ok := s.Symbol(id)
	if !ok || !strings.HasPrefix(name, ".") {
		return false
	}
	want := path.Join(path.Dir(file), name)
	have := strings.TrimSuffix(sym.Span.File, path.Ext(sym.Span.File))
	return have == want || sym.Span.File == want || have == want+"/index"
}

// tested reports whether a call gives what an assertion compares: it stands in
// an operand, or in the value of a variable that is one.
func (u *unit) tested(r index.Ref) bool {
	for i := range u.checks {
		for _, arg := range u.checks[i].args {
			if len(arg) > 0 && arg[0].start <= r.Span.Start && r.Span.End <= arg[len(arg)-1].end {
				return true
			}
		}
	}
	for _, e := range u.parts.of(index.Entry) {
		if e.Form != index.FormVariable || !holds(e.Range, r.Span.Start) {
			continue
		}
		if slices.ContainsFunc(u.checks, func(k check) bool {
			return slices.ContainsFunc(k.args, func(a []token) bool { return len(a) > 0 && a[0].Text == e.Name })
		}) {
			return true
		}
	}
	return false
}

// leftOut reports a unit that leaves out tests that it did not leave out before.
func (t *comparison) leftOut(u, v *unit) {
	was, now := u.parts.of(index.Deselect), v.parts.of(index.Deselect)
	if n := len(now); n > len(was) {
		t.add("tests.skipped", u.sym.Ident, v.place(now[n-1]), u, v.sym.Name+" leaves out tests that were collected", "leave all tests to run")
	}
}
