package patch

import (
	"bytes"
	"context"
	"flag"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/plumbkit/plumb/host/fault"
	"github.com/plumbkit/plumb/internal/gitcmd"
)

var (
	replay  = flag.String("replay", "", "git folder whose commits are applied again, in each format")
	commits = flag.Int("commits", 200, "how many commits are applied again")
)

// realCommit reads what a commit changed, as trees before and after.
func realCommit(t *testing.T, g gitcmd.Git, id string) (before, after tree, ok bool) {
	t.Helper()
	out, err := g.Output(context.Background(), "diff-tree", "-r", "-z", "--no-renames", id+"^", id)
	require.NoError(t, err)
	before, after = tree{}, tree{}
	parts := strings.Split(strings.TrimSuffix(string(out), "\x00"), "\x00")
	for i := 0; i+1 < len(parts); i += 2 {
		f := strings.Fields(parts[i])
		if f[0] == ":120000" || f[1] == "120000" || f[0] == ":160000" || f[1] == "160000" {
			return nil, nil, false
		}
		for side, into := range map[int]tree{2: before, 3: after} {
			if strings.Trim(f[side], "0") == "" {
				continue
			}
			blob, err := g.Output(context.Background(), "cat-file", "blob", f[side])
			require.NoError(t, err)
			if isBinary(blob) {
				return nil, nil, false
			}
			into[parts[i+1]] = string(blob)
		}
	}
	return before, after, len(before)+len(after) > 0 && len(before)+len(after) < 200
}

// TestReplay expresses real commits in each format and compares with what git
// made of them, byte for byte. It prints what was refused and why.
//
// covers: ACC-5
func TestReplay(t *testing.T) {
	if *replay == "" {
		t.Skip("no -replay folder is given")
	}
	g := gitcmd.Git{Dir: *replay}
	out, err := g.Output(context.Background(), "log", "--no-merges", "--format=%H", "--min-parents=1", fmt.Sprintf("-n%d", *commits))
	require.NoError(t, err)
	total, refused, wrong, beside := map[string]int{}, map[string]int{}, map[string]int{}, map[string]int{}
	for _, id := range strings.Fields(string(out)) {
		before, after, ok := realCommit(t, g, id)
		if !ok {
			continue
		}
		for format, edits := range expressed(t, g, id, before, after, beside) {
			total[format]++
			s := snapshot(t, before)
			set, err := (&Anchored{KeepNoise: true, MaxFileLines: -1, NewFileLines: -1, FS: before.fs()}).Patch(context.Background(), Input{Before: s, Edits: edits})
			if err != nil {
				refused[format]++
				t.Logf("%s %.10s: %.300v", format, id, err)
				continue
			}
			got := tree{}
			for p, c := range before {
				got[p] = c
			}
			for p, c := range set.Overlay() {
				if delete(got, p); c != nil {
					got[p] = string(c)
				}
			}
			if fmt.Sprint(got) != fmt.Sprint(after) {
				wrong[format]++
				t.Errorf("%s %.10s: another result than git's", format, id)
			}
		}
	}
	for format, n := range total {
		t.Logf("%s: %d commits, %d refused (%.1f %%), %d wrong; %d files beside, which the format cannot say", format, n, refused[format], 100*float64(refused[format])/float64(n), wrong[format], beside[format])
	}
}

// expressed gives a commit's edits in each format; a format that itself refuses is logged.
func expressed(t *testing.T, g gitcmd.Git, id string, before, after tree, beside map[string]int) map[string][]Edit {
	t.Helper()
	out := map[string][]Edit{}
	read := func(format string, diff []byte) {
		if edits, err := Parse(diff); err == nil {
			out[format] = edits
		} else if fault.ClassOf(err) != "" {
			t.Logf("%s %.10s: %.300v", format, id, err)
		}
	}
	diff, err := g.Output(context.Background(), "diff-tree", "-p", "-M", "--full-index", id+"^", id)
	require.NoError(t, err)
	read("git diff", diff)
	for format, print := range map[string]func(*Set) ([]byte, error){"blocks": (*Set).SearchReplace, "envelope": (*Set).Envelope} {
		if edits, err := printedAs(t, before, after, print, beside, format); err == nil {
			out[format] = edits
		} else {
			t.Errorf("%s %.10s: %.300v", format, id, err)
		}
	}
	var plain bytes.Buffer
	for _, l := range splitLines(diff) {
		if !strings.HasPrefix(l, "index ") {
			plain.WriteString(l)
		}
	}
	read("without hashes", plain.Bytes())
	var whole []Edit
	for p, c := range after {
		switch old, ok := before[p]; {
		case !ok:
			whole = append(whole, Edit{Op: CreateFile, File: p, Text: c})
		case old != c:
			whole = append(whole, Edit{Op: WriteFile, File: p, Text: c, Hash: hashOf([]byte(old)), Rewrite: true})
		}
	}
	for p, c := range before {
		if _, ok := after[p]; !ok {
			whole = append(whole, Edit{Op: DeleteFile, File: p, Hash: hashOf([]byte(c))})
		}
	}
	if len(whole) > 0 {
		out["whole files"] = whole
	}
	return out
}

// printedAs writes a change in a format and reads it again; what the format
// cannot say of a file comes beside it as operations, and is counted.
func printedAs(t *testing.T, before, after tree, print func(*Set) ([]byte, error), beside map[string]int, format string) ([]Edit, error) {
	t.Helper()
	var edits []Edit
	set := &Set{}
	for _, f := range filesOf(before, after) {
		if _, err := print(&Set{Files: []File{f}}); err == nil {
			set.Files = append(set.Files, f)
			continue
		} else if fault.ClassOf(err) != fault.Unsupported {
			// Content that no format may write, such as a conflict's markers.
			t.Logf("%s %s: %.300v", format, f.Path, err)
		}
		beside[format]++
		switch f.Op {
		case Created:
			edits = append(edits, Edit{Op: CreateFile, File: f.Path, Text: string(f.New)})
		case Renamed: // without a change of its content, see filesOf
			edits = append(edits, Edit{Op: RenameFile, File: f.From, To: f.Path})
		case Deleted:
			edits = append(edits, Edit{Op: DeleteFile, File: f.Path, Hash: hashOf(f.Old)})
		default:
			edits = append(edits, Edit{Op: WriteFile, File: f.Path, Text: string(f.New), Hash: hashOf(f.Old), Rewrite: true})
		}
	}
	if len(set.Files) == 0 {
		return edits, nil
	}
	data, err := print(set)
	if err != nil {
		return nil, err
	}
	read, err := Parse(data)
	return append(edits, read...), err
}

// filesOf are the changed files between two trees; one that went and one that
// came with the same content are a move.
func filesOf(before, after tree) []File {
	var out []File
	for _, p := range slices.Sorted(maps.Keys(after)) {
		f := File{Path: p, Op: Created, New: []byte(after[p]), NewMode: 0o644}
		if old, ok := before[p]; ok {
			f.Op, f.Old, f.OldMode = Modified, []byte(old), 0o644
		}
		out = append(out, f)
	}
	for _, p := range slices.Sorted(maps.Keys(before)) {
		if _, ok := after[p]; ok {
			continue
		}
		i := slices.IndexFunc(out, func(f File) bool { return f.Op == Created && string(f.New) == before[p] && len(f.New) > 0 })
		if i >= 0 {
			out[i].Op, out[i].From, out[i].Old, out[i].OldMode = Renamed, p, out[i].New, 0o644
			continue
		}
		out = append(out, File{Path: p, Op: Deleted, Old: []byte(before[p]), OldMode: 0o644})
	}
	sortFiles(out)
	return out
}
