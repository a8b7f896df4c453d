package walk

import (
	"context"
	"io/fs"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// git runs git with no configuration but its own.
func git(t testing.TB, dir string, args ...string) string {
	t.Helper()
	cmd := exec.Command("git", args...)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "GIT_CONFIG_GLOBAL=/dev/null", "GIT_CONFIG_SYSTEM=/dev/null", "HOME="+dir,
		"GIT_AUTHOR_NAME=a", "GIT_AUTHOR_EMAIL=a@example.org", "GIT_COMMITTER_NAME=a", "GIT_COMMITTER_EMAIL=a@example.org")
	out, err := cmd.CombinedOutput()
	require.NoError(t, err, "git %v: %s", args, out)
	return string(out)
}

func needGit(t testing.TB) {
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip("git is not installed")
	}
}

func write(t testing.TB, dir, name, content string) {
	t.Helper()
	p := filepath.Join(dir, filepath.FromSlash(name))
	require.NoError(t, os.MkdirAll(filepath.Dir(p), 0o755))
	require.NoError(t, os.WriteFile(p, []byte(content), 0o644))
}

// chosen returns the paths of what Walk opens or names.
func chosen(t testing.TB, dir string) []string {
	t.Helper()
	entries, err := Walk(context.Background(), os.DirFS(dir), Options{})
	require.NoError(t, err)
	out := []string{}
	for _, e := range entries {
		out = append(out, e.Path)
	}
	return out
}

// listed returns what git tracks or would add, without files that are gone.
func listed(t testing.TB, dir string) []string {
	t.Helper()
	out := []string{}
	for p := range strings.SplitSeq(git(t, dir, "ls-files", "-z", "-co", "--exclude-standard"), "\x00") {
		p = strings.TrimSuffix(p, "/")
		if _, err := os.Lstat(filepath.Join(dir, p)); p != "" && err == nil {
			out = append(out, p)
		}
	}
	slices.Sort(out)
	return slices.Compact(out)
}

var cases = []struct{ name, ignore, deep, exclude string }{
	{"suffix", "*.log\n!keep.log\n", "", ""},
	{"anchored", "/a.txt\n/dir/b.txt\nx/y\n", "", ""},
	{"folders only", "build/\nfoo/\n", "", ""},
	{"parent is out", "dir/\n!dir/a.txt\n", "!a.txt\n", ""},
	{"contents", "dir/*\n!dir/a.txt\n", "", ""},
	{"stars", "**/deep\na/**/z.txt\ndir/**\n", "", ""},
	{"stars in a name", "a**b\n***\n!*.txt\n!*/\n", "", ""},
	{"question", "?.txt\n[a-b].log\n[!x]y\n", "", ""},
	{"classes", "[[:digit:]]*\n[[:alpha:]].log\n[[:nonsense:]]\n[]]x\n[^a-y].txt\n", "", ""},
	{"escapes", "\\#hash\n\\!bang\nsp\\ \ntrail   \n\\*.txt\na\\.txt\n", "", ""},
	{"not closed", "[a\nb\\\n[\n", "", ""},
	{"comments", "# a.txt\n\n  \n#*\n", "", ""},
	{"carriage returns", "*.log\r\na.txt\r\n", "", ""},
	{"mark", "\xef\xbb\xbf*.log\n", "", ""},
	{"no newline", "*.log", "", ""},
	{"deeper wins", "*.txt\n", "!b.txt\n/c.txt\n", ""},
	{"exclude is weakest", "!a.log\n", "", "*.log\n"},
	{"slashes", "/\n//\ndir//a.txt\n", "", ""},
	{"only the last star", "*a*b*c*.txt\n", "", ""},
	{"escaped slash", "dir\\/a.txt\n", "", ""},
	{"negated folder", "*\n!*/\n!*.txt\n", "", ""},
	{"dot files", ".*\n!.gitignore\n", "", ""},
	{"unicode", "é*\n", "", ""},
	{"middle", "a/**/b\n**/x/**\nfoo/**/bar.txt\n", "", ""},
}

var samples = []string{"a.txt", "b.txt", "c.log", "a.log", "keep.log", "dir/a.txt", "dir/b.txt", "dir/c.txt", "dir/sub/a.txt",
	"x/y", "build/out.o", "foo", "src/foo/in.txt", "a/z.txt", "a/1/2/z.txt", "src/deep/f.txt", "axxb", "a/b", "a/q/b", "a/q/r/b",
	"#hash", "!bang", "sp ", "trail", "*.txt", "9lives", "z.txt", "]x", "xy", "zy", "[a", "b\\", ".hidden", "é.txt",
	"aXbYcZ.txt", "foo2/bar.txt", "x/deep/er.txt", "dir/\\odd"}

// covers: IDX-5
func TestRulesAreGits(t *testing.T) {
	needGit(t)
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			dir := t.TempDir()
			git(t, dir, "init", "-q")
			for _, s := range samples {
				write(t, dir, s, "x\n")
			}
			write(t, dir, ".gitignore", c.ignore)
			if c.deep != "" {
				write(t, dir, "dir/.gitignore", c.deep)
			}
			if c.exclude != "" {
				write(t, dir, ".git/info/exclude", c.exclude)
			}
			assert.Equal(t, listed(t, dir), chosen(t, dir))
		})
	}
}

// covers: IDX-5
func TestTrackedFilesCountEvenWhereIgnored(t *testing.T) {
	needGit(t)
	for _, version := range []string{"2", "3", "4"} {
		t.Run("index version "+version, func(t *testing.T) {
			dir := t.TempDir()
			git(t, dir, "init", "-q")
			write(t, dir, ".gitignore", "out/\n*.log\n")
			for _, f := range []string{"out/tracked.txt", "out/deep/also.txt", "out/not.txt", "a.log", "b.log", "main.go"} {
				write(t, dir, f, "x\n")
			}
			git(t, dir, "add", "-f", "out/tracked.txt", "out/deep/also.txt", "a.log", "main.go")
			if version == "3" {
				write(t, dir, "later.go", "x\n")
				git(t, dir, "add", "-N", "later.go")
			}
			git(t, dir, "update-index", "--index-version", version)
			require.NoError(t, os.Remove(filepath.Join(dir, "main.go")))
			assert.Equal(t, listed(t, dir), chosen(t, dir))
			assert.Contains(t, chosen(t, dir), "out/deep/also.txt")
			assert.NotContains(t, chosen(t, dir), "out/not.txt")
		})
	}
}

// covers: IDX-5
func TestNestedRepositoriesAreNamedAndEnteredWhenAsked(t *testing.T) {
	needGit(t)
	dir := t.TempDir()
	git(t, dir, "init", "-q")
	write(t, dir, ".gitignore", "*.tmp\n")
	write(t, dir, "main.go", "x\n")
	inner := filepath.Join(dir, "lib", "inner")
	require.NoError(t, os.MkdirAll(inner, 0o755))
	git(t, inner, "init", "-q")
	write(t, inner, "in.go", "x\n")
	write(t, inner, "in.tmp", "x\n")
	write(t, inner, ".gitignore", "*.o\n")
	write(t, inner, "in.o", "x\n")
	assert.Equal(t, []string{".gitignore", "lib/inner", "main.go"}, chosen(t, dir))
	assert.Equal(t, listed(t, dir), chosen(t, dir))
	entries, err := Walk(context.Background(), os.DirFS(dir), Options{Nested: true})
	require.NoError(t, err)
	var got []string
	for _, e := range entries {
		assert.Empty(t, e.Skip)
		got = append(got, e.Path)
	}
	assert.Equal(t, []string{".gitignore", "lib/inner/.gitignore", "lib/inner/in.go", "lib/inner/in.tmp", "main.go"}, got)
}

// covers: IDX-5, IDX-12, SEC-1
func TestAGitFileIsFollowedInsideOfTheRoot(t *testing.T) {
	needGit(t)
	dir := t.TempDir()
	main, linked := filepath.Join(dir, "main"), filepath.Join(dir, "linked")
	require.NoError(t, os.Mkdir(main, 0o755))
	git(t, main, "init", "-q")
	write(t, main, "in.go", "x\n")
	git(t, main, "add", ".")
	git(t, main, "-c", "user.name=a", "-c", "user.email=a@b.c", "commit", "-q", "-m", "x")
	git(t, main, "worktree", "add", "-q", "--detach", linked)
	write(t, main, ".git/info/exclude", "*.tmp\n")
	write(t, linked, "new.go", "x\n")
	write(t, linked, "new.tmp", "x\n")
	assert.Equal(t, []string{"in.go", "new.go"}, listed(t, linked))
	assert.Equal(t, []string{"in.go", "new.go", "new.tmp"}, chosen(t, linked), "its rules lie outside of the root")
	write(t, linked, ".git", "gitdir: ../main/.git/worktrees/linked\n")
	entries, err := Walk(context.Background(), os.DirFS(dir), Options{Nested: true})
	require.NoError(t, err)
	var got []string
	for _, e := range entries {
		got = append(got, e.Path)
	}
	assert.Equal(t, []string{"linked/in.go", "linked/new.go", "main/in.go"}, got, "seen from above both lie inside")
}

// covers: IDX-5
func TestSubmoduleIsNamedThoughItsFolderIsEmpty(t *testing.T) {
	needGit(t)
	dir, sub := t.TempDir(), t.TempDir()
	git(t, sub, "init", "-q")
	write(t, sub, "s.go", "x\n")
	git(t, sub, "add", ".")
	git(t, sub, "commit", "-q", "-m", "s")
	git(t, dir, "init", "-q")
	git(t, dir, "-c", "protocol.file.allow=always", "submodule", "--quiet", "add", sub, "dep")
	assert.Equal(t, []string{".gitmodules", "dep"}, chosen(t, dir))
	git(t, dir, "submodule", "--quiet", "deinit", "-f", "dep")
	assert.Equal(t, []string{".gitmodules", "dep"}, chosen(t, dir))
	assert.Equal(t, listed(t, dir), chosen(t, dir))
}

// covers: IDX-5
func TestWorksWithoutGitAndOverAnyFileSystem(t *testing.T) {
	fsys := fstest.MapFS{".gitignore": {Data: []byte("*.log\n")}, "a.go": {}, "b.log": {}, "c/d.go": {},
		".git/config": {}, "c/.gitignore": {Data: []byte("/d.go\n")}, "link": {Mode: fs.ModeSymlink, Data: []byte("a.go")},
		"pipe": {Mode: fs.ModeNamedPipe}, "dev": {Mode: fs.ModeDevice}, "sock": {Mode: fs.ModeSocket}}
	entries, err := Walk(context.Background(), fsys, Options{Ignore: func(p string) bool { return p == "a.go" }})
	require.NoError(t, err)
	got := map[string]string{}
	for _, e := range entries {
		got[e.Path] = e.Skip
	}
	assert.Equal(t, map[string]string{".gitignore": "", "c/.gitignore": "", "link": SkipLink, "pipe": "named pipe",
		"dev": "device", "sock": "socket"}, got)
}

func TestCanceledWalkStops(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	_, err := Walk(ctx, fstest.MapFS{"a": {}}, Options{})
	assert.ErrorIs(t, err, context.Canceled)
	_, err = Walk(context.Background(), os.DirFS(filepath.Join(t.TempDir(), "gone")), Options{})
	assert.ErrorIs(t, err, fs.ErrNotExist)
}

// FuzzRule holds a rule against git check-ignore.
func FuzzRule(f *testing.F) {
	needGit(f)
	for _, c := range cases {
		for line := range strings.SplitSeq(c.ignore, "\n") {
			f.Add(line, "dir/a.txt")
			f.Add(line, "a.txt")
		}
	}
	dir := f.TempDir()
	git(f, dir, "init", "-q")
	f.Fuzz(func(t *testing.T, line, name string) {
		if strings.ContainsAny(line+name, "\x00\n\r") || !fs.ValidPath(name) || name == "." || strings.Contains(name, ".git") {
			t.Skip()
		}
		write(t, dir, ".gitignore", line+"\n")
		cmd := exec.Command("git", "check-ignore", "-q", "--no-index", "--", ":(literal)"+name)
		cmd.Dir = dir
		cmd.Env = append(os.Environ(), "GIT_CONFIG_GLOBAL=/dev/null", "GIT_CONFIG_SYSTEM=/dev/null", "GIT_LITERAL_PATHSPECS=1")
		cmd.Args[len(cmd.Args)-1] = name
		err := cmd.Run()
		if code := cmd.ProcessState.ExitCode(); code > 1 {
			t.Skip(err)
		}
		assert.Equal(t, err == nil, ignoredBy(line, name), "rule %q, path %q", line, name)
	})
}

// ignoredBy applies one rule to a file and all folders above it.
func ignoredBy(line, name string) bool {
	r, ok := parseRule(line)
	if !ok {
		return false
	}
	stack := []rules{{r}}
	for i := range name {
		if name[i] == '/' && excluded(stack, name[:i], true) {
			return true
		}
	}
	return excluded(stack, name, false)
}

// covers: IDX-5
func TestRandomRulesAreGits(t *testing.T) {
	needGit(t)
	dir := t.TempDir()
	git(t, dir, "init", "-q")
	for _, s := range []string{"a", "b/a", "b/b", "b/c/a", "ab", "a.b", "ba/ab", "c/b/a", "c/ab/b", "[a]", "a b", "!a"} {
		write(t, dir, s, "x\n")
	}
	random := rand.New(rand.NewPCG(1, 2))
	pieces := []string{"a", "b", "c", "*", "**", "/", "/**", "**/", "?", "[ab]", "[!a]", "[^b-c]", "\\", "!", " ", ".", "[", "]", "[[:alpha:]]"}
	for range 150 {
		var rules strings.Builder
		for range 1 + random.IntN(3) {
			for range 1 + random.IntN(5) {
				rules.WriteString(pieces[random.IntN(len(pieces))])
			}
			rules.WriteByte('\n')
		}
		write(t, dir, ".gitignore", rules.String())
		require.Equal(t, listed(t, dir), chosen(t, dir), "rules %q", rules.String())
	}
}
