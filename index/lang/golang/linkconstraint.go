package golang

import (
	"go/build/constraint"
	"path"
	"slices"
	"strings"
	"sync"
)

// constraints interns the build constraints of a repository's files. A
// constraint's id is its index; 0 is that of a file without any.
//
// Whether two files can be in one build is decided by trying every operating
// system and architecture that either names, beside a few that neither does,
// with every setting of the remaining tags.
type constraints struct {
	ids   map[string]int32
	exprs []constraint.Expr
	tags  [][]string // of each expression, sorted
	// builds[i] says that linux/amd64 with cgo builds files of constraint i.
	builds []bool
	// alone[i] says that constraint i needs the tag ignore, which by convention
	// is never set: such a file is built when named, with others like it.
	alone []bool

	mu    sync.RWMutex
	meets map[[2]int32]bool
}

func newConstraints() *constraints {
	return &constraints{ids: map[string]int32{"": 0}, exprs: []constraint.Expr{nil}, tags: [][]string{nil},
		builds: []bool{true}, alone: []bool{false}, meets: map[[2]int32]bool{}}
}

// add returns the id of the constraint that a file's name and text make.
// It must not be called at the same time as another method.
func (c *constraints) add(file, text string) int32 {
	suffix := nameTags(file)
	if text == "" && len(suffix) == 0 {
		return 0
	}
	key := strings.Join(suffix, "_") + "\n" + text
	if id, ok := c.ids[key]; ok {
		return id
	}
	expr := parseConstraint(text)
	for _, tag := range suffix {
		expr = both(expr, &constraint.TagExpr{Tag: tag})
	}
	id := int32(len(c.exprs))
	c.ids[key] = id
	c.exprs = append(c.exprs, expr)
	tags := tagsOf(expr)
	c.tags = append(c.tags, tags)
	c.alone = append(c.alone, slices.Contains(tags, "ignore") &&
		!satisfiable(both(expr, &constraint.NotExpr{X: &constraint.TagExpr{Tag: "ignore"}}), tags))
	c.builds = append(c.builds, expr == nil || expr.Eval(build{os: "linux", arch: "amd64", set: []string{"gc", "cgo"}}.has))
	return id
}

// together reports whether one build can hold files of both constraints.
func (c *constraints) together(a, b int32) bool {
	switch {
	case a == b:
		return true
	case c.alone[a] != c.alone[b]:
		return false
	case a == 0 || b == 0:
		return true
	}
	if a > b {
		a, b = b, a
	}
	key := [2]int32{a, b}
	c.mu.RLock()
	ok, known := c.meets[key]
	c.mu.RUnlock()
	if known {
		return ok
	}
	ok = satisfiable(both(c.exprs[a], c.exprs[b]), c.tags[a], c.tags[b])
	c.mu.Lock()
	c.meets[key] = ok
	c.mu.Unlock()
	return ok
}

func both(a, b constraint.Expr) constraint.Expr {
	switch {
	case a == nil:
		return b
	case b == nil:
		return a
	}
	return &constraint.AndExpr{X: a, Y: b}
}

// parseConstraint reads a constraint as written: a //go:build line, with or
// without its marker, or // +build lines, of which all must hold. A line that
// cannot be read constrains nothing.
func parseConstraint(text string) constraint.Expr {
	var all constraint.Expr
	for line := range strings.Lines(text) {
		line = strings.TrimSpace(line)
		if line == "" {
			continue
		}
		if !strings.HasPrefix(line, "//") {
			line = "//go:build " + line
		}
		if expr, err := constraint.Parse(line); err == nil {
			all = both(all, expr)
		}
	}
	return all
}

// nameTags returns the tags that a file's name implies: x_GOOS.go, x_GOARCH.go
// and x_GOOS_GOARCH.go, before a _test. What stands before the first
// underscore never counts, as in go/build.
func nameTags(file string) []string {
	base := strings.TrimSuffix(strings.TrimSuffix(path.Base(file), ".go"), "_test")
	first := strings.IndexByte(base, '_')
	if first < 0 {
		return nil
	}
	parts := strings.Split(base[first+1:], "_")
	n := len(parts)
	if n >= 2 && isSystem(parts[n-2]) && isArch(parts[n-1]) {
		return parts[n-2:]
	}
	if last := parts[n-1]; isSystem(last) || isArch(last) {
		return parts[n-1:]
	}
	return nil
}

func tagsOf(x constraint.Expr) []string {
	var tags []string
	var walk func(x constraint.Expr)
	walk = func(x constraint.Expr) {
		switch x := x.(type) {
		case *constraint.TagExpr:
			tags = append(tags, x.Tag)
		case *constraint.NotExpr:
			walk(x.X)
		case *constraint.AndExpr:
			walk(x.X)
			walk(x.Y)
		case *constraint.OrExpr:
			walk(x.X)
			walk(x.Y)
		}
	}
	walk(x)
	slices.Sort(tags)
	return slices.Compact(tags)
}

// maxFreeTags bounds the tags whose settings are all tried; more than that
// are taken to be satisfiable.
const maxFreeTags = 8

func satisfiable(expr constraint.Expr, tags ...[]string) bool {
	systems := []string{"linux", "windows", "darwin", "plan9", "js"}
	arches := []string{"amd64", "wasm"}
	free := []string{"gc"}
	for _, tag := range slices.Concat(tags...) {
		switch {
		case isSystem(tag):
			systems = appendNew(systems, tag)
		case isArch(tag):
			arches = appendNew(arches, tag)
		case tag != "unix" && tag != "gccgo" && !strings.HasPrefix(tag, "go1."):
			free = appendNew(free, tag)
		}
	}
	if len(free) > maxFreeTags {
		return true
	}
	for settings := range 1 << len(free) {
		var set []string
		for i, tag := range free {
			if settings&(1<<i) != 0 {
				set = append(set, tag)
			}
		}
		for _, system := range systems {
			for _, arch := range arches {
				if expr.Eval(build{system, arch, set}.has) {
					return true
				}
			}
		}
	}
	return false
}

func appendNew(list []string, s string) []string {
	if slices.Contains(list, s) {
		return list
	}
	return append(list, s)
}

// A build is one setting of all tags.
type build struct {
	os, arch string
	set      []string
}

// has reports whether a tag is set. The implied tags are those of go/build.
func (b build) has(tag string) bool {
	switch {
	case tag == b.os || tag == b.arch || strings.HasPrefix(tag, "go1."):
		return true
	case isSystem(tag):
		return tag == "linux" && b.os == "android" || tag == "solaris" && b.os == "illumos" || tag == "darwin" && b.os == "ios"
	case tag == "unix":
		return isUnix(b.os)
	case tag == "gccgo":
		return !slices.Contains(b.set, "gc")
	}
	return slices.Contains(b.set, tag)
}

// isSystem, isArch and isUnix are go/build's lists of known systems (internal/syslist).
func isSystem(s string) bool {
	switch s {
	case "aix", "android", "darwin", "dragonfly", "freebsd", "hurd", "illumos", "ios", "js", "linux", "nacl", "netbsd",
		"openbsd", "plan9", "solaris", "wasip1", "windows", "zos":
		return true
	}
	return false
}

func isArch(s string) bool {
	switch s {
	case "386", "amd64", "amd64p32", "arm", "armbe", "arm64", "arm64be", "loong64", "mips", "mipsle", "mips64", "mips64le",
		"mips64p32", "mips64p32le", "ppc", "ppc64", "ppc64le", "riscv", "riscv64", "s390", "s390x", "sparc", "sparc64", "wasm":
		return true
	}
	return false
}

func isUnix(s string) bool {
	switch s {
	case "aix", "android", "darwin", "dragonfly", "freebsd", "hurd", "illumos", "ios", "linux", "netbsd", "openbsd", "solaris":
		return true
	}
	return false
}
