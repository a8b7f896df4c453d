package verify

import (
	"path"
	"slices"

	"github.com/plumbkit/plumb/index"
)

// importMap returns, by file, the files that import it, for languages whose tests are
// told apart by their file: there a file is what is imported, and a package
// re-exports what others define.
func (q *inquiry) importMap(s *index.Snapshot) map[string][]string {
	if by := q.importedBy[s]; by != nil {
		return by
	}
	by := map[string][]string{}
	q.importedBy[s] = by
	for _, f := range s.Files() {
		if f.Language == "" || f.Origin == index.Vendored || !testsByFile(s, f.Path) {
			continue
		}
		for _, ref := range s.RefsIn(f.Path) {
			if ref.Kind != index.RefImport {
				continue
			}
			for _, id := range ref.Targets {
				to, ok := s.Symbol(id)
				if ok && to.Span.File != f.Path && !slices.Contains(by[to.Span.File], f.Path) {
					by[to.Span.File] = append(by[to.Span.File], f.Path)
				}
			}
		}
	}
	return by
}

// importers returns the files that import one of the files, directly or not, with
// the reason, of languages whose tests are told apart by their file.
func (q *inquiry) importers(s *index.Snapshot, files []string) map[string]string {
	by := q.importMap(s)
	out := map[string]string{}
	queue := slices.Clone(files)
	for len(queue) > 0 {
		file := queue[0]
		queue = queue[1:]
		for _, from := range by[file] {
			if _, seen := out[from]; !seen {
				out[from] = from + " imports " + file
				queue = append(queue, from)
			}
		}
	}
	return out
}

// importing chooses, for L3, the test files that reach a changed file by imports,
// and what L2 chose, of languages whose tests are told apart by their file.
func (q *inquiry) importing() []TestID {
	var files []string
	for _, file := range q.change.files {
		if testsByFile(q.in.Before, file) || testsByFile(q.in.After, file) {
			files = append(files, file)
		}
	}
	why := map[string]string{}
	if len(files) > 0 {
		for _, s := range []*index.Snapshot{q.in.Before, q.in.After} {
			for file, text := range q.importers(s, files) {
				why[file] = text
			}
		}
	}
	for _, file := range files {
		why[file] = file + " changed"
	}
	var out []TestID
	for _, id := range q.tests.all {
		if id.File == "" {
			continue
		}
		text, ok := why[path.Join(id.Dir, id.File)]
		if !ok && q.chosen.chosen[id] == nil {
			continue
		}
		if ok {
			q.chosen.add(id, byArea, text, "", 0)
		}
		out = append(out, id)
	}
	return out
}

// byLinks chooses the tests of files that import a changed file or are named for
// it. Where nothing at all leads from it to a test, nothing is known of who runs
// it: languages of this kind import by names that are put together when they run.
func (s *selection) byLinks(file string) {
	found := len(s.q.tests.file[file]) > 0 || len(s.q.old.file[file]) > 0
	for _, snapshot := range []*index.Snapshot{s.q.in.Before, s.q.in.After} {
		links := snapshot.TestsFor(file)
		for _, l := range append(slices.Clone(links.Sure), links.Confirm...) {
			source, why := byImport, "it may reach what "+file+" defines"
			switch {
			case l.Test.ID == "":
				why = "its file imports " + file
			case l.Source != byCalls:
				source, why = byNaming, "it is named for what "+file+" defines"
			}
			found = len(s.link(l, source, why, index.Symbol{})) > 0 || found
		}
	}
	if found {
		return
	}
	below := "."
	if f, ok := s.q.in.After.File(file); ok && f.Origin == index.Test {
		below = path.Dir(file) // a conftest.py, a helper of the tests beside it
	}
	s.everything(below, "nothing tells which tests reach "+file)
}

// filesOfTests are the whole files of tests that are told apart by their file.
func filesOfTests(tests []TestID) []TestID {
	var out []TestID
	for _, id := range tests {
		if id.Name = ""; id.File != "" && !slices.Contains(out, id) {
			out = append(out, id)
		}
	}
	return out
}
