package patch

import (
	"fmt"
	"io/fs"
	"strings"

	"github.com/plumbkit/plumb/host/fault"
)

// A fileHead is what the lines before the first hunk say.
type fileHead struct {
	line             int // 1-based
	git              bool
	old, new         string // as given, prefixes dropped; "" for /dev/null or not given
	from, to         string // of a rename or copy
	created, deleted bool
	rename, copied   bool
	oldMode, newMode fs.FileMode
	hash             string
}

// gitHead reads "diff --git" and the extended header lines below it.
func (p *diffReader) gitHead(h *fileHead) error {
	h.git = true
	old, new, ok := gitNames(strings.TrimPrefix(p.peek(0), "diff --git "))
	if ok {
		h.old, h.new = old, new
	}
	for p.at++; p.at < len(p.lines); p.at++ {
		l := p.peek(0)
		key, value := extended(l)
		if key == "" {
			if strings.HasPrefix(l, "GIT binary patch") || strings.HasPrefix(l, "Binary files ") {
				return p.unsupported("a binary patch", "write the file whole by other means, outside of this set")
			}
			return nil
		}
		if err := p.extend(h, key, value); err != nil {
			return err
		}
	}
	return nil
}

// extended splits an extended header line into its key and value.
func extended(line string) (key, value string) {
	for _, k := range []string{"old mode ", "new mode ", "deleted file mode ", "new file mode ", "copy from ", "copy to ",
		"rename from ", "rename to ", "similarity index ", "dissimilarity index ", "index "} {
		if v, ok := strings.CutPrefix(line, k); ok {
			return k, v
		}
	}
	return "", ""
}

func (p *diffReader) extend(h *fileHead, key, value string) (err error) {
	switch key {
	case "old mode ":
		h.oldMode, err = p.mode(value)
	case "new mode ":
		h.newMode, err = p.mode(value)
	case "deleted file mode ":
		h.deleted = true
		h.oldMode, err = p.mode(value)
	case "new file mode ":
		h.created = true
		h.newMode, err = p.mode(value)
	case "copy from ", "rename from ":
		h.copied, h.rename = key == "copy from ", key == "rename from "
		h.from, err = p.name(value, "")
	case "copy to ", "rename to ":
		h.to, err = p.name(value, "")
	case "index ":
		ids, mode, _ := strings.Cut(value, " ")
		if old, _, ok := strings.Cut(ids, ".."); ok && strings.Trim(old, "0") != "" && len(old) >= 7 {
			h.hash = "git:" + old
		}
		if mode != "" {
			_, err = p.mode(mode)
		}
	}
	return err
}

// mode reads git's octal file mode.
func (p *diffReader) mode(s string) (fs.FileMode, error) {
	switch strings.TrimSpace(s) {
	case "100644", "100664":
		return 0o644, nil
	case "100755":
		return 0o755, nil
	case "120000":
		return fs.ModeSymlink | 0o777, nil
	case "160000":
		return 0, p.unsupported("a submodule", "move the submodule with git, outside of this set")
	}
	return 0, p.fail("the file mode %q is none that git knows (100644, 100755, 120000)", s)
}

func (p *diffReader) unsupported(what, next string) error {
	return &fault.Fault{Class: fault.Unsupported, Op: parseOp, Subject: fault.Subject{Line: p.at + 1, Text: p.peek(0)},
		Detail: fmt.Sprintf("line %d of the input is %s, which is not applied", p.at+1, what), State: unchanged, Next: next}
}

// name reads one path: quoted, or up to a tab (a time stamp follows it).
func (p *diffReader) name(s, prefix string) (string, error) {
	if strings.HasPrefix(s, `"`) {
		path, rest, err := unquotePath(s)
		if err != nil {
			return "", p.fail("%v", err)
		}
		if r := strings.TrimSpace(rest); r != "" && !strings.HasPrefix(rest, "\t") {
			return "", p.fail("%q follows the quoted path", r)
		}
		s = path
	} else if prefix != "" {
		s, _, _ = strings.Cut(s, "\t")
	}
	if s == "/dev/null" {
		return "", nil
	}
	if prefix != "" {
		s = strings.TrimPrefix(s, prefix)
	}
	if s == "" {
		return "", p.fail("the path is empty")
	}
	return s, nil
}

// names reads the "--- " and "+++ " lines.
func (p *diffReader) names(h *fileHead) (err error) {
	old, new := p.peek(0)[4:], p.peek(1)[4:]
	pa, pb := "a/", "b/"
	if !prefixed(old, "a/") || !prefixed(new, "b/") {
		pa, pb = "\x00", "\x00" // no prefixes: keep names whole
	}
	if h.old, err = p.name(old, pa); err != nil {
		return err
	}
	p.at++
	if h.new, err = p.name(new, pb); err != nil {
		return err
	}
	p.at++
	if h.old == "" && h.new == "" {
		p.at--
		return p.fail("both sides are /dev/null")
	}
	h.created, h.deleted = h.created || h.old == "", h.deleted || h.new == ""
	return nil
}

// prefixed reports whether a name as written has the prefix, or is /dev/null.
func prefixed(name, prefix string) bool {
	n := strings.TrimPrefix(name, `"`)
	return strings.HasPrefix(n, prefix) || strings.HasPrefix(n, "/dev/null")
}

// gitNames splits the rest of a "diff --git" line. Names with blanks are not
// quoted there, so both sides have to be the same but for their prefix.
func gitNames(s string) (old, new string, ok bool) {
	if strings.HasPrefix(s, `"`) {
		o, rest, err := unquotePath(s)
		if err != nil || !strings.HasPrefix(rest, " ") {
			return "", "", false
		}
		n := rest[1:]
		if strings.HasPrefix(n, `"`) {
			if n, _, err = unquotePath(n); err != nil {
				return "", "", false
			}
		}
		return strings.TrimPrefix(o, "a/"), strings.TrimPrefix(n, "b/"), true
	}
	if i := strings.Index(s, ` "`); i >= 0 && strings.HasSuffix(s, `"`) {
		n, _, err := unquotePath(s[i+1:])
		return strings.TrimPrefix(s[:i], "a/"), strings.TrimPrefix(n, "b/"), err == nil
	}
	for i := 1; i < len(s); i++ {
		if s[i] != ' ' {
			continue
		}
		o, n := strings.TrimPrefix(s[:i], "a/"), strings.TrimPrefix(s[i+1:], "b/")
		if o == n || strings.Count(s, " ") == 1 {
			return o, n, true
		}
	}
	return "", "", false
}
