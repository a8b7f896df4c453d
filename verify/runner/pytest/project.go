package pytest

import (
	"bytes"
	"os"
	"path"
	"path/filepath"
	"slices"

	"github.com/plumbkit/plumb/host/fault"
	"github.com/plumbkit/plumb/verify"
)

// plan groups what is asked for by project; lost is what is not in the tree.
func plan(run verify.Run) (jobs []job, lost []verify.TestID, err error) {
	if len(run.Tests) == 0 && len(run.Packages) == 0 {
		return []job{{project: "."}}, nil, nil
	}
	add := func(id verify.TestID, asked bool) error {
		if id.Dir == "" || !filepath.IsLocal(filepath.FromSlash(id.Dir)) || id.File != path.Base(path.Join("/", id.File)) && id.File != "" {
			return &fault.Fault{Class: fault.InvalidInput, Op: "pytest.run", Subject: fault.Subject{File: path.Join(id.Dir, id.File)},
				Detail: "a test's folder must be relative to the tree and inside it", State: "nothing was run", Next: "give folders such as . or tests/unit"}
		}
		if _, err := os.Stat(filepath.Join(run.Dir, filepath.FromSlash(id.Dir), id.File)); err != nil {
			if asked {
				lost = append(lost, id)
			}
			return nil
		}
		project := projectOf(run.Dir, id.Dir)
		i := slices.IndexFunc(jobs, func(j job) bool { return j.project == project })
		if i < 0 {
			i, jobs = len(jobs), append(jobs, job{project: project, wanted: wanted{Some: true}})
		}
		jobs[i].want(id)
		if asked {
			jobs[i].asked = append(jobs[i].asked, id)
		}
		return nil
	}
	for _, id := range run.Tests {
		if err := add(id, true); err != nil {
			return nil, nil, err
		}
	}
	for _, dir := range run.Packages {
		if err := add(verify.TestID{Dir: dir}, false); err != nil {
			return nil, nil, err
		}
	}
	return jobs, lost, nil
}

// want adds a test, a file or a folder to what is kept.
func (j *job) want(id verify.TestID) {
	at := j.inProject(path.Join(id.Dir, id.File))
	list := &j.wanted.Tests
	switch {
	case id.File == "" && id.Name == "":
		list = &j.wanted.Dirs
	case id.Name == "":
		list = &j.wanted.Files
	default:
		at += "::" + id.Name
	}
	if !slices.Contains(*list, at) {
		*list = append(*list, at)
	}
}

// projectOf finds the folder that pytest would take for the root of a folder's
// tests: the nearest at or above it that configures pytest, else the nearest that
// is a Python project, else the tree's root
// (https://docs.pytest.org/en/stable/reference/customize.html).
func projectOf(root, dir string) string {
	project := ""
	for d := path.Clean(dir); ; d = path.Dir(d) {
		at := filepath.Join(root, filepath.FromSlash(d))
		if configures(at) {
			return d
		}
		if project == "" && (exists(at, "pyproject.toml") || exists(at, "setup.py") || exists(at, "setup.cfg")) {
			project = d
		}
		if d == "." || d == "/" {
			break
		}
	}
	if project == "" {
		return "."
	}
	return project
}

// configures reports whether a folder holds a configuration file of pytest.
func configures(dir string) bool {
	for file, section := range map[string]string{
		"pytest.ini": "", ".pytest.ini": "", "pytest.toml": "", ".pytest.toml": "",
		"pyproject.toml": "[tool.pytest", "tox.ini": "[pytest]", "setup.cfg": "[tool:pytest]",
	} {
		data, err := os.ReadFile(filepath.Join(dir, file))
		if err == nil && bytes.Contains(data, []byte(section)) {
			return true
		}
	}
	return false
}

func exists(dir, name string) bool {
	_, err := os.Stat(filepath.Join(dir, name))
	return err == nil
}
