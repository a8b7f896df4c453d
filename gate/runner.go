package gate

import (
	"context"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/plumbkit/plumb/index"
)

// renamedOut blocks a test file that gets a name under which its tests no
// longer run, or not on every machine.
func renamedOut(_ context.Context, c *Case) ([]Finding, error) {
	var out []Finding
	for i := range c.Changes {
		f := &c.Changes[i]
		if !f.Moved() {
			continue
		}
		was, ok := c.Before.File(f.Old)
		if !ok || was.Origin != index.Test || len(marksOf(c.Before, f.Old, index.MarkTest)) == 0 {
			continue
		}
		now, _ := c.After.File(f.New)
		if now.Origin == index.Test && !losesName(c, f) && (!unrun(c.Policy, c.After, f.New) || unrun(c.Policy, c.Before, f.Old)) {
			continue
		}
		out = append(out, Finding{Before: at(f.Old, 1), After: at(f.New, 1), Reason: fmt.Sprintf("the tests of %s do not run, or not everywhere, under the name %s", f.Old, f.New),
			Missing: []string{"a reason in the plan for exactly this file"}, Alternative: "keep a name that the runner collects"})
	}
	return out, nil
}

// losesName reports whether a test file gives up the name by which the runner
// finds it, where tests of the repository have such names.
func losesName(c *Case, f *Change) bool {
	l := c.Before.Language(f.Old)
	if l == nil || matches(l.TestNames, f.Old) == "" || matches(l.TestNames, f.New) != "" {
		return false
	}
	return !slices.ContainsFunc(c.Before.Files(), func(o index.File) bool {
		return o.Origin == index.Test && o.Language != "" && matches(l.TestNames, o.Path) == "" && len(marksOf(c.Before, o.Path, index.MarkTest)) > 0
	})
}

// unrun reports whether a test file bears a name under which most machines leave
// it out: by the policy, or by its language where the policy does not say.
func unrun(p Policy, s *index.Snapshot, file string) bool {
	globs := p.Unrun
	if l := s.Language(file); globs == nil && l != nil {
		globs = l.Unrun
	}
	return matches(globs, file) != ""
}

// fixtures blocks changes of what tests compare with, made together with the
// code that is tested.
func fixtures(_ context.Context, c *Case) ([]Finding, error) {
	code := ""
	for i := range c.Changes {
		f := &c.Changes[i]
		info, ok := c.After.File(f.New)
		if f.Deleted() {
			info, ok = c.Before.File(f.Old)
		}
		if ok && info.Language != "" && info.Origin != index.Test && matches(c.Policy.Fixtures, f.Path()) == "" {
			code = f.Path()
			break
		}
	}
	var out []Finding
	for i := range c.Changes {
		f := &c.Changes[i]
		if f.Old == "" || matches(c.Policy.Fixtures, f.Old) == "" || string(f.Before) == string(f.After) && !f.Deleted() {
			continue
		}
		found := Finding{Before: at(f.Old, 1), After: at(f.New, 1), Reason: f.Old + " is what tests compare with, and changes"}
		found.Alternative = "add a fixture of its own for the new behaviour, or give the requirement that changes it as the reason"
		if code == "" {
			found.Strength = Pass
			found.Present = []string{"no code changes with it"}
		} else {
			found.Reason += " together with the code, " + code
			found.Missing = []string{"a reason in the plan for exactly this file"}
		}
		if line := firstChanged(f); f.New != "" {
			found.After.Line = line
		}
		out = append(out, found)
	}
	return out, nil
}

// narrowedRunners blocks lines by which fewer tests run, or their failure does
// not count: in build files, scripts, pipelines and coverage settings.
func narrowedRunners(_ context.Context, c *Case) ([]Finding, error) {
	var out []Finding
	for i := range c.Changes {
		f := &c.Changes[i]
		if matches(c.Policy.Runners, f.Path()) == "" {
			continue
		}
		if f.Old == "" {
			for _, n := range append(forgiving(settingLines(f.New, f.After)), settings(c, f, nil, settingLines(f.New, f.After))...) {
				out = append(out, Finding{After: at(f.New, n.now), Reason: n.reason,
					Missing: []string{"a reason in the plan for exactly this file"}, Alternative: "let the tests' failure count"})
			}
			continue
		}
		gone, came := differing(settingLines(f.Old, f.Before), settingLines(f.New, f.After))
		for _, n := range append(narrowings(gone, came), settings(c, f, gone, came)...) {
			if n.gone && c.runElsewhere(f, gone) {
				continue
			}
			out = append(out, Finding{Before: at(f.Old, n.was), After: at(f.New, n.now), Reason: n.reason,
				Missing: []string{"a reason in the plan for exactly this file"}, Alternative: "leave all tests to run and their failure to count"})
		}
	}
	return out, nil
}

// runElsewhere reports whether another file of the change runs now, by the same
// tool, what a file does not run any more.
func (c *Case) runElsewhere(f *Change, gone []line) bool {
	for i := range c.Changes {
		o := &c.Changes[i]
		if o == f || o.New == "" || matches(c.Policy.Runners, o.New) == "" {
			continue
		}
		_, came := differing(settingLines(o.Old, o.Before), settingLines(o.New, o.After))
		for _, l := range gone {
			tool := strings.Fields(runsTests.FindString(l.text))
			if len(tool) > 0 && !gets.MatchString(l.text) && slices.ContainsFunc(came, func(n line) bool { return strings.Contains(n.text, tool[0]) && !gets.MatchString(n.text) }) {
				return true
			}
		}
	}
	return false
}

// A narrowing is a line by which the runner does less, with line numbers.
type narrowing struct {
	was, now int
	reason   string
	gone     bool // a command is not there any more
}

var (
	// runsTests are the commands of the usual test runners.
	runsTests = regexp.MustCompile(`\b(go\s+test|gotestsum|go\s+tool\s+cover|pytest|py\.test|tox(\s+-|\s+run|\s*$)|jest|vitest|mocha|node\s+--test|npm\s+(run\s+)?test|yarn\s+test|pnpm\s+test|cargo\s+(nextest|test)|mvn\b.*\b(test|verify)|gradlew?\b.*\b(test|check)|ginkgo|make\s+(test|check)|unittest|rspec|ctest)(\b|$)|\baddopts\s*=|\bPYTEST_ADDOPTS\b`)
	// selects are flags by which some tests are left out, or found failures are not waited for.
	selects = regexp.MustCompile(`(^|\s|=|")(-{1,2}(test\.)?(run|skip|short|list)\b|-{1,2}k\b|-{1,2}m\s+["']?not|--ignore|--deselect|--testPathIgnore\S*|--exclude\S*|-{1,2}grep|-DskipTests|-Dmaven\.test\.skip|--skip\S*|-x\s+test|--passWithNoTests|--lf\b|--bail\b|-p[\s"',]*no:|--collect-only|--co\b|\b(jest|vitest)\b[^|&;]*\s-{1,2}t\s|--testNamePattern|--test-(name|skip)-pattern|--testPathPatterns?|(vitest|playwright\s+test)\s+(--)?list|-c\s+\S+\.(ini|toml|cfg)\b|--noconftest)`)
	// forgives are ways to let a failure pass.
	forgives = regexp.MustCompile(`\|\|\s*(true|:|exit\s+0|echo\b)|;\s*(true|exit\s+0)\s*["',]*\s*$|\bcontinue-on-error:\s*true|\ballow_failure:\s*true|\bset\s+\+e\b|^\s*exit\s+0\s*$|(^|=\s*)-\s*(go\s+test|pytest|coverage\s+run)|\bif:\s*(false|\$\{\{\s*false)|when:\s*never|\binformational:\s*true|\b(passWithNoTests|allowOnly|dangerouslyIgnoreUnhandledErrors):\s*true`)
	// strictness are flags and settings that make a run stricter.
	strictness = regexp.MustCompile(`-race\b|-cover\S*|--cov\S*|-count\S*|-shuffle\S*|--strict\S*|-vet\S*|\bset\s+-\w*e\w*|pipefail|--fail-under\S*`)
	// gets are lines that install a test runner, or say which version of it is used.
	gets = regexp.MustCompile(`\b(pip3?|pipx|uv|npm|pnpm|yarn|bun|poetry|pdm|apt|apt-get|brew)\s+(pip\s+)?(install|add|i|sync|ci)\b|^"@?[\w/.-]+":\s*"(\^|~|[<>=]|\d|workspace:|npm:|catalog:|\*|latest)`)
	// rewrites are flags by which snapshots are written and not compared.
	rewrites = regexp.MustCompile(`\b(jest|vitest)\b[^|&;]*\s-u\b|(\s|")(--update(-?[sS]napshots?)?|--snapshot-update|--inline-snapshot=\w+|--force-regen)\b`)
	// settles are plugins of pytest that run the tests in another way, and leave none out.
	settles = regexp.MustCompile(`-p[\s"',]*no:(cacheprovider|warnings|logging|randomly|xdist)\b`)
	// between is what stands between the commands of a line.
	between = regexp.MustCompile(`&&|\|\||[;|]`)
	// settingsFile are names of files of settings: they are those of no command.
	settingsFile = regexp.MustCompile(`\S+\.(config\.\w+|ini|toml|cfg)\b`)
	// options are settings whose value is added to every command that runs tests.
	options = regexp.MustCompile(`\baddopts\s*=|\bPYTEST_ADDOPTS\b`)
	// thresholds are settings that a coverage or a limit must meet.
	thresholds = regexp.MustCompile(`(?i)(cover|threshold|fail[_-]under|minimum|target|branches|functions|lines|statements)\D{0,20}?(\d+(\.\d+)?)`)
	timeLimits = regexp.MustCompile(`(?i)(timeout|retries|reruns|attempts|retry|flake)\D{0,12}?(\d+)\s*(ms|s|m|h)?`)
	// stops make a script end at the first failure.
	stops    = regexp.MustCompile(`\bset\s+-\w*e|pipefail|bash\s+-\w*e`)
	allTests = regexp.MustCompile(`\./\.\.\.|\ball\b`)
)

func narrowings(gone, came []line) []narrowing {
	var out []narrowing
	for _, l := range came {
		if strings.HasPrefix(l.text, "#") || strings.HasPrefix(l.text, "//") {
			continue
		}
		was := counterpart(gone, l)
		switch {
		case forgives.MatchString(l.text) && !forgives.MatchString(was.text) && forgivesTests(l.text):
			out = append(out, narrowing{was: was.number, now: l.number, reason: fmt.Sprintf("a failure no longer counts: %q", l.text)})
		case gets.MatchString(l.text):
		case runsTests.MatchString(l.text):
			if why := narrowerCommand(was.text, l.text); why != "" {
				out = append(out, narrowing{was: was.number, now: l.number, reason: why})
			}
		default:
			if why := lowered(was.text, l.text); why != "" {
				out = append(out, narrowing{was: was.number, now: l.number, reason: why})
			}
		}
	}
	return append(out, dropped(gone, came)...)
}

// forgiving are the commands of a new file that run tests and whose failure does
// not count: by what stands on the line, or, where nothing stops the file at a
// failure, by how it ends.
func forgiving(lines []line) []narrowing {
	var out []narrowing
	strict := slices.ContainsFunc(lines, func(l line) bool { return stops.MatchString(l.text) })
	var open *line
	for i := range lines {
		l := &lines[i]
		if strings.HasPrefix(l.text, "#") || strings.HasPrefix(l.text, "//") {
			continue
		}
		switch runs, forgiven := runsTests.MatchString(l.text), forgives.MatchString(l.text); {
		case options.MatchString(l.text) && selects.MatchString(settles.ReplaceAllString(l.text, "")):
			out = append(out, narrowing{was: 0, now: l.number, reason: fmt.Sprintf("some tests are left out: %q", l.text)})
		case runs && forgiven:
			out = append(out, narrowing{was: 0, now: l.number, reason: fmt.Sprintf("a failure of the tests does not count: %q", l.text)})
		case runs:
			open = l
		case forgiven && open != nil && !strict:
			out = append(out, narrowing{was: 0, now: open.number, reason: fmt.Sprintf("a failure of the tests does not count: %q is followed by %q", open.text, l.text)})
			open = nil
		}
	}
	return out
}

// counterpart is the line that has most words in common with l, a zero line if none has.
func counterpart(gone []line, l line) line {
	words := strings.Fields(l.text)
	var best line
	most := 0
	for _, g := range gone {
		n := 0
		for _, w := range strings.Fields(g.text) {
			if slices.Contains(words, w) {
				n++
			}
		}
		if runsTests.MatchString(g.text) == runsTests.MatchString(l.text) && n > 0 {
			n++
		}
		if n > most {
			best, most = g, n
		}
	}
	return best
}

// narrowerCommand says how a command that runs tests does less than the one
// before it, "" when it does not. A command that is new narrows nothing.
func narrowerCommand(was, now string) string {
	if was == "" || !runsTests.MatchString(was) {
		if options.MatchString(now) && selects.MatchString(settles.ReplaceAllString(now, "")) {
			return fmt.Sprintf("some tests are left out: %q", now)
		}
		return ""
	}
	was, now = settles.ReplaceAllString(was, ""), settles.ReplaceAllString(now, "")
	more := func(re *regexp.Regexp) bool { return len(re.FindAllString(now, -1)) > len(re.FindAllString(was, -1)) }
	switch {
	case rewrites.MatchString(now) && !rewrites.MatchString(was):
		return fmt.Sprintf("what the tests compare with is written anew in each run: %q becomes %q", was, now)
	case commands(was) > commands(now):
		return fmt.Sprintf("a command that runs tests is gone: %q becomes %q", was, now)
	case more(selects):
		return fmt.Sprintf("some tests are left out: %q becomes %q", was, now)
	case narrowerPaths(was, now):
		return fmt.Sprintf("fewer files are tested: %q becomes %q", was, now)
	case allTests.MatchString(was) && !allTests.MatchString(now):
		return fmt.Sprintf("fewer packages are tested: %q becomes %q", was, now)
	case len(strictness.FindAllString(was, -1)) > len(strictness.FindAllString(now, -1)):
		return fmt.Sprintf("the tests run less strictly: %q becomes %q", was, now)
	case selection(was) != "" && selection(was) != selection(now):
		return fmt.Sprintf("other tests are chosen: %q becomes %q", was, now)
	}
	return lowered(was, now)
}

// commands counts the commands of a line that run tests.
func commands(line string) int {
	n := 0
	for _, part := range between.Split(settingsFile.ReplaceAllString(line, ""), -1) {
		if runsTests.MatchString(part) && !gets.MatchString(part) {
			n++
		}
	}
	return n
}

var (
	// alternative is a way to go on behind a command that failed.
	alternative = regexp.MustCompile(`\|\|`)
	aboutTests  = regexp.MustCompile(`(?i)test|spec|\btox\b|\bnox\b|coverage|\bmake\b`)
)

// forgivesTests reports whether a failure that a line lets pass may be one of
// tests: what stands behind another command's "||" is that command's.
func forgivesTests(l string) bool { return !alternative.MatchString(l) || aboutTests.MatchString(l) }

var testPath = regexp.MustCompile(`(^|\s|["'])((\./)?(tests?|spec|specs|src|__tests__|e2e)(/[\w./*-]*)?|[\w./*-]+\.(py|[cm]?[jt]sx?)\b)`)

// narrowerPaths reports whether a command is given paths of tests where it had
// none, or only such as lie below those that it had.
func narrowerPaths(was, now string) bool {
	paths := func(s string) (out []string) {
		at := runsTests.FindStringIndex(s)
		if at == nil {
			return nil
		}
		for _, m := range testPath.FindAllStringSubmatch(s[at[1]:], -1) {
			out = append(out, strings.TrimPrefix(m[2], "./"))
		}
		return out
	}
	a, b := paths(was), paths(now)
	if len(b) == 0 || slices.Equal(a, b) {
		return false
	}
	return len(a) == 0 || !slices.ContainsFunc(b, func(p string) bool {
		return !slices.ContainsFunc(a, func(q string) bool { return strings.HasPrefix(p, strings.TrimSuffix(q, "/")) })
	}) && (len(b) < len(a) || len(b) == len(a))
}

// selection is what the flag of a command that chooses tests chooses.
func selection(s string) string {
	i := selects.FindStringIndex(s)
	if i == nil {
		return ""
	}
	return s[i[0]:]
}

// lowered says which threshold is lower, or which limit higher, "" when none is.
func lowered(was, now string) string {
	if was == "" {
		return ""
	}
	falls := strings.HasPrefix(now, "threshold:") && strings.HasSuffix(now, "%")
	if a, b := number(thresholds, was), number(thresholds, now); !falls && a >= 0 && b >= 0 && b < a && sameButNumbers(was, now) {
		return fmt.Sprintf("a threshold is lowered: %q becomes %q", was, now)
	}
	if falls { // Codecov: how much coverage may fall
		if a, b := number(thresholds, was), number(thresholds, now); a >= 0 && b > a {
			return fmt.Sprintf("coverage may fall further: %q becomes %q", was, now)
		}
		return ""
	}
	if a, b := number(timeLimits, was), number(timeLimits, now); a >= 0 && b > a && sameButNumbers(was, now) {
		return fmt.Sprintf("a limit is raised: %q becomes %q", was, now)
	}
	return ""
}

var anyNumber = regexp.MustCompile(`\d+(\.\d+)?(ms|s|m|h)?`)

func sameButNumbers(a, b string) bool {
	return anyNumber.ReplaceAllString(a, "#") == anyNumber.ReplaceAllString(b, "#")
}

// number is the value that a setting has in a line, times of seconds; -1 if none.
func number(re *regexp.Regexp, s string) float64 {
	m := re.FindStringSubmatch(s)
	if m == nil {
		return -1
	}
	v, err := strconv.ParseFloat(m[2], 64)
	if err != nil {
		return -1
	}
	if re == timeLimits {
		switch m[3] {
		case "ms":
			v /= 1000
		case "m":
			v *= 60
		case "h":
			v *= 3600
		}
	}
	return v
}

// dropped reports commands that run tests and are gone, with none in their place.
func dropped(gone, came []line) []narrowing {
	runs := func(lines []line) (out []line) {
		for _, l := range lines {
			if runsTests.MatchString(l.text) && !strings.HasPrefix(l.text, "#") && !gets.MatchString(l.text) {
				out = append(out, l)
			}
		}
		return out
	}
	var out []narrowing
	if was, now := runs(gone), runs(came); len(was) > len(now) {
		out = append(out, narrowing{was: was[0].number, reason: fmt.Sprintf("a command that runs tests is gone: %q", was[0].text), gone: true})
	}
	strict := func(l line) bool { return stops.MatchString(l.text) }
	if i := slices.IndexFunc(gone, strict); i >= 0 && !slices.ContainsFunc(came, strict) {
		out = append(out, narrowing{was: gone[i].number, now: 0, reason: fmt.Sprintf("a failure no longer ends the script: %q is gone", gone[i].text)})
	}
	return out
}
