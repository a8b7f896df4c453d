package main

import (
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"slices"
	"strings"

	"github.com/plumbkit/plumb/host/fault"
	"github.com/plumbkit/plumb/index"
)

// ask is a command that answers from the index about its only argument.
func ask(what string, answer func(ctx context.Context, e *env, s *index.Snapshot, arg string) error) action {
	return func(ctx context.Context, e *env, args []string) error {
		arg, err := one(args, what)
		if err != nil {
			return err
		}
		s, err := e.snapshot(ctx)
		if err != nil {
			return err
		}
		return answer(ctx, e, s, arg)
	}
}

// limited is ask about a symbol, with a limit of results.
func limited(answer func(e *env, s *index.Snapshot, id string, limit int) error) func(*flag.FlagSet) action {
	return func(fs *flag.FlagSet) action {
		limit := fs.Int("limit", 0, "at most this many results; 0 is all")
		do := ask("a name", func(_ context.Context, e *env, s *index.Snapshot, name string) error {
			id, err := e.meant(s, name)
			if err != nil {
				return err
			}
			return answer(e, s, id, *limit)
		})
		return func(ctx context.Context, e *env, args []string) error {
			if err := atLeastZero("-limit", *limit); err != nil {
				return err
			}
			return do(ctx, e, args)
		}
	}
}

// meant returns the ID of the one symbol that a name means, or the canonical
// name that several definitions of it share. Several names are an
// ambiguous fault; a name that the index does not have is returned as it is, as
// every query answers it from the text (IDX-29). A member that a type inherits is
// that of the type it comes from, and the answer says so.
func (e *env) meant(s *index.Snapshot, name string) (string, error) {
	var all []index.Symbol
	canonical := map[string]bool{}
	for _, x := range s.Definitions(name).Sure {
		all = append(all, x)
		canonical[x.Canonical] = true
	}
	switch len(canonical) {
	case 0:
		x, ok := inherited(s, name)
		if !ok {
			return name, nil
		}
		e.notes = append(e.notes, name+" is inherited: it is "+x.Canonical+" at "+x.Span.String())
		return x.ID, nil
	case 1:
		if len(all) > 1 { // overloads, an accessor's halves, a definition made anew: one name
			return all[0].Canonical, nil
		}
		return all[0].ID, nil
	}
	f := &fault.Fault{Class: fault.Ambiguous, Op: "plumb", Subject: fault.Subject{Symbol: name},
		Detail: fmt.Sprintf("%d symbols have this name", len(canonical)), Next: "give the canonical name of one of the candidates"}
	for _, x := range all {
		f.Candidates = append(f.Candidates, fault.Subject{File: x.Span.File, Line: x.Span.Line, Symbol: x.Canonical})
	}
	return "", f
}

// inherited finds the member that a type has from the nearest type above it, if
// that is the same for every type of the name.
func inherited(s *index.Snapshot, name string) (found index.Symbol, ok bool) {
	i := strings.LastIndexByte(name, '.')
	if i <= 0 {
		return found, false
	}
	for _, x := range s.Definitions(name[:i]).Sure {
		m, has := fromAbove(s, x, name[i+1:])
		if ok && (!has || m.Canonical != found.Canonical) {
			return found, false
		}
		found, ok = m, has
		if !has {
			return found, false
		}
	}
	return found, ok
}

// fromAbove searches the types above x, level by level.
func fromAbove(s *index.Snapshot, x index.Symbol, name string) (index.Symbol, bool) {
	seen := map[string]bool{x.ID: true}
	for level := []index.Symbol{x}; len(level) > 0; {
		var next []index.Symbol
		for _, x := range level {
			if member, ok := s.Symbol(memberID(s, x, name)); ok {
				return member, true
			}
			bases, _ := s.Kin(x.ID)
			for _, b := range bases {
				if !seen[b.Symbol.ID] {
					seen[b.Symbol.ID] = true
					next = append(next, b.Symbol)
				}
			}
		}
		level = next
	}
	return index.Symbol{}, false
}

// memberID is the ID of a type's own member of a name, "" when it has none.
func memberID(s *index.Snapshot, x index.Symbol, name string) string {
	for _, m := range s.Named(name) {
		if m.Parent == x.ID {
			return m.ID
		}
	}
	return ""
}

func definitionsCommand(fs *flag.FlagSet) action {
	limit := fs.Int("limit", 0, "at most this many results; 0 is all")
	return ask("a name", func(_ context.Context, e *env, s *index.Snapshot, name string) error {
		if err := atLeastZero("-limit", *limit); err != nil {
			return err
		}
		a := s.DefinitionsUpTo(name, *limit)
		if x, ok := inherited(s, name); ok && a.Total == 0 {
			a = s.DefinitionsUpTo(x.ID, *limit)
			e.notes = append(e.notes, name+" is inherited: it is "+x.Canonical)
		}
		return show(e, s, a, "definitions", func(x index.Symbol) {
			e.printf("%s:%d:%d: %s %s%s\n", x.Span.File, x.Ident.Line, x.Ident.Col, x.Kind.String(), x.Canonical, origin(x.Origin))
		})
	})
}

// origin is said where it is another than the usual one.
func origin(o index.Origin) string {
	if o == index.Handwritten {
		return ""
	}
	return " (" + o.String() + ")"
}

func referencesCommand(fs *flag.FlagSet) action {
	return limited(func(e *env, s *index.Snapshot, id string, limit int) error {
		return show(e, s, s.References(id, limit), "references", func(r index.Ref) {
			e.printf("%s:%d:%d: %s %s (%s)%s%s\n", r.Span.File, r.Span.Line, r.Span.Col, r.Status.String(), r.Kind.String(), r.Rule, inside(s, r.In), reason(r))
		})
	})(fs)
}

// inside names the symbol that a reference stands in.
func inside(s *index.Snapshot, id string) string {
	if x, ok := s.Symbol(id); ok {
		return " in " + x.Canonical
	}
	return ""
}

func reason(r index.Ref) string {
	if r.Reason == "" {
		return ""
	}
	return ": " + r.Reason
}

func callersCommand(fs *flag.FlagSet) action {
	return limited(func(e *env, s *index.Snapshot, id string, limit int) error {
		return show(e, s, s.Callers(id, limit), "callers", func(c index.Call) { call(e, s, c, c.From, "outside of any symbol") })
	})(fs)
}

func calleesCommand(fs *flag.FlagSet) action {
	return limited(func(e *env, s *index.Snapshot, id string, limit int) error {
		return show(e, s, s.Callees(id, limit), "callees", func(c index.Call) {
			name := c.Ref.Name
			if c.Ref.Module != "" {
				name = c.Ref.Module + "." + name
			}
			call(e, s, c, c.To, name)
		})
	})(fs)
}

// call prints one edge of the call graph by the symbol at its other end.
func call(e *env, s *index.Snapshot, c index.Call, id, otherwise string) {
	name := otherwise
	if x, ok := s.Symbol(id); ok {
		name = x.Canonical
	}
	e.printf("%s:%d:%d: %s (%s %s)%s\n", c.Ref.Span.File, c.Ref.Span.Line, c.Ref.Span.Col, name, c.Ref.Status.String(), c.Ref.Rule, reason(c.Ref))
}

// show prints an answer: what is certain, what has to be confirmed, and what the
// answer rests on, also when it is empty. An answer that neither the index nor
// the text has anything for is a finding.
func show[T any](e *env, s *index.Snapshot, a index.Answer[T], what string, print func(T)) error {
	if err := e.cover(context.Background(), a); err != nil {
		return err
	}
	err := unknown(a.Basis, a.Total)
	if n := len(a.Sure) + len(a.Confirm); n < a.Total && n < len(a.Basis.Places) {
		a.Basis.Places = a.Basis.Places[:n] // a limit holds for them too
	}
	a.Basis.Notes = append(slices.Clone(a.Basis.Notes), e.notes...)
	if e.lines {
		if jerr := answerLines(e, a); jerr != nil {
			return jerr
		}
		return err
	}
	if e.json {
		if jerr := e.emit(struct {
			Schema int `json:"schema"`
			index.Answer[T]
		}{1, a}); jerr != nil {
			return jerr
		}
		return err
	}
	for _, x := range a.Sure {
		print(x)
	}
	fromText := a.Basis.Tier == "lexical"
	if asText := fromText && len(a.Basis.Places) >= len(a.Confirm); len(a.Confirm) > 0 && !asText { // their lines say more
		e.printf("to confirm:\n")
		for _, x := range a.Confirm {
			print(x)
		}
	}
	places(e, s, a.Basis)
	switch {
	case !fromText:
		counts(e, what, len(a.Sure), len(a.Confirm), a.Total)
	case a.Total > 0: // nought is not said of what is not known
		counts(e, "places in the text", len(a.Sure), len(a.Confirm), a.Total)
	}
	basis(e, a.Basis)
	return err
}

// counts says how much was found, and how much of it is not shown.
func counts(e *env, what string, sure, confirm, total int) {
	if shown := sure + confirm; shown < total {
		e.printf("%d of %d shown; -limit 0 shows all\n", shown, total)
		return
	}
	e.printf("%s", plural(total, strings.TrimSuffix(what, "s"), what))
	if confirm > 0 {
		e.printf(": %d certain, %d to confirm", sure, confirm)
	}
	e.printf("\n")
}

// unknown is the finding that there is no trace of a name, or of a text.
func unknown(b index.Basis, total int) error {
	if (b.Tier == "lexical" || b.Tier == "text") && total == 0 && len(b.Places) == 0 {
		return errFindings
	}
	return nil
}

// answerLines prints each result on a line of its own, and the basis on the last.
func answerLines[T any](e *env, a index.Answer[T]) error {
	type result struct {
		Sure   bool `json:"sure"`
		Result T    `json:"result"`
	}
	for _, x := range a.Sure {
		if err := e.emit(result{true, x}); err != nil {
			return err
		}
	}
	for _, x := range a.Confirm {
		if err := e.emit(result{false, x}); err != nil {
			return err
		}
	}
	return e.emit(struct {
		Schema int         `json:"schema"`
		Total  int         `json:"total"`
		Basis  index.Basis `json:"basis"`
	}{1, a.Total, a.Basis})
}

// places shows where the text has a name that the index does not know.
func places(e *env, s *index.Snapshot, b index.Basis) {
	if b.Tier != "lexical" || len(b.Places) == 0 {
		return
	}
	e.printf("not in the index; the text has it here:\n")
	for _, p := range b.Places {
		text := "text"
		if src, err := s.Source(p.File); err == nil && p.Start <= len(src) {
			text = lineAt(string(src), p.Start)
		}
		e.printf("%s:%d:%d: %s\n", p.File, p.Line, p.Col, cut(text, lineWidth))
	}
}

// lineWidth is where a line of source is cut for people.
const lineWidth = 160

// lineAt returns the line of a text that holds an offset, without indentation.
func lineAt(text string, at int) string {
	start := strings.LastIndexByte(text[:at], '\n') + 1
	rest, _, _ := strings.Cut(text[start:], "\n")
	return strings.TrimSpace(rest)
}

func basis(e *env, b index.Basis) {
	e.printf("basis: %s tier, confidence %s, %s", b.Tier, b.Confidence, plural(b.Files, "file", "files"))
	if b.Skipped > 0 {
		e.printf(", %d skipped", b.Skipped)
	}
	if n := len(b.Stale); n > 0 {
		e.printf(", %d stale", n)
	}
	if b.Ambiguous+b.Dynamic+b.Unresolved > 0 {
		e.printf("; sites of the same name that are not settled: %d ambiguous, %d dynamic, %d unresolved", b.Ambiguous, b.Dynamic, b.Unresolved)
	}
	e.printf("\n")
	for _, n := range b.Notes {
		e.printf("note: %s\n", n)
	}
}

// stream prints the members of a list as they come: a line each for -jsonl, else
// one document with the list under its name.
func stream[T any](e *env, name string, list func(yield func(T) bool)) error {
	e.bar.clear()
	w := escaped{e.out}
	first := true
	var failed error
	if !e.lines {
		fmt.Fprintf(e.out, "{\n  \"schema\": 1,\n  %q: [", name)
	}
	list(func(v T) bool {
		data, err := json.Marshal(filled(v))
		if err == nil {
			head, tail := "\n    ", ""
			switch {
			case e.lines:
				head, tail = "", "\n"
			case !first:
				head = ",\n    "
			}
			first = false
			_, err = fmt.Fprintf(w, "%s%s%s", head, data, tail)
		}
		failed = err
		return err == nil
	})
	if failed == nil && !e.lines {
		_, failed = fmt.Fprint(e.out, "\n  ]\n}\n")
	}
	return failed
}
