package main

import (
	"bufio"
	"fmt"
	"io"
	"slices"
	"strings"
)

// A Reading is what somebody who read a stop in full says of it.
type Reading struct {
	// Verdict is "right" where the change does what it was stopped for, and needs a
	// person's word; "wrong" where plumb is mistaken; "environment" where the
	// machine or what is installed is to blame; "" where nobody read it.
	Verdict string `json:"verdict,omitempty"`
	Why     string `json:"why,omitempty"`
}

// readings reads lines of a commit's first digits, a verdict, and why. Empty lines
// and those that begin with a # are left out.
func readings(from io.Reader) (map[string]Reading, error) {
	out := map[string]Reading{}
	sc := bufio.NewScanner(from)
	for n := 1; sc.Scan(); n++ {
		line := strings.TrimSpace(sc.Text())
		if line == "" || strings.HasPrefix(line, "#") {
			continue
		}
		commit, rest, _ := strings.Cut(line, " ")
		verdict, why, _ := strings.Cut(strings.TrimSpace(rest), " ")
		if !slices.Contains([]string{"right", "wrong", "environment"}, verdict) {
			return nil, fmt.Errorf("line %d: %q is no verdict; use right, wrong or environment", n, verdict)
		}
		out[commit] = Reading{verdict, strings.TrimSpace(why)}
	}
	return out, sc.Err()
}

// reading is what was said of a commit.
func reading(all map[string]Reading, commit string) Reading {
	for start, r := range all {
		if strings.HasPrefix(commit, start) {
			return r
		}
	}
	return Reading{}
}

// outcome is the end in a few words.
func (e *End) outcome() string {
	switch {
	case e.Exact:
		return "handed off, exact tree"
	case e.HandedOff:
		return "handed off, ANOTHER TREE"
	}
	return "stopped at " + e.Stage + ": " + e.Class
}

// kind is the row of the short table that an end counts in.
func (e *End) kind() string {
	switch {
	case e.HandedOff:
		return e.outcome()
	case e.Read.Verdict != "":
		return "stopped, " + map[string]string{"right": "rightly", "wrong": "wrongly", "environment": "by the environment"}[e.Read.Verdict]
	}
	return "stopped, not read yet"
}
