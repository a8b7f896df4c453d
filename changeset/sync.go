package changeset

import (
	"fmt"
	"slices"
	"strings"

	"github.com/plumbkit/plumb/index"
)

// sync puts on the list what a new contract breaks (second rule of CHG-2), and
// leaves what stays compatible off it, with the reason.
func (v *derivation) sync() error {
	for _, c := range v.contracts {
		if !c.declared {
			v.followed(c)
		}
	}
	open := newOpenUses()
	for _, c := range v.contracts {
		refs := v.snap.References(c.sym.ID, 0)
		for _, r := range refs.Sure {
			v.certain(c, r)
		}
		for _, r := range refs.Confirm {
			v.possible(c, r, open)
		}
	}
	for _, u := range open.all {
		v.confirm(u)
	}
	return nil
}

// followed puts a contract on the list that follows from another.
func (v *derivation) followed(c contract) {
	kind, grade := Sync, High
	if c.sym.Origin == index.Test {
		kind = FixTest
	}
	source := "relation between types: certain"
	if !c.sure {
		grade, source = Low, "relation between types: by names and number of parameters alone"
	}
	if d, ok := v.snap.Derived(c.sym.Span.File); ok {
		v.not(c.sym, "it is generated from "+d.Source+" and follows when the generator runs")
		return
	}
	v.act(Action{Kind: kind, Capability: v.pointOf(c.sym.ID), Symbol: c.sym.ID, Target: spanOf(v.snap, c.sym), Block: c.block,
		Why: c.because + "; " + c.becomes(), Grade: grade, Source: source})
}

// certain decides about a reference whose target is the changed contract.
func (v *derivation) certain(c contract, r index.Ref) {
	if r.Kind == index.RefImport {
		return
	}
	ok, known, reason := v.fits(c, r)
	if taker := v.takesAnything(c, r); taker != "" && !ok {
		v.stays(r, fmt.Sprintf("it is handed to %s, which takes anything; whoever takes it out again uses it dynamically", taker))
		return
	}
	switch {
	case known && ok:
		v.stays(r, fmt.Sprintf("its use of %s stays compatible: %s", c.sym.Canonical, orElse(reason, "it fits the new signature")))
	case known:
		why := fmt.Sprintf("%s:%d uses %s: %s", r.Span.File, r.Span.Line, c.sym.Canonical, reason)
		v.broken(c, r, why, High, "resolution: "+r.Rule)
	default:
		why := fmt.Sprintf("%s:%d uses %s in a way that cannot be judged from its form: %s", r.Span.File, r.Span.Line, c.sym.Canonical, orElse(reason, "it is no call"))
		v.broken(c, r, why, Medium, "resolution: "+r.Rule)
	}
}

// An openUse is one place that may mean one or more changed contracts.
type openUse struct {
	ref       index.Ref
	contracts []contract
	breaks    bool // if it means one of them, it does not fit any more
}

type openUses struct {
	all []*openUse
	at  map[index.Span]*openUse
}

func newOpenUses() *openUses { return &openUses{at: make(map[index.Span]*openUse)} }

// possible decides about a reference that may mean the changed contract.
func (v *derivation) possible(c contract, r index.Ref, open *openUses) {
	ok, known, _ := v.fits(c, r)
	switch {
	case r.Kind == index.RefImport:
	case known && ok && r.Kind != index.RefString:
		v.stays(r, fmt.Sprintf("it may mean %s (%s: %s) and fits the new signature", c.sym.Canonical, r.Status, r.Reason))
	case r.Status == index.Unresolved:
		v.stays(r, fmt.Sprintf("it bears the name of %s, but its target is not known: %s; confirm", c.sym.Name, r.Reason))
	default:
		u := open.at[r.Span]
		if u == nil {
			u = &openUse{ref: r}
			open.at[r.Span] = u
			open.all = append(open.all, u)
		}
		u.contracts = append(u.contracts, c)
		u.breaks = u.breaks || known && !ok
	}
}

// confirm puts a place on the list, at low grade, that a person or model has to
// look at. In tests a place that may well fit is only named: tests that fail say
// so themselves.
func (v *derivation) confirm(u *openUse) {
	names := make([]string, len(u.contracts))
	for i, c := range u.contracts {
		names[i] = c.sym.Canonical
	}
	why := fmt.Sprintf("may mean %s (%s: %s); confirm", strings.Join(names, " or "), u.ref.Status, u.ref.Reason)
	if f, _ := v.snap.File(u.ref.Span.File); f.Origin == index.Test && !u.breaks {
		v.stays(u.ref, why)
		return
	}
	v.broken(u.contracts[0], u.ref, why, Low, "resolution: "+orElse(u.ref.Rule, u.ref.Status.String()))
	if u.ref.Kind == index.RefString {
		v.dispatchers(u)
	}
}

// fits asks the language whether a use still fits.
func (v *derivation) fits(c contract, r index.Ref) (ok, known bool, reason string) {
	switch {
	case c.remove:
		return false, true, "it is removed"
	case c.rename != "":
		return false, true, "it is renamed to " + c.rename
	case r.Kind == index.RefString:
		return false, false, "it is reached by name at run time"
	}
	lang := v.snap.Language(r.Span.File)
	if lang == nil || lang.Compatible == nil {
		return false, false, "the language does not judge signatures"
	}
	return lang.Compatible(c.sym, c.now, r)
}

// broken puts the place of a reference on the list.
func (v *derivation) broken(c contract, r index.Ref, why string, grade Grade, source string) {
	if d, ok := v.snap.Derived(r.Span.File); ok {
		v.leave(NotDone{Symbol: r.In, Place: r.Span, Why: "it is generated from " + d.Source + " and follows when the generator runs"})
		return
	}
	a := Action{Kind: Sync, Capability: v.pointOf(c.sym.ID), Symbol: r.In, Target: r.Span, Block: callsPrefix + c.block, Why: why, Grade: grade, Source: source, Weak: true}
	if r.In == "" && r.Args != nil {
		a.Target.End = r.Args.End // outside of every definition the whole call may be adapted
	}
	if f, ok := v.snap.File(r.Span.File); ok {
		a.Target.Hash = f.Hash
		if f.Origin == index.Test {
			a.Kind, a.Weak = FixTest, false
		}
	}
	if own := v.contractOf(r.In); own != nil && own.block == c.block {
		a.Block = c.block // within the family
	}
	v.act(a)
}

func (v *derivation) stays(r index.Ref, why string) {
	v.leave(NotDone{Symbol: r.In, Place: r.Span, Why: why})
}

func orElse(s, other string) string {
	if s == "" {
		return other
	}
	return s
}

// actionList collects actions; what concerns the same symbol for the same kind
// of reason is one action.
type actionList struct {
	all []Action
}

func newActionList() *actionList { return &actionList{} }

var kindOrder = []ActionKind{Define, Create, Sync, Mirror, Document, FixTest, AddTest, Generate}

// add joins an action to one about the same symbol, or place: the stronger kind
// and grade win, and the reasons add up.
func (l *actionList) add(a Action) {
	for i := range l.all {
		have := &l.all[i]
		sameSymbol := a.Symbol != "" && have.Symbol == a.Symbol
		samePlace := a.Symbol == "" && have.Symbol == "" && have.Target == a.Target && have.Kind == a.Kind && have.Capability == a.Capability
		if !sameSymbol && !samePlace || have.Kind == Generate || a.Kind == Generate {
			continue
		}
		l.join(have, a)
		return
	}
	l.all = append(l.all, a)
}

func (l *actionList) join(have *Action, a Action) {
	if !slices.Contains(splitWhy(have.Why), a.Why) {
		have.Why += whySep + a.Why
	}
	if rank(a.Kind) < rank(have.Kind) {
		have.Kind, have.Capability, have.Source = a.Kind, a.Capability, a.Source
	}
	if gradeRank(a.Grade) < gradeRank(have.Grade) {
		have.Grade, have.Source = a.Grade, a.Source
	}
	if have.Target.End-have.Target.Start < a.Target.End-a.Target.Start {
		have.Target = a.Target
	}
	have.Weak = have.Weak || a.Weak
}

// whySep stands between several reasons of one action.
const whySep = "; also "

func splitWhy(why string) []string { return strings.Split(why, whySep) }

func rank(k ActionKind) int { return slices.Index(kindOrder, k) }

func gradeRank(g Grade) int { return slices.Index([]Grade{High, Medium, Low}, g) }
