package budget_test

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/plumbkit/plumb/budget"
	"github.com/plumbkit/plumb/host/fault"
)

func gitRepo(t *testing.T) (dir string, git func(args ...string)) {
	t.Helper()
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip("no git here")
	}
	dir = t.TempDir()
	git = func(args ...string) {
		t.Helper()
		cmd := exec.Command("git", args...)
		cmd.Dir = dir
		cmd.Env = append(os.Environ(), "GIT_CONFIG_GLOBAL=/dev/null", "GIT_CONFIG_NOSYSTEM=1", "GIT_AUTHOR_NAME=A", "GIT_AUTHOR_EMAIL=a@x.example", "GIT_COMMITTER_NAME=A",
			"GIT_COMMITTER_EMAIL=a@x.example", "GIT_AUTHOR_DATE=2024-03-19T11:05:00+01:00", "GIT_COMMITTER_DATE=2024-03-19T11:05:00+01:00")
		out, err := cmd.CombinedOutput()
		require.NoError(t, err, "%s", out)
	}
	git("init", "-q", "-b", "main")
	return dir, git
}

// covers: BUD-12, SEC-2
func TestGitTellsTheLastCommitsOfFilesAndRunsNothing(t *testing.T) {
	dir, git := gitRepo(t)
	commits, err := budget.Git{Dir: dir}.Last(context.Background(), []string{"a.go"}, 5)
	require.NoError(t, err)
	assert.Empty(t, commits, "a repository without commits has no history")

	write := func(name, text string) {
		require.NoError(t, os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644))
	}
	for i, subject := range []string{"a: one", "a: two", "b: three", "a: four"} {
		name := subject[:1] + ".go"
		write(name, subject)
		git("add", "-A")
		git("commit", "-q", "-m", subject+"\n\nbody "+string(rune('0'+i)))
	}
	marker := filepath.Join(dir, "ran")
	git("config", "core.pager", "touch "+marker)
	git("config", "log.showSignature", "true")
	git("config", "diff.external", "touch "+marker)
	git("config", "core.fsmonitor", "touch "+marker)

	commits, err = budget.Git{Dir: dir}.Last(context.Background(), []string{"a.go"}, 2)
	require.NoError(t, err)
	require.Len(t, commits, 2)
	assert.Equal(t, "a: four", commits[0].Subject)
	assert.Equal(t, "a: two", commits[1].Subject)
	assert.Equal(t, "2024-03-19", commits[0].Date)
	assert.Regexp(t, `^[0-9a-f]{7,} 2024-03-19 a: four$`, commits[0].String())
	assert.NoFileExists(t, marker)
}

// covers: BUD-12
func TestAFolderWithoutGitHasNoHistory(t *testing.T) {
	commits, err := budget.Git{Dir: t.TempDir()}.Last(context.Background(), []string{"a.go"}, 5)
	require.NoError(t, err)
	assert.Empty(t, commits)
	dir, _ := gitRepo(t)
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	_, err = budget.Git{Dir: dir}.Last(ctx, []string{"a.go"}, 5)
	assert.ErrorIs(t, err, fault.Canceled)
}
