package ledger

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/plumbkit/plumb/host/fault"
)

// Complete checks that the record keeps together what belongs together: for
// every patch the snapshot it was made on, the context ledger, and the results
// of running it (LED-1). Where something is missing it returns a PartialFailure
// fault that names all of it.
//
// A patch's snapshot is there when an earlier index entry has its digest; its
// context when there is an earlier context entry; its results when a run or
// attribution entry, before or after, refers to it or has the set's digest as
// Data.set. A record without a patch lacks its patch.
func Complete(entries []Entry) error {
	var missing []string
	if len(OfKind(entries, KindHunks)) == 0 {
		missing = append(missing, "the patch (no hunks entry)")
		missing = append(missing, missingKinds(entries)...)
	}
	for i, e := range entries {
		if e.Kind != KindHunks {
			continue
		}
		lack, err := missingFor(entries, i)
		if err != nil {
			return err
		}
		missing = append(missing, lack...)
	}
	if len(missing) == 0 {
		return nil
	}
	task := ""
	if len(entries) > 0 {
		task = entries[0].Task
	}
	return &fault.Fault{Class: fault.PartialFailure, Op: "ledger.complete", Subject: fault.Subject{Text: task},
		Detail: "the record lacks " + strings.Join(missing, "; "), State: "the record is as it was",
		Next: "run the stages again whose results are missing, so that they are recorded"}
}

func missingKinds(entries []Entry) []string {
	var missing []string
	for _, k := range []struct {
		kind Kind
		name string
	}{{KindIndex, "the snapshot digest (no index entry)"}, {KindContext, "the context ledger (no context entry)"}, {KindRun, "the results (no run entry)"}} {
		if len(OfKind(entries, k.kind)) == 0 {
			missing = append(missing, k.name)
		}
	}
	return missing
}

// missingFor names what the record lacks for the patch at index at.
func missingFor(entries []Entry, at int) ([]string, error) {
	patch, earlier := entries[at], entries[:at]
	hunks, err := decode[Hunks](patch)
	if err != nil {
		return nil, err
	}
	var missing []string
	snapshot := func(e Entry) bool { return e.Index == patch.Index }
	switch {
	case patch.Index == "":
		missing = append(missing, fmt.Sprintf("the snapshot digest of patch %s", patch.ID))
	case !slices.ContainsFunc(OfKind(earlier, KindIndex), snapshot):
		missing = append(missing, fmt.Sprintf("the index entry for snapshot %s of patch %s", patch.Index, patch.ID))
	}
	if len(OfKind(earlier, KindContext)) == 0 {
		missing = append(missing, fmt.Sprintf("the context ledger of patch %s", patch.ID))
	}
	result := func(e Entry) bool { return slices.Contains(e.Refs, patch.ID) || setOf(e) == hunks.Set }
	if !slices.ContainsFunc(OfKind(entries, KindRun, KindAttribution), result) {
		missing = append(missing, fmt.Sprintf("the results of patch %s (set %s)", patch.ID, hunks.Set))
	}
	return missing, nil
}

// setOf returns the digest under "set" in an entry's data, or "".
func setOf(e Entry) string {
	var data struct {
		Set string `json:"set"`
	}
	if json.Unmarshal(e.Data, &data) != nil {
		return ""
	}
	return data.Set
}
