package patch

import (
	"encoding/json"
	"reflect"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/plumbkit/plumb/host/fault"
)

// fill sets every field that is still zero, so that a golden file shows all keys.
func fill(v reflect.Value) {
	switch v.Kind() {
	case reflect.Struct:
		if v.Type() == reflect.TypeFor[time.Time]() {
			v.Set(reflect.ValueOf(time.Date(2024, 5, 6, 7, 8, 9, 0, time.UTC)))
			return
		}
		for i := range v.NumField() {
			if v.Field(i).CanSet() {
				fill(v.Field(i))
			}
		}
	case reflect.Pointer:
		if v.IsNil() && v.Type() != reflect.TypeFor[*fault.Fault]() {
			v.Set(reflect.New(v.Type().Elem()))
			fill(v.Elem())
		}
	case reflect.Slice:
		if v.Len() == 0 {
			if v.Type().Elem().Kind() == reflect.Uint8 {
				v.SetBytes([]byte("bytes\n"))
				return
			}
			v.Set(reflect.MakeSlice(v.Type(), 1, 1))
		}
		for i := range v.Len() {
			fill(v.Index(i))
		}
	case reflect.Map:
		if v.Type().Key().Kind() == reflect.String && v.Type().Elem().Kind() == reflect.Int {
			v.Set(reflect.MakeMap(v.Type()))
			v.SetMapIndex(reflect.ValueOf("white_space").Convert(v.Type().Key()), reflect.ValueOf(2))
		}
	case reflect.String:
		if v.String() == "" {
			v.SetString("text")
		}
	case reflect.Int, reflect.Int64:
		v.SetInt(3)
	case reflect.Uint32:
		v.SetUint(0o644)
	case reflect.Float64:
		v.SetFloat(0.25)
	case reflect.Bool:
		v.SetBool(true)
	}
}

// roundTrip marshals a filled document, compares it with its golden file and reads it back.
func roundTrip[T any](t *testing.T, name string, doc T) {
	t.Helper()
	fill(reflect.ValueOf(&doc).Elem())
	data, err := json.MarshalIndent(doc, "", "\t")
	require.NoError(t, err)
	golden(t, name, append(data, '\n'))
	var back T
	require.NoError(t, json.Unmarshal(data, &back))
	assert.Equal(t, doc, back)
}

// covers: ARC-4
func TestDocuments(t *testing.T) {
	roundTrip(t, "edit.json", Edit{Op: ReplaceText, Kind: "function"})
	roundTrip(t, "set.json", Set{Schema: SetSchema, Refused: []Refusal{{Block: "b", Fault: &fault.Fault{Class: fault.AnchorMismatch, Op: "patch.check", Detail: "d", Next: "n"}}}})
	roundTrip(t, "authorization.json", Authorization{})
	roundTrip(t, "receipt.json", Receipt{Schema: 1, Status: statusApplied})
	roundTrip(t, "situation.json", Situation{})
	roundTrip(t, "recovery.json", Recovery{})
}

// covers: PAT-21, ARC-4
func TestDigestSurvivesJSON(t *testing.T) {
	_, set := everything()
	set.Files = append(set.Files, File{Path: "empty", Op: Created, New: []byte{}, NewMode: 0o644})
	data, err := json.Marshal(set)
	require.NoError(t, err)
	var back Set
	require.NoError(t, json.Unmarshal(data, &back))
	assert.Equal(t, set.Digest(), back.Digest())
	assert.Equal(t, set.Overlay(), back.Overlay())
}

// covers: PAT-1
func TestParseJSON(t *testing.T) {
	doc := `{"schema": 1, "edits": [
  {"op": "replace_body", "symbol": "calc.Add", "kind": "function", "expect_contains": "a + b", "text": "{\n\treturn b + a\n}", "block": "x", "after": ["y"], "action": "3"},
  {"op": "insert_line", "file": "a.txt", "line": 2, "expect": "b", "text": "x"}
]}`
	got, err := Parse([]byte(doc))
	require.NoError(t, err)
	assert.Equal(t, []Edit{
		{Op: ReplaceBody, Symbol: "calc.Add", Kind: "function", ExpectContains: "a + b", Text: "{\n\treturn b + a\n}", Block: "x", After: []string{"y"}, Action: "3", From: "json:2"},
		{Op: InsertLine, File: "a.txt", Line: 2, Expect: "b", Text: "x", From: "json:3"},
	}, got)
	one, err := Parse([]byte(` {"op": "write_file", "file": "a", "text": "x", "hash": "h"}`))
	require.NoError(t, err)
	assert.Equal(t, []Edit{{Op: WriteFile, File: "a", Text: "x", Hash: "h", From: "json:1"}}, one)
	again, err := json.Marshal(map[string]any{"edits": got})
	require.NoError(t, err)
	back, err := ParseJSON(again)
	require.NoError(t, err)
	assert.Equal(t, got, back, "edits are read as they are written")
}
