package verify

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"sync"

	"github.com/google/renameio/v2"

	"github.com/plumbkit/plumb/host/fault"
)

// Baselines keeps the results of tests on trees that never change, by a key made
// of the tree's digest, the tools and the selection. Implementations must be safe
// for concurrent use. A lost entry costs a run and nothing else.
type Baselines interface {
	// Get returns what was put under the key; ok is false when there is nothing.
	Get(ctx context.Context, key string) (outcomes []Outcome, ok bool, err error)
	Put(ctx context.Context, key string, outcomes []Outcome) error
}

// memoryBaselines is the default: it lives as long as its Layered.
type memoryBaselines struct {
	mu   sync.Mutex
	kept map[string][]Outcome
}

func (m *memoryBaselines) Get(_ context.Context, key string) ([]Outcome, bool, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	o, ok := m.kept[key]
	return slices.Clone(o), ok, nil
}

func (m *memoryBaselines) Put(_ context.Context, key string, outcomes []Outcome) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.kept == nil {
		m.kept = map[string][]Outcome{}
	}
	m.kept[key] = slices.Clone(outcomes)
	return nil
}

// FolderBaselines keeps baselines as JSON files in a folder, one a key, readable
// by the owner only. A file that cannot be read counts as missing. Several
// processes may share the folder.
type FolderBaselines struct {
	// Dir is the folder; it is made when something is put.
	Dir string
}

type storedBaseline struct {
	Schema   int       `json:"schema"`
	Outcomes []Outcome `json:"outcomes"`
}

// Get reads the key's file. Errors are faults of class environment.
func (f FolderBaselines) Get(_ context.Context, key string) ([]Outcome, bool, error) {
	data, err := os.ReadFile(f.path(key))
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, false, nil
	case err != nil:
		return nil, false, fault.From(err, "verify.baseline", "make the folder of baselines readable")
	}
	var b storedBaseline
	if json.Unmarshal(data, &b) != nil || b.Schema != schema {
		return nil, false, nil
	}
	return b.Outcomes, true, nil
}

// Put writes the key's file. Errors are faults of class environment.
func (f FolderBaselines) Put(_ context.Context, key string, outcomes []Outcome) error {
	data, err := json.Marshal(storedBaseline{schema, outcomes})
	if err == nil {
		err = os.MkdirAll(f.Dir, 0o700)
	}
	if err == nil {
		err = renameio.WriteFile(f.path(key), data, 0o600)
	}
	if err != nil {
		return fault.From(err, "verify.baseline", "make the folder of baselines writable")
	}
	return nil
}

func (f FolderBaselines) path(key string) string { return filepath.Join(f.Dir, key+".json") }

// baseline returns the results of the tests, alone or with their packages and files
// as a whole, on the tree as it was (VER-8). It cannot be switched off.
func (q *inquiry) baseline(ctx context.Context, run Run, tests []TestID) (map[TestID]Outcome, error) {
	if len(tests) == 0 {
		return nil, nil
	}
	store := q.v.Baselines
	if store == nil {
		store = &q.v.memory
	}
	key := q.baselineKey(run, tests)
	kept, ok, err := store.Get(ctx, key)
	if err != nil {
		return nil, err
	}
	if ok {
		q.belong(kept)
		return byTest(kept), nil
	}
	tree, err := q.trees.before(ctx)
	if err != nil {
		return nil, err
	}
	got, err := q.exec(ctx, tree, "before", run)
	if err != nil {
		return nil, err
	}
	if slices.ContainsFunc(got, func(o Outcome) bool { return o.Status == TimedOut }) {
		return byTest(got), nil // another machine or day may do better
	}
	return byTest(got), store.Put(ctx, key, got)
}

func (q *inquiry) baselineKey(run Run, tests []TestID) string {
	h := sha256.New()
	enc := json.NewEncoder(h) // of plain values: it cannot fail
	_ = enc.Encode(q.in.Before.Digest())
	for _, tool := range slices.Sorted(maps.Keys(q.tools.Versions)) {
		_ = enc.Encode([]string{tool, q.tools.Versions[tool]})
	}
	_ = enc.Encode(q.report.Environment.OS + "/" + q.report.Environment.Arch)
	_ = enc.Encode(run.Packages)
	_ = enc.Encode(run.Tests)
	_ = enc.Encode(tests)
	return hex.EncodeToString(h.Sum(nil))
}

// belong takes in which tests the outcomes' tests are cases of.
func (q *inquiry) belong(outcomes []Outcome) {
	for _, o := range outcomes {
		if (o.Of != TestID{}) {
			q.of[o.Test] = o.Of
		}
	}
}

func byTest(outcomes []Outcome) map[TestID]Outcome {
	m := make(map[TestID]Outcome, len(outcomes))
	for _, o := range outcomes {
		m[o.Test] = o
	}
	return m
}
