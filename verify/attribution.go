package verify

import "slices"

// A colour is what a status means for comparing two runs.
type colour int

const (
	absent colour = iota // not there, skipped or not run
	green
	red
)

func (s Status) colour() colour {
	switch s {
	case Passed:
		return green
	case Failed, Crashed, TimedOut, BuildFailed:
		return red
	}
	return absent
}

// circumstances are what is known of a test beside its two results.
type circumstances struct {
	unstable   bool // its results differed under repetition
	infra      bool // its output says that the machine lacks something
	unasserted bool // it reaches a capability point that no test asserts
}

// attribute looks up what two results mean together (VER-8). An empty status
// stands for a test that was not there.
//
// A test that lacked a database after the change but not before did not lack it
// because of the machine: green → red is a regression whatever its output says.
func attribute(before, after Status, c circumstances) Attribution {
	was, is := before.colour(), after.colour()
	switch {
	case after == "":
		return Removed
	case is == absent:
		return NotExecuted
	case c.unstable:
		return Flaky
	case is == red && c.infra && was != green:
		return Infra
	}
	switch [2]colour{was, is} {
	case [2]colour{red, red}:
		return PreExisting
	case [2]colour{green, red}:
		return Regression
	case [2]colour{absent, red}:
		return NewFailing
	case [2]colour{red, green}:
		return Fixed
	case [2]colour{absent, green}:
		return NewPassing
	}
	if c.unasserted {
		return Insufficient
	}
	return Unchanged
}

// results compares the outcomes of two trees and adds what they mean to the
// report. It returns the results that count against the change.
func (q *inquiry) results(layer LayerName, before, after map[TestID]Outcome, unstable map[TestID]bool) []Result {
	var against []Result
	ids := make([]TestID, 0, len(after))
	for id := range after {
		ids = append(ids, id)
	}
	for id := range before {
		if _, ok := after[id]; !ok && q.gone(id, after) {
			ids = append(ids, id)
		}
	}
	slices.SortFunc(ids, compareTests)
	for _, id := range ids {
		if !telling(id, before, after) {
			continue
		}
		r := q.result(layer, id, before, after, unstable)
		if !q.told(r) {
			q.report.Tests = append(q.report.Tests, r)
		}
		if r.Attribution == Regression || r.Attribution == NewFailing {
			against = append(against, r)
		}
	}
	return against
}

// told reports whether an earlier layer said the same of the test.
func (q *inquiry) told(r Result) bool {
	return slices.ContainsFunc(q.report.Tests, func(e Result) bool { return e.Test == r.Test && e.Attribution == r.Attribution })
}

// gone reports whether a test that has no outcome after the change would have
// one if it were still there: it is in no file any more, or it is a subtest of one that ran.
func (q *inquiry) gone(id TestID, after map[TestID]Outcome) bool {
	top := q.root(id)
	_, ran := after[top]
	return ran || !q.tests.has(top)
}

func (q *inquiry) result(layer LayerName, id TestID, before, after map[TestID]Outcome, unstable map[TestID]bool) Result {
	was, now, of := before[id], after[id], q.root(id)
	if top, ok := after[of]; ok && now.Status == "" && top.Status != Passed {
		now.Status, now.Reason = NotRun, "its test ended before it: "+string(top.Status)
	}
	cause := ""
	if now.Status.colour() == red {
		cause = lacking(now.Output + now.Reason)
	}
	r := Result{Test: id, Before: was.Status, After: now.Status, Layer: layer, Elapsed: now.Elapsed, Reason: now.Reason}
	r.Attribution = attribute(was.Status, now.Status, circumstances{
		unstable: unstable[id], infra: cause != "", unasserted: q.unasserted[of]})
	if of != id {
		r.Of = of
	}
	if r.Attribution == Infra {
		r.Reason = cause
	}
	if now.Status.colour() == red {
		r.Failure = q.compress(now)
	}
	return r
}

// telling reports whether a result says something of its own. That of a package or
// file as a whole does when it is red and no test of it is.
func telling(id TestID, before, after map[TestID]Outcome) bool {
	if id.Name != "" {
		return true
	}
	o, ok := after[id]
	if !ok || o.Status.colour() != red {
		return false
	}
	for other, p := range after {
		if other.Dir == id.Dir && (id.File == "" || other.File == id.File) && other.Name != "" && p.Status.colour() == red {
			return false
		}
	}
	return true
}
