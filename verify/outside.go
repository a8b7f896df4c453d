package verify

import (
	"github.com/plumbkit/plumb/index"
)

// outsideDepth is over how many references a changed symbol is followed to
// methods that only outside code calls.
const outsideDepth = 4

// outside follows methods that nobody in the repository certainly calls: an
// error's text, a writer's Write, a value's String are called by outside code,
// through an interface of its own. Whoever uses the type can cause such a call.
func (s *selection) outside(snapshot *index.Snapshot, sym index.Symbol) {
	methods := []index.Symbol{sym}
	im := snapshot.Impact(sym.ID, outsideDepth)
	for _, effects := range [][]index.Effect{im.Same, im.Cross} {
		for _, e := range effects {
			methods = append(methods, e.Symbol)
		}
	}
	seen := map[string]bool{}
	for _, m := range methods {
		if m.Kind != index.KindMethod || m.Parent == "" || m.Origin == index.Test || seen[m.Parent] || len(snapshot.References(m.ID, 1).Sure) > 0 {
			continue
		}
		seen[m.Parent] = true
		for _, l := range snapshot.TestsFor(m.Parent).Sure {
			s.link(l, byMaybe, "it uses the type of "+m.Canonical+", which outside code can call through an interface", sym)
		}
	}
}
