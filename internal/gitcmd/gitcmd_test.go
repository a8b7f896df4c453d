package gitcmd

import (
	"context"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// repository makes a repository with one commit by plain git.
func repository(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	plain(t, dir, "init", "-q")
	require.NoError(t, os.WriteFile(filepath.Join(dir, "a.txt"), []byte("a\n"), 0o644))
	plain(t, dir, "add", ".")
	plain(t, dir, "-c", "user.name=t", "-c", "user.email=t@example.org", "commit", "-q", "-m", "one")
	return dir
}

func plain(t *testing.T, dir string, args ...string) {
	t.Helper()
	cmd := exec.Command("git", args...)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "GIT_CONFIG_GLOBAL=/dev/null", "GIT_CONFIG_NOSYSTEM=1")
	out, err := cmd.CombinedOutput()
	require.NoError(t, err, "%s", out)
}

// covers: SEC-2
func TestNothingOfTheRepositoryRuns(t *testing.T) {
	dir := repository(t)
	trap := filepath.Join(t.TempDir(), "ran")
	script := filepath.Join(t.TempDir(), "trap.sh")
	require.NoError(t, os.WriteFile(script, []byte("#!/bin/sh\necho \"$0 $*\" >> "+trap+"\ncat\n"), 0o755))
	for key, value := range map[string]string{
		"core.fsmonitor": script, "core.pager": script, "pager.diff": script, "pager.log": script, "pager.status": script, "diff.external": script,
		"core.editor": script, "core.sshCommand": script, "core.askPass": script, "credential.helper": script, "credential.https://x.helper": script,
		"filter.evil.clean": script, "filter.evil.smudge": script, "filter.evil.process": script, "filter.evil.required": "true",
		"diff.evil.textconv": script, "diff.evil.command": script, "merge.evil.driver": script, "core.alternateRefsCommand": script,
		"alias.status": "!" + script, "gpg.program": script, "log.showSignature": "true", "core.attributesFile": filepath.Join(dir, "evil-attributes"),
	} {
		plain(t, dir, "config", key, value)
	}
	hooks := filepath.Join(dir, "hooks")
	require.NoError(t, os.Mkdir(hooks, 0o755))
	plain(t, dir, "config", "core.hooksPath", hooks)
	for _, at := range []string{hooks, filepath.Join(dir, ".git", "hooks")} {
		require.NoError(t, os.MkdirAll(at, 0o755))
		for _, h := range []string{"post-index-change", "pre-commit", "post-checkout", "reference-transaction", "fsmonitor-watchman"} {
			data, err := os.ReadFile(script)
			require.NoError(t, err)
			require.NoError(t, os.WriteFile(filepath.Join(at, h), data, 0o755))
		}
	}
	require.NoError(t, os.WriteFile(filepath.Join(dir, ".gitattributes"), []byte("* filter=evil diff=evil merge=evil\n"), 0o644))
	require.NoError(t, os.WriteFile(filepath.Join(dir, "a.txt"), []byte("b\n"), 0o644))
	t.Setenv("GIT_EXTERNAL_DIFF", script)
	t.Setenv("GIT_PAGER", script)
	t.Setenv("GIT_DIR", "/nonexistent")

	g := Git{Dir: dir}
	index, err := os.ReadFile(filepath.Join(dir, ".git", "index"))
	require.NoError(t, err)
	for _, args := range [][]string{{"status", "--porcelain", "-z"}, {"diff"}, {"log", "-p"}, {"ls-files", "-z"}, {"show", "HEAD:a.txt"},
		{"cat-file", "--textconv", "HEAD:a.txt"}, {"blame", "a.txt"}, {"hash-object", "a.txt"}, {"for-each-ref"}} {
		_, err := g.Output(context.Background(), args...)
		require.NoError(t, err, "%v", args)
	}
	said, _ := os.ReadFile(trap)
	assert.Empty(t, string(said), "something of the repository ran")
	now, err := os.ReadFile(filepath.Join(dir, ".git", "index"))
	require.NoError(t, err)
	assert.Equal(t, index, now, "the index is left as it is")
	_, err = g.Output(context.Background(), "checkout", "-f", "--", "a.txt")
	require.NoError(t, err)
	said, _ = os.ReadFile(trap)
	assert.Empty(t, string(said))
}

func TestErrors(t *testing.T) {
	dir := repository(t)
	g := Git{Dir: dir}
	_, err := g.Output(context.Background(), "rev-parse", "--verify", "nothing")
	var e *Error
	require.True(t, errors.As(err, &e))
	assert.Equal(t, 128, e.Code)
	assert.Equal(t, []string{"rev-parse", "--verify", "nothing"}, e.Args)
	assert.True(t, strings.HasPrefix(err.Error(), "git rev-parse --verify nothing: fatal"), err.Error())

	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	_, err = g.Output(ctx, "status")
	assert.ErrorIs(t, err, context.Canceled)

	_, err = Git{Dir: dir, Path: "no-such-git"}.Output(context.Background(), "status")
	assert.ErrorIs(t, err, exec.ErrNotFound)
	_, err = Git{Dir: t.TempDir()}.Output(context.Background(), "status")
	assert.Error(t, err)
}

func TestInput(t *testing.T) {
	out, err := Git{Dir: repository(t)}.Input(context.Background(), []byte("a\n"), "hash-object", "--stdin")
	require.NoError(t, err)
	assert.Equal(t, "78981922613b2afb6025042ff6bd878ac1994e85\n", string(out))
}
