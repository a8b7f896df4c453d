package gotest

import (
	"bufio"
	"bytes"
	"encoding/json"
	"strings"
	"time"

	"github.com/plumbkit/plumb/verify"
)

// event is one line of go test -json; the format is that of "go doc test2json"
// with the build events of "go help buildjson".
type event struct {
	Action      string
	Package     string
	ImportPath  string // of build events: "path" or "path [path.test]"
	Test        string
	Output      string
	Elapsed     float64 // seconds
	FailedBuild string
}

// outputLimit bounds what is kept of one test's output, in bytes; what is cut
// is counted in the output itself.
const outputLimit = 64 << 10

// test is what the events said of one run of one test, or of a package when its
// name is "".
type test struct {
	id      verify.TestID
	action  string // last of run, pass, fail, skip; "" when nothing was said
	elapsed time.Duration
	output  bytes.Buffer
	cut     int
}

func (t *test) write(s string) {
	if room := outputLimit - t.output.Len(); len(s) > room {
		t.cut += len(s) - max(room, 0)
		s = s[:max(room, 0)]
	}
	t.output.WriteString(s)
}

// stream collects the events of one command. dirs maps import paths to folders.
type stream struct {
	dirs   map[string]string
	tests  map[verify.TestID]*test // the latest run of each
	all    []*test                 // every run, in order
	builds map[string]*test        // build output by ImportPath
	failed map[string]string
	loose  bytes.Buffer // lines that are no events: errors of the go command itself
	cut    int64        // bytes of the command's output that were not kept
}

func newStream(dirs map[string]string) *stream {
	return &stream{dirs: dirs, tests: map[verify.TestID]*test{}, builds: map[string]*test{}, failed: map[string]string{}}
}

// read takes in the output of the command. It never fails: a line that is no
// event is kept as the command's own words.
func (s *stream) read(stdout []byte) {
	sc := bufio.NewScanner(bytes.NewReader(stdout))
	sc.Buffer(make([]byte, 64<<10), 16<<20)
	for sc.Scan() {
		var e event
		if line := sc.Bytes(); len(line) == 0 || line[0] != '{' || json.Unmarshal(line, &e) != nil {
			s.loose.Write(line)
			s.loose.WriteByte('\n')
			continue
		}
		s.take(e)
	}
}

func (s *stream) take(e event) {
	switch e.Action {
	case "build-output":
		s.build(e.ImportPath).write(e.Output)
		return
	case "build-fail":
		return // the package's own fail event names it in FailedBuild
	}
	t := s.test(verify.TestID{Dir: s.dir(e.Package), Name: e.Test})
	if e.Action == "run" && t.action != "" && t.action != "run" {
		t = s.fresh(t.id) // repeated by -count
	}
	switch e.Action {
	case "run", "pass", "fail", "skip":
		t.action = e.Action
		t.elapsed = time.Duration(e.Elapsed * float64(time.Second))
		if e.FailedBuild != "" {
			s.failed[t.id.Dir] = e.FailedBuild
		}
	case "output":
		t.write(e.Output)
	}
}

func (s *stream) dir(pkg string) string {
	if d, ok := s.dirs[pkg]; ok {
		return d
	}
	return pkg
}

func (s *stream) test(id verify.TestID) *test {
	t := s.tests[id]
	if t == nil {
		t = s.fresh(id)
	}
	return t
}

func (s *stream) fresh(id verify.TestID) *test {
	t := &test{id: id}
	s.tests[id] = t
	s.all = append(s.all, t)
	return t
}

func (s *stream) build(path string) *test {
	t := s.builds[path]
	if t == nil {
		t = &test{}
		s.builds[path] = t
	}
	return t
}

// outcomes judges what was collected. timedOut says that the command as a whole
// was stopped for time, ended that it was stopped for another reason.
func (s *stream) outcomes(timedOut bool, ended string) []verify.Outcome {
	out := make([]verify.Outcome, 0, len(s.all))
	for _, t := range s.all {
		o := verify.Outcome{Test: t.id, Of: subtestOf(t.id), Elapsed: t.elapsed, Output: t.text()}
		o.Status, o.Reason = s.judge(t, timedOut, ended)
		if o.Status == verify.BuildFailed {
			o.Output = s.build(s.failed[t.id.Dir]).text() + o.Output
		}
		out = append(out, o)
	}
	return out
}

// subtestOf is the test function that a subtest belongs to, zero for others.
func subtestOf(id verify.TestID) verify.TestID {
	top, _, sub := strings.Cut(id.Name, "/")
	if !sub {
		return verify.TestID{}
	}
	return verify.TestID{Dir: id.Dir, Name: top}
}

// judge maps the last action of a test to its status. A test whose end was not
// reported never passed: its process panicked, exited or was killed.
func (s *stream) judge(t *test, timedOut bool, ended string) (verify.Status, string) {
	if b := s.failed[t.id.Dir]; b != "" {
		return verify.BuildFailed, "the package or its tests do not build: " + b
	}
	text := t.output.String()
	switch t.action {
	case "pass":
		return verify.Passed, ""
	case "skip":
		return verify.Skipped, skipReason(text, t.id.Name)
	case "fail":
		return failure(text)
	}
	switch {
	case s.cut > 0:
		return verify.NotRun, s.notKept()
	case timedOut || strings.Contains(text, "panic: test timed out after"):
		return verify.TimedOut, "the test had not ended when the time was over"
	case ended != "":
		return verify.Crashed, ended
	}
	return verify.Crashed, "the test's process ended before the test did: " + firstLine(text, "panic:", "signal:", "fatal error:", "exit status")
}

// notKept says why a test's end is not known when output was cut.
func (s *stream) notKept() string {
	return plural(int(s.cut), "byte") + " of go test's output were not kept, the test's end among them; let Limits.Output keep more"
}

// failure tells a crash from an ordinary failure by what the runtime prints.
func failure(text string) (verify.Status, string) {
	switch {
	case strings.Contains(text, "panic: test timed out after"):
		return verify.TimedOut, firstLine(text, "panic:")
	case hasLine(text, "panic: "), hasLine(text, "fatal error: "), hasLine(text, "signal: "):
		return verify.Crashed, firstLine(text, "panic:", "fatal error:", "signal:")
	}
	return verify.Failed, ""
}

func (t *test) text() string {
	if t.cut > 0 {
		return t.output.String() + "\n… " + plural(t.cut, "byte") + " of output omitted\n"
	}
	return t.output.String()
}

// skipReason returns what the test said before it skipped, without the lines
// that the testing package adds.
func skipReason(text, name string) string {
	var kept []string
	for line := range strings.Lines(text) {
		line = strings.TrimSpace(line)
		if line == "" || strings.HasPrefix(line, "=== ") || strings.HasPrefix(line, "--- SKIP") {
			continue
		}
		if _, said, ok := strings.Cut(line, ".go:"); ok {
			if number, rest, ok := strings.Cut(said, ":"); ok && number != "" {
				line = strings.TrimSpace(rest)
			}
			if line == "" {
				continue
			}
		}
		kept = append(kept, line)
	}
	if len(kept) == 0 {
		if name == "" {
			return "no test ran"
		}
		return "no reason given"
	}
	return strings.Join(kept, "; ")
}

func hasLine(text, prefix string) bool {
	return strings.HasPrefix(text, prefix) || strings.Contains(text, "\n"+prefix)
}

// firstLine returns the first line that begins with one of the prefixes, or a
// sentence that says there is none.
func firstLine(text string, prefixes ...string) string {
	for line := range strings.Lines(text) {
		for _, p := range prefixes {
			if strings.HasPrefix(line, p) {
				return strings.TrimSpace(line)
			}
		}
	}
	return "no reason in its output"
}
