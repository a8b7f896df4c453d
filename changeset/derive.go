package changeset

import (
	"context"
	"fmt"
	"regexp"

	"github.com/plumbkit/plumb/budget"
	"github.com/plumbkit/plumb/host/fault"
	"github.com/plumbkit/plumb/host/task"
	"github.com/plumbkit/plumb/index"
)

// Derived is the default Planner. No model writes its plan: capability points
// and declared changes go in, and four rules over the Snapshot give the actions
// (CHG-2). The zero value is ready for use, and safe for concurrent use.
type Derived struct {
	// Splitter makes capability points for a task that brings none; nil asks
	// nobody, and the Context's seeds become one point for each requirement.
	Splitter Splitter
	// IDs, if not nil, is the form that a capability point's requirement ID has
	// to have; a point without one is then an error (CHG-1).
	IDs *regexp.Regexp
	// Minutes is the reading time above which a plan is split into stages; 0 is 10.
	Minutes int
}

// derivation is the state of one Plan.
type derivation struct {
	*Derived
	ctx  context.Context
	in   Input
	snap *index.Snapshot
	plan *Plan

	points    []point
	contracts []contract
	actions   *actionList
	questions *questionList
	answers   map[string]task.Answer
	// layout tells, by language, whether tests stand beside the code; see testsBeside.
	layout map[string]bool
}

// Plan implements Planner. With open questions it returns the plan and an
// ambiguous fault for the first of them.
func (d *Derived) Plan(ctx context.Context, in Input) (*Plan, error) {
	v, err := d.start(ctx, in)
	if err != nil {
		return nil, err
	}
	if err := v.capabilities(); err != nil {
		return nil, err
	}
	v.readings()
	if err := v.declared(); err != nil {
		return nil, err
	}
	for _, step := range []func() error{v.define, v.sync, v.mirrors, v.toSources, v.beside, v.documents, v.smaller, v.tests, v.generators} {
		if err := ctx.Err(); err != nil {
			return nil, fault.From(err, "changeset.plan", "plan again")
		}
		if err := step(); err != nil {
			return nil, err
		}
	}
	v.finish()
	return v.plan, v.verdict()
}

func (d *Derived) start(ctx context.Context, in Input) (*derivation, error) {
	if in.Snapshot == nil {
		return nil, &fault.Fault{Class: fault.InvalidInput, Op: "changeset.plan", Detail: "there is no snapshot to plan on", State: "no plan was made", Next: "index the repository first"}
	}
	if err := in.Task.Check(); err != nil {
		return nil, err
	}
	v := &derivation{Derived: d, ctx: ctx, in: in, snap: in.Snapshot, actions: newActionList(), questions: &questionList{}, answers: make(map[string]task.Answer)}
	for _, a := range in.Task.Answers {
		v.answers[a.Question] = a
	}
	v.plan = &Plan{Schema: 1, Task: in.Task.ID, Requirement: in.Task.Requirement, Index: in.Snapshot.Digest(), Justifications: in.Task.Justifications,
		Actions: []Action{}, NotDone: []NotDone{}, Questions: []Question{}, Stages: []Stage{}, Capabilities: []task.Capability{}}
	return v, nil
}

// define puts the definitions themselves on the list (first rule of CHG-2):
// what a declared change is about, and what a capability point sits on unless
// it is only used there.
func (v *derivation) define() error {
	for _, c := range v.contracts {
		if c.declared {
			block := v.blockOf(v.points[0], c.sym)
			v.act(Action{Kind: Define, Capability: v.pointOf(c.sym.ID), Symbol: c.sym.ID, Target: spanOf(v.snap, c.sym), Block: block, Why: c.becomes(), Grade: High,
				Source: "declared by the task", Weak: isCalls(block)})
		}
	}
	for _, p := range v.points {
		for _, sym := range p.symbols {
			if v.contractOf(sym.ID) != nil {
				continue
			}
			if why := v.onlyUsed(p, sym); why != "" {
				v.not(sym, why)
				continue
			}
			block := v.blockOf(p, sym)
			v.act(Action{Kind: Define, Capability: p.ID, Symbol: sym.ID, Target: spanOf(v.snap, sym), Block: block, Why: fmt.Sprintf("%s sits on it", p.ID), Grade: High,
				Source: "named by the capability point", Weak: isCalls(block)})
		}
		v.create(p)
	}
	return nil
}

// create adds what a point introduces: beside what it sits on, in the package
// that the new name says.
func (v *derivation) create(p point) {
	for _, name := range p.Creates {
		target := index.Span{}
		for _, sym := range p.symbols {
			if target.File == "" || packageOf(name) == sym.Package {
				src, _ := v.snap.File(sym.Span.File)
				target = index.Span{File: sym.Span.File, Hash: src.Hash, Start: sym.Span.End, End: sym.Span.End, Line: v.endLine(sym), Col: 1}
			}
		}
		if target.File == "" {
			target = v.packagePlace(packageOf(name))
		}
		v.act(Action{Kind: Create, Capability: p.ID, Target: target, Block: v.blockOf(p, index.Symbol{Package: packageOf(name)}), Why: fmt.Sprintf("%s introduces %s", p.ID, name), Grade: High, Source: "named by the capability point"})
	}
}

// onlyUsed says why a symbol that a capability point names stays as it is: a
// constant is a value to use, and what another symbol of the same point calls is
// relied on where nothing declares a change of it. "" if it has to change.
func (v *derivation) onlyUsed(p point, sym index.Symbol) string {
	if len(p.symbols) == 1 {
		return ""
	}
	if sym.Kind == index.KindConstant || sym.Kind == index.KindEnumMember {
		return fmt.Sprintf("%s uses this value; no change of it is declared", p.ID)
	}
	for _, other := range p.symbols {
		if other.ID == sym.ID {
			continue
		}
		for _, call := range v.snap.Callees(other.ID, 0).Sure {
			if call.To == sym.ID {
				return fmt.Sprintf("%s calls it and carries the change of %s; no change of it is declared", other.Canonical, p.ID)
			}
		}
	}
	return ""
}

func (v *derivation) act(a Action) { v.actions.add(a) }

// not lists something deliberately left alone, once.
func (v *derivation) not(sym index.Symbol, why string) {
	v.leave(NotDone{Symbol: sym.ID, Place: spanOf(v.snap, sym), Why: why})
}

func (v *derivation) leave(n NotDone) {
	for _, have := range v.plan.NotDone {
		if have == n {
			return
		}
	}
	v.plan.NotDone = append(v.plan.NotDone, n)
}

// spanOf is a symbol's span with its file's hash.
func spanOf(snap *index.Snapshot, sym index.Symbol) index.Span {
	s := sym.Span
	if f, ok := snap.File(s.File); ok {
		s.Hash = f.Hash
	}
	return s
}

var _ Planner = (*Derived)(nil)

// seedsOf returns the symbols at which the Context was seeded with at least
// medium confidence.
func seedsOf(c *budget.Context) []string {
	if c == nil {
		return nil
	}
	var out []string
	for _, s := range c.Seeds {
		if s.Confidence != "low" {
			out = append(out, s.Symbol)
		}
	}
	return out
}
