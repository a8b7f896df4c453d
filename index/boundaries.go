package index

import (
	"errors"
	"maps"
	"slices"
	"strings"

	"github.com/bmatcuk/doublestar/v4"

	"github.com/plumbkit/plumb/host/fault"
	"github.com/plumbkit/plumb/internal/strictyaml"
)

// Boundaries is a policy on which package may use which (IDX-18). The zero
// value allows everything.
type Boundaries struct {
	Schema int `json:"schema" yaml:"schema"` // 1
	// Domains name sets of packages. A package belongs to the first domain
	// that takes it, or to none.
	Domains []Domain `json:"domains,omitempty" yaml:"domains,omitempty"`
	// Allow, if not empty, lists all directions between domains that are
	// allowed. Within a domain everything is.
	Allow []Direction `json:"allow,omitempty" yaml:"allow,omitempty"`
	// Deny lists directions that are not allowed.
	Deny []Direction `json:"deny,omitempty" yaml:"deny,omitempty"`
	// NoCycles forbids cycles of imports among packages; among domains, where there are any.
	NoCycles bool `json:"no_cycles,omitempty" yaml:"no_cycles,omitempty"`
}

// A Domain is a named set of packages.
type Domain struct {
	Name string `json:"name" yaml:"name"`
	// Packages are globs ("**" for any number of folders) over folders
	// relative to the repository and over package paths.
	Packages []string `json:"packages" yaml:"packages"`
	// Internal forbids that any other domain uses it, but those that Allow lists.
	Internal bool `json:"internal,omitempty" yaml:"internal,omitempty"`
}

// A Direction says that From uses To; both are names of domains, or "*" for any.
type Direction struct {
	From string `json:"from" yaml:"from"`
	To   string `json:"to" yaml:"to"`
}

// A Violation is one import that a policy forbids.
type Violation struct {
	// Rule is the rule as the policy states it, such as "deny ui -> store".
	Rule string `json:"rule"`
	// From is the import; To the file of the imported package that is used,
	// its first one where no single one is.
	From Span   `json:"from"`
	To   string `json:"to"`
	// FromPackage and ToPackage are the packages' paths.
	FromPackage string `json:"from_package"`
	ToPackage   string `json:"to_package"`
	// Cycle lists the packages or domains of a forbidden cycle, first again last.
	Cycle []string `json:"cycle,omitempty"`
}

// ReadBoundaries reads a policy in YAML. Faults: invalid_input for an unknown
// key, a direction that names no domain, or a glob that does not parse.
func ReadBoundaries(data []byte) (Boundaries, error) {
	var b Boundaries
	if err := strictyaml.Decode(data, &b); err != nil {
		f := badPolicy(err.Error(), "")
		var e *strictyaml.Error
		if errors.As(err, &e) {
			f.Subject = fault.Subject{Line: e.Line, Text: e.Key}
		}
		return b, f
	}
	if b.Schema > 1 {
		return b, badPolicy("its schema is newer than the one this version reads, which is 1", "")
	}
	known := map[string]bool{"*": true}
	for _, d := range b.Domains {
		if d.Name == "" || known[d.Name] {
			return b, badPolicy("a domain has no name of its own", d.Name)
		}
		known[d.Name] = true
		for _, g := range d.Packages {
			if !doublestar.ValidatePattern(g) {
				return b, badPolicy("this is no glob", g)
			}
		}
	}
	for _, d := range slices.Concat(b.Allow, b.Deny) {
		for _, name := range []string{d.From, d.To} {
			if !known[name] {
				return b, badPolicy("a direction names no domain", name)
			}
		}
	}
	return b, nil
}

func badPolicy(detail, text string) *fault.Fault {
	return &fault.Fault{Class: fault.InvalidInput, Op: "index.boundaries", Subject: fault.Subject{Text: text},
		Detail: "the policy cannot be used: " + detail, Next: "correct the policy file"}
}

// Violations returns every import that the policy forbids, in order of path
// and position, cycles last. Only imports that are certain are judged.
func (s *Snapshot) Violations(b Boundaries) []Violation {
	p := policy{Boundaries: b, s: s, domains: make(map[*file]string), graph: make(map[string]map[string]use)}
	var out []Violation
	for _, u := range s.uses() {
		from, to := p.domain(u.site.file), p.domain(u.to)
		if rule := p.forbids(from, to); rule != "" {
			out = append(out, u.violation(s, rule))
		}
		if len(b.Domains) > 0 {
			p.edge(from, to, u)
		} else {
			p.edge(u.site.file.pkg, u.to.pkg, u)
		}
	}
	if b.NoCycles {
		out = append(out, p.cycles()...)
	}
	return out
}

// A use is one certain import of a package of the repository.
type use struct {
	site siteRef
	to   *file
}

// uses returns the imports in order of path and position.
func (s *Snapshot) uses() []use {
	first := make(map[string]*file)
	for _, slot := range s.order {
		f := s.slots[slot]
		if old := first[f.pkg]; f.pkg != "" && (old == nil || old.origin == Test && f.origin != Test) {
			first[f.pkg] = f
		}
	}
	var out []use
	for pkg, sites := range s.lazy.imports() {
		for _, im := range sites {
			if to := first[pkg]; to != nil && im.sure && im.site.file.pkg != pkg {
				out = append(out, use{im.site, s.usedFile(im.site.file, to)})
			}
		}
	}
	slices.SortFunc(out, func(a, b use) int {
		if a.site.file != b.site.file {
			return strings.Compare(a.site.file.path, b.site.file.path)
		}
		return a.site.site - b.site.site
	})
	return out
}

// usedFile returns the first file of to's package that from certainly refers
// to, or to itself.
func (s *Snapshot) usedFile(from, to *file) *file {
	for i := range from.res.len() {
		if from.res.status(i) != Static {
			continue
		}
		for _, n := range from.res.targets(i) {
			if t, ok := s.symbol(n); ok && t.file.pkg == to.pkg && t.file.kind(t.def) != KindPackage {
				return t.file
			}
		}
	}
	return to
}

func (u use) violation(s *Snapshot, rule string) Violation {
	return Violation{Rule: rule, From: s.siteSpan(u.site), To: u.to.path, FromPackage: u.site.file.pkg, ToPackage: u.to.pkg}
}

// policy is the state of one judgement.
type policy struct {
	Boundaries
	s       *Snapshot
	domains map[*file]string
	graph   map[string]map[string]use
}

func (p *policy) domain(f *file) string {
	name, ok := p.domains[f]
	if !ok {
		name = p.find(f)
		p.domains[f] = name
	}
	return name
}

func (p *policy) find(f *file) string {
	dir := "."
	if i := strings.LastIndexByte(f.path, '/'); i >= 0 {
		dir = f.path[:i]
	}
	for _, d := range p.Domains {
		for _, g := range d.Packages {
			if ok, _ := doublestar.Match(g, dir); ok {
				return d.Name
			}
			if ok, _ := doublestar.Match(g, f.pkg); ok {
				return d.Name
			}
		}
	}
	return ""
}

// forbids returns the rule that forbids the direction, "" for none.
func (p *policy) forbids(from, to string) string {
	if from == to {
		return ""
	}
	for _, d := range p.Deny {
		if d.takes(from, to) {
			return "deny " + d.From + " -> " + d.To
		}
	}
	if slices.ContainsFunc(p.Allow, func(d Direction) bool { return d.takes(from, to) }) {
		return ""
	}
	for _, d := range p.Domains {
		if d.Internal && d.Name == to {
			return "internal " + to
		}
	}
	if len(p.Allow) > 0 && from != "" && to != "" {
		return "allow lists no " + from + " -> " + to
	}
	return ""
}

func (d Direction) takes(from, to string) bool {
	return (d.From == "*" || d.From == from && from != "") && (d.To == "*" || d.To == to && to != "")
}

func (p *policy) edge(from, to string, u use) {
	if from == to || from == "" || to == "" || u.site.file.origin == Test {
		return
	}
	if p.graph[from] == nil {
		p.graph[from] = make(map[string]use)
	}
	if _, ok := p.graph[from][to]; !ok {
		p.graph[from][to] = u
	}
}

// cycles returns one violation for each import that closes a cycle which a
// depth-first walk in order of name meets.
func (p *policy) cycles() []Violation {
	var out []Violation
	state := make(map[string]int) // 1 on the way, 2 done
	var way []string
	var visit func(string)
	visit = func(n string) {
		state[n] = 1
		way = append(way, n)
		for _, to := range slices.Sorted(maps.Keys(p.graph[n])) {
			switch state[to] {
			case 0:
				visit(to)
			case 1:
				v := p.graph[n][to].violation(p.s, "no_cycles")
				v.Cycle = append(slices.Clone(way[slices.Index(way, to):]), to)
				out = append(out, v)
			}
		}
		way = way[:len(way)-1]
		state[n] = 2
	}
	for _, n := range slices.Sorted(maps.Keys(p.graph)) {
		if state[n] == 0 {
			visit(n)
		}
	}
	return out
}
