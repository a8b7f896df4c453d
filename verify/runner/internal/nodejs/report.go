package nodejs

import (
	"bufio"
	"bytes"
	"encoding/json"
	"path"
	"path/filepath"
	"strings"
	"time"

	"github.com/plumbkit/plumb/host/sandbox"
)

// An event is one line of what a reporter writes.
type event struct {
	Event   string   `json:"event"`
	Root    string   `json:"root"`
	Version string   `json:"version"`
	File    string   `json:"file"` // absolute
	Name    []string `json:"name"` // the titles around a test and its own
	Title   string   `json:"title"`
	Status  string   `json:"status"`
	Reason  string   `json:"reason"`
	Text    string   `json:"text"`
	Errors  []string `json:"errors"`
	MS      float64  `json:"ms"`
	Failed  bool     `json:"failed"`
	Skipped bool     `json:"skipped"`
}

// outputLimit bounds what is kept of one test's output, in bytes; what is cut is
// counted in the output itself.
const outputLimit = 64 << 10

// A report is what one command told.
type report struct {
	root    string // the job's, relative to the run's folder
	inside  string // the same folder as the tool sees it
	version string
	missing bool
	files   map[string]*file
	order   []string
	loose   []string // errors that belong to no file
	// begun says that the tool got as far as its reporter, timedOut that the time
	// was over, over that the tool came to its end.
	begun, timedOut, over bool
	// alone says that one file alone was to be run.
	alone   bool
	result  sandbox.Result
	command []string
}

// A file is a file of tests that the tool began.
type file struct {
	begun, done, failed, skipped bool
	tests                        map[string]*test
	order                        []string
	errors                       []string // of the file as a whole
	crashes                      []string // errors that no test waited for
	output                       output
}

// A test is what was told of one test; several of one name count as one.
type test struct {
	started, ended bool
	status         string // the worst reported
	reason         string
	elapsed        time.Duration
	output         output
}

// An output keeps the first bytes that were written.
type output struct {
	kept bytes.Buffer
	cut  int
}

func (o *output) write(s string) {
	if room := outputLimit - o.kept.Len(); len(s) > room {
		o.cut += len(s) - max(room, 0)
		s = s[:max(room, 0)]
	}
	o.kept.WriteString(s)
}

func newReport(root string) *report { return &report{root: root, files: map[string]*file{}} }

// read takes in what the reporter wrote. It never fails: a line that is no event
// is what a process that died had half written.
func (r *report) read(data []byte) {
	sc := bufio.NewScanner(bytes.NewReader(data))
	sc.Buffer(make([]byte, 64<<10), len(data)+1)
	for sc.Scan() {
		var e event
		if json.Unmarshal(sc.Bytes(), &e) == nil {
			r.take(e)
		}
	}
}

func (r *report) take(e event) {
	switch e.Event {
	case "missing":
		r.missing = true
	case "tool":
		r.inside, r.version = e.Root, e.Version
	case "run":
		r.begun = true
	case "timeout":
		r.timedOut = true
	case "over":
		r.over = true
	case "error":
		r.stray(e)
	default:
		if f := r.file(e.File); f != nil {
			f.take(e)
		}
	}
}

// file returns the file of a path that the tool wrote, nil for one outside.
func (r *report) file(p string) *file {
	rel, err := filepath.Rel(r.inside, p)
	if p == "" || r.inside == "" || err != nil {
		return nil
	}
	name := path.Join(r.root, filepath.ToSlash(rel))
	if !filepath.IsLocal(filepath.FromSlash(name)) {
		return nil
	}
	f := r.files[name]
	if f == nil {
		f = &file{tests: map[string]*test{}}
		r.files[name] = f
		r.order = append(r.order, name)
	}
	return f
}

// stray takes in an error that no test waited for.
func (r *report) stray(e event) {
	f := r.file(e.File)
	if f == nil {
		r.loose = append(r.loose, e.Text)
		return
	}
	f.crashes = append(f.crashes, e.Text)
	for _, name := range f.order {
		if e.Title != "" && (name == e.Title || strings.HasSuffix(name, separator+e.Title)) {
			t := f.tests[name]
			t.ended, t.status, t.reason = true, crashed, "an error that nothing waited for: "+firstLine(e.Text)
			t.output.write(e.Text + "\n")
		}
	}
}

func (f *file) take(e event) {
	name := strings.Join(e.Name, separator)
	f.begun = f.begun || e.Event != "queued"
	switch e.Event {
	case "known":
		f.test(name)
	case "start":
		f.test(name).started = true
	case "end":
		f.end(f.test(name), e)
	case "log":
		if len(e.Name) > 0 {
			f.test(name).output.write(e.Text)
		}
		f.output.write(e.Text)
	case "finals":
		for _, t := range f.tests {
			t.ended, t.status = false, ""
		}
	case "done":
		f.done, f.failed, f.skipped = true, f.failed || e.Failed, e.Skipped
		f.errors = append(f.errors, e.Errors...)
	}
}

func (f *file) test(name string) *test {
	t := f.tests[name]
	if t == nil {
		t = &test{}
		f.tests[name] = t
		f.order = append(f.order, name)
	}
	return t
}

// end takes in how a test ended. A test that ended before under the same name,
// in another project or beside it, keeps the worse end.
func (f *file) end(t *test, e event) {
	t.started, t.ended = true, true
	t.elapsed = max(t.elapsed, time.Duration(e.MS*float64(time.Millisecond)))
	if severity(e.Status) > severity(t.status) {
		t.status = e.Status
	}
	if e.Reason != "" {
		t.reason = e.Reason
	}
	for _, text := range e.Errors {
		if !bytes.Contains(t.output.kept.Bytes(), []byte(text)) {
			t.output.write(text + "\n")
		}
	}
}

// crashed is the status of a test whose process ended in it; the others are
// those that the tools write.
const crashed = "crashed"

// severity orders the ends of tests: what ran outweighs what did not.
func severity(status string) int {
	switch status {
	case crashed:
		return 5
	case "failed":
		return 4
	case "passed":
		return 3
	case "":
		return 0
	}
	return 1
}

// died reports whether the process ended before the tool had come to its end.
func (r *report) died() bool { return !r.over }

// died0 says how.
func (r *report) died0() string {
	switch {
	case r.result.Exceeded != "":
		return "the " + string(r.result.Exceeded) + " limit ended the process before the test began"
	case r.result.Signal != 0:
		return "a signal ended the process before the test began"
	}
	return "the process ended before the test began"
}

// firstLine returns the first line that says something: jest puts a heading
// above what it has to tell.
func firstLine(s string) string {
	for line := range strings.Lines(s) {
		if line = strings.TrimSpace(line); line != "" && !strings.HasPrefix(line, "●") {
			return line
		}
	}
	return "no reason was given"
}
