package gitcmd

import (
	"bytes"
	"context"
	"fmt"
	"strconv"
	"strings"
)

// A Blob is one file of a revision.
type Blob struct {
	Path string // relative to Git.Dir, with slashes
	// Hash names the content, in hexadecimal; of a submodule the commit.
	Hash string
	// Mode is git's: 100644, 100755, 120000 for a symbolic link, 160000 for a submodule.
	Mode string
}

// Tree lists the files of a revision below Git.Dir, in git's order, and returns
// the name of the commit or tree that the revision stands for. Nothing is
// checked out. Errors are *Error, also when there is no such revision.
func (g Git) Tree(ctx context.Context, rev string) (name string, files []Blob, err error) {
	out, err := g.Output(ctx, "rev-parse", "--verify", "--end-of-options", rev+"^{object}")
	if err != nil {
		return "", nil, err
	}
	name = strings.TrimSpace(string(out))
	if out, err = g.Output(ctx, "ls-tree", "-r", "-z", name); err != nil {
		return "", nil, err
	}
	for _, entry := range strings.Split(string(out), "\x00") {
		meta, path, ok := strings.Cut(entry, "\t")
		words := strings.Fields(meta)
		if ok && len(words) == 3 {
			files = append(files, Blob{Path: path, Mode: words[0], Hash: words[2]})
		}
	}
	return name, files, nil
}

// Blobs returns the contents of blobs by their names, as they are stored: no
// filter and no conversion of line ends runs. Errors are *Error, also when one
// of them is missing.
func (g Git) Blobs(ctx context.Context, hashes []string) (map[string][]byte, error) {
	found := make(map[string][]byte, len(hashes))
	if len(hashes) == 0 {
		return found, nil
	}
	args := []string{"cat-file", "--batch", "--buffer"}
	out, err := g.Input(ctx, []byte(strings.Join(hashes, "\n")+"\n"), args...)
	if err != nil {
		return nil, err
	}
	for len(out) > 0 {
		head, rest, _ := bytes.Cut(out, []byte("\n"))
		words := strings.Fields(string(head))
		if len(words) != 3 || words[1] != "blob" {
			return nil, &Error{Args: args, Stderr: string(head), Code: -1, Err: fmt.Errorf("no blob: %q", head)}
		}
		size, err := strconv.Atoi(words[2])
		if err != nil || size < 0 || size+1 > len(rest) {
			return nil, &Error{Args: args, Stderr: string(head), Code: -1, Err: fmt.Errorf("cut off after %q", head)}
		}
		found[words[0]] = rest[:size:size]
		out = rest[size+1:]
	}
	return found, nil
}
