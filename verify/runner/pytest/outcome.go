package pytest

import (
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/plumbkit/plumb/verify"
)

// ended judges the tests that began.
func (s *session) ended() []verify.Outcome {
	var out []verify.Outcome
	for _, i := range s.items {
		if i.began {
			out = append(out, s.outcome(i))
		}
	}
	return out
}

// waiting counts the tests that were collected and did not begin.
func (s *session) waiting() int {
	n := 0
	for _, i := range s.items {
		if !i.began {
			n++
		}
	}
	return n
}

// outcome is that of one test that began. One whose end was not reported never
// passed: its process crashed, exited or was killed.
func (s *session) outcome(i *item) verify.Outcome {
	o := verify.Outcome{Test: s.job.id(i.node), Status: i.status, Reason: i.reason, Output: i.text, Elapsed: i.elapsed}
	o.Of = of(o.Test)
	if !i.ended || i.status == "" {
		o.Status, o.Reason = s.end()
		o.Output = i.text + string(s.stacks) + tail(s.result.Stderr)
		return o
	}
	for _, c := range s.cases[junitKey(i.node)] {
		o.Output = join(c.output(), strings.TrimPrefix(o.Output, i.text))
		o.Elapsed = c.elapsed()
		if c.Failure != nil || c.Error != nil {
			o.Status = verify.Failed
		}
		if m := c.Skipped; m != nil && o.Status == verify.Skipped && o.Reason == "" {
			o.Reason = m.Message
		}
	}
	if strings.Contains(o.Output, "+++ Timeout +++") { // pytest-timeout
		o.Status, o.Reason = verify.TimedOut, "the test took longer than the project's own limit"
	}
	if o.Status == verify.Skipped && o.Reason == "" {
		o.Reason = "no reason given"
	}
	return o
}

// end says how a process ended that did not end its tests.
func (s *session) end() (verify.Status, string) {
	r := s.result
	switch {
	case strings.Contains(string(r.Stderr)+string(r.Stdout), "+++ Timeout +++"):
		return verify.TimedOut, "the test took longer than the project's own limit"
	case r.TimedOut():
		return verify.TimedOut, "the test had not ended when the time was over"
	case r.Exceeded != "":
		return verify.Crashed, fmt.Sprintf("the process was ended by the %s limit", r.Exceeded)
	case r.Signal != 0:
		return verify.Crashed, fmt.Sprintf("the process was ended by signal %d: %s", r.Signal, firstLine(string(r.Stderr)))
	}
	return verify.Crashed, fmt.Sprintf("the process ended before the test did, with code %d", r.ExitCode)
}

// parents adds an outcome for each test that cases were reported of.
func parents(out []verify.Outcome) []verify.Outcome {
	var tops []verify.TestID
	for _, o := range out {
		if (o.Of != verify.TestID{}) && !slices.Contains(tops, o.Of) {
			tops = append(tops, o.Of)
		}
	}
	for _, id := range tops {
		if !slices.ContainsFunc(out, func(o verify.Outcome) bool { return o.Test == id }) {
			out = append(out, together(id, out))
		}
	}
	return out
}

// belongs reports whether a test is part of what id names.
func belongs(t, id verify.TestID) bool {
	switch {
	case t.Dir != id.Dir || id.File != "" && t.File != id.File:
		return false
	case id.Name == "":
		return true
	}
	rest, ok := strings.CutPrefix(t.Name, id.Name)
	return ok && (strings.HasPrefix(rest, "[") || strings.HasPrefix(rest, "::"))
}

// together is the outcome of what names several tests: the worst of theirs.
func together(id verify.TestID, all []verify.Outcome) verify.Outcome {
	worst := []verify.Status{verify.BuildFailed, verify.Crashed, verify.TimedOut, verify.Failed, verify.Passed, verify.Skipped, verify.NotRun}
	sum := verify.Outcome{Test: id, Status: verify.NotRun}
	n := 0
	for _, o := range all {
		if o.Test == id || !belongs(o.Test, id) || (o.Of == verify.TestID{}) && o.Test.Name == "" {
			continue
		}
		n++
		sum.Elapsed += o.Elapsed
		if slices.Index(worst, o.Status) < slices.Index(worst, sum.Status) || n == 1 {
			sum.Status, sum.Reason = o.Status, o.Reason
			if o.Status != verify.Passed && o.Status != verify.Skipped {
				sum.Reason = strings.TrimSpace(strings.TrimSuffix(o.Test.Name+": "+o.Reason, ": "))
				sum.Output = o.Output
			}
		}
	}
	if sum.Status == verify.Passed {
		sum.Reason = ""
	}
	return sum
}

// answer adds what was asked for and not reported.
func (s *session) answer(out []verify.Outcome) []verify.Outcome {
	asked := slices.Clone(s.job.asked)
	if !s.over && len(s.items) == 0 || len(s.broken) > 0 {
		for _, d := range s.job.wanted.Dirs { // of a folder that breaks, something has to be red
			asked = append(asked, verify.TestID{Dir: path.Join(s.job.project, d)})
		}
		if !s.job.wanted.Some {
			asked = append(asked, verify.TestID{Dir: s.job.project})
		}
	}
	for _, id := range asked {
		if !slices.ContainsFunc(out, func(o verify.Outcome) bool { return o.Test == id }) {
			out = append(out, s.absent(id, out))
		}
	}
	for node, text := range s.broken {
		id := s.job.id(node)
		if id.Name = ""; strings.HasSuffix(node, ".py") && !slices.ContainsFunc(out, func(o verify.Outcome) bool { return o.Test == id }) {
			out = append(out, verify.Outcome{Test: id, Status: verify.BuildFailed, Reason: "it cannot be collected: " + lastLine(text), Output: text})
		}
	}
	return out
}

// absent says why what was asked for has no outcome of its own.
func (s *session) absent(id verify.TestID, out []verify.Outcome) verify.Outcome {
	o := verify.Outcome{Test: id, Status: verify.NotRun, Reason: "pytest did not collect it: there is no test of that name"}
	if why, ok := s.uncollected(s.broken, id); ok {
		o.Status, o.Reason, o.Output = verify.BuildFailed, "its file cannot be collected: "+lastLine(why), why
		return o
	}
	if slices.ContainsFunc(out, func(o verify.Outcome) bool { return belongs(o.Test, id) }) {
		return together(id, out)
	}
	if why, ok := s.uncollected(s.skipped, id); ok {
		o.Status, o.Reason = verify.Skipped, why
		return o
	}
	switch {
	case s.deselected(id):
		o.Reason = "the project's own options of pytest leave it out"
	case !s.over && len(s.items) == 0 && s.result.Exceeded == "" && s.result.Signal == 0:
		text := tail(s.result.Stderr) + tail(s.result.Stdout)
		o.Status, o.Reason, o.Output = verify.BuildFailed, "pytest ended before it collected a test: "+lastLine(text), text
	case !s.over && len(s.items) == 0:
		o.Status, o.Reason = s.end()
		o.Reason, o.Output = "while tests were collected: "+o.Reason, string(s.stacks)+tail(s.result.Stderr)
	case !s.over:
		_, why := s.end()
		o.Reason = "it had not begun when another test ended the run: " + why
	case slices.ContainsFunc(s.items, func(i *item) bool { return !i.began && (s.job.id(i.node) == id || belongs(s.job.id(i.node), id)) }):
		o.Reason = "pytest collected it and ended before it began"
	}
	return o
}

// uncollected looks a test up among files and folders that were not collected.
func (s *session) uncollected(list map[string]string, id verify.TestID) (string, bool) {
	file := s.job.inProject(path.Join(id.Dir, id.File))
	for node, why := range list {
		place, class, _ := strings.Cut(node, "::")
		switch {
		case place == file && (class == "" || strings.HasPrefix(id.Name+"::", class+"::")):
			return why, true
		case id.File == "" && path.Dir(place) == file, place != "" && strings.HasPrefix(file, strings.TrimSuffix(place, "/__init__.py")+"/"):
			return why, true
		}
	}
	return "", false
}

func (s *session) deselected(id verify.TestID) bool {
	for node := range s.left {
		if t := s.job.id(node); t == id || belongs(t, id) {
			return true
		}
	}
	return false
}

// tailLimit is how much of a stream stands for a test that did not end, in bytes.
const tailLimit = 8000

func tail(b []byte) string {
	if len(b) > tailLimit {
		b = b[len(b)-tailLimit:]
	}
	return string(b)
}

func join(parts ...string) string {
	return strings.Join(slices.DeleteFunc(parts, func(p string) bool { return p == "" }), "\n")
}

func firstLine(s string) string {
	s, _, _ = strings.Cut(strings.TrimSpace(s), "\n")
	return s
}

func lastLine(s string) string {
	s = strings.TrimSpace(s)
	return strings.TrimSpace(strings.TrimPrefix(s[strings.LastIndexByte(s, '\n')+1:], "E "))
}
