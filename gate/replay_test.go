package gate_test

import (
	"bytes"
	"context"
	"flag"
	"fmt"
	"os/exec"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/stretchr/testify/require"

	"github.com/plumbkit/plumb/gate"
	"github.com/plumbkit/plumb/index"
	"github.com/plumbkit/plumb/index/lang/all"
)

var (
	replayed = flag.String("gate.replay", "", "git folder whose commits the gate looks at")
	commits  = flag.Int("gate.commits", 100, "how many of them")
)

// TestReplay shows what the gate makes of the commits of a repository's main
// line, each as one change without a plan: what keeps it out, and what asks for
// evidence. A person judges what it prints; it holds no figures.
func TestReplay(t *testing.T) {
	if *replayed == "" {
		t.Skip("no -gate.replay folder is given")
	}
	ids := strings.Fields(git(t, "rev-list", "--first-parent", "-n", fmt.Sprint(*commits+1), "HEAD"))
	slices.Reverse(ids)
	ctx := context.Background()
	tree := fstest.MapFS{}
	for _, l := range strings.Split(strings.TrimSpace(git(t, "ls-tree", "-r", ids[0])), "\n") {
		head, path, _ := strings.Cut(l, "\t")
		if f := strings.Fields(head); f[1] == "blob" && f[0] != "120000" {
			tree[path] = &fstest.MapFile{Data: []byte(git(t, "cat-file", "blob", f[2])), Mode: 0o644}
		}
	}
	before, err := (&index.TreeSitter{Languages: all.Languages()}).Index(ctx, index.Input{FS: tree})
	require.NoError(t, err)
	blocked, asked := 0, 0
	for i, id := range ids[1:] {
		after, err := before.Overlay(ctx, changed(t, ids[i], id))
		require.NoError(t, err)
		d, err := (&gate.Rules{}).Decide(ctx, gate.Input{Before: before, After: after})
		require.NoError(t, err)
		strengths := map[gate.Strength]int{}
		for _, f := range d.Findings {
			if f.Blocks {
				strengths[f.Strength]++
			}
		}
		if strengths[gate.Block] > 0 {
			blocked++
		}
		if strengths[gate.Evidence] > 0 {
			asked++
		}
		if len(strengths) > 0 {
			fmt.Printf("== %.10s %s", id, git(t, "log", "-1", "--format=%s", id))
		}
		for _, f := range d.Findings {
			if f.Blocks {
				fmt.Printf("   %s %s %s:%d %s:%d %s [%s]\n", f.Strength, f.Rule, f.Before.File, f.Before.Line, f.After.File, f.After.Line, f.Reason, strings.Join(f.Missing, "; "))
			}
		}
		before = after
	}
	t.Logf("%d commits: %d blocked, %d asked for evidence", len(ids)-1, blocked, asked)
}

// changed are the files that differ between two commits, nil where they are gone.
func changed(t *testing.T, from, to string) map[string][]byte {
	out := map[string][]byte{}
	fields := strings.Split(strings.TrimSuffix(git(t, "diff-tree", "-r", "-z", "--no-renames", from, to), "\x00"), "\x00")
	for i := 0; i+1 < len(fields); i += 2 {
		f := strings.Fields(fields[i])
		switch path := fields[i+1]; {
		case f[1] == "120000" || f[1] == "160000" || f[0] == ":120000" || f[0] == ":160000":
		case f[4] == "D":
			out[path] = nil
		default:
			out[path] = []byte(git(t, "cat-file", "blob", f[3]))
		}
	}
	return out
}

func git(t *testing.T, args ...string) string {
	t.Helper()
	cmd := exec.Command("git", append([]string{"-C", *replayed}, args...)...)
	var out bytes.Buffer
	cmd.Stdout = &out
	require.NoError(t, cmd.Run(), args)
	return out.String()
}
