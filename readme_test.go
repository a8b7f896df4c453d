package plumb_test

import (
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// covers: ARC-9
func TestTheReadmeShowsTheProgramThatIsCompiledHere(t *testing.T) {
	source, err := os.ReadFile("example_test.go")
	require.NoError(t, err)
	program := regexp.MustCompile(`(?ms)^// program is .*?^}\n`).FindString(string(source))
	require.NotEmpty(t, program)
	readme, err := os.ReadFile("README.md")
	require.NoError(t, err)
	fences := regexp.MustCompile("(?ms)^```go\n(.*?)^```$").FindAllStringSubmatch(string(readme), -1)
	require.Len(t, fences, 1)
	if os.Getenv("UPDATE_GOLDEN") != "" {
		updated := strings.Replace(string(readme), fences[0][1], program, 1)
		require.NoError(t, os.WriteFile("README.md", []byte(updated), 0o644))
		return
	}
	assert.Equal(t, program, fences[0][1], "UPDATE_GOLDEN=1 brings the README up to date")
	assert.LessOrEqual(t, strings.Count(program, "\n"), 40, "the program is meant to be read at a glance")
	for _, stage := range []string{"Index(", "Plan(", "Patch(", "Verify("} {
		assert.Contains(t, program, stage)
	}
}

// covers: ARC-9
func TestTheReadmeNamesFilesThatExist(t *testing.T) {
	readme, err := os.ReadFile("README.md")
	require.NoError(t, err)
	for _, name := range regexp.MustCompile(`\b(examples/\w+|docs/requirements[\w./]*\w|docs/architecture\.md|CONTRIBUTING\.md)`).FindAllString(string(readme), -1) {
		_, err := os.Stat(name)
		assert.NoErrorf(t, err, "the README names %s", name)
	}
}
