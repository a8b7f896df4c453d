package gate

import (
	"fmt"
	"slices"
	"strings"

	"github.com/plumbkit/plumb/index"
)

// top are the bindings of a file that hold for all of it: those in no function.
func (s structured) top() structured {
	return slices.DeleteFunc(s.of(index.Bind), func(b index.Statement) bool {
		return len(s.around(int(b.Start)).of(index.Function, index.Concurrent)) > 0
	})
}

// qualified is the name of a unit in its file, with the types around it.
func (s *side) qualified(u *unit) string {
	name := u.sym.Name
	for up, ok := s.snap.Symbol(u.sym.Parent); ok && up.Kind != index.KindPackage; up, ok = s.snap.Symbol(up.Parent) {
		name = up.Name + "." + name
	}
	return name
}

// takenAway is the binding below a unit that gives its name, or that of what
// holds it, another meaning, so that nobody comes to the unit. Of a table it is
// one that leaves nothing in it.
func (s *side) takenAway(u *unit) (index.Statement, bool) {
	name := s.qualified(u)
	parts := s.parts[u.file]
	table := u.sym.Kind == index.KindVariable || u.sym.Kind == index.KindConstant
	for _, b := range s.tops[u.file] {
		if int(b.Start) < u.sym.Span.End || b.Name != name && !strings.HasPrefix(name, b.Name+".") || table && b.Form != index.FormEmpty {
			continue
		}
		if !otherArm(parts, u.sym.Span.Start, int(b.Start)) {
			return b, true
		}
	}
	return index.Statement{}, false
}

// otherArm reports whether two offsets stand in two blocks of one choice.
func otherArm(parts structured, a, b int) bool {
	for _, x := range parts.around(a).of(index.Branch, index.Handler) {
		for _, y := range parts.around(b).of(index.Branch, index.Handler) {
			if x.Start != y.Start && x.Head == y.Head {
				return true
			}
		}
	}
	return len(parts.around(a).of(index.Branch, index.Handler)) < len(parts.around(b).of(index.Handler)) // what stands in when an import fails
}

// rebound reports a test, a table or a helper that stands where it stood, and
// whose name means something else below it.
func (t *comparison) rebound(u, v *unit) {
	table := u.sym.Kind == index.KindVariable || u.sym.Kind == index.KindConstant
	if u.sym.ID == "" || !u.test && len(u.checks) == 0 && !(table && len(literalsOf(u)) > 0) {
		return
	}
	b, taken := t.after.takenAway(v)
	if !taken {
		return
	}
	if _, before := t.before.takenAway(u); before {
		return
	}
	place := t.after.place(v.file, b)
	rule, why := "tests.removed", "is not run any more"
	if !u.test && len(u.checks) > 0 {
		rule, why = "tests.assertion-removed", "is not called any more"
	}
	t.add(rule, u.sym.Ident, place, u, fmt.Sprintf("%s %s: %q below it takes its name", u.sym.Name, why, short(v.src, b)), "leave the name to what it belongs to")
}

// place is where a statement of a file stands.
func (s *side) place(file string, st index.Statement) index.Span {
	for _, u := range s.units {
		if u.file == file {
			return u.place(st)
		}
	}
	return at(file, 1)
}

// short is the first line of a statement.
func short(src []byte, st index.Statement) string {
	line, _, _ := strings.Cut(string(src[st.Start:st.End]), "\n")
	return squeeze(line)
}

// redirected reports a test in which the name of what it tests, or of a helper
// that asserts, leads somewhere else than before: to something of the test's own
// or of code that only tests use.
func (t *comparison) redirected(u, v *unit) {
	helpers := t.effects(t.before, u, index.MarkAssertion)
	done := map[string]bool{}
	for _, r := range u.calls {
		if r.Status != index.Static || done[r.Name] {
			continue
		}
		done[r.Name] = true
		subject := u.tested(r) && t.before.leadsToCode(r)
		helper := !subject && slices.ContainsFunc(t.before.targets(r), func(id string) bool {
			sym, ok := t.before.snap.Symbol(id)
			return ok && len(helpers[sym.Canonical]) > 0
		})
		if !subject && !helper {
			continue
		}
		place, ok := t.elsewhere(u, v, r, helper)
		switch {
		case !ok:
		case helper:
			t.add("tests.assertion-removed", r.Span, place, u, fmt.Sprintf("what %s calls as %s does not assert any more", v.sym.Name, r.Name), "leave the name to the helper that asserts")
		default:
			t.add("tests.assertion-loosened", u.sym.Ident, place, u, fmt.Sprintf("what %s calls as %s is no longer what it tests", v.sym.Name, r.Name), "test what the code does, and replace only what it calls")
		}
	}
}

// targets are what a reference leads to in the end: where it leads to a name that
// only hands on what another file has, as that of what a module gives, what that is.
func (s *side) targets(r index.Ref) []string {
	var out []string
	for _, id := range r.Targets {
		sym, ok := s.snap.Symbol(id)
		if !ok || sym.Kind != index.KindVariable && sym.Kind != index.KindConstant {
			out = append(out, id)
			continue
		}
		refs := s.refsIn(sym.Span.File)
		i := slices.IndexFunc(refs, func(o index.Ref) bool {
			return o.Span.Start == sym.Ident.Start && o.Status == index.Static && o.Name == sym.Name
		})
		if i < 0 {
			out = append(out, id)
			continue
		}
		out = append(out, refs[i].Targets...)
	}
	return out
}

// refsIn are the references of a file, made once.
func (s *side) refsIn(file string) []index.Ref {
	refs, ok := s.refs[file]
	if !ok {
		refs = s.snap.RefsIn(file)
		s.refs[file] = refs
	}
	return refs
}

// leadsToCode reports whether a reference leads to code that not only tests use.
func (s *side) leadsToCode(r index.Ref) bool {
	return slices.ContainsFunc(s.targets(r), func(id string) bool {
		sym, ok := s.snap.Symbol(id)
		return ok && sym.Origin != index.Test && !supports(sym.Span.File)
	})
}

// elsewhere says where the name of a call has got another meaning, ok only when
// the test still calls it and none of the calls leads to what it did.
func (t *comparison) elsewhere(u, v *unit, r index.Ref, helper bool) (index.Span, bool) {
	name := chain(u.src, r.Span.End)
	var found index.Span
	for i := range v.tokens {
		tok := &v.tokens[i]
		if tok.Text != r.Name || i+1 >= len(v.tokens) || v.tokens[i+1].Text != "(" || chain(v.src, tok.end) != name {
			continue
		}
		j := slices.IndexFunc(v.calls, func(c index.Ref) bool { return c.Span.Start == tok.start })
		if j < 0 {
			b, ok := v.ownMeaning(u, name, tok.start)
			if !ok {
				return found, false
			}
			found = v.place(b)
			continue
		}
		sym, ok := t.standIn(v.calls[j], r, helper)
		if !ok {
			return found, false
		}
		found = sym.Ident
	}
	return found, found.File != ""
}

// standIn is what a call leads to now, ok only where that is certain, another
// thing than before, and, for a helper, none that asserts.
func (t *comparison) standIn(now, was index.Ref, helper bool) (index.Symbol, bool) {
	if now.Status != index.Static || len(t.after.targets(now)) == 0 || t.after.leadsToCode(now) {
		return index.Symbol{}, false
	}
	sym, ok := t.after.snap.Symbol(t.after.targets(now)[0])
	if !ok || slices.ContainsFunc(t.before.targets(was), func(id string) bool { return canonical(id) == sym.Canonical }) {
		return sym, false
	}
	if !helper {
		return sym, true
	}
	w := t.after.byKey[sym.Canonical]
	return sym, w != nil && len(w.checks) == 0 && !t.before.has(sym) && len(t.effects(t.after, w, index.MarkAssertion)) == 0
}

func (s *side) has(sym index.Symbol) bool { return s.byKey[sym.Canonical] != nil }

// ownMeaning is the binding inside a unit by which a name means something of
// its own there, and did not before.
func (v *unit) ownMeaning(u *unit, name string, at int) (index.Statement, bool) {
	binds := func(w *unit) structured {
		return slices.DeleteFunc(w.parts.of(index.Bind), func(b index.Statement) bool {
			return b.Name != name || len(w.parts.around(int(b.Start)).of(index.Function, index.Concurrent)) == 0
		})
	}
	now := binds(v)
	if len(now) == 0 || len(binds(u)) > 0 || int(now[0].Start) > at {
		return index.Statement{}, false
	}
	return now[0], true
}

// conditional reports a test that is declared under a condition now.
func (t *comparison) conditional(u, v *unit) {
	if !u.test || !v.test {
		return
	}
	was, now := t.before.parts[u.file], t.after.parts[v.file]
	if now.endsBefore(v.from) > was.endsBefore(u.from) {
		t.add("tests.skipped", u.sym.Ident, v.sym.Ident, u, v.sym.Name+" is not declared where what stands around it ends before", "declare the test in every case")
		return
	}
	if now.conditions(v.from) <= was.conditions(u.from) {
		return
	}
	for _, w := range t.after.units {
		if w != v && w.test && w.file == v.file && w.title == v.title && otherArm(now, v.from, w.from) {
			return
		}
	}
	t.add("tests.skipped", u.sym.Ident, v.sym.Ident, u, v.sym.Name+" is declared under a condition now", "declare the test in every case")
}

// endsBefore counts the ends of a function around an offset that stand in it
// before the offset.
func (s structured) endsBefore(offset int) int {
	n := 0
	for _, f := range s.around(offset).of(index.Function) {
		for _, r := range s {
			if r.Kind != index.Return && r.Kind != index.ReturnValue || r.Start < f.Start || int(r.Start) >= offset {
				continue
			}
			if blocks := s.around(int(r.Start)).of(index.Function, index.Concurrent); len(blocks) > 0 && blocks[len(blocks)-1].Start == f.Start {
				n++
			}
		}
	}
	return n
}

// idled reports a test whose code does not run any more when it is called.
func (t *comparison) idled(u, v *unit) {
	now := v.parts.of(index.Idle)
	if len(now) == 0 || len(u.parts.of(index.Idle)) > 0 || !v.test {
		return
	}
	if now[0].Form == index.FormAwait && t.awaited(v) {
		return
	}
	place := v.sym.Ident
	t.add("tests.skipped", u.sym.Ident, place, u, v.sym.Name+" is called now, and its code does not run", "leave the test a function that does what it says when it is called")
}

// awaited reports whether something in the repository awaits the tests that are
// coroutines: a setting does, or there were such tests already.
func (t *comparison) awaited(v *unit) bool {
	if slices.ContainsFunc(t.before.units, func(w *unit) bool { return w.test && len(w.parts.of(index.Idle)) > 0 }) {
		return true
	}
	l := t.after.snap.Language(v.file)
	if l == nil || l.AwaitedBy == "" {
		return true
	}
	return t.c.configured(l.AwaitedBy)
}

// shadows reports whether a binding takes a tool's name away from code that used it:
// inside a function, only what stands behind it there, and was not written with it.
func (t *comparison) shadows(f *Change, b index.Statement) bool {
	blocks := t.after.parts[f.New].around(int(b.Start)).of(index.Function, index.Concurrent)
	if len(blocks) == 0 || strings.Contains(b.Name, ".") {
		return true
	}
	var owner *unit
	var fresh []*unit
	for _, v := range t.after.units {
		switch {
		case v.file != f.New || v.sym.Name == b.Name:
		case v.from <= int(b.Start) && int(b.Start) < v.sym.Span.End:
			owner = v
		case !v.isRest() && !t.became(v):
			fresh = append(fresh, v)
		}
	}
	tokens := within(tokensOf(t.after.snap.Language(f.New), f.After), int(b.End), int(blocks[len(blocks)-1].End))
	tokens = slices.DeleteFunc(slices.Clone(tokens), func(k token) bool { return ownerAt(fresh, k.start) != nil })
	if !uses(tokens, b.Name) {
		return false
	}
	if owner == nil || owner.isRest() {
		return uses(tokensOf(t.before.snap.Language(f.Old), f.Before), b.Name)
	}
	for u, v := range t.pairs {
		if v == owner {
			return uses(u.body(), b.Name)
		}
	}
	return false
}

// body are the tokens of a unit behind its head.
func (u *unit) body() []token {
	for _, f := range u.parts {
		if f.Kind == index.Function || f.Kind == index.Concurrent {
			return within(u.tokens, int(f.Start), u.sym.Span.End)
		}
	}
	return u.tokens
}

// uses reports whether a name, of no other thing's, is called or something of it taken.
func uses(tokens []token, name string) bool {
	for i := 0; i+1 < len(tokens); i++ {
		if tokens[i].Text == name && (i == 0 || tokens[i-1].Text != ".") && (tokens[i+1].Text == "(" || tokens[i+1].Text == ".") {
			return true
		}
	}
	return false
}

// ownTools reports names by which a test tool asserts, or declares tests, and
// that mean something of the repository's own now, which does neither.
func (t *comparison) ownTools() {
	for i := range t.c.Changes {
		f := &t.c.Changes[i]
		if info, ok := t.c.Before.File(f.Old); !ok || f.New == "" || !testCode(info) {
			continue
		}
		tools := func(s *side, file string) structured {
			return slices.DeleteFunc(s.parts[file].of(index.Bind), func(b index.Statement) bool { return b.Form != index.FormTool })
		}
		was := tools(t.before, f.Old)
		for _, b := range tools(t.after, f.New) {
			if slices.ContainsFunc(was, func(o index.Statement) bool { return o.Name == b.Name }) || !t.shadows(f, b) {
				continue
			}
			t.add("tests.failure-hidden", index.Span{}, t.after.place(f.New, b), nil, fmt.Sprintf("%s is no longer that of the test tool, and neither asserts nor declares tests: %q", b.Name, short(f.After, b)), "leave the name to the test tool")
		}
	}
}
