package index

import (
	"runtime"
	"strconv"
	"strings"
)

// canonical returns package + scope chain + name.
func (s *Snapshot) canonical(r symRef) string {
	var b strings.Builder
	b.WriteString(r.file.pkg)
	s.scope(&b, r)
	return b.String()
}

// scope writes ".Parent.Name", outermost first.
func (s *Snapshot) scope(b *strings.Builder, r symRef) {
	if r.file.kind(r.def) == KindPackage && r.file.parentDef(r.def) < 0 {
		return // a package's canonical name is its path
	}
	if parent := r.file.parentDef(r.def); parent >= 0 {
		s.scope(b, symRef{r.file, parent})
	} else if owner := r.file.owner(r.def); owner >= 0 {
		b.WriteByte('.')
		b.WriteString(s.names.string(r.file.linked.names[owner]))
	}
	if b.Len() > 0 {
		b.WriteByte('.')
	}
	b.WriteString(s.name(r))
}

func (s *Snapshot) name(r symRef) string {
	return s.names.string(r.file.linked.names[r.file.pack().column(partDefName).at(r.def)])
}

func (f *file) kind(def int) Kind { return Kind(f.pack().column(partDefKind).at(def)) }

func (f *file) parentDef(def int) int { return int(f.pack().column(partDefParent).signed(def)) }

func (f *file) owner(def int) int { return int(f.pack().column(partDefOwner).signed(def)) }

// id returns the symbol's ID.
func (s *Snapshot) id(r symRef) string {
	id := s.canonical(r) + "@" + r.file.path
	if twin := r.file.pack().column(partDefTwin).at(r.def); twin > 0 {
		id += "#" + strconv.Itoa(int(twin)+1)
	}
	return id
}

// parent returns the enclosing symbol; that of a method is its receiver's type.
func (s *Snapshot) parent(r symRef) (symRef, bool) {
	if p := r.file.parentDef(r.def); p >= 0 {
		return symRef{r.file, p}, true
	}
	owner := r.file.owner(r.def)
	if owner < 0 {
		return symRef{}, false
	}
	// Build variants of the type may stand in several files: the method's own
	// file first, then the first in order of path.
	var found symRef
	for t := range s.named(s.names.string(r.file.linked.names[owner])) {
		if t.file.pkg == r.file.pkg && t.file.family == r.file.family && t.file.parentDef(t.def) < 0 && isType(t.file.kind(t.def)) {
			if t.file == r.file {
				return t, true
			}
			if found.file == nil {
				found = t
			}
		}
	}
	return found, found.file != nil
}

func isType(k Kind) bool {
	switch k {
	case KindClass, KindInterface, KindType, KindEnum:
		return true
	}
	return false
}

func (s *Snapshot) render(r symRef) Symbol {
	f := r.file
	view := openDefs(f.pack())
	var d Def
	view.read(r.def, &d)
	sym := Symbol{ID: s.id(r), Canonical: s.canonical(r), Name: s.name(r), Kind: d.Kind, Package: f.pkg,
		Span: f.span(d.Range.Start, d.Range.End), Ident: f.span(d.Ident.Start, d.Ident.End),
		Body: int(d.Body), Visibility: d.Visibility, Origin: f.origin, Doc: f.pack().text(2*r.def + 1),
		Fingerprint: strconv.FormatUint(d.Fingerprint, 16)}
	if p, ok := s.parent(r); ok {
		sym.Parent = s.id(p)
	}
	sym.Signature = f.signature(&d, r.def)
	runtime.KeepAlive(f.packed)
	return sym
}

// signature assembles what callers rely on. Parameters are in a stream: those
// of one definition are found by walking to them.
func (f *file) signature(d *Def, def int) Signature {
	sig := Signature{Text: f.pack().text(2 * def)}
	params := f.params(d.P0, d.P3)
	n1, n2 := d.P1-d.P0, d.P2-d.P0
	if int(d.P3-d.P0) == len(params) && len(params) > 0 {
		sig.Params, sig.Results, sig.TypeParams = nilEmpty(params[:n1]), nilEmpty(params[n1:n2]), nilEmpty(params[n2:])
	}
	if d.Owner >= 0 {
		sig.Receiver = string(f.pack().blob(partNameEnds, int(d.Owner)))
		if d.Flags&DefPointer != 0 {
			sig.Receiver = "*" + sig.Receiver
		}
	}
	return sig
}

func nilEmpty(p []Param) []Param {
	if len(p) == 0 {
		return nil
	}
	return p[:len(p):len(p)]
}

// params reads Facts.Params[from:to].
func (f *file) params(from, to uint32) []Param {
	if from == to {
		return nil
	}
	s := stream{b: f.pack().part(partParams)}
	str := func(n uint64) string { return string(f.pack().blob(partStringEnds, int(n))) }
	out := make([]Param, 0, to-from)
	for i := uint32(0); i < to && !s.bad; i++ {
		flags, name, typ := s.byte(), s.uint(), s.uint()
		var def uint64
		if flags&8 != 0 {
			def = s.uint()
		}
		if i < from {
			continue
		}
		p := Param{Name: str(name), Type: str(typ), Variadic: flags&1 != 0, Keyword: flags&2 != 0, Optional: flags&4 != 0}
		if flags&8 != 0 {
			p.Default = str(def)
		}
		out = append(out, p)
	}
	return out
}

func (s *Snapshot) renderRef(r siteRef) Ref {
	f, i := r.file, r.site
	view := openSites(f.pack())
	site := view.read(i)
	name := s.names.string(f.linked.names[site.Name])
	ref := Ref{Span: f.span(site.Start, site.Start+uint32(len(name))), Name: name, Kind: site.Kind,
		Status: f.res.status(i), Rule: f.res.ruleOf(i), Reason: f.res.reason(i), Module: f.res.module(i)}
	if site.In >= 0 {
		ref.In = s.id(symRef{f, int(site.In)})
	}
	if site.Call >= 0 {
		ref.Args = f.args(int(site.Call))
	}
	for t := range s.targets(r) {
		ref.Targets = append(ref.Targets, s.id(t))
	}
	if f.res.byName(i) && len(ref.Targets) == 0 {
		ref.Status = Unresolved
	}
	ref.Implementations, ref.ImplementationsTotal = s.behind(r)
	runtime.KeepAlive(f.packed)
	return ref
}

func (f *file) args(i int) *Args {
	start := int(f.pack().column(partCallStart).at(i))
	flags := f.pack().column(partCallFlags).at(i)
	a := &Args{Count: int(f.pack().column(partCallCount).at(i)), Spread: flags&1 != 0, Start: start,
		End: start + int(f.pack().column(partCallLength).at(i))}
	if flags&2 == 0 {
		return a
	}
	for s := (stream{b: f.pack().part(partCallNames)}); len(s.b) > 0; {
		at, n := int(s.uint()), s.uint()
		for range n {
			name := s.uint()
			if at == i {
				a.Names = append(a.Names, string(f.pack().blob(partStringEnds, int(name))))
			}
		}
		if at >= i {
			break
		}
	}
	return a
}
