package sandbox_test

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/plumbkit/plumb/host/sandbox"
)

// covers: ARC-4
func TestJSONIsStable(t *testing.T) {
	roundTrip(t, "command.json", sandbox.Command{
		Dir: "/src", Args: []string{"go", "test"}, Env: []string{"A=b"}, Stdin: []byte("in"), Readable: []string{"/r"}, Writable: []string{"/w"}, Network: true,
		Limits: sandbox.Limits{Wall: time.Second, CPU: 2 * time.Second, Memory: 3, Output: 4, Processes: 5},
	})
	roundTrip(t, "result.json", sandbox.Result{
		ExitCode: 137, Signal: 9, Stdout: []byte("out"), Stderr: []byte("err"), CutStdout: 1, CutStderr: 2, Exceeded: sandbox.LimitWall,
		Wall: time.Second, CPU: time.Millisecond, PeakRSS: 3, Unsandboxed: true,
		Promises: sandbox.Promises{{Name: sandbox.NoHome, Held: true, How: "not mounted"}},
	})
}

// roundTrip holds the value's JSON against a golden file and reads it back.
func roundTrip[T any](t *testing.T, name string, value T) {
	t.Helper()
	doc, err := json.MarshalIndent(value, "", "  ")
	require.NoError(t, err)
	doc = append(bytes.TrimSpace(doc), '\n')
	path := filepath.Join("testdata", name)
	if os.Getenv("UPDATE_GOLDEN") == "1" {
		require.NoError(t, os.MkdirAll("testdata", 0o755))
		require.NoError(t, os.WriteFile(path, doc, 0o644))
	}
	want, err := os.ReadFile(path)
	require.NoError(t, err)
	assert.Equal(t, string(want), string(doc))
	var back T
	require.NoError(t, json.Unmarshal(want, &back))
	assert.Equal(t, value, back)
}

// covers: VER-21
func TestPromises(t *testing.T) {
	ps := sandbox.Promises{{Name: sandbox.NoHome, Held: true}, {Name: sandbox.NoNetwork}}
	assert.True(t, ps.Held(sandbox.NoHome))
	assert.False(t, ps.Held(sandbox.NoNetwork))
	assert.False(t, ps.Held(sandbox.NoOrphans), "what is not listed is not held")
	assert.Equal(t, ps[1:], ps.Broken())
}
