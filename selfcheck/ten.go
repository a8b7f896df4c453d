package selfcheck

import (
	"context"

	"github.com/plumbkit/plumb/host/fault"
)

// Ten is the default Checker: ten checks, cheapest first. The zero value is
// ready for use, and safe for concurrent use.
type Ten struct{}

// check is one of the ten: its name, what it needs, and its signal.
type check struct {
	name   string
	action Action
	// lacks says which evidence is missing, "" if none is.
	lacks func(ev *Evidence) string
	// find returns what is wrong, nil if nothing is.
	find func(ev *Evidence) *problem
}

// Check runs the checks in order and stops at the first that fails (SLF-2). A
// check whose evidence is missing is not judged; it neither passes nor fails.
func (Ten) Check(ctx context.Context, ev Evidence) (*Handoff, error) {
	h := assemble(&ev)
	for _, c := range checks() {
		if err := ctx.Err(); err != nil {
			return nil, fault.From(err, "selfcheck.check", "check again; nothing was changed")
		}
		out := Check{Name: c.name}
		if lack := c.lacks(&ev); lack != "" {
			out.Signal = "not judged: " + lack
			h.Checks = append(h.Checks, out)
			continue
		}
		out.Judged, out.Passed, out.Signal = true, true, "nothing found"
		p := c.find(&ev)
		if p != nil {
			out.Passed, out.Signal, out.Action, out.Places = false, p.signal, c.action, p.places
		}
		h.Checks = append(h.Checks, out)
		if p != nil {
			h.Failed = c.name
			break
		}
	}
	return h, nil
}

// checks are the ten (SLF-1), in their order, each with the action that follows.
func checks() []check {
	return []check{
		{"diff_size", Shrink, needs(set, plan), diffSize},
		{"format_noise", Restore, needs(set), formatNoise},
		{"changed_files", RollBackFile, needs(set, plan), changedFiles},
		{"contracts", AddCallSites, needs(report), contracts},
		{"test_mapping", AddTest, needs(report, plan), testMapping},
		{"dangerous_operations", Stop, needs(decision), dangerous},
		{"residue", CleanAndRerun, needs(set, after), residue},
		{"derived_files", Regenerate, needs(set, report), derivedFiles},
		{"baseline", BackToPatch, needs(report, tests), baseline},
		{"capabilities", BackToPlan, needs(set, plan), capabilities},
	}
}

// needs joins what a check cannot do without.
func needs(each ...func(*Evidence) string) func(*Evidence) string {
	return func(ev *Evidence) string {
		for _, n := range each {
			if lack := n(ev); lack != "" {
				return lack
			}
		}
		return ""
	}
}

func set(ev *Evidence) string {
	if ev.Set == nil {
		return "there is no set"
	}
	return ""
}

func plan(ev *Evidence) string {
	if ev.Plan == nil {
		return "there is no plan"
	}
	return ""
}

func report(ev *Evidence) string {
	if ev.Report == nil {
		return "nothing was verified"
	}
	return ""
}

func tests(ev *Evidence) string {
	if len(ev.Report.Tests) == 0 {
		return "no test ran"
	}
	return ""
}

func decision(ev *Evidence) string {
	if ev.Decision == nil {
		return "the gate has not decided yet"
	}
	return ""
}

func after(ev *Evidence) string {
	if ev.After == nil || ev.Before == nil {
		return "there is no snapshot of both states"
	}
	return ""
}
