package verify

import (
	"context"
	"path"
	"slices"
	"strings"

	"github.com/plumbkit/plumb/index"
)

// byFile chooses by a changed file as a whole: its own tests, its package's,
// and, when it is no code, the tests of those who may read it.
func (s *selection) byFile(ctx context.Context, file string) error {
	dir := path.Dir(file)
	if s.q.isFixture(file) || s.q.in.Before.Language(file) == nil && s.q.in.After.Language(file) == nil {
		return s.input(ctx, file)
	}
	for _, id := range s.q.tests.file[file] {
		s.add(id, bySelf, file+" changed", "", 0)
	}
	s.dir(dir, byPackage, file+" is in its package")
	if testsByFile(s.q.in.Before, file) || testsByFile(s.q.in.After, file) {
		s.byLinks(file)
	}
	return nil
}

// isFixture reports whether the file is data of tests for any of the languages,
// whatever its own.
func (q *inquiry) isFixture(file string) bool {
	for _, lang := range q.in.After.Languages() {
		for dir := range strings.SplitSeq(path.Dir(file), "/") {
			if slices.Contains(lang.Fixtures, dir) {
				return true
			}
		}
	}
	return false
}

// input chooses the tests that a file which is no code can reach: those of who
// names it, and of the package that it lies in or below. Nothing known of it
// means every test.
func (s *selection) input(ctx context.Context, file string) error {
	if s.manifest(file) {
		s.everything(path.Dir(file), file+" decides what is built")
		return nil
	}
	found := false
	for _, snapshot := range []*index.Snapshot{s.q.in.Before, s.q.in.After} {
		ok, err := s.named(ctx, snapshot, file)
		if err != nil {
			return err
		}
		found = found || ok
	}
	if dir, ok := s.q.packageAbove(file); ok {
		s.dir(dir, byInput, file+" lies in or below its folder")
		found = true
	}
	if !found && !isProse(file) {
		s.everything(".", "nothing tells who reads "+file)
	}
	return nil
}

// manifest reports whether a file configures or pins what is built: the
// languages' own manifests and what they pin, and what drives a build whatever
// the language.
func (s *selection) manifest(file string) bool {
	base := path.Base(file)
	if base == "Makefile" || base == "Dockerfile" {
		return true
	}
	for _, f := range s.q.in.After.Packages() {
		if len(f.Files) == 0 {
			continue
		}
		if lang := s.q.in.After.Language(f.Files[0]); lang != nil && (slices.Contains(lang.Manifests, base) || slices.Contains(lang.Pins, base)) {
			return true
		}
	}
	return false
}

// named chooses the tests of the packages with a string literal that holds the
// file's name, and those that the code around the literal leads to. A path can be
// put together of parts, so that the base name alone is looked for.
func (s *selection) named(ctx context.Context, snapshot *index.Snapshot, file string) (bool, error) {
	hits, err := snapshot.Search(ctx, index.Pattern{Text: path.Base(file)})
	if err != nil {
		return false, err
	}
	found := false
	for _, h := range append(hits.Sure, hits.Confirm...) {
		if h.Kind != "string" || h.Span.File == file {
			continue
		}
		found = true
		why := h.Span.File + " names " + file
		s.dir(path.Dir(h.Span.File), byInput, why)
		if h.In == "" {
			continue
		}
		for _, l := range snapshot.TestsFor(h.In).Sure {
			s.link(l, byInput, why, index.Symbol{})
		}
	}
	return found, nil
}

// packageAbove returns the nearest folder, from the file's own upwards, that is a package.
func (q *inquiry) packageAbove(file string) (string, bool) {
	for dir := path.Dir(file); ; dir = path.Dir(dir) {
		if slices.ContainsFunc(q.in.After.Packages(), func(p index.Package) bool { return p.Dir == dir && !q.isFixture(dir+"/x") }) {
			return dir, true
		}
		if dir == "." {
			return "", false
		}
	}
}

// isProse reports whether the file is a document that people read.
func isProse(file string) bool {
	switch strings.ToLower(path.Ext(file)) {
	case ".md", ".rst", ".adoc", ".txt":
		return true
	}
	switch strings.ToUpper(path.Base(file)) {
	case "LICENSE", "NOTICE", "AUTHORS", "CODEOWNERS", ".GITIGNORE":
		return true
	}
	return false
}
