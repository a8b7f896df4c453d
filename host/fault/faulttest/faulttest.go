// Package faulttest says what an error lacks that a fault must carry.
//
// It is for the tests of every package that returns faults: an error that does
// not say what was attempted, what was found and what to do next sends its
// reader guessing (FLT-1, FLT-2).
package faulttest

import (
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/plumbkit/plumb/host/fault"
)

// Check returns what err lacks, one sentence each, in a fixed order; nothing for
// a complete fault. It asks for
//
//   - a fault in err's chain, with a known class;
//   - an operation as "stage.verb";
//   - a detail that says more than that something failed;
//   - a next action, in one sentence;
//   - for Ambiguous, at least two candidates, none of them empty and no two the same;
//   - for AnchorMismatch, a subject with a file;
//   - for PartialFailure, the state things were left in.
//
// Check(nil) says that there is no error. It is safe for concurrent use.
func Check(err error) []string {
	if err == nil {
		return []string{"there is no error"}
	}
	var f *fault.Fault
	if !errors.As(err, &f) || f == nil {
		return []string{fmt.Sprintf("%q is no fault: it has no class, operation, detail or next action", err)}
	}
	lacks := checkHead(f)
	lacks = append(lacks, checkDetail(f)...)
	lacks = append(lacks, checkNext(f.Next)...)
	return append(lacks, checkClass(f)...)
}

func checkHead(f *fault.Fault) []string {
	var lacks []string
	if !slices.Contains(fault.Classes(), f.Class) {
		lacks = append(lacks, fmt.Sprintf("class %q is none of the known ones", string(f.Class)))
	}
	stage, verb, ok := strings.Cut(f.Op, ".")
	if !ok || stage == "" || verb == "" {
		lacks = append(lacks, fmt.Sprintf("operation %q is not of the form stage.verb", f.Op))
	}
	return lacks
}

func checkDetail(f *fault.Fault) []string {
	words := strings.Fields(f.Detail)
	switch {
	case len(words) == 0:
		return []string{"there is no detail"}
	case len(words) < 3:
		return []string{fmt.Sprintf("detail %q says too little", f.Detail)}
	case len(words) < 6 && bare(f.Detail):
		return []string{fmt.Sprintf("detail %q is a bare failure: it does not say what was found", f.Detail)}
	}
	return nil
}

// bare reports whether a short text says only that something went wrong.
func bare(text string) bool {
	text = strings.ToLower(text)
	for _, word := range []string{"failed", "failure", "went wrong", "an error", "unknown error", "could not be done"} {
		if strings.Contains(text, word) {
			return true
		}
	}
	return false
}

func checkNext(next string) []string {
	sentence := regexp.MustCompile(`[.!?]\s+\p{Lu}`)
	switch {
	case strings.TrimSpace(next) == "":
		return []string{"there is no next action"}
	case strings.ContainsAny(next, "\r\n") || sentence.MatchString(next):
		return []string{fmt.Sprintf("next action %q is more than one sentence", next)}
	}
	return nil
}

func checkClass(f *fault.Fault) []string {
	switch f.Class {
	case fault.Ambiguous:
		return checkCandidates(f.Candidates)
	case fault.AnchorMismatch:
		if f.Subject.File == "" {
			return []string{"an anchor mismatch names no file"}
		}
	case fault.PartialFailure:
		if strings.TrimSpace(f.State) == "" {
			return []string{"a partial failure does not say in what state it left things"}
		}
	}
	return nil
}

func checkCandidates(candidates []fault.Subject) []string {
	var lacks []string
	if len(candidates) < 2 {
		lacks = append(lacks, fmt.Sprintf("an ambiguity names %d candidates; it takes two", len(candidates)))
	}
	seen := make(map[fault.Subject]bool)
	for i, c := range candidates {
		switch {
		case c == fault.Subject{}:
			lacks = append(lacks, fmt.Sprintf("candidate %d is empty", i))
		case seen[c]:
			lacks = append(lacks, fmt.Sprintf("candidate %d repeats %s", i, c))
		}
		seen[c] = true
	}
	return lacks
}
