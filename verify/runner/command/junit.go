package command

import (
	"bytes"
	"encoding/xml"
	"errors"
	"io"
	"path"
	"strconv"
	"strings"
	"time"

	"github.com/plumbkit/plumb/verify"
)

// A testCase is one testcase of a report. Tools agree on the elements and not on
// what they write into them: class is a class, a module or a file.
type testCase struct {
	class, name, file string
	status            verify.Status
	reason, output    string
	elapsed           time.Duration
}

// result is a failure, an error or a skip.
type result struct {
	Message string `xml:"message,attr"`
	Type    string `xml:"type,attr"`
	Text    string `xml:",chardata"`
}

type element struct {
	Name   string    `xml:"name,attr"`
	Class  string    `xml:"classname,attr"`
	File   string    `xml:"file,attr"`
	Time   string    `xml:"time,attr"`
	Fails  []result  `xml:"failure"`
	Errors []result  `xml:"error"`
	Skip   *result   `xml:"skipped"`
	Stdout string    `xml:"system-out"`
	Stderr string    `xml:"system-err"`
	Suites []element `xml:"testsuite"`
	Cases  []element `xml:"testcase"`
}

// parse reads a report: a testsuites, or one testsuite. One that is cut short, as
// by a process that died, gives an error.
func parse(data []byte) ([]testCase, error) {
	d := xml.NewDecoder(bytes.NewReader(data))
	d.Strict = true
	d.CharsetReader = func(charset string, in io.Reader) (io.Reader, error) { return in, nil }
	var root struct {
		XMLName xml.Name
		element
	}
	if err := d.Decode(&root); err != nil {
		return nil, err
	}
	if root.XMLName.Local != "testsuites" && root.XMLName.Local != "testsuite" {
		return nil, errors.New("its root is " + root.XMLName.Local)
	}
	return root.cases(root.File, 0), nil
}

// maxSuites is how deep suites may nest.
const maxSuites = 100

func (e element) cases(file string, depth int) []testCase {
	var out []testCase
	if e.File != "" {
		file = e.File
	}
	for _, c := range e.Cases {
		out = append(out, c.read(file))
	}
	for _, s := range e.Suites {
		if depth < maxSuites {
			out = append(out, s.cases(file, depth+1)...)
		}
	}
	return out
}

// read reads one testcase. An error is what the test did not foresee: Surefire and
// JUnit write one for an exception, which is a failure as any other.
func (e element) read(file string) testCase {
	c := testCase{class: e.Class, name: e.Name, file: e.File, status: verify.Passed}
	if c.file == "" {
		c.file = file
	}
	if seconds, err := strconv.ParseFloat(strings.ReplaceAll(e.Time, ",", ""), 64); err == nil && seconds > 0 {
		c.elapsed = time.Duration(seconds * float64(time.Second))
	}
	for _, f := range append(e.Fails, e.Errors...) {
		c.status = verify.Failed
		c.output += f.words()
	}
	if e.Skip != nil && c.status == verify.Passed {
		c.status, c.reason = verify.Skipped, strings.TrimSpace(e.Skip.words())
		if c.reason == "" {
			c.reason = "the report gives no reason"
		}
	}
	for _, said := range []string{e.Stdout, e.Stderr} {
		if said = strings.TrimSpace(said); said != "" {
			c.output += said + "\n"
		}
	}
	return c
}

func (r result) words() string {
	text := strings.TrimSpace(r.Text)
	if m := strings.TrimSpace(r.Message); m != "" && !strings.Contains(text, m) {
		text = m + "\n" + text
	}
	if text = strings.TrimSpace(text); text == "" {
		return r.Type
	}
	return text + "\n"
}

// reported are the outcomes of a report. What was asked for and does not stand in
// it did not run. A command that failed though every test in its report passed
// has failed as a whole: something else than a test went wrong.
func reported(run verify.Run, whole verify.Outcome, cases []testCase) []verify.Outcome {
	var out []verify.Outcome
	seen := map[verify.TestID]bool{}
	red := false
	for _, c := range cases {
		o := whole
		o.Test, o.Status, o.Reason, o.Output, o.Elapsed = c.id(run.Tests), c.status, c.reason, c.output, c.elapsed
		red = red || c.status == verify.Failed
		seen[o.Test] = true
		out = append(out, o)
	}
	for _, id := range run.Tests {
		if seen[id] || id.Name == "" {
			continue
		}
		o := whole
		o.Test, o.Output, o.Status, o.Reason = id, "", verify.NotRun, "the report does not hold it"
		switch whole.Status {
		case verify.Crashed, verify.TimedOut:
			o.Reason = whole.Reason + " before the report held it"
		}
		out = append(out, o)
		seen[id] = true
	}
	for _, id := range append(wholes(run), verify.TestID{Dir: "."}) {
		if seen[id] {
			continue
		}
		seen[id] = true
		o := whole
		o.Test = id
		switch {
		case len(cases) == 0 && whole.Status == verify.Passed:
			o.Status, o.Reason = verify.NotRun, "the command passed and its report holds no test"
		case len(cases) == 0 && whole.Status == verify.Failed:
			o.Status, o.Reason = verify.BuildFailed, whole.Reason+" and wrote no report"
		case whole.Status == verify.Passed && red:
			o.Status, o.Reason = verify.Failed, "a test in the report failed"
		}
		out = append(out, o)
	}
	return out
}

// wholes are the files and packages that the run asks for.
func wholes(run verify.Run) []verify.TestID {
	var out []verify.TestID
	for _, id := range run.Tests {
		if id.Name == "" {
			out = append(out, id)
		}
	}
	for _, dir := range run.Packages {
		out = append(out, verify.TestID{Dir: path.Clean(dir)})
	}
	return out
}

// id names a test of the report. Where it is one of the tests asked for, by its
// name alone or with its class before, that is its name; else its folder and file
// are those that the report tells, and its class stands before its name.
func (c testCase) id(asked []verify.TestID) verify.TestID {
	file := path.Clean(strings.ReplaceAll(c.file, `\`, "/"))
	for _, id := range asked {
		if c.file != "" && id.File != "" && !strings.HasSuffix("/"+file, "/"+path.Join(id.Dir, id.File)) {
			continue
		}
		for _, name := range c.names() {
			if id.Name == name {
				return id
			}
		}
	}
	id := verify.TestID{Dir: ".", Name: c.name}
	if c.file != "" && !path.IsAbs(file) && !strings.HasPrefix(file, "../") {
		id.Dir, id.File = path.Dir(file), path.Base(file)
	}
	if c.class != "" {
		id.Name = c.class + "." + c.name
	}
	return id
}

// names are how a test may be called.
func (c testCase) names() []string {
	class := c.class[strings.LastIndexByte(c.class, '.')+1:]
	out := []string{c.name}
	for _, sep := range []string{".", "#", "::", " > "} {
		if c.class != "" {
			out = append(out, c.class+sep+c.name, class+sep+c.name)
		}
	}
	return out
}
