package faulttest_test

import (
	"errors"
	"fmt"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/plumbkit/plumb/host/fault"
	"github.com/plumbkit/plumb/host/fault/faulttest"
)

func whole() *fault.Fault {
	return &fault.Fault{
		Class: fault.Ambiguous, Op: "index.definitions",
		Subject:    fault.Subject{Symbol: "Close"},
		Detail:     "two functions of this name stand in the repository",
		Candidates: []fault.Subject{{File: "a.go", Line: 3}, {File: "b.go", Line: 9}},
		State:      "nothing was changed",
		Next:       "name the package too",
	}
}

// covers: FLT-1, FLT-2
func TestCheck(t *testing.T) {
	anchor := fault.Subject{File: "a.go", Line: 3}
	cases := []struct {
		name string
		edit func(*fault.Fault)
		want string
	}{
		{"complete", func(*fault.Fault) {}, ""},
		{"no class", func(f *fault.Fault) { f.Class = "" }, `class "" is none of the known ones`},
		{"no operation", func(f *fault.Fault) { f.Op = "" }, "not of the form stage.verb"},
		{"no verb", func(f *fault.Fault) { f.Op = "index." }, "not of the form stage.verb"},
		{"no detail", func(f *fault.Fault) { f.Detail = " " }, "there is no detail"},
		{"bare word", func(f *fault.Fault) { f.Detail = "failed" }, "says too little"},
		{"bare failure", func(f *fault.Fault) { f.Detail = "the operation has failed" }, "bare failure"},
		{"something went wrong", func(f *fault.Fault) { f.Detail = "Something went wrong" }, "bare failure"},
		{"a failure that says what", func(f *fault.Fault) { f.Detail = "go vet failed on line 3 of a.go: unreachable code" }, ""},
		{"no next action", func(f *fault.Fault) { f.Next = "" }, "no next action"},
		{"two sentences", func(f *fault.Fault) { f.Next = "Read it. Then try again." }, "more than one sentence"},
		{"two lines", func(f *fault.Fault) { f.Next = "read it\nthen try again" }, "more than one sentence"},
		{"no candidates", func(f *fault.Fault) { f.Candidates = nil }, "names 0 candidates"},
		{"one candidate", func(f *fault.Fault) { f.Candidates = f.Candidates[:1] }, "names 1 candidates"},
		{"empty candidate", func(f *fault.Fault) { f.Candidates[1] = fault.Subject{} }, "candidate 1 is empty"},
		{"repeated candidate", func(f *fault.Fault) { f.Candidates[1] = f.Candidates[0] }, "candidate 1 repeats a.go:3"},
		{"anchor without file", func(f *fault.Fault) { f.Class = fault.AnchorMismatch }, "names no file"},
		{"anchor with file", func(f *fault.Fault) { f.Class, f.Subject = fault.AnchorMismatch, anchor }, ""},
		{"partial without state", func(f *fault.Fault) { f.Class, f.State = fault.PartialFailure, "" }, "in what state"},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			f := whole()
			c.edit(f)
			lacks := faulttest.Check(fmt.Errorf("wrapped: %w", f))
			if c.want == "" {
				assert.Empty(t, lacks)
				return
			}
			if assert.Len(t, lacks, 1) {
				assert.Contains(t, lacks[0], c.want)
			}
		})
	}
}

// covers: FLT-2
func TestCheckOfNoFault(t *testing.T) {
	assert.Equal(t, []string{"there is no error"}, faulttest.Check(nil))
	assert.Contains(t, faulttest.Check(errors.New("failed"))[0], "is no fault")
	assert.Contains(t, faulttest.Check((*fault.Fault)(nil))[0], "is no fault")
}

// covers: FLT-2
func TestCheckNamesEverything(t *testing.T) {
	assert.Len(t, faulttest.Check(&fault.Fault{}), 4, "class, operation, detail and next action")
}

func ExampleCheck() {
	err := &fault.Fault{Class: fault.Ambiguous, Op: "index.definitions", Detail: "the lookup failed"}
	for _, lack := range faulttest.Check(err) {
		fmt.Println(lack)
	}
	// Output:
	// detail "the lookup failed" is a bare failure: it does not say what was found
	// there is no next action
	// an ambiguity names 0 candidates; it takes two
}
