package ledger_test

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/plumbkit/plumb/host/fault"
	"github.com/plumbkit/plumb/host/fault/faulttest"
	"github.com/plumbkit/plumb/host/ledger"
	"github.com/plumbkit/plumb/host/ledger/ledgertest"
)

// covers: LED-1, LED-3
func TestFilesConforms(t *testing.T) {
	t.Parallel()
	ledgertest.Run(t, func(t *testing.T) ledger.Store {
		return &ledger.Files{Dir: filepath.Join(t.TempDir(), "new", "ledger")}
	})
}

// covers: LED-3
func TestMemoryConforms(t *testing.T) {
	ledgertest.Run(t, func(*testing.T) ledger.Store { return &ledger.Memory{} })
}

// covers: SEC-3
func TestFilesAreReadableByTheirOwnerOnly(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "ledger")
	s := &ledger.Files{Dir: dir}
	mustAppend(t, s, "t", `1`)
	assertMode(t, dir, 0o700)
	assertMode(t, filepath.Join(dir, "t.jsonl"), 0o600)

	require.NoError(t, os.Chmod(filepath.Join(dir, "t.jsonl"), 0o644))
	mustAppend(t, s, "t", `2`)
	assertMode(t, filepath.Join(dir, "t.jsonl"), 0o600)
}

func assertMode(t *testing.T, path string, want os.FileMode) {
	t.Helper()
	info, err := os.Stat(path)
	require.NoError(t, err)
	assert.Equal(t, want, info.Mode().Perm(), path)
}

func mustAppend(t *testing.T, s ledger.Store, task, doc string) {
	t.Helper()
	_, err := s.Append(context.Background(), task, []byte(doc))
	require.NoError(t, err)
}

// covers: SEC-1
func TestFilesFollowsNoLinkOutOfItsFolder(t *testing.T) {
	dir, outside := t.TempDir(), filepath.Join(t.TempDir(), "outside")
	require.NoError(t, os.WriteFile(outside, nil, 0o600))
	require.NoError(t, os.Symlink(outside, filepath.Join(dir, "t.jsonl")))
	s := &ledger.Files{Dir: dir}
	_, err := s.Append(context.Background(), "t", []byte(`1`))
	assert.ErrorIs(t, err, fault.Environment)
	assert.Empty(t, faulttest.Check(err))
	_, err = s.Read(context.Background(), "t")
	assert.ErrorIs(t, err, fault.Environment)
	got, err := os.ReadFile(outside)
	require.NoError(t, err)
	assert.Empty(t, got)
}

func TestFilesRefusesWhatIsNoFile(t *testing.T) {
	dir := t.TempDir()
	require.NoError(t, os.Mkdir(filepath.Join(dir, "t.jsonl"), 0o700))
	_, err := (&ledger.Files{Dir: dir}).Read(context.Background(), "t")
	assert.ErrorIs(t, err, fault.Environment)

	blocked := filepath.Join(dir, "file")
	require.NoError(t, os.WriteFile(blocked, nil, 0o600))
	_, err = (&ledger.Files{Dir: blocked}).Append(context.Background(), "t", []byte(`1`))
	assert.ErrorIs(t, err, fault.Environment)
	assert.Empty(t, faulttest.Check(err))
}

func TestFilesWithoutAFolder(t *testing.T) {
	ctx, s := context.Background(), &ledger.Files{}
	_, appendErr := s.Append(ctx, "t", []byte(`1`))
	_, readErr := s.Read(ctx, "t")
	_, tasksErr := s.Tasks(ctx)
	for _, err := range []error{appendErr, readErr, tasksErr, s.Remove(ctx, "t")} {
		assert.ErrorIs(t, err, fault.InvalidInput)
		assert.Empty(t, faulttest.Check(err))
	}
}

// covers: LED-1
func TestRetention(t *testing.T) {
	ctx, dir := context.Background(), filepath.Join(t.TempDir(), "ledger")
	s := &ledger.Files{Dir: dir}
	none, err := s.Tasks(ctx)
	require.NoError(t, err)
	assert.Empty(t, none)

	long := strings.Repeat("Long ", 60)
	log := &ledger.Log{Store: s}
	for _, task := range []string{"refund", "../a", long} {
		_, err := log.Record(ctx, ledger.Entry{Task: task, Kind: ledger.KindPlan})
		require.NoError(t, err)
	}
	require.NoError(t, os.WriteFile(filepath.Join(dir, "note.txt"), nil, 0o600))
	require.NoError(t, os.WriteFile(filepath.Join(dir, "%zz.jsonl"), nil, 0o600))
	require.NoError(t, os.WriteFile(filepath.Join(dir, "a~b.jsonl"), []byte("{"), 0o600))
	tasks, err := s.Tasks(ctx)
	require.NoError(t, err)
	assert.Equal(t, []string{"../a", long, "refund"}, tasks)

	require.NoError(t, s.Remove(ctx, "refund"))
	require.NoError(t, s.Remove(ctx, "refund"), "removing twice is safe")
	tasks, err = s.Tasks(ctx)
	require.NoError(t, err)
	assert.Equal(t, []string{"../a", long}, tasks)
	entries, err := ledger.Entries(ctx, s, "refund")
	require.NoError(t, err)
	assert.Empty(t, entries)
	assert.ErrorIs(t, s.Remove(ctx, ""), fault.InvalidInput)
}
