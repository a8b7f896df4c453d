package secrets

import (
	"context"
	"flag"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/plumbkit/plumb/internal/gitcmd"
)

var (
	replay  = flag.String("replay", "", "git folder whose commits are looked at")
	commits = flag.Int("commits", 100, "how many commits are looked at")
)

type hitAt struct {
	path string
	hit
}

// TestReplay looks at the changed files of real commits, before and after, and
// prints by rule, file and line what would be reported of each.
//
// covers: ACC-7
func TestReplay(t *testing.T) {
	if *replay == "" {
		t.Skip("no -replay folder is given")
	}
	g := gitcmd.Git{Dir: *replay}
	ctx := context.Background()
	git := func(args ...string) string {
		out, err := g.Output(ctx, args...)
		require.NoError(t, err)
		return string(out)
	}
	looked, flagged, size := 0, 0, 0
	var spent time.Duration
	for _, id := range strings.Fields(git("log", "--no-merges", "--min-parents=1", "--format=%H", "-n", strconv.Itoa(*commits))) {
		looked++
		was, hit := known{}, false
		type side struct{ path, old, now string }
		var files []side
		parts := strings.Split(strings.TrimSuffix(git("diff-tree", "-r", "-z", "--no-renames", id+"^", id), "\x00"), "\x00")
		for i := 0; i+1 < len(parts); i += 2 {
			f := strings.Fields(parts[i])
			if f[0] == ":160000" || f[1] == "160000" {
				continue
			}
			s := side{path: parts[i+1]}
			if strings.Trim(f[2], "0") != "" {
				s.old = git("cat-file", "blob", f[2])
			}
			if strings.Trim(f[3], "0") != "" {
				s.now = git("cat-file", "blob", f[3])
			}
			files = append(files, s)
		}
		var found []hitAt
		for _, s := range files {
			size += len(s.now)
			start := time.Now()
			hits, err := find(ctx, s.path, s.old, s.now, nil)
			spent += time.Since(start)
			require.NoError(t, err)
			for _, h := range hits {
				found = append(found, hitAt{s.path, h})
			}
		}
		if len(found) > 0 {
			for _, s := range files {
				hits, err := find(ctx, s.path, "", s.old, nil)
				require.NoError(t, err)
				for _, h := range hits {
					was[h.secret] = true
				}
			}
		}
		for _, f := range found {
			if !was[f.secret] {
				hit = true
				t.Logf("%.10s %s:%d %s", id, f.path, f.at, f.rule)
			}
		}
		if hit {
			flagged++
		}
	}
	t.Logf("%d commits, %d flagged; %d bytes looked at in %v", looked, flagged, size, spent)
}
