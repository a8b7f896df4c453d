package ledger

import "fmt"

// Hunks is the data of a KindHunks entry: the patch that was made, hunk by hunk,
// with the capability point that wanted each. An undo is recorded as one too,
// with the reverse hunks.
type Hunks struct {
	// Schema is the version of this form; 1.
	Schema int `json:"schema"`
	// Set is the digest of the patch; not empty.
	Set string `json:"set"`
	// Coverage is what the index covered when the patch was made, in the
	// index's own words, for example "412 of 415 files, 99.8 % of definitions".
	Coverage string `json:"coverage"`
	// Hunks are the hunks, by file and line.
	Hunks []Hunk `json:"hunks"`
}

// A Hunk is one changed place. Lines are 1-based and inclusive. Start to End
// are the lines after the change, OldStart to OldEnd those they replaced. End is
// Start-1 where lines were only removed, between Start-1 and Start; OldEnd is
// OldStart-1 where lines were only added. A file that was only renamed is a hunk
// with both paths and the lines 1 to 0.
type Hunk struct {
	// File is a slash-separated path relative to the repository, after the change.
	File string `json:"file"`
	// OldFile is the path before the change where that was another one.
	OldFile  string `json:"old_file,omitempty"`
	Start    int    `json:"start"`
	End      int    `json:"end"`
	OldStart int    `json:"old_start"`
	OldEnd   int    `json:"old_end"`
	// Action and Capability are the IDs of the plan's action and capability point.
	Action     string `json:"action,omitempty"`
	Capability string `json:"capability,omitempty"`
	// Why is the reason for the change in one sentence; not empty.
	Why string `json:"why"`
}

func (h Hunks) lacks() string {
	if h.Set == "" {
		return "the hunks do not say of which set they are"
	}
	for i, hunk := range h.Hunks {
		switch {
		case hunk.File == "":
			return fmt.Sprintf("hunk %d names no file", i)
		case hunk.Start < 1 || hunk.End < hunk.Start-1:
			return fmt.Sprintf("hunk %d has the lines %d to %d", i, hunk.Start, hunk.End)
		case hunk.OldStart < 1 || hunk.OldEnd < hunk.OldStart-1:
			return fmt.Sprintf("hunk %d has the old lines %d to %d", i, hunk.OldStart, hunk.OldEnd)
		case hunk.Why == "":
			return fmt.Sprintf("hunk %d does not say why", i)
		}
	}
	return ""
}

// Entry returns an entry of the task that records h as the work of by, on the
// snapshot with the digest index.
func (h Hunks) Entry(task, by, index string) Entry {
	h.Schema = schema
	return Entry{Task: task, Kind: KindHunks, Stage: "patch", By: by, Index: index, Data: marshal(h)}
}

// A Change is what the record says about a line: who changed it, when and why,
// on which state of the index and with what coverage.
type Change struct {
	// Entry is the hunks entry: By, Time and Index answer who, when and on what.
	Entry Entry
	// Hunk is the hunk that put the line there: Why answers why.
	Hunk Hunk
	// Set and Coverage are those of the patch.
	Set      string
	Coverage string
}

// WhoChanged answers for a line, 1-based, of a file as it stands after the last
// hunks entry: the latest change that put the line there. Later changes above
// the line and renames of the file are accounted for. ok is false for a line
// that no entry changed. A hunks entry with malformed data is an InvalidInput
// fault naming it, and so is a line below 1.
//
// Pass the entries of several tasks in the order in which their patches were
// made. A change made past the ledger shifts lines without its knowing.
func WhoChanged(entries []Entry, file string, line int) (c Change, ok bool, err error) {
	if line < 1 {
		return Change{}, false, invalid("ledger.who", Entry{Task: file}, fmt.Sprintf("there is no line %d", line), "count lines from 1")
	}
	all := OfKind(entries, KindHunks)
	for i := len(all) - 1; i >= 0; i-- {
		set, err := decode[Hunks](all[i])
		if err != nil {
			return Change{}, false, err
		}
		hunk, found := set.at(file, line)
		if found {
			return Change{Entry: all[i], Hunk: hunk, Set: set.Set, Coverage: set.Coverage}, true, nil
		}
		file, line = set.before(file, line)
	}
	return Change{}, false, nil
}

// at returns the hunk whose new lines hold the line.
func (h Hunks) at(file string, line int) (Hunk, bool) {
	for _, hunk := range h.Hunks {
		if hunk.File == file && hunk.Start <= line && line <= hunk.End {
			return hunk, true
		}
	}
	return Hunk{}, false
}

// before returns where a line outside every hunk stood before the change.
func (h Hunks) before(file string, line int) (string, int) {
	oldFile, oldLine := file, line
	for _, hunk := range h.Hunks {
		if hunk.File != file {
			continue
		}
		if hunk.End < line {
			oldLine -= (hunk.End - hunk.Start) - (hunk.OldEnd - hunk.OldStart)
		}
		if hunk.OldFile != "" {
			oldFile = hunk.OldFile
		}
	}
	return oldFile, oldLine
}
