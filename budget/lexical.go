package budget

import (
	"maps"
	"math"
	"path"
	"slices"
	"sort"
	"strings"

	"github.com/plumbkit/plumb/index"
)

// Weights of a word of the text by where a symbol bears it.
const (
	inName    = 3.0
	inParent  = 1.5 // name of the enclosing type or of the package
	inDoc     = 1.0
	leastBest = 0.6 // share of the best score that a seed from meaning needs
)

// lexical seeds, at low confidence, the functions and types whose names, homes
// and doc comments bear most of the text's words: rare words and words that the
// text repeats count more. At least two different words have to meet.
func (s *seeder) lexical(text string) {
	words, often := make(map[string]string), make(map[string]int) // by stem
	for _, w := range wordForm.FindAllString(text, -1) {
		if isStop(w) {
			continue
		}
		for _, p := range nameParts(w) {
			k := stem(p)
			words[k] = p
			often[k]++
		}
	}
	found := s.recall(words)
	weigh(found, often)
	sort.SliceStable(found, func(i, j int) bool { return found[i].score > found[j].score })
	for i, f := range found {
		if i >= lexicalSeeds || f.score < leastBest*found[0].score {
			break
		}
		var bear []string
		for _, k := range slices.Sorted(maps.Keys(f.bears)) {
			bear = append(bear, words[k])
		}
		s.seed(f.sym, strings.Join(bear, " "), "its name, home and description bear "+strings.Join(bear, ", "), "low")
	}
}

// weigh scores what was recalled: the fewer of them bear a word, the more it counts.
func weigh(found []recalled, often map[string]int) {
	bearers := make(map[string]int)
	for _, f := range found {
		for k := range f.bears {
			bearers[k]++
		}
	}
	for i := range found {
		for _, k := range slices.Sorted(maps.Keys(found[i].bears)) {
			idf := math.Log(1 + float64(len(found))/float64(bearers[k]))
			found[i].score += found[i].bears[k] * idf * (1 + math.Log(float64(often[k])))
		}
	}
}

// recalled is a symbol with the words, by stem, that it bears, and how much
// each counts by where it stands.
type recalled struct {
	sym   index.Symbol
	bears map[string]float64
	score float64
}

// mostNames bounds the names that one word may recall; a word in more names
// finds nothing by itself.
const mostNames = 500

// recall returns the handwritten functions and types that bear one of the words
// in their name, or stand in a package that one names, and bear two in all.
func (s *seeder) recall(words map[string]string) []recalled {
	names := make(map[string][]string) // word's stem -> names that bear it
	begin := beginnings(words)
	for name := range s.snap.Names() {
		if !begin.any(name) {
			continue
		}
		for _, p := range nameParts(name) {
			if k := stem(p); words[k] != "" && (len(names[k]) == 0 || names[k][len(names[k])-1] != name) {
				names[k] = append(names[k], name)
			}
		}
	}
	var out []recalled
	seen := make(map[string]bool)
	consider := func(sym index.Symbol) {
		if !seen[sym.ID] && lexicalKind(sym) {
			seen[sym.ID] = true
			if r := s.bears(sym, words); len(r.bears) >= 2 {
				out = append(out, r)
			}
		}
	}
	for _, k := range slices.Sorted(maps.Keys(names)) {
		if len(names[k]) > mostNames {
			continue
		}
		for _, name := range names[k] {
			for _, sym := range s.snap.Named(name) {
				consider(sym)
			}
		}
	}
	for _, p := range s.snap.Packages() {
		if _, ok := s.packages[p.Path]; ok {
			for _, file := range p.Files {
				for _, sym := range s.sources.outline(file) {
					consider(sym)
				}
			}
		}
	}
	sort.Slice(out, func(i, j int) bool { return out[i].sym.ID < out[j].sym.ID })
	return out
}

// A prefixes set holds the first three letters of words, so that most names are
// passed over without being taken apart.
type prefixes map[[3]byte]bool

func beginnings(words map[string]string) prefixes {
	p := make(prefixes)
	for k := range words {
		if len(k) >= 3 {
			p[[3]byte([]byte(k[:3]))] = true
		}
	}
	return p
}

// any reports whether one of the prefixes stands anywhere in the name, in any case.
func (p prefixes) any(name string) bool {
	for i := 0; i+3 <= len(name); i++ {
		if p[[3]byte{name[i] | 0x20, name[i+1] | 0x20, name[i+2] | 0x20}] {
			return true
		}
	}
	return false
}

func lexicalKind(sym index.Symbol) bool {
	switch sym.Kind {
	case index.KindFunction, index.KindMethod, index.KindConstructor, index.KindClass, index.KindInterface, index.KindType, index.KindEnum:
		return sym.Origin == index.Handwritten
	}
	return false
}

func (s *seeder) bears(sym index.Symbol, words map[string]string) recalled {
	r := recalled{sym: sym, bears: make(map[string]float64)}
	meet := func(parts []string, by float64) {
		for _, p := range parts {
			if k := stem(p); words[k] != "" {
				r.bears[k] = max(r.bears[k], by)
			}
		}
	}
	meet(nameParts(sym.Name), inName)
	meet(nameParts(path.Base(sym.Package)), inParent)
	if parent, ok := s.snap.Symbol(sym.Parent); ok {
		meet(nameParts(parent.Name), inParent)
	}
	meet(nameParts(sym.Doc), inDoc)
	return r
}
