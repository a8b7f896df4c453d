package selfcheck

import (
	"path"
	"regexp"
	"slices"
	"strings"

	"github.com/plumbkit/plumb/index"
	"github.com/plumbkit/plumb/patch"
)

// residue finds what a change leaves behind (SLF-3): debug prints, placeholders,
// leftover markers, notes without a reference, code commented out, temporary
// files. Only lines that the change added are looked at.
func residue(ev *Evidence) *problem {
	var p problem
	kinds := map[string]bool{}
	add := func(kind string, at index.Span) {
		kinds[kind] = true
		p.places = append(p.places, at)
	}
	for _, f := range ev.Set.Files {
		if (f.Op == patch.Created || f.Op == patch.Copied) && temporary.MatchString(path.Base(f.Path)) {
			add("temporary file", index.Span{File: f.Path, Line: 1, Col: 1})
		}
		added := addedLines(ev.Set, f.Path)
		if len(added) == 0 {
			continue
		}
		for _, m := range ev.After.Marks(f.Path) {
			if kind := leftover(ev, m); kind != "" && added[m.Span.Line] {
				add(kind, m.Span)
			}
		}
	}
	if len(p.places) == 0 {
		return nil
	}
	var names []string
	for k := range kinds {
		names = append(names, k)
	}
	slices.Sort(names)
	p.signal = "the change leaves behind: " + strings.Join(names, ", ")
	return &p
}

var (
	temporary = regexp.MustCompile(`(?i)(\.(orig|rej|bak|tmp|swp|swo)|~)$`)
	// note is a reminder; reference is an issue, a link or an owner beside it.
	note      = regexp.MustCompile(`\b(TODO|FIXME|XXX|HACK)\b`)
	reference = regexp.MustCompile(`(TODO|FIXME|XXX|HACK)\([^)]+\)|#[0-9]+|https?://|\b[A-Z][A-Z0-9]+-[0-9]+\b`)
	conflict  = regexp.MustCompile(`^(<{7}|>{7}|={7}|\|{7})( |$)`)
	// statement is a comment's line that reads as code: a keyword with its
	// bracket, an assignment, or nothing but a call.
	statement = regexp.MustCompile(`^((if|for|switch|func|defer|go|return|else)\b.*[{});]$|[\w.\[\]]+(, [\w.\[\]]+)* :?= .+|[\w.]+\([^ ]*\)$|})$`)
)

// leftover names the kind of residue that a mark is, "" if it is none.
func leftover(ev *Evidence, m index.Mark) string {
	switch m.Kind {
	case index.MarkDebug:
		if !printsAlready(ev, m) {
			return "debug print"
		}
	case index.MarkPlaceholder:
		return "placeholder"
	case index.MarkComment:
		for line := range strings.Lines(m.Text) {
			text := strings.TrimSpace(strings.Trim(strings.TrimSpace(line), "/*"))
			switch {
			case conflict.MatchString(text):
				return "conflict marker"
			case note.MatchString(text) && !reference.MatchString(text):
				return "note without a reference"
			case statement.MatchString(text):
				return "commented-out code"
			}
		}
	}
	return ""
}

// printsAlready reports whether printing is what the file does anyway: it had a
// print of this form before, or it is a command's.
func printsAlready(ev *Evidence, m index.Mark) bool {
	if f, ok := ev.After.File(m.Span.File); ok && (path.Base(f.Package) == "main" || strings.HasPrefix(path.Dir(m.Span.File)+"/", "cmd/")) {
		return true
	}
	if s, ok := ev.After.At(m.Span.File, m.Span.Start); ok && strings.HasPrefix(s.Name, "Example") {
		return true
	}
	return slices.ContainsFunc(ev.Before.Marks(m.Span.File), func(b index.Mark) bool { return b.Kind == m.Kind && b.Form == m.Form })
}

// addedLines are the 1-based lines of the file after the change that the change added.
func addedLines(set *patch.Set, file string) map[int]bool {
	out := map[int]bool{}
	for _, h := range set.Hunks {
		if h.File != file {
			continue
		}
		for i, line := range h.New {
			if !slices.Contains(h.Old, line) {
				out[h.NewLine+i] = true
			}
		}
	}
	return out
}
