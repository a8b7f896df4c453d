package task_test

import (
	"os"
	"reflect"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/plumbkit/plumb/host/task"
)

// The example of the document is read by the code, and uses every key that the
// code knows.
//
// covers: CLI-3
func TestTheDocumentShowsEveryKey(t *testing.T) {
	doc, err := os.ReadFile("../../docs/task-file.md")
	require.NoError(t, err)
	blocks := regexp.MustCompile("(?ms)^```yaml\n(.*?)^```$").FindAllStringSubmatch(string(doc), -1)
	require.Len(t, blocks, 1)
	read, err := task.Read([]byte(blocks[0][1]))
	require.NoError(t, err)
	assert.Equal(t, "refund-fee", read.ID)
	assert.Len(t, read.Justifications, 2)
	used := map[string]bool{}
	for _, m := range regexp.MustCompile(`[\s{]([a-z_]+):`).FindAllStringSubmatch("\n"+blocks[0][1], -1) {
		used[m[1]] = true
	}
	for _, key := range keys(reflect.TypeFor[task.Task]()) {
		assert.Truef(t, used[key], "the example does not use %s", key)
		assert.Containsf(t, string(doc), "`"+key+"`", "the document does not explain %s", key)
	}
	for _, layer := range task.Layers() {
		assert.Contains(t, string(doc), "`"+layer+"`")
	}
}

// keys are the keys of a type and of all that it holds.
func keys(t reflect.Type) []string {
	for t.Kind() == reflect.Pointer || t.Kind() == reflect.Slice {
		t = t.Elem()
	}
	if t.Kind() != reflect.Struct {
		return nil
	}
	var out []string
	for i := range t.NumField() {
		name, _, _ := strings.Cut(t.Field(i).Tag.Get("yaml"), ",")
		out = append(append(out, name), keys(t.Field(i).Type)...)
	}
	return out
}
