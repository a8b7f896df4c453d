package golang

import (
	"testing"

	"github.com/stretchr/testify/assert"
)

// covers: IDX-12
func TestConstraintsMeet(t *testing.T) {
	for _, c := range []struct {
		a, b     string // file names, or expressions
		together bool
	}{
		{"a_linux.go", "a_windows.go", false},
		{"a_linux.go", "b_amd64.go", true},
		{"a_linux_arm.go", "b_amd64.go", false},
		{"a_linux_test.go", "a_linux.go", true},
		{"linux.go", "windows.go", true}, // nothing stands before an underscore
		{"unix", "a_windows.go", false},
		{"unix", "a_darwin.go", true},
		{"unix && !linux", "a_linux.go", false},
		{"linux", "a_android.go", true}, // android implies linux
		{"!linux", "a_android.go", false},
		{"cgo", "!cgo", false},
		{"race || msan", "!race", true},
		{"go1.21", "linux", true},
		{"gccgo", "gc", false},
		{"ignore", "", false},
		{"ignore", "ignore && linux", true},
		{"!ignore", "", true},
		{"//go:build slim", "// +build !slim", false},
		{"a && b && c && d && e && f && g && h && i && j", "!a", true}, // too many to try
	} {
		cons := newConstraints()
		add := func(s string) int32 {
			if isGoFile(s) {
				return cons.add(s, "")
			}
			return cons.add("x.go", s)
		}
		assert.Equal(t, c.together, cons.together(add(c.a), add(c.b)), "%s with %s", c.a, c.b)
	}
}

func isGoFile(s string) bool { return len(s) > 3 && s[len(s)-3:] == ".go" }

// covers: IDX-12
func TestConstraintsBuild(t *testing.T) {
	cons := newConstraints()
	for file, builds := range map[string]bool{"a.go": true, "a_linux.go": true, "a_amd64.go": true, "a_linux_arm64.go": false, "a_js.go": false} {
		assert.Equal(t, builds, cons.builds[cons.add(file, "")], file)
	}
	for text, builds := range map[string]bool{"cgo && unix": true, "race": false, "!gc": false, "ignore": false, "go1.18": true} {
		assert.Equal(t, builds, cons.builds[cons.add("a.go", text)], text)
	}
}

// covers: IDX-12
func TestInternalRule(t *testing.T) {
	for _, c := range []struct {
		from, dir string
		may       bool
	}{
		{"", "internal", true},
		{"x/y", "internal/z", true},
		{"a", "a/internal", true},
		{"a/b/c", "a/internal/b", true},
		{"b", "a/internal", false},
		{"ab", "a/internal", false},
		{"a", "a/b/internal/c", false},
		{"a", "internals", true},
	} {
		assert.Equal(t, c.may, mayImport(c.from, c.dir), "%s imports %s", c.from, c.dir)
	}
}

// covers: IDX-12
func TestGuessedPackageNames(t *testing.T) {
	for path, name := range map[string]string{
		"fmt": "fmt", "net/http": "http", "github.com/go-chi/chi/v5": "chi", "gopkg.in/yaml.v3": "yaml", "v2": "v2",
		"example.com/vectors": "vectors",
	} {
		assert.Equal(t, name, guessName(path), path)
	}
}
