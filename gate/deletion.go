package gate

import (
	"context"
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/plumbkit/plumb/index"
)

// deletedFiles asks for two independent proofs that a deleted file is not
// needed (GAT-3): no edge leads into it, and nothing outside documents names
// it. Files that something certainly imported are left to the checks of
// consistency, which see whether the uses went too.
func deletedFiles(ctx context.Context, c *Case) ([]Finding, error) {
	var out []Finding
	for i := range c.Changes {
		f := &c.Changes[i]
		if !f.Deleted() {
			continue
		}
		found, err := deletion(ctx, c, f)
		if err != nil {
			return nil, err
		}
		out = append(out, found)
	}
	return out, nil
}

func isDocument(c *Case, p string) bool { return matches(c.Policy.Documents, p) != "" }

func deletion(ctx context.Context, c *Case, f *Change) (Finding, error) {
	found := Finding{Before: at(f.Old, 1), Reason: f.Old + " is deleted, and may be reached by name",
		Alternative: "remove what still reaches the file in the same change, or keep the file"}
	edges := incoming(c, f.Old)
	found.prove(edges, "no edge of the import graph leads to "+f.Old, "an edge leads to it: ")
	names, err := named(ctx, c, f.Old)
	if err != nil {
		return found, err
	}
	found.prove(names, "nothing outside itself and documents names it", "it is named: ")
	return found, nil
}

// prove files what was looked for as present evidence when there is none of it,
// and what was found as missing evidence otherwise.
func (f *Finding) prove(against []string, proof, hint string) {
	if len(against) == 0 {
		f.Present = append(f.Present, proof)
		return
	}
	const shown = 5
	text := strings.Join(against[:min(len(against), shown)], ", ")
	if len(against) > shown {
		text += fmt.Sprintf(" and %d more", len(against)-shown)
	}
	f.Missing = append(f.Missing, proof+": "+hint+text)
}

// incoming lists the places, still there after the change, that lead to the
// deleted file: uses of what it defines, and imports where it defines nothing.
func incoming(c *Case, file string) []string {
	var out []string
	add := func(refs []index.Ref) {
		for _, r := range refs {
			if stillThere(c, r) && !isDocument(c, r.Span.File) {
				out = append(out, r.Span.String())
			}
		}
	}
	symbols := c.Before.Outline(file)
	for _, s := range symbols {
		if s.Parent != "" || defined(c.After, s) {
			continue
		}
		a := c.Before.References(s.ID, 0)
		add(a.Sure)
		add(uncertain(a.Confirm))
	}
	by := c.Before.ByPath(file)
	add(by.Confirm)
	if len(symbols) == 0 || packageGone(c, file) {
		add(by.Sure)
	}
	for _, r := range by.Sure {
		if registers(c.Before, r) && registered(c.Before, symbols) && stillThere(c, r) {
			out = append(out, r.Span.String()+" imports its package for what it registers")
		}
	}
	return out
}

// uncertain are references whose target is decided at run time: they count as
// references (GAT-3). Candidates by bare name alone do not.
func uncertain(refs []index.Ref) []index.Ref {
	var out []index.Ref
	for _, r := range refs {
		if r.Status == index.Dynamic || r.Kind == index.RefString {
			out = append(out, r)
		}
	}
	return out
}

// defined reports whether the symbol is still defined in the state after.
func defined(after *index.Snapshot, s index.Symbol) bool {
	for _, d := range after.Named(s.Name) {
		if d.Canonical == s.Canonical {
			return true
		}
	}
	return false
}

// stillThere reports whether a reference of the state before has survived: a
// reference of that name stands in the same file and symbol.
func stillThere(c *Case, r index.Ref) bool {
	now, ok := c.After.File(r.Span.File)
	if !ok {
		return false
	}
	if now.Hash == r.Span.Hash {
		return true
	}
	for _, other := range c.After.RefsIn(r.Span.File) {
		if other.Name == r.Name && other.Kind == r.Kind && canonical(other.In) == canonical(r.In) && other.Status != index.Static {
			return true
		}
	}
	return false
}

// canonical is the canonical name in a symbol's ID.
func canonical(id string) string { return index.CanonicalOf(id) }

// packageGone reports whether no file of the deleted file's package is left.
func packageGone(c *Case, file string) bool {
	f, ok := c.Before.File(file)
	if !ok || f.Package == "" {
		return false
	}
	for _, g := range c.After.Files() {
		if g.Package == f.Package {
			return false
		}
	}
	return true
}

// registers reports whether an import is one for its effects alone.
func registers(s *index.Snapshot, r index.Ref) bool {
	for _, im := range s.Imports(r.Span.File) {
		if im.Alias == "_" && int(im.Range.Start) <= r.Span.Start && r.Span.Start < int(im.Range.End) {
			return true
		}
	}
	return false
}

// registered reports whether a file does something when it is merely imported.
func registered(s *index.Snapshot, symbols []index.Symbol) bool {
	return slices.ContainsFunc(symbols, func(sym index.Symbol) bool {
		l := s.Language(sym.Span.File)
		return l != nil && l.OnImport != nil && l.OnImport(sym)
	})
}

// isQuoted reports whether a name is all that a string of the line holds.
func isQuoted(line, name string) bool {
	return strings.Contains(line, `"`+name+`"`) || strings.Contains(line, "`"+name+"`") || strings.Contains(line, "'"+name+"'")
}

// named lists the places outside documents that name the deleted file, or, as a
// string, something that only it defined; and patterns that embed it.
func named(ctx context.Context, c *Case, file string) ([]string, error) {
	var out []string
	search := func(p index.Pattern, keep func(index.Hit) bool) error {
		a, err := c.After.Search(ctx, p)
		if err != nil {
			return err
		}
		for _, h := range a.Sure {
			if h.Span.File != file && !isDocument(c, h.Span.File) && keep(h) {
				out = append(out, h.Span.String())
			}
		}
		return nil
	}
	anyHit := func(index.Hit) bool { return true }
	if err := search(index.Pattern{Text: path.Base(file), Word: true}, anyHit); err != nil {
		return nil, err
	}
	for _, s := range c.Before.Outline(file) {
		if s.Parent != "" || len(s.Name) < 4 || s.Origin == index.Test || defined(c.After, s) {
			continue
		}
		quoted := func(h index.Hit) bool { return h.Kind == "text" || h.Kind == "string" && isQuoted(h.Line, s.Name) }
		if err := search(index.Pattern{Text: s.Name, Word: true}, quoted); err != nil {
			return nil, err
		}
	}
	for _, l := range c.Before.Languages() {
		if l.Includes.Line == "" {
			continue
		}
		takes := func(h index.Hit) bool { return l.Includes.Takes(h.Line, h.Span.File, file) }
		if err := search(index.Pattern{Regexp: l.Includes.Line}, takes); err != nil {
			return nil, err
		}
	}
	lang := c.Before.Language(file)
	if lang == nil || lang.Named == nil {
		return out, nil
	}
	for _, way := range lang.Named(file) {
		if err := search(index.Pattern{Regexp: way}, func(h index.Hit) bool { return h.Kind == "text" || h.Kind == "string" }); err != nil {
			return nil, err
		}
	}
	return out, nil
}

// manyDeleted asks for the proofs of every file when many go at once.
func manyDeleted(ctx context.Context, c *Case) ([]Finding, error) {
	var gone []*Change
	for i := range c.Changes {
		if c.Changes[i].Deleted() {
			gone = append(gone, &c.Changes[i])
		}
	}
	if len(gone) <= c.Policy.DeletedFiles {
		return nil, nil
	}
	f := Finding{Before: at(gone[0].Old, 1), Reason: fmt.Sprintf("%d files are deleted at once, and %d may be", len(gone), c.Policy.DeletedFiles),
		Alternative: "delete them in changes of their own, or give the reason in the task"}
	var open []string
	for _, g := range gone {
		one, err := deletion(ctx, c, g)
		if err != nil {
			return nil, err
		}
		if len(one.Missing) > 0 {
			open = append(open, g.Old)
		}
	}
	f.prove(open, "nothing leads to or names any of them", "not proven for ")
	return []Finding{f}, nil
}
