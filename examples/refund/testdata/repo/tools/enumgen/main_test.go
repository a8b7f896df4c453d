package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

const colours = `package paint

type Colour int

const (
	Red Colour = iota
	DarkBlue
	_
)

const other = 3
`

func TestRun(t *testing.T) {
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "paint.go"), []byte(colours), 0o644); err != nil {
		t.Fatal(err)
	}
	if err := run(dir, "Colour", "out.go"); err != nil {
		t.Fatal(err)
	}
	first, err := os.ReadFile(filepath.Join(dir, "out.go"))
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"DO NOT EDIT", `DarkBlue: "dark blue"`, "func ParseColour("} {
		if !strings.Contains(string(first), want) {
			t.Errorf("no %s in\n%s", want, first)
		}
	}
	if err := run(dir, "Colour", "out.go"); err != nil {
		t.Fatal(err)
	}
	second, err := os.ReadFile(filepath.Join(dir, "out.go"))
	if err != nil || string(first) != string(second) {
		t.Errorf("the second run wrote something else: %v", err)
	}
}

func TestUnknownType(t *testing.T) {
	if err := run(t.TempDir(), "Colour", "out.go"); err == nil {
		t.Error("no error without constants")
	}
}
