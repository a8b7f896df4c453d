package index

import (
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
		kinds := f.pack.column(partSiteKind)
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
	start := r.file.pack.column(partSiteStart).at(r.site)
	for _, im := range r.file.imports {
		if im.Range.Start <= start && start < im.Range.End {
			return []string{im.Path}
		}
	}
	return nil
}

// ByPath returns who imports the file's package (Sure, or Confirm where the
// import is not certain), and the string literals that name the file (Confirm,
// with the rule "path").
func (s *Snapshot) ByPath(file string) Answer[Ref] {
	var a Answer[Ref]
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
	a.Confirm = append(a.Confirm, s.namingPath(file)...)
	a.Total = len(a.Sure) + len(a.Confirm)
	a.Basis = s.basis(tierSymbols, "")
	a.Basis.Tier = tierRelations
	if f == nil {
		a.Basis.Notes = append(a.Basis.Notes, "the snapshot lists no such file")
		a.Basis.grade()
	}
	return a
}

// namingPath returns the string literals that name the file: by its path in
// the repository, relative to their own file, or by an end of it that has a slash.
func (s *Snapshot) namingPath(file string) []Ref {
	var out []Ref
	base := path.Base(file)
	for _, slot := range s.order {
		f := s.slots[slot]
		if f.pack == nil || f.path == file {
			continue
		}
		v := openMarks(f.pack)
		for i := range columnLen(f.pack.part(partMarkStart)) {
			if MarkKind(v.kind.at(i)) != MarkString {
				continue
			}
			text := string(f.pack.blob(partMarkEnds, i))
			if !strings.HasSuffix(text, base) || !namesFile(text, file, path.Dir(f.path)) {
				continue
			}
			m := v.read(i)
			ref := Ref{Span: f.span(m.Range.Start, m.Range.End), Name: text, Kind: RefString, Status: Ambiguous,
				Rule: "path", Reason: "a string literal names the file"}
			if m.In >= 0 {
				ref.In = s.id(symRef{f, int(m.In)})
			}
			out = append(out, ref)
		}
	}
	return out
}

func namesFile(text, file, dir string) bool {
	text = path.Clean(text)
	if text == file || path.Join(dir, text) == file {
		return true
	}
	return strings.Contains(text, "/") && strings.HasSuffix(file, "/"+strings.TrimPrefix(text, "./"))
}
