package patch

import (
	"io/fs"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/plumbkit/plumb/host/fault"
)

// checkPath refuses paths that leave the workspace or reach what is no part of
// it (PAT-12). It is the readable half of the rule: os.Root enforces the rest
// when files are opened. created says that a file of that name is to be made,
// for which names that some system cannot hold are refused too.
func checkPath(p string, created bool) error {
	why := pathFault(p)
	if why == "" && created {
		why = nameFault(p)
	}
	if why == "" {
		return nil
	}
	return &fault.Fault{Class: fault.Dangerous, Op: "patch.path", Subject: fault.Subject{File: p, Text: p}, Detail: "the path " + why,
		State: unchanged, Next: "name a file inside the workspace, relative to its root, with forward slashes"}
}

func pathFault(p string) string {
	switch {
	case p == "":
		return "is empty"
	case strings.HasPrefix(p, "/"):
		return "is absolute"
	case strings.HasPrefix(p, `\\`):
		return "is a network path"
	case strings.Contains(p, `\`):
		return "holds a backslash, which some systems take for a separator"
	case len(p) > 1 && p[1] == ':' && unicode.IsLetter(rune(p[0])):
		return "begins with a drive letter"
	case strings.IndexByte(p, 0) >= 0:
		return "holds a NUL byte"
	case p == "." || !validPath(p):
		return "holds an empty, \".\" or \"..\" component"
	}
	for _, c := range strings.Split(p, "/") {
		if private(c) {
			return "goes into " + c + ", which belongs to git or to plumb"
		}
	}
	return ""
}

// validPath is fs.ValidPath for names that need not be UTF-8.
func validPath(p string) bool {
	return fs.ValidPath(strings.ToValidUTF8(p, "_"))
}

// private reports whether a component names .git or plumb's own folder on any
// file system: in another case, with trailing dots or blanks, an NTFS stream or
// short name, or with the code points that HFS+ ignores. The rules are those of
// git's own checks after CVE-2014-9390 and CVE-2019-1353.
func private(component string) bool {
	s := strings.Map(func(r rune) rune {
		switch {
		case r >= 0x200c && r <= 0x200f, r >= 0x202a && r <= 0x202e, r >= 0x206a && r <= 0x206f, r == 0xfeff:
			return -1
		}
		return unicode.ToLower(r)
	}, component)
	s, _, _ = strings.Cut(s, ":")
	s = strings.TrimRight(s, ". ")
	switch s {
	case ".git", ".plumb", "git~1", "git~2", "git~3", "git~4":
		return true
	}
	return false
}

// nameFault refuses names that not every file system can hold.
func nameFault(p string) string {
	for _, c := range strings.Split(p, "/") {
		switch {
		case device(c):
			return "holds " + c + ", which names a device on some systems"
		case strings.HasSuffix(c, ".") || strings.HasSuffix(c, " "):
			return "has a component that ends in a dot or blank, which some systems drop"
		case strings.ContainsAny(c, `<>:"|?*`):
			return "has a component with a character that some systems do not allow"
		case !utf8.ValidString(c):
			return "is no valid UTF-8"
		case strings.ContainsFunc(c, unicode.IsControl):
			return "holds a control character"
		}
	}
	return ""
}

// device reports whether a component is one of Windows' device names, with or
// without an extension.
func device(component string) bool {
	s, _, _ := strings.Cut(component, ".")
	s = strings.ToUpper(strings.TrimRight(s, " "))
	switch s {
	case "CON", "PRN", "AUX", "NUL", "CONIN$", "CONOUT$":
		return true
	}
	for _, p := range []string{"COM", "LPT"} {
		if rest, ok := strings.CutPrefix(s, p); ok && utf8.RuneCountInString(rest) == 1 && strings.ContainsAny(rest, "123456789¹²³") {
			return true
		}
	}
	return false
}

// foldPath maps paths that some file systems take for one to the same string.
func foldPath(p string) string {
	return strings.Map(func(r rune) rune {
		least := r
		for n := unicode.SimpleFold(r); n != r; n = unicode.SimpleFold(n) {
			least = min(least, n)
		}
		return least
	}, p)
}

// A nameTable finds paths that differ from others in case only, folders included.
type nameTable map[string]string

func (t nameTable) add(p string) {
	for ; p != "."; p = parent(p) {
		f := foldPath(p)
		if _, ok := t[f]; ok {
			return
		}
		t[f] = p
	}
}

// clash returns what p or one of its folders collides with, "" for nothing.
func (t nameTable) clash(p string) string {
	for ; p != "."; p = parent(p) {
		if other, ok := t[foldPath(p)]; ok && other != p {
			return other
		}
	}
	return ""
}

// A placeTable finds paths that would have to be a file and a folder at once:
// true stands for a file, false for a folder.
type placeTable map[string]bool

func (t placeTable) add(p string) {
	t[p] = true
	for p = parent(p); p != "."; p = parent(p) {
		t[p] = false
	}
}

// clash says why p cannot be a file, "" when it can.
func (t placeTable) clash(p string) string {
	if file, ok := t[p]; ok && !file {
		return p + " is a folder that holds other files, so it cannot be a file"
	}
	for dir := parent(p); dir != "."; dir = parent(dir) {
		if t[dir] {
			return dir + " is a file, so it cannot hold " + p
		}
	}
	return ""
}

func parent(p string) string {
	i := strings.LastIndexByte(p, '/')
	if i < 0 {
		return "."
	}
	return p[:i]
}
