package index_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/plumbkit/plumb/index"
)

// fill sets every field of v, so that the golden file shows each key: numbers
// count up, strings bear the field's name, slices have one element.
func fill(v reflect.Value, name string, n *int) {
	*n++
	switch v.Kind() {
	case reflect.Struct:
		for i := range v.NumField() {
			fill(v.Field(i), strings.ToLower(v.Type().Field(i).Name), n)
		}
	case reflect.Slice:
		v.Set(reflect.MakeSlice(v.Type(), 1, 1))
		fill(v.Index(0), name, n)
	case reflect.Pointer:
		v.Set(reflect.New(v.Type().Elem()))
		fill(v.Elem(), name, n)
	case reflect.String:
		v.SetString(name)
	case reflect.Bool:
		v.SetBool(true)
	case reflect.Int:
		v.SetInt(int64(*n))
	case reflect.Uint8:
		v.SetUint(1)
	case reflect.Float64:
		v.SetFloat(0.5)
	default:
		panic("a kind that documents have not had yet: " + v.Kind().String())
	}
}

// covers: ARC-4
func TestJSONOfWhatQueriesReturn(t *testing.T) {
	for name, into := range map[string]any{"span": &index.Span{}, "symbol": &index.Symbol{}, "ref": &index.Ref{},
		"mark": &index.Mark{}, "answer": &index.Answer[index.Ref]{}, "impact": &index.Impact{}, "members": &index.Members{}} {
		t.Run(name, func(t *testing.T) {
			n := 0
			fill(reflect.ValueOf(into).Elem(), name, &n)
			data, err := json.MarshalIndent(into, "", "  ")
			require.NoError(t, err)
			golden := filepath.Join("testdata", "json", name+".json")
			if os.Getenv("UPDATE_GOLDEN") != "" {
				require.NoError(t, os.MkdirAll(filepath.Dir(golden), 0o755))
				require.NoError(t, os.WriteFile(golden, append(data, '\n'), 0o644))
			}
			want, err := os.ReadFile(golden)
			require.NoError(t, err)
			assert.Equal(t, string(want), string(data)+"\n")
			back := reflect.New(reflect.TypeOf(into).Elem())
			decoder := json.NewDecoder(strings.NewReader(string(want)))
			decoder.DisallowUnknownFields()
			require.NoError(t, decoder.Decode(back.Interface()))
			assert.Equal(t, into, back.Interface(), "what was written is read back")
		})
	}
}

// covers: ARC-4
func TestJSONOfEmptyAnswersKeepsItsKeys(t *testing.T) {
	data, err := json.Marshal(index.Answer[index.Ref]{})
	require.NoError(t, err)
	assert.JSONEq(t, `{"sure":null,"confirm":null,"total":0,"basis":{"digest":"","tier":"","files":0,"skipped":0,
		"unresolved":0,"dynamic":0,"ambiguous":0,"confidence":""}}`, string(data))
}
