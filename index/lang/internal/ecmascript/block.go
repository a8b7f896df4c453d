package ecmascript

import "github.com/plumbkit/plumb/index"

// blockSite resolves a plain name inside of a block of a namespace or enum that is
// merged of several: what another block exports is in scope there.
func (e *eval) blockSite(s *index.Site, name string) (index.Resolution, bool) {
	for d := s.In; d > 0 && int(d) < len(e.facts.Defs); d = e.facts.Defs[d].Parent {
		k := e.facts.Defs[d].Kind
		if k != index.KindPackage && k != index.KindEnum {
			continue
		}
		of := e.l.entityOf(index.Target{File: e.own, Def: d})
		if of == nil || len(of.defs) < 2 {
			continue
		}
		if kid := e.l.kid(of, name); kid != nil && e.visible(kid) {
			return e.entitySite(kid, s.Kind, ruleScope), true
		}
	}
	return index.Resolution{}, false
}

// visible reports whether a name of a namespace is exported from its block.
func (e *eval) visible(ent *entity) bool {
	for _, t := range ent.defs {
		if e.l.def(t).Visibility == index.Public {
			return true
		}
	}
	return false
}
