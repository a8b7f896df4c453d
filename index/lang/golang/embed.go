package golang

import (
	"path"
	"regexp"
	"strings"

	"github.com/bmatcuk/doublestar/v4"
)

var embedWord = regexp.MustCompile(`"[^"]+"|\S+`)

// embeds reports whether the patterns of an embed line of the file from take the
// file in (pkg.go.dev/embed: a folder stands for all that lies in it).
func embeds(line, from, file string) bool {
	dir := path.Dir(from)
	rest, ok := strings.CutPrefix(file, dir+"/")
	if dir == "." {
		rest, ok = file, true
	}
	_, patterns, found := strings.Cut(line, "go:embed")
	if !ok || !found {
		return false
	}
	for _, p := range embedWord.FindAllString(patterns, -1) {
		p = strings.TrimPrefix(strings.Trim(p, "\"`"), "all:")
		for _, g := range []string{p, path.Join(p, "**")} {
			if hit, err := doublestar.Match(g, rest); hit && err == nil {
				return true
			}
		}
	}
	return false
}
