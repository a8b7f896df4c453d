package gate

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/plumbkit/plumb/index"
)

// publicSignatures asks for evidence when something public changes its
// signature or goes (GAT-5): every use in the change or compatible, a migration
// note, and a person's approval above the policy's number of references.
func publicSignatures(_ context.Context, c *Case) ([]Finding, error) {
	now := publicNow(c)
	programs := programsOf(c.Before)
	var out []Finding
	for i := range c.Changes {
		f := &c.Changes[i]
		if f.Old == "" {
			continue
		}
		for _, s := range c.Before.Outline(f.Old) {
			if !isPublic(c.Before, s) || programs[s.Package] || !c.published.reaches(c.Before, s) {
				continue
			}
			after, change, there := closest(c, s, now[s.Canonical])
			if change == index.Same {
				continue
			}
			if change == index.Wider {
				out = append(out, Finding{Before: s.Ident, After: after.Ident, Symbol: s.Canonical, Alternative: "tell of it in the document of changes",
					Reason:  fmt.Sprintf("the public %s %s lets its users do more: %q becomes %q", s.Kind, s.Canonical, s.Signature.Text, after.Signature.Text),
					Present: []string{"everything that was written for it still holds"}})
				continue
			}
			if !there && movedWith(c, s) {
				continue
			}
			out = append(out, signature(c, s, after, there))
		}
	}
	return append(out, demands(c, programs)...), nil
}

// demands asks for evidence when a public interface demands a method more, which
// breaks everything that implements it outside.
func demands(c *Case, programs map[string]bool) []Finding {
	var out []Finding
	for i := range c.Changes {
		f := &c.Changes[i]
		if f.New == "" {
			continue
		}
		for _, m := range c.After.Outline(f.New) {
			up, ok := c.After.Symbol(m.Parent)
			if !ok || up.Kind != index.KindInterface || m.Kind != index.KindMethod || programs[m.Package] || !isPublic(c.After, up) || !c.published.reaches(c.Before, up) || defined(c.Before, m) || !defined(c.Before, up) {
				continue
			}
			found := Finding{Before: at(f.Old, 1), After: m.Ident, Symbol: m.Canonical, Reason: fmt.Sprintf("the public interface %s demands %s now", up.Canonical, m.Name),
				Alternative: "put the method into an interface of its own that is asked for by a type assertion, or say in a migration note what implementers have to do"}
			var lacking []string
			for _, l := range c.After.Members(up.ID).Missing {
				if slices.Contains(l.Methods, m.Name) {
					lacking = append(lacking, canonical(l.Type))
				}
			}
			found.prove(lacking, "every implementation in the repository has the method", "without it: ")
			found.tell(c, up, m)
			out = append(out, found)
		}
	}
	return out
}

// tell files the migration note, or that there is none.
func (f *Finding) tell(c *Case, symbols ...index.Symbol) {
	for _, s := range symbols {
		if note := migrationNote(c, s); note != "" {
			f.Present = append(f.Present, "migration note: "+note)
			return
		}
	}
	f.Missing = append(f.Missing, "a migration note: a contract in the plan, or an entry in a document of changes")
}

// closest is the declaration of the state after that asks least of those who
// rely on s. One name may have several: overloads, what reads and what sets a
// property, a type and a value.
func closest(c *Case, s index.Symbol, now []index.Symbol) (after index.Symbol, change index.Contract, there bool) {
	for _, n := range now {
		if k := contractOf(c.Before, c.After, s, n); !there || k > change {
			after, change, there = n, k, true
		}
	}
	return after, change, there
}

// publicNow are the symbols of the changed files in the state after, by
// canonical name; a symbol may have moved to any file of its package.
func publicNow(c *Case) map[string][]index.Symbol {
	out := map[string][]index.Symbol{}
	for i := range c.Changes {
		if p := c.Changes[i].New; p != "" {
			for _, s := range c.After.Outline(p) {
				out[s.Canonical] = append(out[s.Canonical], s)
			}
		}
	}
	return out
}

// programsOf are the packages that nothing can import.
func programsOf(s *index.Snapshot) map[string]bool {
	out := map[string]bool{}
	for _, p := range s.Packages() {
		if p.Program {
			out[p.Path] = true
		}
	}
	return out
}

// contractOf is what a change of a declaration means to its users. Without word
// from its language, what is not written alike is broken.
func contractOf(before, after *index.Snapshot, a, b index.Symbol) index.Contract {
	if a.Kind != b.Kind || a.Visibility != b.Visibility {
		return index.Broken
	}
	l := before.Language(a.Span.File)
	if l == nil || l.Contract == nil {
		if squeeze(a.Signature.Text) == squeeze(b.Signature.Text) {
			return index.Same
		}
		return index.Broken
	}
	return l.Contract(declaredIn(before, a), declaredIn(after, b))
}

func declaredIn(s *index.Snapshot, sym index.Symbol) index.Declared {
	return index.Declared{Symbol: sym, Alias: func(name string) (index.Symbol, bool) {
		for _, d := range s.Named(name) {
			if d.Package == sym.Package && d.Parent == "" && d.Kind == index.KindType {
				return d, true
			}
		}
		return index.Symbol{}, false
	}}
}

// isPublic reports whether others can rely on a symbol: it and everything
// around it is public, and it is no test's or vendored code.
func isPublic(s *index.Snapshot, sym index.Symbol) bool {
	if supports(sym.Span.File) || matches(unpublished(), sym.Span.File) != "" {
		return false
	}
	for sym.Visibility == index.Public && sym.Origin != index.Test && sym.Origin != index.Vendored && sym.Kind != index.KindPackage {
		if sym.Parent == "" {
			return true
		}
		up, ok := s.Symbol(sym.Parent)
		if !ok || up.Kind == index.KindFunction || up.Kind == index.KindMethod {
			return false
		}
		sym = up
	}
	return false
}

func squeeze(s string) string { return strings.Join(strings.Fields(s), " ") }

// movedWith reports whether a symbol is gone from its package because its file
// moved, in which case the same declaration stands in the file's new place.
func movedWith(c *Case, s index.Symbol) bool {
	for i := range c.Changes {
		f := &c.Changes[i]
		if f.Old != s.Span.File || !f.Moved() {
			continue
		}
		for _, n := range c.After.Outline(f.New) {
			if n.Name == s.Name && n.Package == s.Package && contractOf(c.Before, c.After, s, n) == index.Same {
				return true
			}
		}
	}
	return false
}

func signature(c *Case, s, after index.Symbol, there bool) Finding {
	f := Finding{Before: s.Ident, Symbol: s.Canonical, Reason: fmt.Sprintf("the public %s %s is removed", s.Kind, s.Canonical),
		Alternative: "keep the old signature beside the new one, or adapt every use in the same change and say in a migration note what users have to do"}
	if there {
		f.After = after.Ident
		f.Reason = fmt.Sprintf("the public %s %s changes from %q to %q", s.Kind, s.Canonical, s.Signature.Text, after.Signature.Text)
	}
	refs := c.Before.References(s.ID, 0)
	calls := make([]string, 0, len(refs.Sure)+len(refs.Confirm))
	for _, r := range slices.Concat(refs.Sure, uncertain(refs.Confirm)) {
		calls = append(calls, r.Span.String())
	}
	f.Present = append(f.Present, fmt.Sprintf("%d uses: %s", len(calls), strings.Join(calls, ", ")))
	f.prove(unadapted(c, s, after, there, refs), "every use is in the change or compatible", "not adapted: ")
	f.tell(c, s)
	if len(calls) > c.Policy.References {
		f.Approve = fmt.Sprintf("change the signature of %s, which has %d uses", s.Canonical, len(calls))
	}
	return f
}

// unadapted lists the certain uses that the change neither touches nor leaves
// compatible. Where the language cannot judge a use, the state after tells: the
// name there must still lead to a definition.
func unadapted(c *Case, s, after index.Symbol, there bool, refs index.Answer[index.Ref]) []string {
	lang := c.Before.Language(s.Span.File)
	var out []string
	var now []index.Ref
	if there {
		now = c.After.References(after.ID, 0).Sure
	}
	for _, r := range refs.Sure {
		if touched(c, r.Span) {
			continue
		}
		ok, known, reason := false, false, ""
		if there && lang != nil && lang.Compatible != nil {
			ok, known, reason = lang.Compatible(s, after, r)
		}
		if known && ok || !known && stillLeads(c, r) || known && adaptedBelow(c, lang, s, after, r, now) {
			continue
		}
		if reason != "" {
			reason = " (" + reason + ")"
		}
		out = append(out, r.Span.String()+reason)
	}
	return out
}

// adaptedBelow reports whether a use that does not fit was adapted on another
// line than the one it begins on, as in a call of several lines: the state after
// has uses in the same place of the program, and all of them fit.
func adaptedBelow(c *Case, lang *index.Language, s, after index.Symbol, r index.Ref, now []index.Ref) bool {
	found := false
	for _, n := range now {
		if n.Span.File != movedTo(c, r.Span.File) || canonical(n.In) != canonical(r.In) {
			continue
		}
		found = true
		if ok, known, _ := lang.Compatible(s, after, n); known && !ok {
			return false
		}
	}
	return found
}

// movedTo is where a file of the state before stands in the state after.
func movedTo(c *Case, file string) string {
	for i := range c.Changes {
		if c.Changes[i].Old == file {
			return c.Changes[i].New
		}
	}
	return file
}

// stillLeads reports whether a use that the change left alone has a certain
// target in the state after.
func stillLeads(c *Case, r index.Ref) bool {
	for _, now := range c.After.RefsIn(r.Span.File) {
		if now.Name == r.Name && now.Kind == r.Kind && canonical(now.In) == canonical(r.In) && now.Status != index.Static && now.Status != index.External {
			return false
		}
	}
	return true
}

// migrationNote is where users of a changed symbol are told, "" if nowhere.
func migrationNote(c *Case, s index.Symbol) string {
	if c.Plan != nil {
		for _, k := range c.Plan.Contracts {
			if k.Symbol == s.ID {
				return "contract of the plan"
			}
		}
		for _, a := range c.Plan.Actions {
			if a.Symbol == s.ID {
				return fmt.Sprintf("action %s of the plan: %s", a.ID, a.Why)
			}
		}
	}
	for i := range c.Changes {
		f := &c.Changes[i]
		if f.New == "" || matches(migrationNotes(), f.New) == "" {
			continue
		}
		_, came := lineChanges(f.Before, f.After)
		for _, l := range came {
			if strings.Contains(l.text, s.Name) {
				return at(f.New, l.number).String()
			}
		}
	}
	return ""
}
