package changeset

import (
	"fmt"
	"slices"
	"strings"
)

// Lines that an action of each kind may change, at most, for the limit; and how
// many lines a reader takes in in a minute. The figures are the project's own
// estimate: a definition and its doc comment, a call with what it needs around
// it, a test with its setup.
const (
	linesDefine   = 60
	linesCreate   = 120
	linesBeside   = 40
	linesSync     = 12
	linesDocument = 8
	linesMirror   = 40
	linesAddTest  = 90
	linesFixTest  = 12
	linesAMinute  = 40
)

// formula is what Limit.Formula says.
const formula = "lines = 60 a definition + 120 a creation (40 an inferred one) + 12 a reference + 8 a document + 40 a mirror + 90 a point's tests in a folder + 12 a test to adapt; files = files of the write set + one new file a folder; minutes = lines / 2 / 40, rounded up: half of the limit is the usual size, and a reader takes in 40 lines a minute"

// linesOf is what an action may change. Tests in an existing file share the
// allowance of their folder.
func linesOf(a Action) int {
	switch a.Kind {
	case Define:
		return linesDefine
	case Create:
		if a.Grade != High {
			return linesBeside
		}
		return linesCreate
	case Sync:
		return linesSync
	case Document:
		return linesDocument
	case Mirror:
		return linesMirror
	case AddTest:
		if strings.HasSuffix(a.Target.File, "/") {
			return linesAddTest
		}
	case FixTest:
		return linesFixTest
	}
	return 0
}

func limitOf(p *Plan) Limit {
	l := Limit{Formula: formula}
	for _, a := range p.Actions {
		l.Lines += linesOf(a)
	}
	w := p.WriteSet()
	l.Files = len(w.Files) + len(w.Folders) + len(w.Outputs)
	l.Minutes = minutes(l.Lines)
	return l
}

func minutes(lines int) int { return (lines/2 + linesAMinute - 1) / linesAMinute }

// finish sorts and numbers the actions and makes limit and stages.
func (v *derivation) finish() {
	slices.SortStableFunc(v.actions.all, func(a, b Action) int {
		if c := rank(a.Kind) - rank(b.Kind); c != 0 {
			return c
		}
		switch {
		case a.Target.File != b.Target.File:
			if a.Target.File < b.Target.File {
				return -1
			}
			return 1
		case a.Target.Start != b.Target.Start:
			return a.Target.Start - b.Target.Start
		}
		return 0
	})
	for i := range v.actions.all {
		v.actions.all[i].ID = fmt.Sprintf("A-%d", i+1)
		if v.actions.all[i].Verify == nil {
			v.actions.all[i].Verify = []string{"reading: no test and no type check reaches it"}
		}
	}
	v.plan.Actions = append(v.plan.Actions, v.actions.all...)
	v.settleNotDone()
	v.plan.Questions = append(v.plan.Questions, v.questions.all...)
	for _, p := range v.points {
		v.plan.Capabilities = append(v.plan.Capabilities, p.Capability)
	}
	v.plan.Limit = limitOf(v.plan)
	v.plan.Stages = append(v.plan.Stages, v.stages()...)
}

// settleNotDone takes off what another rule put on the list after all.
func (v *derivation) settleNotDone() {
	acted := make(map[string]bool)
	for _, a := range v.plan.Actions {
		acted[a.Symbol] = a.Symbol != "" && a.Kind != FixTest
	}
	kept := []NotDone{}
	for _, n := range v.plan.NotDone {
		if !acted[n.Symbol] || n.Symbol == "" {
			kept = append(kept, n)
		}
	}
	v.plan.NotDone = kept
}
