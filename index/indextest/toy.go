package indextest

import (
	"bytes"
	"context"
	"hash/fnv"
	"path"
	"slices"
	"strings"

	"github.com/plumbkit/plumb/index"
)

// Toy returns a language for tests, of one statement a line, whose folders are
// its packages. It needs no grammar.
//
//	import a/b            the package of folder a/b, known as b
//	def f                 a function, until the next def or type
//	def T.m               a method of T
//	type T                a class; "type T : I" implements I
//	abstract I.m          a method without body of an interface, "interface I"
//	call f, call b.f      a call of f here, or in the imported package
//	call ?.m              a call of a member m of something unknown
//	test f                a test of that name
//	# text                a comment
//	generate COMMAND -> FILE
//
// Names that begin with a lower-case letter are seen in their package only,
// but for tests and imported calls of "exported" names, which have a capital.
func Toy() *index.Language {
	return &index.Language{Name: "toy", Version: "1", Extensions: []string{".toy"}, Manifests: []string{"toy.mod"},
		Extract: extractToy, Link: linkToy, TestFile: func(p string) bool { return strings.HasSuffix(p, "_test.toy") },
		TestPrefixes: []string{"Test"},
		Commands: func(p index.Package, _ []index.Manifest) (build, test []string) {
			return []string{"toy", "build", p.Dir}, []string{"toy", "test", p.Dir}
		}}
}

// ToyFamily returns two languages of one family, the first as Toy and the
// second the same in files that end in .toy2: a folder with files of both is one
// package. The second reads toy2.mod too, whose first line stands in for that
// of toy.mod.
func ToyFamily() []*index.Language {
	first, second := Toy(), Toy()
	first.Family, second.Family = "toys", "toys"
	second.Name, second.Extensions, second.Manifests = "toy2", []string{".toy2"}, []string{"toy2.mod", "toy.mod"}
	second.TestFile = func(p string) bool { return strings.HasSuffix(p, "_test.toy2") }
	return []*index.Language{first, second}
}

type toyFile struct {
	f     *index.Facts
	names map[string]uint32
	in    int32
}

func extractToy(tree *index.Tree, f *index.Facts) error {
	t := toyFile{f: f, names: make(map[string]uint32), in: -1}
	at := 0
	for line := range bytes.SplitAfterSeq(tree.Src, []byte("\n")) {
		t.line(string(line), uint32(at))
		at += len(line)
	}
	for i := range f.Defs {
		end := uint32(len(tree.Src))
		if i+1 < len(f.Defs) {
			end = f.Defs[i+1].Range.Start
		}
		f.Defs[i].Range.End = end
		h := fnv.New64a()
		h.Write(bytes.Join(bytes.Fields(tree.Src[f.Defs[i].Range.Start:end]), []byte(" ")))
		f.Defs[i].Fingerprint = h.Sum64()
	}
	return nil
}

func (t *toyFile) name(s string) uint32 {
	n, ok := t.names[s]
	if !ok {
		n = uint32(len(t.f.Names))
		t.names[s] = n
		t.f.Names = append(t.f.Names, strings.Clone(s))
	}
	return n
}

func (t *toyFile) line(line string, at uint32) {
	text := strings.TrimRight(line, "\r\n")
	verb, rest, _ := strings.Cut(text, " ")
	whole := index.Range{Start: at, End: at + uint32(len(text))}
	switch arg := at + uint32(len(verb)) + 1; verb {
	case "import":
		if rest != "" {
			base := path.Base(rest)
			t.f.Imports = append(t.f.Imports, index.Import{Path: strings.Clone(rest), Range: whole})
			t.site(rest[len(rest)-len(base):], arg+uint32(len(rest)-len(base)), index.RefImport, -1)
		}
	case "def", "test":
		t.def(rest, arg, whole, index.KindFunction, verb == "test")
	case "abstract":
		t.def(rest, arg, whole, index.KindFunction, false)
		if t.in >= 0 {
			t.f.Defs[t.in].Flags |= index.DefAbstract
		}
	case "type", "interface":
		t.typ(verb, rest, arg, whole)
	case "call":
		t.call(rest, arg, whole)
	case "#":
		t.f.Marks = append(t.f.Marks, index.MarkFact{Kind: index.MarkComment, In: t.in, Range: whole, Text: strings.Clone(rest)})
	case "generate":
		if command, out, ok := strings.Cut(rest, " -> "); ok {
			t.f.Directives = append(t.f.Directives, index.Directive{Range: whole, Command: strings.Clone(command),
				Outputs: []string{path.Join(path.Dir(t.f.Path), out)}})
		}
	}
}

func (t *toyFile) site(name string, start uint32, kind index.RefKind, call int32) {
	if name != "" {
		t.f.Sites = append(t.f.Sites, index.Site{Name: t.name(name), Start: start, In: t.in, Kind: kind, Expr: -1, Call: call})
	}
}

func (t *toyFile) def(name string, at uint32, whole index.Range, kind index.Kind, test bool) {
	if name == "" {
		return
	}
	d := index.Def{Kind: kind, Parent: -1, Owner: -1, Range: whole, Body: whole.End, Type: -1, Value: -1}
	if owner, own, ok := strings.Cut(name, "."); ok && owner != "" && own != "" {
		d.Owner, d.Kind = int32(t.name(owner)), index.KindMethod
		at, name = at+uint32(len(owner))+1, own
	}
	d.Name, d.Ident = t.name(name), index.Range{Start: at, End: at + uint32(len(name))}
	if !test && (name[0] < 'A' || name[0] > 'Z') {
		d.Visibility = index.PackageWide
	}
	t.in = int32(len(t.f.Defs))
	t.f.Defs = append(t.f.Defs, d)
	if test {
		t.f.Marks = append(t.f.Marks, index.MarkFact{Kind: index.MarkTest, In: t.in, Range: d.Ident, Text: strings.Clone(name)})
	}
}

func (t *toyFile) typ(verb, rest string, at uint32, whole index.Range) {
	kind := index.KindClass
	if verb == "interface" {
		kind = index.KindInterface
	}
	name, base, ok := strings.Cut(rest, " : ")
	t.def(name, at, whole, kind, false)
	if ok && name != "" {
		t.site(base, at+uint32(len(name))+3, index.RefEmbed, -1)
	}
}

func (t *toyFile) call(rest string, at uint32, whole index.Range) {
	call := int32(len(t.f.Calls))
	t.f.Calls = append(t.f.Calls, index.Args{Start: int(whole.End), End: int(whole.End)})
	if qualifier, name, ok := strings.Cut(rest, "."); ok && name != "" {
		t.f.Exprs = append(t.f.Exprs, index.Expr{Op: 1, Name: int32(t.name(qualifier)), A: -1, B: -1})
		t.site(name, at+uint32(len(qualifier))+1, index.RefCall, call)
		t.f.Sites[len(t.f.Sites)-1].Expr = int32(len(t.f.Exprs) - 1)
		return
	}
	t.site(rest, at, index.RefCall, call)
}

// toyLinker resolves by name within folders.
type toyLinker struct {
	u     index.Universe
	files map[string][]int // by folder
}

func linkToy(_ context.Context, u index.Universe) (index.Linker, error) {
	l := &toyLinker{u: u, files: make(map[string][]int)}
	for i, f := range u.Files {
		dir := path.Dir(f.Path)
		l.files[dir] = append(l.files[dir], i)
	}
	return l, nil
}

// prefix is the first line of the root's toy2.mod, or else of its toy.mod.
func (l *toyLinker) prefix() string {
	prefix := ""
	for _, m := range l.u.Manifests {
		if m.Path == "toy.mod" || m.Path == "toy2.mod" {
			line, _, _ := strings.Cut(string(m.Data), "\n")
			prefix = line + "/"
		}
	}
	return prefix
}

func (l *toyLinker) Package(i int) string { return l.prefix() + path.Dir(l.u.Files[i].Path) }

func (l *toyLinker) Deps(i int) []int {
	deps := slices.Clone(l.files[path.Dir(l.u.Files[i].Path)])
	for _, im := range l.u.Files[i].Imports {
		deps = append(deps, l.files[im.Path]...)
	}
	return deps
}

func (l *toyLinker) find(dir, name string, only func(*index.Def) bool) []index.Target {
	var out []index.Target
	for _, i := range l.files[dir] {
		f := l.u.Head(i)
		for d := range f.Defs {
			if f.Names[f.Defs[d].Name] == name && f.Defs[d].Owner < 0 && (only == nil || only(&f.Defs[d])) {
				out = append(out, index.Target{File: int32(i), Def: int32(d)})
			}
		}
	}
	return out
}

func (l *toyLinker) Resolve(_ context.Context, i int) ([]index.Resolution, error) {
	f := l.u.Load(i)
	out := make([]index.Resolution, len(f.Sites))
	for n := range f.Sites {
		out[n] = l.resolve(f, &f.Sites[n])
	}
	return out, nil
}

func (l *toyLinker) resolve(f *index.Facts, s *index.Site) index.Resolution {
	name, dir, rule := f.Names[s.Name], path.Dir(f.Path), "scope"
	if s.Kind == index.RefImport {
		return l.imported(f, s)
	}
	if s.Expr >= 0 {
		qualifier := f.Names[f.Exprs[s.Expr].Name]
		if qualifier == "?" {
			return index.Resolution{Status: index.Ambiguous, ByName: true, Members: true, Rule: "name", Reason: "the receiver is not known"}
		}
		rule = "import"
		if dir = l.qualified(f, qualifier); dir == "" {
			return index.Resolution{Status: index.External, Rule: rule, Module: qualifier}
		}
	}
	found := l.find(dir, name, func(d *index.Def) bool { return rule == "scope" || d.Visibility == index.Public })
	switch len(found) {
	case 0:
		return index.Resolution{Status: index.Unresolved, Rule: rule, Reason: "there is no such name"}
	case 1:
		return index.Resolution{Status: index.Static, Rule: rule, Targets: found}
	}
	return index.Resolution{Status: index.Ambiguous, Rule: rule, Reason: "declared several times", Targets: found}
}

// qualified returns the folder that a qualifier names.
func (l *toyLinker) qualified(f *index.Facts, qualifier string) string {
	for _, im := range f.Imports {
		if path.Base(im.Path) == qualifier && l.u.Has(im.Path) && len(l.files[im.Path]) > 0 {
			return im.Path
		}
	}
	return ""
}

func (l *toyLinker) imported(f *index.Facts, s *index.Site) index.Resolution {
	for _, im := range f.Imports {
		if im.Range.Start <= s.Start && s.Start < im.Range.End {
			if len(l.files[im.Path]) > 0 {
				return index.Resolution{Status: index.Static, Rule: "import", Module: l.prefix() + im.Path}
			}
			return index.Resolution{Status: index.External, Rule: "import", Module: im.Path}
		}
	}
	return index.Resolution{Status: index.Unresolved, Rule: "import", Reason: "there is no such import"}
}

// Relations reads "type T : I" and pairs the methods by name.
func (l *toyLinker) Relations(context.Context) ([]index.Relation, error) {
	var out []index.Relation
	for i := range l.u.Files {
		f := l.u.Load(i)
		for n := range f.Sites {
			s := &f.Sites[n]
			if s.Kind != index.RefEmbed || s.In < 0 {
				continue
			}
			for _, base := range l.find(path.Dir(f.Path), f.Names[s.Name], nil) {
				from := index.Target{File: int32(i), Def: s.In}
				out = append(out, index.Relation{Kind: index.Implements, From: from, To: base, Sure: true})
				out = append(out, l.methods(path.Dir(f.Path), f.Names[f.Defs[s.In].Name], f.Names[s.Name])...)
			}
		}
	}
	return out, nil
}

func (l *toyLinker) methods(dir, of, base string) []index.Relation {
	var out []index.Relation
	for name, from := range l.methodsOf(dir, of) {
		if to, ok := l.methodsOf(dir, base)[name]; ok {
			out = append(out, index.Relation{Kind: index.Implements, From: from, To: to, Sure: true})
		}
	}
	return out
}

func (l *toyLinker) methodsOf(dir, owner string) map[string]index.Target {
	out := make(map[string]index.Target)
	for _, i := range l.files[dir] {
		f := l.u.Head(i)
		for d := range f.Defs {
			if o := f.Defs[d].Owner; o >= 0 && f.Names[o] == owner {
				out[f.Names[f.Defs[d].Name]] = index.Target{File: int32(i), Def: int32(d)}
			}
		}
	}
	return out
}
