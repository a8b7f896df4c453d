package index

import (
	"path"
	"slices"
)

// A Package is the unit that is imported, built and tested as one.
type Package struct {
	Path     string   `json:"path"` // import path or module name
	Name     string   `json:"name"` // as declared
	Dir      string   `json:"dir"`  // "." for the root
	Language string   `json:"language"`
	Files    []string `json:"files"` // in order of path, tests included
	// Program says that nothing can import the package (Language.Program).
	Program bool `json:"program,omitempty"`
	// Build and Test are commands as argument lists, nil where the language
	// does not tell them.
	Build []string `json:"build,omitempty"`
	Test  []string `json:"test,omitempty"`
}

// Packages returns all packages, in order of path, then language.
func (s *Snapshot) Packages() []Package { return slices.Clone(s.lazy.packages()) }

func (s *Snapshot) computePackages() []Package {
	type key struct{ path, family string }
	at := make(map[key]int)
	var out []Package
	for _, slot := range s.order {
		f := s.slots[slot]
		if f.pkg == "" {
			continue
		}
		k := key{f.pkg, f.family}
		i, ok := at[k]
		if !ok {
			i = len(out)
			at[k] = i
			out = append(out, Package{Path: f.pkg, Language: f.lang, Name: f.module, Dir: path.Dir(f.path)})
		}
		if out[i].Name == "" || f.origin != Test && f.module != "" {
			out[i].Name = f.module
		}
		out[i].Files = append(out[i].Files, f.path)
	}
	for i := range out {
		l := s.engine.language(out[i].Language)
		if l == nil {
			continue
		}
		out[i].Program = l.Program != nil && l.Program(out[i])
		if t := s.engine.tiers; l.Commands != nil && (t == TierAll || t == TierBuild) {
			out[i].Build, out[i].Test = l.Commands(out[i], s.linked[familyKey(l)].manifests)
		}
	}
	slices.SortStableFunc(out, func(a, b Package) int { return comparePaths(a.Path, b.Path) })
	return out
}
