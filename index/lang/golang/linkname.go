package golang

import (
	"go/token"

	"github.com/plumbkit/plumb/index"
)

// Ways to find definitions of a package that need no type: for receivers of
// which too little is known.

// membersNamed returns every field and method of that name in the package.
func (p *pkg) membersNamed(l *linker, name string) []index.Target {
	return p.byName(l)[name]
}

// byName returns the package's fields and methods by name.
func (p *pkg) byName(l *linker) map[string][]index.Target {
	p.load(l)
	p.namesOnce.Do(func() {
		p.names = map[string][]index.Target{}
		for _, i := range p.files {
			facts := l.files[i].facts
			for d := range facts.Defs {
				switch def := &facts.Defs[d]; def.Kind {
				case index.KindField, index.KindMethod:
					name := facts.Names[def.Name]
					p.names[name] = append(p.names[name], index.Target{File: i, Def: int32(d)})
				}
			}
		}
	})
	return p.names
}

// offers returns the fields and methods of that name that a file of another
// package can come by: those of exported types, of its own folder's tests too.
func (p *pkg) offers(l *linker, from int32, name string) []index.Target {
	return pickWhere(p.membersNamed(l, name), func(t index.Target) bool {
		return l.sees(from, t) && token.IsExported(ownerName(l.files[t.File].facts, t.Def))
	})
}

// ownerName returns the name of the package-level type that a member belongs to.
func ownerName(facts *index.Facts, def int32) string {
	d := &facts.Defs[def]
	if d.Owner >= 0 {
		return facts.Names[d.Owner]
	}
	for d.Parent >= 0 && facts.Defs[d.Parent].Kind != index.KindPackage {
		d = &facts.Defs[d.Parent]
	}
	return facts.Names[d.Name]
}

// kin returns the package of the repository that an outside import path lies
// below, nil if there is none: both are likely of one project, and code of the
// outside one may hand out this repository's types.
func (l *linker) kin(outside string) *pkg {
	for at := folderOf(outside); at != ""; at = folderOf(at) {
		if p := l.byPath[at]; p != nil {
			return p
		}
	}
	return nil
}
