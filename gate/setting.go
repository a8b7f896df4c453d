package gate

import (
	"fmt"
	"path"
	"regexp"
	"slices"
	"strings"
)

// Settings of test runners by which tests, or code whose coverage counts, are
// chosen or left out (docs.pytest.org, coverage.readthedocs.io, jestjs.io,
// vitest.dev, mochajs.org, playwright.dev).
var (
	excludes = []string{"norecursedirs", "collect_ignore", "collect_ignore_glob", "omit", "exclude_lines", "exclude_also", "partial_branches", "testpathignorepatterns",
		"coveragepathignorepatterns", "modulepathignorepatterns", "testignore", "ignore", "exclude", "skip"}
	chooses = []string{"testpaths", "python_files", "python_classes", "python_functions", "testmatch", "testregex", "roots", "projects", "spec", "testdir", "collectcoveragefrom", "include", "source", "testnamepattern"}
)

// general are settings whose names other tools use as well: they count in files
// that are a test runner's own.
var general = []string{"ignore", "exclude", "skip", "include", "source", "spec", "roots", "projects", "omit"}

// runnersOwn reports whether a configuration file is a test runner's alone.
func runnersOwn(file string) bool {
	return matches([]string{"**/{jest,vitest,playwright,karma,ava,cypress,wdio}*.config.*", "**/vitest.workspace.*", "**/.mocharc*", "**/pytest.ini", "**/.coveragerc", "**/.nycrc*", "**/.c8rc*", "**/karma.conf.*"}, file) != ""
}

var (
	// setting is a line that gives a key a value: TOML, INI, YAML, JSON, JavaScript.
	setting = regexp.MustCompile(`^[\s"'{]*([A-Za-z_][\w.:-]*?)["']?\s*[:=]`)
	// section begins a part of a TOML or INI file.
	section = regexp.MustCompile(`^\[+\s*([^\]]+?)\s*\]+\s*$`)
	// testSection are the parts that are about tests and coverage.
	testSection = regexp.MustCompile(`(?i)pytest|coverage|^run$|^report$|^testenv|nose|jest|vitest|mocha|nyc`)
)

// settingOf is the key whose value the i-th line belongs to, in lower case, with the
// section around it; a line that continues a value has the key of an earlier one.
func settingOf(lines []line, i int) (key, part string) {
	for j := i; j >= 0; j-- {
		if m := section.FindStringSubmatch(lines[j].text); m != nil {
			return key, m[1]
		}
		if m := setting.FindStringSubmatch(lines[j].text); m != nil && key == "" {
			key = strings.ToLower(m[1])
		}
	}
	return key, ""
}

// settings reports settings that leave out more than they did, or choose less.
func settings(f *Change, gone, came []line) []narrowing {
	if !configures(f.Path()) {
		return nil
	}
	var out []narrowing
	after, before := linesOf(f.After), linesOf(f.Before)
	for _, l := range came {
		key, part := settingOf(after, indexOf(after, l))
		if !concerns(f.Path(), key, part) {
			continue
		}
		was := counterpart(gone, l)
		switch {
		case slices.Contains([]string{"retry", "retries", "reruns", "retrytimes"}, key) && number(timeLimits, l.text) > max(number(timeLimits, was.text), 0):
			out = append(out, narrowing{was.number, l.number, fmt.Sprintf("failed tests are tried again: %q", l.text)})
		case slices.Contains(excludes, key) && !wordsIn(l.text, was.text):
			out = append(out, narrowing{was.number, l.number, fmt.Sprintf("%s leaves out more: %q", key, l.text)})
		case slices.Contains(chooses, key) && setting.MatchString(l.text) && !wordsIn(was.text, l.text) && strings.ContainsAny(l.text, `"'/`) || slices.Contains(chooses, key) && was.text == "" && setting.MatchString(l.text):
			out = append(out, narrowing{was.number, l.number, fmt.Sprintf("%s chooses other tests: %q", key, l.text)})
		}
	}
	for _, l := range gone {
		key, part := settingOf(before, indexOf(before, l))
		switch now := counterpart(came, l); {
		case slices.Contains(chooses, key) && concerns(f.Path(), key, part) && now.text == "" && !setting.MatchString(l.text):
			out = append(out, narrowing{l.number, 0, fmt.Sprintf("%s chooses less: %q is gone", key, l.text)})
		case number(thresholds, l.text) > 0 && (testSection.MatchString(part) || runnersOwn(f.Path()) || strings.Contains(key, "threshold")) && number(thresholds, now.text) < 0:
			out = append(out, narrowing{l.number, 0, fmt.Sprintf("a threshold is gone: %q", l.text)})
		}
	}
	return out
}

func configures(file string) bool {
	switch strings.ToLower(path.Base(file)) {
	case "pyproject.toml", "setup.cfg", "tox.ini", "package.json":
		return true
	}
	return runnersOwn(file) || matches([]string{"**/vite.config.*"}, file) != ""
}

// concerns reports whether a key in a file is one of tests: one that only test
// runners have, or any in a part or file of theirs.
func concerns(file, key, part string) bool {
	return !slices.Contains(general, key) || runnersOwn(file) || testSection.MatchString(part)
}

func indexOf(lines []line, l line) int {
	return slices.IndexFunc(lines, func(o line) bool { return o.number == l.number })
}

var word = regexp.MustCompile(`[\w./*-]+`)

// wordsIn reports whether every word of a line stands in the other.
func wordsIn(a, b string) bool {
	have := word.FindAllString(b, -1)
	return !slices.ContainsFunc(word.FindAllString(a, -1), func(w string) bool { return !slices.Contains(have, w) })
}
