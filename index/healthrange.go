package index

import (
	"fmt"
	"slices"
	"strings"
	"time"
)

// A Finding is a figure outside of its healthy range.
type Finding struct {
	// Metric names the figure: definitions, resolution, unresolved, staleness,
	// skipped, generated, latency or high_risk.
	Metric string `json:"metric"`
	Where  string `json:"where"` // name of the row, "" for the whole
	// Value and Healthy are the figure and its range, in words.
	Value   string `json:"value"`
	Healthy string `json:"healthy"`
	Action  string `json:"action"`
}

// The healthy ranges, from the accuracy that the index is held to: definitions
// 99.5 % found, of Python's references inside of the repository 75 % static.
const (
	HealthyCoverage   = 0.99
	HealthyResolution = 0.75 // of HealthRow.Inside
	HealthyUnresolved = 0.05 // share of references
	HealthyGenerated  = 0.5  // share of lines
	HealthyLatency    = time.Second
	enoughToJudge     = 50 // references or binding points of a row, for it to be judged alone
)

// A Spread tells unresolved references that gather in a folder, where a rule is
// missing, from those that lie about, where the language itself leaves open what
// is meant.
type Spread struct {
	Total        int      `json:"total"`
	Concentrated []Gather `json:"concentrated"` // most first
	Scattered    int      `json:"scattered"`    // those in no such folder
}

// A Gather is a folder in which unresolved references gather.
type Gather struct {
	Dir        string  `json:"dir"`
	Unresolved int     `json:"unresolved"`
	Share      float64 `json:"share"` // of the folder's references
	// Reason is that of most of them, Count how many they are.
	Reason string `json:"reason"`
	Count  int    `json:"count"`
}

// gathering counts one folder.
type gathering struct {
	references, unresolved int
	reasons                map[string]int
}

// spread takes a folder as one in which they gather when it has ten or more, and
// three times the share of the rest or more.
func spread(dirs map[string]*gathering, whole *HealthRow) Spread {
	const few, times = 10, 3
	out := Spread{Total: whole.Unresolved, Scattered: whole.Unresolved, Concentrated: []Gather{}}
	for dir, g := range dirs {
		rest := ratio(whole.Unresolved-g.unresolved, whole.References-g.references)
		share := ratio(g.unresolved, g.references)
		if g.unresolved < few || rest >= 0 && share < times*rest {
			continue
		}
		found := Gather{Dir: dir, Unresolved: g.unresolved, Share: share}
		for reason, n := range g.reasons {
			if n > found.Count || n == found.Count && reason < found.Reason {
				found.Reason, found.Count = reason, n
			}
		}
		out.Concentrated = append(out.Concentrated, found)
		out.Scattered -= g.unresolved
	}
	slices.SortFunc(out.Concentrated, func(a, b Gather) int {
		if a.Unresolved != b.Unresolved {
			return b.Unresolved - a.Unresolved
		}
		return strings.Compare(a.Dir, b.Dir)
	})
	return out
}

// findings judges the whole, then each row that is large enough to be judged.
func findings(h *Health) []Finding {
	out := []Finding{}
	add := func(metric, where, value, healthy, action string) {
		out = append(out, Finding{metric, where, value, healthy, action})
	}
	rows := append([]HealthRow{h.Whole}, h.Rows...)
	for i := range rows {
		r := &rows[i]
		if r.Bound > 0 && r.Coverage < HealthyCoverage && (i == 0 || r.Bound >= enoughToJudge) {
			add("definitions", r.Name, percent(r.Coverage), "at least "+percent(HealthyCoverage),
				"look at the places listed as missed: files that are broken there are to be repaired, other forms need a rule in the language's extractor")
		}
		if r.Inside >= 0 && r.Inside < HealthyResolution && (i == 0 || r.References-r.External >= enoughToJudge) {
			add("resolution", r.Name, percent(r.Inside), "at least "+percent(HealthyResolution)+" of the references that do not lead out",
				"annotate receivers and parameters with types, pass a type source, or add the missing resolution rule")
		}
		if r.Stale > 0 {
			add("staleness", r.Name, fmt.Sprintf("%d files", r.Stale), "0", "index again: the answers are those of an earlier state")
		}
	}
	if n := len(h.Skipped); n > 0 {
		add("skipped", "", fmt.Sprintf("%d files", n), "0", "look at the reasons: exclude what is no source, raise the limit of size or time for what is, convert what is not UTF-8")
	}
	if h.Whole.GeneratedShare > HealthyGenerated {
		add("generated", "", percent(h.Whole.GeneratedShare)+" of the lines", "at most "+percent(HealthyGenerated),
			"leave generated folders out of version control or out of the index, and edit their sources")
	}
	if h.Update.Incremental && h.Update.Elapsed > HealthyLatency {
		add("latency", "", h.Update.Elapsed.Round(time.Millisecond).String(), "at most "+HealthyLatency.String(),
			"keep the process and its snapshot between updates, and change declarations that much depends on in one step")
	}
	return append(out, unresolvedFindings(h)...)
}

func unresolvedFindings(h *Health) (out []Finding) {
	share := ratio(h.Unresolved.Scattered, h.Whole.References)
	if share > HealthyUnresolved {
		out = append(out, Finding{"unresolved", "", percent(share) + " scattered", "at most " + percent(HealthyUnresolved),
			"the language leaves open what is meant: annotate the sites that matter"})
	}
	for _, g := range h.Unresolved.Concentrated {
		if g.Share > HealthyUnresolved {
			out = append(out, Finding{"unresolved", g.Dir, percent(g.Share) + " concentrated", "at most " + percent(HealthyUnresolved),
				"the folder uses something that no rule covers, mostly \"" + g.Reason + "\": add the rule"})
		}
	}
	return out
}

func percent(v float64) string { return fmt.Sprintf("%.1f %%", 100*v) }
