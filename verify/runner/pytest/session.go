package pytest

import (
	"bufio"
	"bytes"
	"encoding/json"
	"time"

	"github.com/plumbkit/plumb/host/fault"
	"github.com/plumbkit/plumb/host/sandbox"
	"github.com/plumbkit/plumb/verify"
)

// An event is one line of what the plugin writes.
type event struct {
	Event   string  `json:"event"`
	ID      string  `json:"id"`
	Phase   string  `json:"phase"` // setup, call or teardown
	Outcome string  `json:"outcome"`
	XFail   bool    `json:"xfail"` // it was expected to fail
	Text    string  `json:"text"`
	Seconds float64 `json:"seconds"`
}

// An item is what is known of one collected test.
type item struct {
	node         string
	began, ended bool
	status       verify.Status
	reason, text string
	elapsed      time.Duration
}

// A session is one run of pytest.
type session struct {
	job    job
	result sandbox.Result
	stacks []byte

	begun, over bool
	items       []*item
	byNode      map[string]*item
	// broken and skipped are the files and folders that were not collected, and why.
	broken, skipped map[string]string
	left            map[string]bool // deselected by the project's own options
	cases           map[string][]testCase
}

// read takes in what the plugin wrote and pytest's report.
func (s *session) read(events, report []byte) error {
	s.byNode, s.broken, s.skipped, s.left = map[string]*item{}, map[string]string{}, map[string]string{}, map[string]bool{}
	sc := bufio.NewScanner(bytes.NewReader(events))
	sc.Buffer(make([]byte, 64<<10), 16<<20)
	for sc.Scan() {
		var e event
		if json.Unmarshal(sc.Bytes(), &e) == nil { // the last line of a killed process may be cut
			s.take(e)
		}
	}
	if err := sc.Err(); err != nil {
		return fault.From(err, "pytest.run", "let the tests fail with fewer words")
	}
	s.cases = junit(report)
	return nil
}

func (s *session) item(node string) *item {
	if s.byNode[node] == nil {
		s.byNode[node] = &item{node: node}
		s.items = append(s.items, s.byNode[node])
	}
	return s.byNode[node]
}

func (s *session) take(e event) {
	switch e.Event {
	case "begun":
		s.begun = true
	case "over":
		s.over = true
	case "collected":
		s.item(e.ID)
	case "deselected":
		s.left[e.ID] = true
	case "collect":
		into := s.broken
		if e.Outcome == "skipped" {
			into = s.skipped
		}
		into[e.ID] = e.Text
	case "start":
		s.item(e.ID).began = true
	case "finish":
		s.item(e.ID).ended = true
	case "report":
		s.item(e.ID).report(e)
	}
}

// report takes in the end of one phase: the worst of them is the test's.
func (i *item) report(e event) {
	i.elapsed += time.Duration(e.Seconds * float64(time.Second))
	switch {
	case e.Outcome == "failed":
		i.status, i.text = verify.Failed, i.text+e.Text
		if e.Phase != "call" {
			i.reason = "error in " + e.Phase
		}
	case i.status == verify.Failed:
	case e.Outcome == "skipped" && e.XFail:
		i.status, i.reason = verify.Skipped, "it is expected to fail, and failed: "+e.Text
	case e.Outcome == "skipped":
		i.status, i.reason = verify.Skipped, e.Text
	case e.Phase == "call" && e.Outcome == "passed" && i.status == "":
		i.status = verify.Passed
		if e.XFail {
			i.reason = "it was expected to fail, and passed"
		}
	}
}
