// Package requirement holds tests against the requirements that they are there
// to prove: which requirement has a test, which test names one that is unknown,
// and which requirements are known to be outstanding.
package requirement

import (
	"bytes"
	"fmt"
	"path"
	"regexp"
	"strings"

	"github.com/plumbkit/plumb/host/fault"
)

// A Requirement is one item of a document that carries an ID.
type Requirement struct {
	ID       string `json:"id"`
	Text     string `json:"text"` // the item's first line, without the ID
	Document string `json:"document"`
	Section  string `json:"section"` // the heading that it stands under
	Line     int    `json:"line"`    // 1-based
}

// An ID is upper-case letters, a hyphen and a number, such as PAT-7.
var idPattern = regexp.MustCompile(`^[A-Z][A-Z0-9]*-[0-9]+$`)

// IsID reports whether s has the form of a requirement's ID.
func IsID(s string) bool { return idPattern.MatchString(s) }

// ReadDocument reads the requirements of a Markdown document: list items and
// headings that begin with an ID. Text inside fenced code is not read.
//
// An ID that stands twice is a fault of class invalid_input that names both lines.
func ReadDocument(name string, data []byte) ([]Requirement, error) {
	var out []Requirement
	seen := map[string]int{}
	section := ""
	err := eachLine(data, func(n int, line string) error {
		heading := strings.HasPrefix(line, "#")
		item := strings.TrimLeft(line, "# ")
		if !heading {
			item = listItem(line)
		}
		id, text, _ := strings.Cut(item, " ")
		if heading {
			section = item
		}
		if id = strings.TrimRight(id, ":."); !IsID(id) {
			return nil
		}
		if first := seen[id]; first > 0 {
			return &fault.Fault{Class: fault.InvalidInput, Op: "requirement.read", Subject: fault.Subject{File: name, Line: n, Text: id},
				Detail: fmt.Sprintf("the ID stands at line %d too", first), Next: "give each requirement an ID of its own"}
		}
		seen[id] = n
		out = append(out, Requirement{ID: id, Text: strings.TrimSpace(text), Document: name, Section: section, Line: n})
		return nil
	})
	return out, err
}

// listItem returns the text of a list item, "" for any other line.
func listItem(line string) string {
	line = strings.TrimLeft(line, " ")
	for _, bullet := range []string{"- ", "* ", "+ "} {
		if rest, ok := strings.CutPrefix(line, bullet); ok {
			return strings.TrimSpace(strings.Trim(rest, "*_`"))
		}
	}
	return ""
}

// A Pending is a requirement that is not delivered yet, or not in full.
type Pending struct {
	ID   string `json:"id"`
	Note string `json:"note"` // what stands in for it today
	Line int    `json:"line"` // 1-based
}

// ReadPending reads a list of requirements that are outstanding: a Markdown
// table whose first column is the ID and whose second says what there is today.
// A row without an ID, and an ID that stands twice, are faults of class
// invalid_input.
func ReadPending(name string, data []byte) ([]Pending, error) {
	var out []Pending
	seen := map[string]bool{}
	err := eachLine(data, func(n int, line string) error {
		cells := tableRow(line)
		if len(cells) < 2 || strings.Trim(cells[0], "-: ") == "" || cells[0] == "ID" {
			return nil
		}
		if !IsID(cells[0]) || seen[cells[0]] {
			return &fault.Fault{Class: fault.InvalidInput, Op: "requirement.read", Subject: fault.Subject{File: name, Line: n, Text: cells[0]},
				Detail: "the first column holds no ID, or one that is listed before", Next: "give each row the ID of one requirement"}
		}
		seen[cells[0]] = true
		out = append(out, Pending{ID: cells[0], Note: cells[1], Line: n})
		return nil
	})
	return out, err
}

func tableRow(line string) []string {
	line = strings.TrimSpace(line)
	if !strings.HasPrefix(line, "|") || !strings.HasSuffix(line, "|") || len(line) < 2 {
		return nil
	}
	cells := strings.Split(line[1:len(line)-1], "|")
	for i := range cells {
		cells[i] = strings.TrimSpace(cells[i])
	}
	return cells
}

// eachLine calls f with each line outside of fenced code, from line 1.
func eachLine(data []byte, f func(n int, line string) error) error {
	fence := ""
	for i, raw := range bytes.Split(data, []byte("\n")) {
		line := strings.TrimSuffix(string(raw), "\r")
		trimmed := strings.TrimSpace(line)
		switch {
		case fence != "":
			if strings.HasPrefix(trimmed, fence) {
				fence = ""
			}
			continue
		case strings.HasPrefix(trimmed, "```"), strings.HasPrefix(trimmed, "~~~"):
			fence = trimmed[:3]
			continue
		}
		if err := f(i+1, line); err != nil {
			return err
		}
	}
	return nil
}

// Documents are the files of a set of requirements.
type Documents struct {
	Requirements []Requirement
	// Pending are requirements not delivered yet, Partial those of which a part
	// is delivered and tested.
	Pending, Partial []Pending
	// PendingFile and PartialFile name the lists, for messages.
	PendingFile, PartialFile string
}

// ReadDocuments reads Markdown files by name. Files named pending.md and
// partial.md are the lists of what is outstanding; all others are documents.
// Names are read in order.
func ReadDocuments(names []string, read func(name string) ([]byte, error)) (Documents, error) {
	var out Documents
	first := map[string]Requirement{}
	for _, name := range names {
		data, err := read(name)
		if err != nil {
			return out, fault.From(err, "requirement.read", "give documents that exist")
		}
		switch path.Base(name) {
		case "pending.md":
			out.PendingFile = name
			out.Pending, err = ReadPending(name, data)
		case "partial.md":
			out.PartialFile = name
			out.Partial, err = ReadPending(name, data)
		default:
			err = out.add(name, data, first)
		}
		if err != nil {
			return out, err
		}
	}
	return out, nil
}

func (d *Documents) add(name string, data []byte, first map[string]Requirement) error {
	reqs, err := ReadDocument(name, data)
	if err != nil {
		return err
	}
	for _, r := range reqs {
		if f, ok := first[r.ID]; ok {
			return &fault.Fault{Class: fault.InvalidInput, Op: "requirement.read", Subject: fault.Subject{File: name, Line: r.Line, Text: r.ID},
				Detail: fmt.Sprintf("the ID stands in %s:%d too", f.Document, f.Line), Next: "give each requirement an ID of its own"}
		}
		first[r.ID] = r
	}
	d.Requirements = append(d.Requirements, reqs...)
	return nil
}
