package gate

import (
	"fmt"
	"path"
	"regexp"
	"slices"
	"strings"
	"sync"

	"github.com/plumbkit/plumb/index"
)

// Settings of test runners by which tests, or code whose coverage counts, are
// chosen or left out (docs.pytest.org, coverage.readthedocs.io, jestjs.io,
// vitest.dev, mochajs.org, playwright.dev).
var (
	excludes = []string{"norecursedirs", "collect_ignore", "collect_ignore_glob", "omit", "exclude_lines", "exclude_also", "partial_branches", "testpathignorepatterns",
		"coveragepathignorepatterns", "modulepathignorepatterns", "testignore", "ignore", "exclude", "skip"}
	chooses = []string{"testpaths", "python_files", "python_classes", "python_functions", "testmatch", "testregex", "roots", "projects", "spec", "testdir", "collectcoveragefrom", "include", "source", "testnamepattern", "grep", "fgrep"}
)

// general are settings whose names other tools use as well: they count in files
// that are a test runner's own.
var general = []string{"ignore", "exclude", "skip", "include", "source", "spec", "roots", "projects", "omit", "grep", "fgrep"}

// runnersOwn reports whether a configuration file is a test runner's alone.
func runnersOwn(file string) bool {
	return matches([]string{"**/{jest,vitest,playwright,karma,ava,cypress,wdio}{,-*,.*}.config.*", "**/vitest.workspace.*", "**/.mocharc*", "**/{.,}pytest.{ini,toml}", "**/.coveragerc", "**/.nycrc*", "**/.c8rc*", "**/karma.conf.*"}, file) != ""
}

var (
	// setting is a line that gives a key a value: TOML, INI, YAML, JSON, JavaScript.
	setting = regexp.MustCompile(`^[\s"'{]*([A-Za-z_][\w.:-]*?)["']?\s*[:=]`)
	// inner are the keys of a line that has several.
	inner = regexp.MustCompile(`([A-Za-z_][\w.-]*)["']?\s*:`)
	// block begins a part of a configuration in JSON or JavaScript that is a test
	// runner's.
	block = regexp.MustCompile(`^["']?(test|jest|mocha|nyc|c8)["']?\s*:\s*\{`)
	// section begins a part of a TOML or INI file.
	section = regexp.MustCompile(`^\[+\s*([^\]]+?)\s*\]+\s*$`)
	// testSection are the parts that are about tests and coverage.
	testSection = regexp.MustCompile(`(?i)pytest|coverage|^run$|^report$|^testenv|nose|jest|vitest|mocha|nyc`)
)

// settingOf is the key whose value the i-th line belongs to, in lower case, with the
// section around it; a line that continues a value has the key of an earlier one.
func settingOf(lines []line, i int) (key, part string) {
	depth := 0
	for j := i; j >= 0; j-- {
		if j < i {
			depth += strings.Count(lines[j].text, "}") - strings.Count(lines[j].text, "{")
		}
		if m := block.FindStringSubmatch(lines[j].text); m != nil && depth < 0 {
			return key, strings.Replace(m[1], "test", "vitest", 1)
		}
		depth = max(depth, 0)
		if m := section.FindStringSubmatch(lines[j].text); m != nil {
			return key, m[1]
		}
		if m := setting.FindStringSubmatch(lines[j].text); m != nil && key == "" {
			key = strings.ToLower(m[1])
			for _, k := range inner.FindAllStringSubmatch(lines[j].text, -1) {
				if k := strings.ToLower(k[1]); slices.Contains(excludes, k) || slices.Contains(chooses, k) {
					key = k
				}
			}
		}
	}
	return key, ""
}

// settingLines are the lines of a file; of a configuration in JSON or JavaScript
// its members, of a TOML or INI file, the settings, each
// with all the lines that its value goes over.
func settingLines(file string, data []byte) []line {
	lines := linesOf(data)
	if configures(file) && matches([]string{"**/*.{js,ts,mjs,cjs,mts,cts,json}"}, file) != "" {
		return pieces(lines)
	}
	if matches([]string{"**/*.{toml,ini,cfg}", "**/.coveragerc"}, file) == "" {
		return lines
	}
	var out []line
	for _, l := range lines {
		comment := strings.HasPrefix(l.text, "#") || strings.HasPrefix(l.text, ";")
		if n := len(out); n > 0 && !comment && !setting.MatchString(l.text) && !section.MatchString(l.text) && setting.MatchString(out[n-1].text) {
			out[n-1].text += " " + l.text
			continue
		}
		out = append(out, l)
	}
	return out
}

// settings reports settings that leave out more than they did, or choose less.
func settings(c *Case, f *Change, gone, came []line) []narrowing {
	if !configures(f.Path()) {
		return nil
	}
	var out []narrowing
	after, before := settingLines(f.New, f.After), settingLines(f.Old, f.Before)
	for _, l := range came {
		key, part := settingOf(after, indexOf(after, l))
		if !concerns(f.Path(), key, part) {
			continue
		}
		was := counterpart(gone, l)
		if (f.Old == "" || key == "exclude_lines" || key == "exclude_also") && c.choosesAll(key, l.text) {
			continue
		}
		switch {
		case slices.Contains([]string{"xfail_strict", "forbidonly"}, key) && strings.Contains(strings.ToLower(was.text), "true") && !strings.Contains(strings.ToLower(l.text), "true"):
			out = append(out, narrowing{was: was.number, now: l.number, reason: fmt.Sprintf("%s is not demanded any more: %q", key, l.text)})
		case slices.Contains([]string{"retry", "retries", "reruns", "retrytimes"}, key) && number(timeLimits, l.text) > max(number(timeLimits, was.text), 0):
			out = append(out, narrowing{was: was.number, now: l.number, reason: fmt.Sprintf("failed tests are tried again: %q", l.text)})
		case slices.Contains(excludes, key) && !wordsIn(l.text, was.text):
			out = append(out, narrowing{was: was.number, now: l.number, reason: fmt.Sprintf("%s leaves out more: %q", key, l.text)})
		case slices.Contains(chooses, key) && setting.MatchString(l.text) && !wordsIn(was.text, l.text) && strings.ContainsAny(l.text, `"'/`) || slices.Contains(chooses, key) && was.text == "" && setting.MatchString(l.text):
			out = append(out, narrowing{was: was.number, now: l.number, reason: fmt.Sprintf("%s chooses other tests: %q", key, l.text)})
		}
	}
	for _, l := range gone {
		key, part := settingOf(before, indexOf(before, l))
		switch now := counterpart(came, l); {
		case slices.Contains(chooses, key) && concerns(f.Path(), key, part) && now.text == "" && !setting.MatchString(l.text):
			out = append(out, narrowing{was: l.number, now: 0, reason: fmt.Sprintf("%s chooses less: %q is gone", key, l.text)})
		case number(thresholds, l.text) > 0 && (testSection.MatchString(part) || runnersOwn(f.Path()) || strings.Contains(key, "threshold")) && number(thresholds, now.text) < 0:
			out = append(out, narrowing{was: l.number, now: 0, reason: fmt.Sprintf("a threshold is gone: %q", l.text)})
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
	return slices.IndexFunc(lines, func(o line) bool { return o == l })
}

var word = regexp.MustCompile(`[\w./*-]+`)

// wordsIn reports whether every word of a line stands in the other.
func wordsIn(a, b string) bool {
	have := word.FindAllString(b, -1)
	return !slices.ContainsFunc(word.FindAllString(a, -1), func(w string) bool { return !slices.Contains(have, w) })
}

// configured reports whether a file that says how tests run has something that a
// regular expression finds.
func (c *Case) configured(expression string) bool {
	re, err := regexp.Compile(expression)
	if err != nil {
		return false
	}
	return slices.ContainsFunc(c.After.Files(), func(f index.File) bool {
		return matches(c.Policy.Runners, f.Path) != "" && re.Match(source(c.After, f.Path))
	})
}

// choosesAll reports whether a setting takes in all tests that there were, or
// leaves out nothing that was tested or whose coverage may count.
func (c *Case) choosesAll(key, text string) bool {
	if !slices.Contains(judged, key) {
		return false
	}
	value := text
	if at := strings.IndexAny(text, "=:"); at >= 0 && setting.MatchString(text) {
		value = text[at+1:]
	}
	globs := globsIn(strings.ReplaceAll(value, "{posargs}", ""))
	code, tests := c.paths()
	taken := func(file string) bool {
		return slices.ContainsFunc(globs, func(g string) bool {
			g = strings.Trim(strings.TrimPrefix(g, "./"), "/")
			return g == "." || matches([]string{g, g + "/**", "**/" + g, "**/" + g + "/**"}, file) != ""
		})
	}
	left := func(file string) bool { return !taken(file) }
	switch key {
	case "testpaths", "python_files", "testdir", "testmatch", "include", "spec":
		return len(globs) > 0 && !slices.ContainsFunc(tests, left)
	case "source":
		return !slices.ContainsFunc(code, func(file string) bool {
			return left(file) && slices.ContainsFunc(globs, func(g string) bool { return beside(g, file) })
		})
	case "norecursedirs", "testpathignorepatterns", "testignore", "collect_ignore", "exclude":
		return !slices.ContainsFunc(tests, taken)
	case "omit", "coveragepathignorepatterns":
		return !slices.ContainsFunc(code, taken)
	case "exclude_lines", "exclude_also", "partial_branches":
		return usualExclusions(value)
	case "python_classes":
		return slices.Contains(globs, "Test*") || slices.Contains(globs, "Test")
	case "python_functions":
		return slices.Contains(globs, "test_*") || slices.Contains(globs, "test*") || slices.Contains(globs, "test")
	}
	return false
}

// judged are the settings of which can be told what they take in.
var judged = []string{"testpaths", "python_files", "testdir", "testmatch", "include", "spec", "source", "norecursedirs", "testpathignorepatterns", "testignore", "collect_ignore", "exclude",
	"omit", "coveragepathignorepatterns", "exclude_lines", "exclude_also", "partial_branches", "python_classes", "python_functions"}

var quoted = regexp.MustCompile("\"[^\"]*\"|'[^']*'|`[^`]*`")

// globsIn are the patterns of a value: its strings, or, where it has none, its words.
func globsIn(value string) []string {
	var out []string
	for _, s := range quoted.FindAllString(value, -1) {
		if s = s[1 : len(s)-1]; s != "" && !strings.ContainsAny(s, " \t") {
			out = append(out, s)
			continue
		}
		out = append(out, word.FindAllString(s, -1)...)
	}
	if len(out) == 0 {
		return word.FindAllString(value, -1)
	}
	return out
}

// A sorting is the files before a change, by what they are, made when first asked for.
type sorting struct {
	once        sync.Once
	code, tests []string
}

// paths are the files of code, and those that have tests, before the change.
func (c *Case) paths() (code, tests []string) {
	c.files.once.Do(func() {
		for _, f := range c.Before.Files() {
			switch {
			case f.Language == "":
			case f.Origin == index.Test && len(marksOf(c.Before, f.Path, index.MarkTest)) > 0:
				c.files.tests = append(c.files.tests, f.Path)
			case f.Origin == index.Handwritten && !supports(f.Path) && matches(unpublished(), f.Path) == "":
				c.files.code = append(c.files.code, f.Path)
			}
		}
	})
	return c.files.code, c.files.tests
}

// beside reports whether a file lies in the folder of one that is named.
func beside(named, file string) bool {
	dir := path.Dir(strings.TrimSuffix(named, "/"))
	return dir != "." && strings.HasPrefix(file, dir+"/")
}

// usual are parts of patterns for lines that no test can, or need, come to.
var usual = regexp.MustCompile(`(?i)pragma|NotImplemented|TYPE_CHECKING|__main__|__repr__|__str__|abstract|overload|AssertionError|Protocol|\.\.\.|\.\{3|assert_never|\bpass\b|if 0:|if False|def main`)

// usualExclusions reports whether patterns leave out only such lines.
func usualExclusions(value string) bool {
	for _, p := range strings.FieldsFunc(value, func(r rune) bool { return r == ',' || r == '"' || r == '\'' || r == '[' || r == ']' }) {
		if p = strings.TrimSpace(p); len(p) > 3 && !usual.MatchString(p) {
			return false
		}
	}
	return true
}
