package index

import (
	"bytes"
	"context"
	"path"
	"strings"
)

// An importSite is one import of a package.
type importSite struct {
	site siteRef
	sure bool
}

// computeImports lists, for each package, the sites that import it.
func (s *Snapshot) computeImports() map[string][]importSite {
	out := make(map[string][]importSite)
	for _, slot := range s.order {
		f := s.slots[slot]
		kinds := f.pack().column(partSiteKind)
		for i := range f.res.len() {
			if f.res.dropped(i) || RefKind(kinds.at(i)) != RefImport {
				continue
			}
			r := siteRef{f, i}
			for _, pkg := range s.importedBy(r) {
				out[pkg] = append(out[pkg], importSite{r, f.res.status(i) == Static})
			}
		}
	}
	return out
}

// importedBy returns the packages that an import site leads to.
func (s *Snapshot) importedBy(r siteRef) []string {
	var out []string
	for t := range s.targets(r) {
		if len(out) == 0 || out[len(out)-1] != t.file.pkg {
			out = append(out, t.file.pkg)
		}
	}
	if len(out) > 0 {
		return out
	}
	if m := r.file.res.module(r.site); m != "" {
		return []string{m}
	}
	start := r.file.pack().column(partSiteStart).at(r.site)
	for _, im := range r.file.imports {
		if im.Range.Start <= start && start < im.Range.End {
			return []string{im.Path}
		}
	}
	return nil
}

// ByPath returns who imports the file's package (Sure, or Confirm where the
// import is not certain), and the texts that name the file (Confirm, with the
// rule "path").
func (s *Snapshot) ByPath(file string) Answer[Ref] {
	a := Answer[Ref]{Sure: []Ref{}, Confirm: []Ref{}}
	var notes []string
	f := s.file(file)
	if f != nil && f.pkg != "" {
		for _, im := range s.lazy.imports()[f.pkg] {
			if im.sure {
				a.Sure = append(a.Sure, s.renderRef(im.site))
			} else {
				a.Confirm = append(a.Confirm, s.renderRef(im.site))
			}
		}
	}
	named, err := s.namingPath(context.Background(), file)
	if err != nil {
		notes = append(notes, "the text could not be searched: "+err.Error())
	}
	a.Confirm = append(a.Confirm, named...)
	a.Total = len(a.Sure) + len(a.Confirm)
	a.Basis = s.basis(tierSymbols, "")
	a.Basis.Tier = tierRelations
	if f == nil {
		notes = append(notes, "the snapshot lists no such file")
	}
	a.Basis.Notes = append(a.Basis.Notes, notes...)
	a.Basis.grade()
	return a
}

// namingPath returns the string literals, other paths in code, and the words in
// files of no language, that name the file: by its path in the repository,
// relative to their own file, by an end of it that has a slash, or, as a string
// literal, by its bare name when no other file bears it.
func (s *Snapshot) namingPath(ctx context.Context, target string) ([]Ref, error) {
	var out []Ref
	base := path.Base(target)
	only := strings.Contains(base, ".") && s.onlyNamed(base)
	find := func(data []byte) func(func([2]int) bool) {
		return func(yield func([2]int) bool) {
			for at := 0; ; {
				i := bytes.Index(data[at:], []byte(base))
				if i < 0 {
					return
				}
				word := pathAround(data, at+i, at+i+len(base))
				at += i + len(base)
				if word[1] == at && !yield(word) {
					return
				}
			}
		}
	}
	err := s.scan(ctx, find, func(f *file, r scanned) bool {
		for _, h := range r.hits {
			text := strings.TrimLeft(h.text, "/")
			// What a language does not tell as a string, such as a template or
			// an import, is a path all the same where it has a slash.
			if f.path == target || h.Kind == "comment" || h.Kind == "code" && !strings.Contains(text, "/") {
				continue
			}
			reason := "a text names the file"
			if !namesFile(text, target, path.Dir(f.path)) {
				if text != base || h.Kind != "string" || !only {
					continue
				}
				reason = "a text is the name of the file, which no other file bears"
			}
			out = append(out, Ref{Span: h.Span, Name: h.text, In: h.In, Kind: RefString, Status: Ambiguous, Rule: "path",
				Reason: reason})
		}
		return true
	})
	return out, err
}

// onlyNamed reports whether one file at most bears the name.
func (s *Snapshot) onlyNamed(base string) bool {
	n := 0
	for _, slot := range s.order {
		if path.Base(s.slots[slot].path) == base {
			n++
		}
	}
	return n <= 1
}

// pathAround widens a match to the whole of the path it stands in.
func pathAround(data []byte, from, to int) [2]int {
	inPath := func(c byte) bool {
		return c == '/' || c == '.' || c == '_' || c == '-' || c == '@' || c >= 0x80 ||
			'0' <= c && c <= '9' || 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z'
	}
	for from > 0 && inPath(data[from-1]) {
		from--
	}
	end := to
	for end < len(data) && inPath(data[end]) {
		end++
	}
	if end > to && strings.Trim(string(data[to:end]), ".") == "" {
		end = to // the full stop of a sentence
	}
	return [2]int{from, end}
}

func namesFile(text, file, dir string) bool {
	text = path.Clean(text)
	if text == file || path.Join(dir, text) == file {
		return true
	}
	return strings.Contains(text, "/") && strings.HasSuffix(file, "/"+strings.TrimPrefix(text, "./"))
}
