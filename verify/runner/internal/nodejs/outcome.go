package nodejs

import (
	"fmt"
	"path"
	"regexp"
	"strings"

	"github.com/plumbkit/plumb/verify"
)

// outcomes judges what was reported of the files and tests that the job asked
// for, without the files that an earlier command settled.
func (r *report) outcomes(tool string, j job, settled map[string]bool) []verify.Outcome {
	var out []verify.Outcome
	for _, name := range r.order {
		f := r.files[name]
		id := verify.TestID{Dir: path.Dir(name), File: path.Base(name)}
		if !j.asked(id) || settled[name] || r.unsettled(f) {
			continue
		}
		whole := verify.Outcome{Test: id, Output: f.output.text() + f.words()}
		whole.Status, whole.Reason = r.judgeFile(tool, f)
		for _, title := range f.order {
			t := f.tests[title]
			o := verify.Outcome{Test: id, Elapsed: t.elapsed, Output: t.output.text()}
			o.Test.Name = title
			if o.Status, o.Reason = r.judge(f, t, whole); !j.asked(o.Test) {
				continue
			}
			if o.Status == verify.BuildFailed {
				o.Output += f.words()
			}
			whole.Elapsed += t.elapsed
			r.stamp(&o)
			out = append(out, o)
		}
		r.stamp(&whole)
		out = append(out, whole)
	}
	return out
}

// unsettled reports whether a process that died may have left a file alone that
// it was about to begin. When it was the only one it did not.
func (r *report) unsettled(f *file) bool {
	return !f.begun && r.died() && !r.timedOut && !r.alone
}

// settle adds the files that the command settled, and reports whether there are any.
func (r *report) settle(settled map[string]bool) bool {
	fresh := false
	for name, f := range r.files {
		if !settled[name] && !r.unsettled(f) {
			fresh, settled[name] = true, true
		}
	}
	return fresh
}

// stamp writes into an outcome how its command ran.
func (r *report) stamp(o *verify.Outcome) {
	o.Command, o.Unsandboxed, o.Broken = r.command, r.result.Unsandboxed, nil
	for _, p := range r.result.Promises.Broken() {
		o.Broken = append(o.Broken, string(p.Name))
	}
}

// judgeFile says how a file of tests ended as a whole.
func (r *report) judgeFile(tool string, f *file) (verify.Status, string) {
	ends := map[string]int{}
	for _, t := range f.tests {
		ends[t.status]++
	}
	switch text := strings.Join(f.errors, "\n"); {
	case len(f.crashes) > 0:
		return verify.Crashed, "an error that nothing waited for: " + firstLine(f.crashes[0])
	case !f.done && r.timedOut:
		return verify.TimedOut, "the tests had not ended when the time was over"
	case !f.done:
		return verify.Crashed, r.ended(tool)
	case died(text):
		return verify.Crashed, firstLine(text)
	case len(f.errors) > 0 && ends["passed"]+ends["failed"] == 0:
		return verify.BuildFailed, "the file does not load: " + firstLine(text)
	case len(f.errors) > 0:
		return verify.Failed, firstLine(text)
	case ends["failed"]+ends[crashed] > 0 || f.failed:
		return verify.Failed, ""
	case ends["passed"] > 0:
		return verify.Passed, ""
	case len(f.tests) == 0 && !f.skipped:
		return verify.Skipped, "the file holds no test"
	}
	return verify.Skipped, "every test of the file is skipped"
}

// ended says how the tool's process ended before its time.
func (r *report) ended(tool string) string {
	said := ""
	for _, line := range strings.Split(string(r.result.Stderr), "\n") {
		if line = strings.TrimSpace(line); regexp.MustCompile(`(?i)\berror\b|exit|killed|fatal`).MatchString(line) {
			said = ": " + line
			break
		}
	}
	switch {
	case r.result.Exceeded != "":
		return fmt.Sprintf("%s was ended by the %s limit", tool, r.result.Exceeded)
	case r.result.Signal != 0:
		return fmt.Sprintf("%s was ended by signal %d%s", tool, r.result.Signal, said)
	case r.over:
		return "the file's process ended before its tests did" + said
	}
	return fmt.Sprintf("the process of %s ended with code %d before the file did%s", tool, r.result.ExitCode, said)
}

// judge says how a test ended. One whose end was not reported never passed: when
// one of its file had begun and not ended, it is that one that ended the
// process, else it may be any.
func (r *report) judge(f *file, t *test, whole verify.Outcome) (verify.Status, string) {
	if t.ended {
		return ended(t)
	}
	switch whole.Status {
	case verify.BuildFailed:
		return verify.BuildFailed, whole.Reason
	case verify.Crashed, verify.TimedOut:
		if t.started || !f.running() {
			return whole.Status, whole.Reason
		}
		if whole.Status == verify.TimedOut {
			return verify.NotRun, "the time was over before the test began"
		}
		return verify.NotRun, "its file's process ended before the test began"
	case verify.Failed:
		return verify.NotRun, "what failed around it kept it from running: " + whole.Reason
	}
	return verify.NotRun, "its end was not reported"
}

// running reports whether a test is known to have begun and not to have ended.
func (f *file) running() bool {
	for _, t := range f.tests {
		if t.started && !t.ended {
			return true
		}
	}
	return false
}

func ended(t *test) (verify.Status, string) {
	text := t.output.kept.String()
	switch t.status {
	case "passed":
		return verify.Passed, ""
	case crashed:
		return verify.Crashed, t.reason
	case "failed":
		if m := regexp.MustCompile(`(?m)^.*(Exceeded timeout of \d+ ?ms|Test timed out in \d+ ?ms|Hook timed out in \d+ ?ms).*$`).FindString(text); m != "" {
			return verify.TimedOut, strings.TrimSpace(m)
		}
		if m := regexp.MustCompile(`(?m)^.*process\.exit (unexpectedly )?called with.*$`).FindString(text); m != "" {
			return verify.Crashed, strings.TrimSpace(m)
		}
		return verify.Failed, ""
	case "todo":
		return verify.Skipped, "it is still to be written (todo)"
	}
	if t.reason != "" {
		return verify.Skipped, t.reason
	}
	return verify.Skipped, "marked to be skipped"
}

// died reports whether a file's error is that the process running it ended.
func died(text string) bool {
	return regexp.MustCompile(`worker process .*was terminated|Worker (exited|terminated|forks emitted error)|Channel closed|call retries were exceeded`).MatchString(text)
}

// words are the errors of a file as a whole.
func (f *file) words() string {
	var b strings.Builder
	for _, e := range append(f.errors[:len(f.errors):len(f.errors)], f.crashes...) {
		b.WriteString(e + "\n")
	}
	return b.String()
}

func (o *output) text() string {
	if o.cut > 0 {
		return fmt.Sprintf("%s\n… %d bytes of output omitted\n", o.kept.String(), o.cut)
	}
	return o.kept.String()
}
