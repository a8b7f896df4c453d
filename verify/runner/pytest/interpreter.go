package pytest

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"net/url"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"runtime"
	"slices"
	"strings"

	"github.com/plumbkit/plumb/host/fault"
)

// An interpreter is a Python with what it needs inside a sandbox.
type interpreter struct {
	command  string
	version  string
	pytest   string // version; "" when that is not known
	origin   string // where it comes from, for people
	env      []string
	readable []string
}

// locate finds the interpreter for a project of the tree whose root is found at
// root. Of a virtual environment in the repository only files are read: its
// interpreter runs what the repository's packages put there.
func (r *Runner) locate(ctx context.Context, root, project string) (interpreter, error) {
	if r.Python != "" {
		return r.plain(ctx, r.Python, root)
	}
	var without []string
	for _, env := range environments(root, project) {
		py, ok := virtual(env, root)
		switch {
		case ok && py.pytest != "":
			return py, nil
		case ok:
			without = append(without, env)
		}
	}
	py, err := r.plain(ctx, "", root)
	if err == nil {
		return py, nil
	}
	if f := fault.From(err, "pytest.run", ""); len(without) > 0 && ctx.Err() == nil {
		f.Detail += "; nor is it installed in " + strings.Join(without, " or ")
		f.Next = "install it into the project's environment: " + program(without[0]) + " -m pip install pytest"
		return interpreter{}, f
	}
	return interpreter{}, err
}

// environments lists where virtual environments may be, the likeliest first:
// those of the project and of the folders above it, then the active one.
func environments(root, project string) []string {
	var out []string
	for d := project; ; d = path.Dir(d) {
		for _, name := range []string{".venv", "venv", "env"} {
			out = append(out, filepath.Join(root, filepath.FromSlash(d), name))
		}
		if d == "." || d == "/" {
			break
		}
	}
	for _, name := range []string{"VIRTUAL_ENV", "CONDA_PREFIX"} {
		if dir := os.Getenv(name); dir != "" {
			out = append(out, dir)
		}
	}
	return out
}

// program is the interpreter of an environment.
func program(env string) string {
	if runtime.GOOS == "windows" {
		return filepath.Join(env, "Scripts", "python.exe")
	}
	return filepath.Join(env, "bin", "python")
}

// virtual reads an environment's own files (https://docs.python.org/3/library/site.html).
func virtual(env, root string) (interpreter, bool) {
	py := interpreter{command: program(env), version: "unknown"}
	if _, err := os.Stat(py.command); err != nil {
		return py, false
	}
	home := ""
	if data, err := os.ReadFile(filepath.Join(env, "pyvenv.cfg")); err == nil {
		sc := bufio.NewScanner(bytes.NewReader(data))
		for sc.Scan() {
			key, value, _ := strings.Cut(sc.Text(), "=")
			switch value = strings.TrimSpace(value); strings.TrimSpace(key) {
			case "home":
				home = value
			case "version", "version_info":
				py.version = value
			}
		}
	}
	py.origin = env
	if rel, err := filepath.Rel(root, env); err == nil && filepath.IsLocal(rel) {
		py.origin = filepath.ToSlash(rel)
	} else {
		py.readable = append(py.readable, env)
	}
	if real, err := filepath.EvalSymlinks(env); err == nil && real != env {
		py.readable = append(py.readable, real)
	}
	if home != "" {
		py.readable = append(py.readable, filepath.Dir(home))
	}
	if real, err := filepath.EvalSymlinks(py.command); err == nil {
		py.readable = append(py.readable, filepath.Dir(filepath.Dir(real)))
	}
	sites, _ := filepath.Glob(filepath.Join(env, "lib", "python*", "site-packages"))
	windows, _ := filepath.Glob(filepath.Join(env, "Lib", "site-packages"))
	for _, site := range append(sites, windows...) {
		py.installed(site, root)
	}
	py.environ(filepath.Dir(py.command), "VIRTUAL_ENV="+env)
	return py, true
}

// installed takes from a folder of packages pytest's version, and the folders
// outside of the repository that packages were installed from in place.
func (py *interpreter) installed(site, root string) {
	entries, _ := os.ReadDir(site)
	for _, e := range entries {
		name, ok := strings.CutSuffix(e.Name(), ".dist-info")
		if version, is := strings.CutPrefix(name, "pytest-"); ok && is {
			py.pytest = version
		}
		var dirs []string
		switch {
		case ok:
			dirs = inPlace(filepath.Join(site, e.Name(), "direct_url.json"))
		case strings.HasSuffix(e.Name(), ".pth"):
			dirs = lines(filepath.Join(site, e.Name()))
		}
		for _, dir := range dirs {
			rel, err := filepath.Rel(root, dir)
			if info, statErr := os.Stat(dir); err == nil && !filepath.IsLocal(rel) && statErr == nil && info.IsDir() {
				py.readable = append(py.readable, dir)
			}
		}
	}
}

// inPlace returns the folder that a package was installed from in place
// (https://packaging.python.org/en/latest/specifications/direct-url/).
func inPlace(file string) []string {
	data, err := os.ReadFile(file)
	if err != nil {
		return nil
	}
	var from struct {
		URL string `json:"url"`
		Dir struct {
			Editable bool `json:"editable"`
		} `json:"dir_info"`
	}
	if json.Unmarshal(data, &from) != nil {
		return nil
	}
	u, err := url.Parse(from.URL)
	if err != nil || u.Scheme != "file" || !from.Dir.Editable {
		return nil
	}
	return []string{filepath.FromSlash(u.Path)}
}

// lines returns the lines of a path configuration file that are absolute paths.
func lines(file string) (out []string) {
	data, _ := os.ReadFile(file)
	for line := range strings.Lines(string(data)) {
		if line = strings.TrimSpace(line); filepath.IsAbs(line) {
			out = append(out, line)
		}
	}
	return out
}

// environ sets the variables that the interpreter runs with.
func (py *interpreter) environ(bin string, more ...string) {
	dirs := append([]string{bin}, filepath.SplitList(os.Getenv("PATH"))...)
	py.env = append(more,
		"PATH="+strings.Join(dirs, string(os.PathListSeparator)),
		// Compiled files would be written beside sources, and two trees found at one
		// path could take each other's.
		"PYTHONDONTWRITEBYTECODE=1", "PYTHONHASHSEED=0", "PYTHONUNBUFFERED=1", "NO_COLOR=1")
	slices.Sort(py.readable)
	py.readable = slices.DeleteFunc(slices.Compact(py.readable), func(dir string) bool {
		return dir == "/usr" || dir == "/" || strings.HasPrefix(dir, "/usr/")
	})
}

// question makes an interpreter tell of itself; -I keeps variables and the folder
// that it is asked in out of it.
const question = `import json, site, sys
try:
    from importlib.metadata import version
    pytest = version("pytest")
except Exception:
    pytest = ""
print(json.dumps({"executable": sys.executable, "prefixes": [sys.prefix, sys.base_prefix, sys.exec_prefix], "path": [p for p in sys.path if p],
    "version": "%d.%d.%d" % sys.version_info[:3], "pytest": pytest, "user": site.getusersitepackages() if site.ENABLE_USER_SITE is not None else "", "base": site.getuserbase()}))`

// plain asks an interpreter that does not belong to the repository.
func (r *Runner) plain(ctx context.Context, name, root string) (interpreter, error) {
	names := []string{name}
	if name == "" {
		names = []string{"python3", "python"}
	}
	var command string
	var err error
	for _, n := range names {
		if command, err = exec.LookPath(n); err == nil {
			break
		}
	}
	if err == nil {
		command, err = filepath.Abs(command)
	}
	if err != nil {
		return interpreter{}, missing(names[0], "there is no Python", "install Python, or set Runner.Python", err)
	}
	cmd := exec.CommandContext(ctx, command, "-I", "-c", question)
	cmd.Dir = os.TempDir()
	data, err := cmd.Output()
	if ctx.Err() != nil {
		return interpreter{}, fault.From(ctx.Err(), "pytest.run", "run it again")
	}
	var said struct {
		Executable, Version, Pytest, User, Base string
		Prefixes, Path                          []string
	}
	if err == nil {
		err = json.Unmarshal(data, &said)
	}
	if err != nil {
		return interpreter{}, missing(command, "the interpreter does not answer", "run it by hand and mend what it says", err)
	}
	py := interpreter{command: said.Executable, version: said.Version, pytest: said.Pytest, origin: said.Executable,
		readable: append(said.Prefixes, filepath.Dir(filepath.Dir(said.Executable)))}
	for _, dir := range append(said.Path, said.User) {
		if info, err := os.Stat(dir); err == nil && info.IsDir() {
			py.readable = append(py.readable, dir)
			py.installed(dir, root)
		}
	}
	if py.pytest == "" {
		return interpreter{}, missing(said.Executable, "pytest is not installed for "+said.Executable,
			"install it: "+said.Executable+" -m pip install pytest, or make a virtual environment .venv in the project that has it", nil)
	}
	py.environ(filepath.Dir(said.Executable), "PYTHONUSERBASE="+said.Base)
	return py, nil
}

func missing(subject, detail, next string, err error) error {
	return &fault.Fault{Class: fault.Environment, Op: "pytest.run", Subject: fault.Subject{Text: subject},
		Detail: detail, State: "no test was run", Next: next, Err: err}
}
