package index

import (
	"context"
	"encoding/hex"
	"io/fs"
	"slices"
	"strings"

	"github.com/plumbkit/plumb/host/fault"
)

// BuildInput is what Build makes a Snapshot of.
type BuildInput struct {
	// FS, if not nil, is where Source, Search and Drift read.
	FS        fs.FS
	Languages []*Language
	// Facts hold one entry for each file that was extracted; their order does
	// not matter. Texts may be empty.
	Facts []*Facts
	// Files are further listed files: Path, Hash, Size, Lines, Origin and Skipped count.
	Files []File
	// Manifests are the contents of the manifests that the Languages name.
	Manifests []Manifest
}

// Build links Facts that an Indexer of another kind extracted; the Snapshot
// has every query, and Overlay for languages that have an Extract. Faults:
// invalid_input for Facts that contradict themselves or repeat a path.
func Build(ctx context.Context, in BuildInput) (*Snapshot, error) {
	e := newEngine(in.Languages, TierAll)
	if err := e.compile(nil); err != nil {
		return nil, err
	}
	w := e.worker(false)
	files := make([]*file, 0, len(in.Facts)+len(in.Files))
	for _, facts := range in.Facts {
		if reason := facts.check(facts.Size); reason != "" {
			return nil, badFacts(facts.Path, reason)
		}
		f := &file{path: facts.Path, size: facts.Size}
		f.setHash(facts.Hash)
		w.adopt(f, facts)
		files = append(files, f)
	}
	for _, v := range in.Files {
		f := &file{path: v.Path, size: v.Size, lines: v.Lines, origin: v.Origin, skipped: v.Skipped}
		f.setHash(v.Hash)
		files = append(files, f)
	}
	sortFiles(files)
	for i := range files {
		if i > 0 && files[i].path == files[i-1].path {
			return nil, badFacts(files[i].path, "the path is given twice")
		}
	}
	return assemble(ctx, nil, assembly{fsys: in.FS, engine: e, files: files, manifests: in.manifests()})
}

func (in *BuildInput) manifests() map[string][]Manifest {
	out := make(map[string][]Manifest)
	for _, f := range families(in.Languages) {
		for _, m := range in.Manifests {
			if f.manifest(m.Path[strings.LastIndexByte(m.Path, '/')+1:]) {
				out[f.key] = append(out[f.key], m)
			}
		}
		slices.SortFunc(out[f.key], func(a, b Manifest) int { return strings.Compare(a.Path, b.Path) })
	}
	return out
}

func badFacts(path, reason string) *fault.Fault {
	return &fault.Fault{Class: fault.InvalidInput, Op: "index.build", Subject: fault.Subject{File: path},
		Detail: "the facts contradict themselves: " + reason, Next: "correct the extractor"}
}

func (f *file) setHash(hash string) {
	if b, err := hex.DecodeString(hash); err == nil && len(b) == len(f.hash) {
		copy(f.hash[:], b)
		f.read = true
	}
}

func sortFiles(files []*file) []*file {
	slices.SortFunc(files, func(a, b *file) int { return strings.Compare(a.path, b.path) })
	return files
}

// unlinked stands in for the Linker of a language that has none: a file is
// its own package, and nothing is resolved.
type unlinked struct{ Universe }

func (u unlinked) Package(file int) string {
	p := u.Files[file].Path
	if i := strings.LastIndexByte(p, '.'); i > strings.LastIndexByte(p, '/')+1 {
		p = p[:i]
	}
	return p
}

func (u unlinked) Deps(int) []int { return nil }

func (u unlinked) Resolve(_ context.Context, file int) ([]Resolution, error) {
	out := make([]Resolution, len(u.Load(file).Sites))
	for i := range out {
		out[i] = Resolution{Status: Unresolved, Rule: "none", Reason: "the language has no linker"}
	}
	return out, nil
}

func (u unlinked) Relations(context.Context) ([]Relation, error) { return nil, nil }
