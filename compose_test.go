package plumb

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/plumbkit/plumb/patch"
)

// covers: ARC-13
func TestTwoSetsComposeToOne(t *testing.T) {
	modified := patch.File{Path: "a", Op: patch.Modified, Old: []byte("1"), New: []byte("2")}
	created := patch.File{Path: "a", Op: patch.Created, New: []byte("2")}
	renamed := patch.File{Path: "b", From: "a", Op: patch.Renamed, Old: []byte("1"), New: []byte("2")}
	cases := []struct {
		name   string
		first  []patch.File
		second []patch.File
		want   []patch.File
	}{
		{"apart", []patch.File{modified}, []patch.File{{Path: "z", Op: patch.Created, New: []byte("9")}},
			[]patch.File{modified, {Path: "z", Op: patch.Created, New: []byte("9")}}},
		{"twice modified", []patch.File{modified}, []patch.File{{Path: "a", Op: patch.Modified, Old: []byte("2"), New: []byte("3")}},
			[]patch.File{{Path: "a", Op: patch.Modified, Old: []byte("1"), New: []byte("3")}}},
		{"created and modified", []patch.File{created}, []patch.File{{Path: "a", Op: patch.Modified, Old: []byte("2"), New: []byte("3")}},
			[]patch.File{{Path: "a", Op: patch.Created, New: []byte("3")}}},
		{"created and deleted", []patch.File{created}, []patch.File{{Path: "a", Op: patch.Deleted, Old: []byte("2")}}, nil},
		{"modified and deleted", []patch.File{modified}, []patch.File{{Path: "a", Op: patch.Deleted, Old: []byte("2")}},
			[]patch.File{{Path: "a", Op: patch.Deleted, Old: []byte("1")}}},
		{"modified and renamed", []patch.File{modified}, []patch.File{{Path: "b", From: "a", Op: patch.Renamed, Old: []byte("2"), New: []byte("3")}},
			[]patch.File{{Path: "b", From: "a", Op: patch.Renamed, Old: []byte("1"), New: []byte("3")}}},
		{"created and renamed", []patch.File{created}, []patch.File{{Path: "b", From: "a", Op: patch.Renamed, Old: []byte("2"), New: []byte("2")}},
			[]patch.File{{Path: "b", Op: patch.Created, New: []byte("2")}}},
		{"renamed and modified", []patch.File{renamed}, []patch.File{{Path: "b", Op: patch.Modified, Old: []byte("2"), New: []byte("3")}},
			[]patch.File{{Path: "b", From: "a", Op: patch.Renamed, Old: []byte("1"), New: []byte("3")}}},
		{"renamed twice", []patch.File{renamed}, []patch.File{{Path: "c", From: "b", Op: patch.Renamed, Old: []byte("2"), New: []byte("2")}},
			[]patch.File{{Path: "c", From: "a", Op: patch.Renamed, Old: []byte("1"), New: []byte("2")}}},
		{"renamed and deleted", []patch.File{renamed}, []patch.File{{Path: "b", Op: patch.Deleted, Old: []byte("2")}},
			[]patch.File{{Path: "a", Op: patch.Deleted, Old: []byte("1")}}},
		{"deleted and created", []patch.File{{Path: "a", Op: patch.Deleted, Old: []byte("1")}}, []patch.File{{Path: "a", Op: patch.Created, New: []byte("3")}},
			[]patch.File{{Path: "a", Op: patch.Modified, Old: []byte("1"), New: []byte("3")}}},
		{"modified and copied", []patch.File{modified}, []patch.File{{Path: "c", From: "a", Op: patch.Copied, New: []byte("2")}},
			[]patch.File{modified, {Path: "c", Op: patch.Created, New: []byte("2")}}},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			got := compose(&patch.Set{Schema: 1, Base: "base", Files: c.first}, &patch.Set{Files: c.second})
			assert.Equal(t, "base", got.Base)
			assert.Equal(t, c.want, got.Files)
		})
	}
}

// covers: PAT-17
func TestWhatGeneratorsWroteIsLeftToThem(t *testing.T) {
	first := &patch.Set{Files: []patch.File{{Path: "a.go", Op: patch.Modified}, {Path: "a_gen.go", Op: patch.Modified}},
		Commands: []patch.Command{{Command: "gen", Outputs: []string{"a_gen.go"}}}}
	got := compose(first, &patch.Set{})
	assert.Len(t, got.Files, 1)
	assert.Equal(t, "a.go", got.Files[0].Path)
}
