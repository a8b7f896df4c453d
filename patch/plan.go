package patch

import (
	"github.com/plumbkit/plumb/changeset"
	"github.com/plumbkit/plumb/index"
)

// A planView answers what the plan says of files and symbols. Without a plan it
// knows nothing and everything is allowed.
type planView struct {
	plan   *changeset.Plan
	before *index.Snapshot
	byID   map[string]*changeset.Action
	byFile map[string][]*changeset.Action
	bySym  map[string][]*changeset.Action
}

func newPlanView(p *changeset.Plan, before *index.Snapshot) *planView {
	v := &planView{plan: p, before: before, byID: map[string]*changeset.Action{},
		byFile: map[string][]*changeset.Action{}, bySym: map[string][]*changeset.Action{}}
	if p == nil {
		return v
	}
	for i := range p.Actions {
		a := &p.Actions[i]
		v.byID[a.ID] = a
		v.byFile[a.Target.File] = append(v.byFile[a.Target.File], a)
		if a.Symbol != "" {
			v.bySym[a.Symbol] = append(v.bySym[a.Symbol], a)
		}
		for _, o := range a.Outputs {
			v.byFile[o] = append(v.byFile[o], a)
		}
	}
	return v
}

// blockOf is the block of an edit before it is placed: that of its action, the
// one it declares, or the only one that the plan has for its file.
func (v *planView) blockOf(e *Edit) string {
	if a := v.byID[e.Action]; a != nil && e.Action != "" {
		return v.join(a, e.Block)
	}
	if e.Block != "" {
		return e.Block
	}
	block := ""
	for i, a := range v.byFile[e.File] {
		if i > 0 && a.Block != block {
			return ""
		}
		block = a.Block
	}
	return block
}

// join prefers the plan's block to the edit's own: what a contract couples
// cannot be declared apart, unless the action is weak (PAT-9).
func (v *planView) join(a *changeset.Action, declared string) string {
	if declared != "" && (a.Weak || a.Block == "") {
		return declared
	}
	return a.Block
}

// blockAt is the block of a hunk placed at a line: that of the action for the
// symbol there.
func (v *planView) blockAt(e *Edit, path string, t *text, line int, otherwise string) string {
	if v.plan == nil || e.Action != "" || line >= len(t.lines) {
		return otherwise
	}
	sym, ok := v.before.At(path, t.starts[line])
	for ok {
		if list := v.bySym[sym.ID]; len(list) > 0 {
			return v.join(list[0], e.Block)
		}
		if sym.Parent == "" {
			break
		}
		sym, ok = v.before.Symbol(sym.Parent)
	}
	return otherwise
}
