package gate

import (
	"context"
	"fmt"
	"io/fs"
	"path"
)

// protectedPaths blocks changes of paths that no task here may touch (GAT-7),
// under the old and the new name, and through a symbolic link that leads there.
func protectedPaths(_ context.Context, c *Case) ([]Finding, error) {
	globs := append(builtinProtected(), c.Policy.Protected...)
	var out []Finding
	for i := range c.Changes {
		f := &c.Changes[i]
		for _, p := range pathsOf(f) {
			g := matches(globs, p)
			if g == "" {
				continue
			}
			reason := "the path " + p + " holds secrets, permissions, or commands that run outside this change (" + g + ")"
			if p != f.Old && p != f.New {
				reason = f.Path() + " is a symbolic link, and leads to it: " + reason
			}
			out = append(out, Finding{Before: at(f.Old, 1), After: at(f.New, 1), Reason: reason,
				Alternative: "leave the file out of the change, and have a person make this part by hand"})
			break
		}
	}
	return append(out, openedModes(c)...), nil
}

// openedModes blocks files that everybody may write, or that run as their owner.
func openedModes(c *Case) []Finding {
	if c.Set == nil {
		return nil
	}
	var out []Finding
	for _, f := range c.Set.Files {
		const dangerous = 0o002 | fs.ModeSetuid | fs.ModeSetgid
		if f.NewMode&fs.ModeSymlink == 0 && f.NewMode&dangerous&^f.OldMode != 0 {
			out = append(out, Finding{Before: at(f.From, 1), After: at(f.Path, 1), Reason: fmt.Sprintf("%s gets the mode %s: everybody may write it, or it runs as its owner", f.Path, f.NewMode),
				Alternative: "leave the mode as it was"})
		}
	}
	return out
}

// pathsOf are the names under which a changed file is reached.
func pathsOf(f *Change) []string {
	var out []string
	for _, p := range []string{f.Old, f.New} {
		if p != "" && (len(out) == 0 || out[0] != p) {
			out = append(out, p)
		}
	}
	if f.Link {
		for _, side := range []struct {
			from   string
			target []byte
		}{{f.Old, f.Before}, {f.New, f.After}} {
			if side.from != "" && len(side.target) > 0 && len(side.target) < 4096 {
				out = append(out, path.Join(path.Dir(side.from), string(side.target)))
			}
		}
	}
	return out
}
