package gate

import (
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/plumbkit/plumb/index"
)

// replaced reports a test in which something takes the place of what it tests:
// of a function that it calls for what it compares, or of that function's module.
func (t *comparison) replaced(u, v *unit) {
	was := u.parts.of(index.Mock)
	for _, m := range v.parts.of(index.Mock) {
		if slices.ContainsFunc(was, func(o index.Statement) bool { return o.Name == m.Name }) {
			continue
		}
		if name := t.comparesWhat(u, v, m); name != "" {
			t.add("tests.assertion-loosened", u.sym.Ident, v.place(m), u, fmt.Sprintf("%s puts something in the place of %s, which it tests", v.sym.Name, name), "test what the code does, and replace only what it calls")
		}
	}
}

// comparesWhat names what a replacement takes the place of, "" when no
// assertion that was there compares what it gives. What stands outside of the
// tests of a file holds for all of them.
func (t *comparison) comparesWhat(u, v *unit, m index.Statement) string {
	for _, w := range t.before.units {
		if w != u && (w.file != u.file || !v.isRest()) {
			continue
		}
		for _, r := range w.calls {
			hit := r.Name == m.Name
			if m.Form == index.FormModule {
				hit = slices.ContainsFunc(r.Targets, func(id string) bool { return inModule(t.before.snap, id, v.file, m.Name) }) ||
					strings.HasPrefix(m.Name, ".") && slices.ContainsFunc(t.before.snap.Imports(w.file), func(im index.Import) bool {
						return im.Path == m.Name && (slices.Contains(im.Aliases, r.Name) || slices.Contains(im.Symbols, r.Name))
					})
			}
			if hit && w.tested(r) {
				return r.Name
			}
		}
	}
	return ""
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
