package requirement

import (
	"fmt"
	"sort"
	"strings"

	"github.com/plumbkit/plumb/index"
)

// A Table is the requirement and test table with its gaps (REQ-5).
type Table struct {
	Schema int    `json:"schema"`
	Index  string `json:"index"` // the Snapshot's digest
	Rows   []Row  `json:"rows"`  // in the order of the documents
	Gaps   []Gap  `json:"gaps"`
	// Untagged counts the tests that name no requirement.
	Untagged int `json:"untagged"`
}

// A Row is one requirement with the tests that name it.
type Row struct {
	Requirement
	Tests []Link `json:"tests"`
	// State is "tested", "partly", "pending" or "untested".
	State string `json:"state"`
	// Note says what there is today of what is pending or partly delivered.
	Note string `json:"note,omitempty"`
}

// A Link is one test that names a requirement.
type Link struct {
	ID   string `json:"id"`
	Test string `json:"test"` // canonical name of the test function
	File string `json:"file"`
	Line int    `json:"line"` // 1-based, of the place that names the ID
	Via  string `json:"via"`  // comment, name or subtest
}

// A Gap is one thing that does not fit.
type Gap struct {
	Kind string `json:"kind"`
	ID   string `json:"id"`
	File string `json:"file"`
	Line int    `json:"line"` // 1-based
	Text string `json:"text"`
}

// The kinds of gaps.
const (
	WithoutTest     = "requirement_without_test"
	UnknownID       = "unknown_id"
	PendingTested   = "pending_has_test"
	PendingUnknown  = "pending_unknown_id"
	LooseAnnotation = "annotation_without_test"
)

// Trace holds the tests of a Snapshot against the documents. IDs are found in
// "covers:" comments directly above or inside a test, and in the names of tests
// and subtests; only in test code, never in strings of test data.
func Trace(s *index.Snapshot, docs Documents) *Table {
	t := &Table{Schema: 1, Index: s.Digest(), Gaps: []Gap{}}
	known := map[string]bool{}
	prefixes := map[string]bool{}
	for _, r := range docs.Requirements {
		known[r.ID] = true
		prefix, _, _ := strings.Cut(r.ID, "-")
		prefixes[prefix] = true
	}
	links := t.links(s, prefixes)
	for _, l := range links {
		if !known[l.ID] {
			t.Gaps = append(t.Gaps, Gap{UnknownID, l.ID, l.File, l.Line, fmt.Sprintf("%s names %s, which no document has", l.Test, l.ID)})
		}
	}
	t.fill(docs, links)
	for _, p := range append(append([]Pending{}, docs.Pending...), docs.Partial...) {
		if !known[p.ID] {
			t.Gaps = append(t.Gaps, Gap{PendingUnknown, p.ID, docs.PendingFile, p.Line, "the list names an ID which no document has"})
		}
	}
	sort.SliceStable(t.Gaps, func(i, j int) bool {
		a, b := t.Gaps[i], t.Gaps[j]
		if a.File != b.File {
			return a.File < b.File
		}
		return a.Line < b.Line
	})
	return t
}

// fill makes the rows and the gaps of requirements.
func (t *Table) fill(docs Documents, links []Link) {
	byID := map[string][]Link{}
	for _, l := range links {
		byID[l.ID] = append(byID[l.ID], l)
	}
	pending, partial := notes(docs.Pending), notes(docs.Partial)
	for _, r := range docs.Requirements {
		row := Row{Requirement: r, Tests: byID[r.ID], State: "untested"}
		p, isPending := pending[r.ID]
		q, isPartial := partial[r.ID]
		switch {
		case isPending && len(row.Tests) > 0:
			t.Gaps = append(t.Gaps, Gap{PendingTested, r.ID, docs.PendingFile, p.Line,
				fmt.Sprintf("%s is listed as not delivered and %s covers it: take it off the list", r.ID, row.Tests[0].Test)})
			row.State = "tested"
		case isPending:
			row.State, row.Note = "pending", p.Note
		case len(row.Tests) == 0:
			t.Gaps = append(t.Gaps, Gap{WithoutTest, r.ID, r.Document, r.Line, "no test names " + r.ID + ": " + r.Text})
		case isPartial:
			row.State, row.Note = "partly", q.Note
		default:
			row.State = "tested"
		}
		t.Rows = append(t.Rows, row)
	}
}

func notes(list []Pending) map[string]Pending {
	out := map[string]Pending{}
	for _, p := range list {
		out[p.ID] = p
	}
	return out
}

// Counts returns how many requirements are in each state.
func (t *Table) Counts() map[string]int {
	out := map[string]int{}
	for _, r := range t.Rows {
		out[r.State]++
	}
	return out
}

// Text renders the table for people: the gaps last, where they are seen.
func (t *Table) Text() string {
	var b strings.Builder
	for _, r := range t.Rows {
		fmt.Fprintf(&b, "%-8s %-8s %3d tests  %s\n", r.ID, r.State, len(r.Tests), first(r))
	}
	c := t.Counts()
	fmt.Fprintf(&b, "%d requirements: %d tested, %d partly, %d pending, %d untested; %d tests name none\n",
		len(t.Rows), c["tested"], c["partly"], c["pending"], c["untested"], t.Untagged)
	for _, g := range t.Gaps {
		fmt.Fprintf(&b, "%s:%d: %s: %s\n", g.File, g.Line, g.Kind, g.Text)
	}
	return b.String()
}

func first(r Row) string {
	if len(r.Tests) > 0 {
		return fmt.Sprintf("%s (%s:%d)", r.Tests[0].Test, r.Tests[0].File, r.Tests[0].Line)
	}
	return r.Note
}
