package golang

import (
	"context"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/plumbkit/plumb/index"
)

// covers: IDX-17, IDX-26
func TestPackagesKnowTheirCommands(t *testing.T) {
	files := fstest.MapFS{
		"go.mod":           {Data: []byte("module example.com/a\n")},
		"a.go":             {Data: []byte("package a\n")},
		"cmd/run/main.go":  {Data: []byte("package main\n\nfunc main() {}\n")},
		"tools/go.mod":     {Data: []byte("module example.com/tools\n")},
		"tools/tools.go":   {Data: []byte("package tools\n")},
		"tools/gen/gen.go": {Data: []byte("package gen\n")},
		"toolsets/set.go":  {Data: []byte("package toolsets\n")},
	}
	s, err := (&index.TreeSitter{Languages: []*index.Language{Language()}}).Index(context.Background(), index.Input{FS: files})
	require.NoError(t, err)
	got := map[string]string{}
	for _, p := range s.Packages() {
		got[p.Dir] = strings.Join(p.Build, " ") + "; " + strings.Join(p.Test, " ")
		assert.Equal(t, p.Dir == "cmd/run", p.Program, p.Dir)
	}
	assert.Equal(t, map[string]string{
		".":         "go build .; go test .",
		"cmd/run":   "go build ./cmd/run; go test ./cmd/run",
		"tools":     "go build -C tools .; go test -C tools .",
		"tools/gen": "go build -C tools ./gen; go test -C tools ./gen",
		"toolsets":  "go build ./toolsets; go test ./toolsets",
	}, got)

	less, err := (&index.TreeSitter{Languages: []*index.Language{Language()}}).Index(context.Background(), index.Input{FS: files, Tiers: index.TierRelations})
	require.NoError(t, err)
	for _, p := range less.Packages() {
		assert.Nil(t, p.Build, "commands are a tier above relations")
	}
}
