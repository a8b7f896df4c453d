package pytest

import (
	"encoding/xml"
	"path"
	"strings"
	"time"
)

// A testCase is one test of a JUnit XML report, as pytest writes it
// (https://docs.pytest.org/en/stable/how-to/output.html#creating-junitxml-format-files).
type testCase struct {
	Class   string   `xml:"classname,attr"`
	Name    string   `xml:"name,attr"`
	Seconds float64  `xml:"time,attr"`
	Failure *message `xml:"failure"`
	Error   *message `xml:"error"`
	Skipped *message `xml:"skipped"`
	Out     string   `xml:"system-out"`
	Err     string   `xml:"system-err"`
}

type message struct {
	Message string `xml:"message,attr"`
	Type    string `xml:"type,attr"`
	Text    string `xml:",chardata"`
}

// junit reads a report: the cases by their class and name. A report that was cut
// off is none.
func junit(data []byte) map[string][]testCase {
	var doc struct {
		Suites []struct {
			Cases []testCase `xml:"testcase"`
		} `xml:"testsuite"`
	}
	if len(data) == 0 || xml.Unmarshal(data, &doc) != nil {
		return nil
	}
	out := map[string][]testCase{}
	for _, s := range doc.Suites {
		for _, c := range s.Cases {
			key := c.Class + "\x00" + c.Name
			out[key] = append(out[key], c)
		}
	}
	return out
}

// junitKey is the class and name under which pytest reports a node ID.
func junitKey(node string) string {
	address, open, params := node, "", ""
	if i := strings.IndexByte(node, '['); i >= 0 {
		address, open, params = node[:i], "[", node[i+1:]
	}
	names := strings.Split(address, "::")
	names[0] = strings.TrimSuffix(strings.ReplaceAll(path.Clean(names[0]), "/", "."), ".py")
	last := len(names) - 1
	return strings.Join(names[:last], ".") + "\x00" + names[last] + open + params
}

// output is why the test failed, and what it wrote.
func (c testCase) output() string {
	var parts []string
	for _, m := range []*message{c.Failure, c.Error} {
		if m != nil {
			parts = append(parts, m.Text)
		}
	}
	for _, text := range []string{c.Out, c.Err} {
		if strings.TrimSpace(text) != "" {
			parts = append(parts, text)
		}
	}
	return strings.Join(parts, "\n")
}

func (c testCase) elapsed() time.Duration { return time.Duration(c.Seconds * float64(time.Second)) }
