package task_test

import (
	"bytes"
	"encoding/json"
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/plumbkit/plumb/host/fault"
	"github.com/plumbkit/plumb/host/fault/faulttest"
	"github.com/plumbkit/plumb/host/task"
)

// covers: CLI-3
func TestReadGolden(t *testing.T) {
	data, err := os.ReadFile("testdata/task.yaml")
	require.NoError(t, err)
	got, err := task.Read(data)
	require.NoError(t, err)
	text, err := json.MarshalIndent(got, "", "  ")
	require.NoError(t, err)
	text = append(text, '\n')
	if os.Getenv("UPDATE_GOLDEN") == "1" {
		require.NoError(t, os.WriteFile("testdata/task.json", text, 0o644))
	}
	want, err := os.ReadFile("testdata/task.json")
	require.NoError(t, err)
	assert.Equal(t, string(want), string(text))

	var back task.Task
	dec := json.NewDecoder(bytes.NewReader(text))
	dec.DisallowUnknownFields()
	require.NoError(t, dec.Decode(&back))
	assert.Equal(t, got, back, "the JSON document round-trips")
}

// covers: CLI-3
func TestReadNamesUnknownKeysWithTheirLine(t *testing.T) {
	cases := map[string]struct {
		text, key string
		line      int
	}{
		"top":        {"requirement: a\nrequirements: b\n", "requirements", 2},
		"capability": {"requirement: a\ncapabilities:\n  - id: A-1\n    sentense: b\n", "sentense", 4},
		"answer":     {"requirement: a\nanswers:\n  - {question: Q-1, choice: 2}\n", "choice", 3},
		"source":     {"source: {document: a.md, part: b}\n", "part", 1},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			_, err := task.Read([]byte(c.text))
			require.ErrorIs(t, err, fault.InvalidInput)
			assert.Empty(t, faulttest.Check(err))
			var f *fault.Fault
			require.ErrorAs(t, err, &f)
			assert.Equal(t, fault.Subject{Line: c.line, Text: c.key}, f.Subject)
			assert.Contains(t, f.Detail, c.key)
		})
	}
}

// covers: CLI-3
func TestReadRefusesWhatIsNoTask(t *testing.T) {
	const req = "requirement: a\n"
	cases := map[string]struct{ text, key string }{
		"empty":                  {"", "requirement"},
		"blank":                  {"requirement: '  '\n", "requirement"},
		"no document":            {"source: {section: '1'}\n", "source.document"},
		"hash":                   {"source: {document: a.md, hash: abc}\n", "source.hash"},
		"capability without ID":  {req + "capabilities: [{sentence: b}]\n", "capabilities[0].id"},
		"ID twice":               {req + "capabilities: [{id: A-1}, {id: A-1}]\n", "capabilities[1].id"},
		"layer":                  {req + "capabilities: [{id: A-1, layers: [screen]}]\n", "capabilities[0].layers"},
		"change of nothing":      {req + "changes: [{remove: true}]\n", "changes[0].symbol"},
		"change to nothing":      {req + "changes: [{symbol: a}]\n", "changes[0]"},
		"two changes at once":    {req + "changes: [{symbol: a, new_name: b, remove: true}]\n", "changes[0]"},
		"answer without option":  {req + "answers: [{question: Q-1}]\n", "answers[0]"},
		"justification, nowhere": {req + "justifications: [{rule: a, reason: b}]\n", "justifications[0]"},
		"justification, why":     {req + "justifications: [{rule: a, file: b}]\n", "justifications[0]"},
		"wrong kind":             {"requirement: [a]\n", "requirement"},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			_, err := task.Read([]byte(c.text))
			require.ErrorIs(t, err, fault.InvalidInput)
			assert.Empty(t, faulttest.Check(err))
			var f *fault.Fault
			require.ErrorAs(t, err, &f)
			assert.Equal(t, c.key, f.Subject.Text)
		})
	}
}

func TestReadRefusesANewerSchema(t *testing.T) {
	_, err := task.Read([]byte("schema: 2\nrequirement: a\n"))
	require.ErrorIs(t, err, fault.Unsupported)
	assert.Empty(t, faulttest.Check(err))
}

func FuzzRead(f *testing.F) {
	data, err := os.ReadFile("testdata/task.yaml")
	require.NoError(f, err)
	f.Add(data)
	f.Add([]byte("requirement: a\nchanges: [{symbol: b, remove: true}]\n"))
	f.Fuzz(func(t *testing.T, data []byte) {
		got, err := task.Read(data)
		if err != nil {
			if lacks := faulttest.Check(err); len(lacks) > 0 {
				t.Fatal(strings.Join(lacks, "; "))
			}
			return
		}
		require.NoError(t, got.Check(), "what was read is a task")
	})
}
