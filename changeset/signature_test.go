package changeset_test

import (
	"context"
	"testing"
	"testing/fstest"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/plumbkit/plumb/changeset"
	"github.com/plumbkit/plumb/host/fault"
	"github.com/plumbkit/plumb/host/task"
	"github.com/plumbkit/plumb/index"
	"github.com/plumbkit/plumb/index/lang/golang"
)

// A declared signature is read from its parameter list on, and also as answers
// show declarations.
//
// covers: CHG-2
func TestANewSignatureMayBeWrittenAsADeclaration(t *testing.T) {
	snap, err := (&index.TreeSitter{Languages: []*index.Language{golang.Language()}}).Index(context.Background(), index.Input{FS: fstest.MapFS{
		"go.mod": {Data: []byte("module m\n\ngo 1.25\n")},
		"m.go":   {Data: []byte("package m\n\ntype Store struct{}\n\nfunc (s *Store) Get(id string) error { return nil }\n\nfunc Map[T any](in []T) []T { return in }\n\nfunc use(s *Store) { _ = s.Get(\"a\"); Map([]int{1}) }\n")},
	}})
	require.NoError(t, err)
	for _, c := range []struct{ symbol, signature, want string }{
		{"Store.Get", "(id string, n int) error", "func (s *Store) Get(id string, n int) error"},
		{"Store.Get", "func (s *Store) Get(id string, n int) error", "func (s *Store) Get(id string, n int) error"},
		{"Store.Get", " func (s *Store) Get(id string, n int) error {\n", "func (s *Store) Get(id string, n int) error"},
		{"Store.Get", "Get(id string, n int) error", "func (s *Store) Get(id string, n int) error"},
		{"Store.Get", "(s *Store) Get(id string, n int) error", "func (s *Store) Get(id string, n int) error"},
		{"Store.Get", "(Get func(Get(1)), n int) error", ""},
		{"m.Map", "[T any](in []T, n int) []T", "func Map[T any](in []T, n int) []T"},
		{"m.Map", "func Map[T any](in []T, n int) []T", "func Map[T any](in []T, n int) []T"},
		{"m.Map", "(in []T, n int) []T", "func Map[T any](in []T, n int) []T"},
	} {
		p, err := (&changeset.Derived{}).Plan(t.Context(), changeset.Input{Snapshot: snap, Task: task.Task{
			Requirement:  "It takes a number.",
			Capabilities: []task.Capability{{ID: "M-1", Sentence: "It takes a number.", Symbols: []string{c.symbol}, Layers: []string{"domain", "test"}}},
			Changes:      []task.Change{{Symbol: c.symbol, NewSignature: c.signature}},
		}})
		if c.want == "" {
			require.ErrorIs(t, err, fault.InvalidInput, c.signature)
			continue
		}
		require.NotNilf(t, p, "%q: %v", c.signature, err) // beside the question for a test
		require.Len(t, p.Contracts, 1, c.signature)
		assert.Equal(t, c.want, p.Contracts[0].After.Text, c.signature)
	}
}
