package nodejs

import (
	"io/fs"
	"maps"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/plumbkit/plumb/verify"
)

// separator stands between the titles of a test's name.
const separator = " > "

// A job is one command: tests of one project.
type job struct {
	root string // the project's folder, relative to the run's
	// files are relative to the run's folder and sorted; all says that every file
	// of the project is meant.
	files []string
	all   bool
	// dirs are the folders whose files are asked for as a whole.
	dirs map[string]bool
	// whole says that files run as a whole; else only the tests named do.
	whole bool
	tests []verify.TestID
}

// plan groups what is asked for by project, and apart what is run as a whole
// from what is run by name.
func (t Tool) plan(run verify.Run) ([]job, error) {
	if len(run.Tests) == 0 && len(run.Packages) == 0 {
		return t.everything(run.Dir)
	}
	jobs := map[string]*job{}
	at := func(dir, file string, whole bool) (*job, error) {
		root, err := t.root(run.Dir, dir, file)
		key := root + "\x00named"
		if whole {
			key = root
		}
		if jobs[key] == nil {
			jobs[key] = &job{root: root, whole: whole, dirs: map[string]bool{}}
		}
		return jobs[key], err
	}
	for _, id := range run.Tests {
		whole := id.Name == "" || id.File == ""
		j, err := at(id.Dir, id.File, whole)
		if err != nil {
			return nil, err
		}
		j.tests = append(j.tests, id)
		if id.File == "" {
			j.folder(run.Dir, id.Dir)
		} else if file := path.Join(id.Dir, id.File); exists(run.Dir, file) {
			j.files = append(j.files, file)
		}
	}
	for _, dir := range run.Packages {
		j, err := at(dir, "", true)
		if err != nil {
			return nil, err
		}
		j.folder(run.Dir, dir)
	}
	return finish(jobs), nil
}

// finish puts jobs in order, each with every file once, and splits those whose
// pattern would be longer than a command's argument may be.
func finish(jobs map[string]*job) []job {
	var out []job
	for _, key := range slices.Sorted(maps.Keys(jobs)) {
		j := *jobs[key]
		slices.Sort(j.files)
		j.files = slices.Compact(j.files)
		for !j.whole && len(j.pattern()) > maxPattern && len(j.tests) > 1 {
			first := j
			half := len(j.tests) / 2
			first.tests, j.tests = j.tests[:half], j.tests[half:]
			out = append(out, first)
		}
		out = append(out, j)
	}
	return out
}

// maxPattern is the most bytes of a pattern; Linux takes 128 KiB in one argument.
const maxPattern = 100 << 10

// folder adds all files of a folder that may hold tests. Which of them do, the
// tool's configuration says.
func (j *job) folder(base, dir string) {
	j.dirs[path.Clean(dir)] = true
	entries, err := os.ReadDir(filepath.Join(base, filepath.FromSlash(dir)))
	if err != nil {
		return // nothing is there to be run
	}
	for _, e := range entries {
		if !e.IsDir() && isScript(e.Name()) {
			j.files = append(j.files, path.Join(dir, e.Name()))
		}
	}
}

func exists(base, file string) bool {
	info, err := os.Stat(filepath.Join(base, filepath.FromSlash(file)))
	return err == nil && info.Mode().IsRegular()
}

func isScript(name string) bool {
	switch path.Ext(name) {
	case ".js", ".jsx", ".ts", ".tsx", ".mjs", ".cjs", ".mts", ".cts":
		return !strings.HasSuffix(name, ".d.ts") && !strings.HasSuffix(name, ".d.mts") && !strings.HasSuffix(name, ".d.cts")
	}
	return false
}

// everything is one job for each project of the tool below dir.
func (t Tool) everything(dir string) ([]job, error) {
	roots := map[string]bool{}
	err := walk(dir, func(p string) error {
		if !isScript(p) || !IsTestName(p) {
			return nil
		}
		if root, err := t.root(dir, path.Dir(p), path.Base(p)); err == nil && t.runs(os.DirFS(dir), p) {
			roots[root] = true
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	if len(roots) == 0 {
		return nil, t.noProject(dir)
	}
	var jobs []job
	for _, root := range slices.Sorted(maps.Keys(roots)) {
		jobs = append(jobs, job{root: root, all: true, whole: true})
	}
	return jobs, nil
}

// IsTestName reports whether a file's path is one that vitest and jest collect
// unless they are told otherwise.
func IsTestName(p string) bool {
	return regexp.MustCompile(`(^|/)__tests__/|\.(test|spec)\.[^./]+$`).MatchString(p)
}

// walk visits the files of a tree that are not packages of others.
func walk(dir string, visit func(p string) error) error {
	return filepath.WalkDir(dir, func(p string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() && p != dir && (d.Name() == "node_modules" || strings.HasPrefix(d.Name(), ".")) {
			return fs.SkipDir
		}
		if d.IsDir() {
			return nil
		}
		rel, err := filepath.Rel(dir, p)
		if err != nil {
			return err
		}
		return visit(filepath.ToSlash(rel))
	})
}

// candidates are the files that the job may still have to run.
func (j job) candidates(base string) []string {
	if !j.all {
		return slices.Clone(j.files)
	}
	var out []string
	_ = walk(base, func(p string) error {
		if isScript(p) && IsTestName(p) && (j.root == "." || strings.HasPrefix(p, j.root+"/")) {
			out = append(out, p)
		}
		return nil
	})
	return out
}

// asked reports whether the job was asked for an outcome.
func (j job) asked(id verify.TestID) bool {
	if j.whole {
		return j.all || j.dirs[id.Dir] || slices.Contains(j.files, path.Join(id.Dir, id.File))
	}
	return slices.Contains(j.tests, id) || id.Name == "" && slices.Contains(j.files, path.Join(id.Dir, id.File))
}

// pattern is the expression for the titles of the tests, "" for all. The tools
// match it with the titles joined by spaces; a title may hold the separator itself.
func (j job) pattern() string {
	if j.whole {
		return ""
	}
	var names []string
	for _, id := range j.tests {
		names = append(names, strings.ReplaceAll(quote(id.Name), separator, "(?: > | )"))
	}
	slices.Sort(names)
	return `^\s*(?:` + strings.Join(slices.Compact(names), "|") + ")$"
}

// quote escapes what a regular expression of JavaScript gives a meaning.
func quote(s string) string {
	return regexp.MustCompile(`[.*+?^${}()|[\]\\/]`).ReplaceAllStringFunc(s, func(c string) string { return `\` + c })
}
