package changeset

import (
	"path"
	"slices"
	"strings"

	"github.com/plumbkit/plumb/index"
)

// homes returns the folders, each with its final "/", in which new tests of a
// symbol belong. In a repository that keeps tests beside the code that is the
// symbol's own folder; in one that keeps them apart it is where the tests that
// lead to it stand, or else the nearest folders that hold tests.
func (v *derivation) homes(file, id string) []string {
	own := path.Dir(file) + "/"
	if v.testsBeside(file) {
		return []string{own}
	}
	var out []string
	for _, f := range v.linkedTests(file, id) {
		if d := path.Dir(f) + "/"; !slices.Contains(out, d) {
			out = append(out, d)
		}
	}
	if len(out) == 0 {
		out = v.nearestTests(file)
	}
	if len(out) == 0 {
		return []string{own}
	}
	return out
}

// linkedTests are the files of tests that lead to a symbol; where tests stand
// apart from the code, also those that lead to its file, by name or by import.
func (v *derivation) linkedTests(file, id string) []string {
	var links []index.TestLink
	if id != "" {
		links = v.snap.TestsFor(id).Sure
	}
	if !v.testsBeside(file) {
		links = slices.Concat(links, v.snap.TestsFor(file).Sure)
	}
	var out []string
	for _, t := range links {
		if !slices.Contains(out, t.File) {
			out = append(out, t.File)
		}
	}
	return out
}

// testsBeside reports whether the tests of a file's language stand in the folders of
// the code that they test: most of them do, or there are none to tell by.
func (v *derivation) testsBeside(file string) bool {
	lang := v.languageOf(file)
	if known, ok := v.layout[lang]; ok {
		return known
	}
	code := map[string]bool{}
	tests := map[string]int{}
	for _, f := range v.snap.Files() {
		switch {
		case v.languageOf(f.Path) != lang || f.Skipped != "":
		case f.Origin == index.Test:
			tests[path.Dir(f.Path)]++
		case f.Origin == index.Handwritten:
			code[path.Dir(f.Path)] = true
		}
	}
	near, apart := 0, 0
	for dir, n := range tests {
		if code[dir] {
			near += n
		} else {
			apart += n
		}
	}
	if v.layout == nil {
		v.layout = map[string]bool{}
	}
	v.layout[lang] = near >= apart
	return v.layout[lang]
}

// languageOf is the family of languages that a file is of.
func (v *derivation) languageOf(file string) string {
	l := v.snap.Language(file)
	switch {
	case l == nil:
		return ""
	case l.Family != "":
		return l.Family
	}
	return l.Name
}

// nearestTests are the folders of tests that share most of their path with a file.
func (v *derivation) nearestTests(file string) []string {
	lang, most := v.languageOf(file), 0
	var out []string
	for _, f := range v.snap.Files() {
		if f.Origin != index.Test || v.languageOf(f.Path) != lang {
			continue
		}
		d, n := path.Dir(f.Path)+"/", shared(f.Path, file)
		if n > most {
			out, most = nil, n
		}
		if n == most && !slices.Contains(out, d) {
			out = append(out, d)
		}
	}
	return out
}

// shared counts the leading folders that two paths have in common.
func shared(a, b string) int {
	x, y := strings.Split(path.Dir(a), "/"), strings.Split(path.Dir(b), "/")
	n := 0
	for n < len(x) && n < len(y) && x[n] == y[n] {
		n++
	}
	return n
}
