package sandbox

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/plumbkit/plumb/host/fault"
)

// Bubblewrap runs commands in Linux namespaces set up by bwrap: a file system
// made only of the system's programs and of what the command names, no network
// unless it is opened, processes that all end with the first one, no
// capabilities. The zero value is ready.
//
// Where bwrap is missing or may not make namespaces, Run returns an Environment
// fault that errors.Is finds ErrNoIsolation in, and nothing was run.
type Bubblewrap struct {
	// Path is the bwrap program; "" looks it up in the caller's PATH.
	Path string
}

// ErrNoIsolation is the cause of a fault that says that isolation cannot be had
// on this machine, whatever the command.
var ErrNoIsolation = errors.New("isolation is not available")

// Run runs the command in its namespaces; see Sandbox.
func (b Bubblewrap) Run(ctx context.Context, c Command) (Result, error) {
	if err := before(ctx, c); err != nil {
		return Result{}, err
	}
	bwrap, err := b.find()
	if err != nil {
		return Result{}, err
	}
	env := c.environ(insideHome, "/tmp")
	program, err := c.visibleProgram(env)
	if err != nil {
		return Result{}, err
	}
	limits := c.Limits.withDefaults()
	status, statusW, err := os.Pipe()
	if err != nil {
		return Result{}, cannotPrepare(err)
	}
	defer status.Close()
	args := slices.Concat([]string{bwrap}, c.mounts(limits), []string{"--"}, limited(limits, program, c.Args[1:]))
	cmd := &exec.Cmd{Path: bwrap, Args: args, Env: env, Dir: "/", SysProcAttr: attributes(), ExtraFiles: []*os.File{statusW}}
	end, err := (&process{cmd: cmd, limits: limits}).run(ctx, c.Stdin)
	if err := errors.Join(err, statusW.Close()); err != nil {
		return Result{}, fault.From(err, "sandbox.run", "run it again")
	}
	if !ran(status) && end.canceled == nil && end.exceeded == "" && end.state.Exited() {
		return Result{}, notPermitted(end.errs.kept)
	}
	r, err := end.result(end.exitCode(), bubblewrapPromises(c, limits))
	r.Mounted = err == nil && len(c.Mounts) > 0
	return r, err
}

func (b Bubblewrap) find() (string, error) {
	path, err := exec.LookPath(cmp.Or(b.Path, "bwrap"))
	if err == nil {
		path, err = filepath.Abs(path)
	}
	if err != nil {
		return "", noIsolation("bubblewrap (bwrap) is not installed", "install the package bubblewrap", err)
	}
	return path, nil
}

func notPermitted(stderr []byte) error {
	said, _, _ := strings.Cut(strings.TrimSpace(string(stderr)), "\n")
	return noIsolation(fmt.Sprintf("bubblewrap could not set up the sandbox and said %q", said),
		"allow unprivileged user namespaces on this machine (see `man bwrap`)", nil)
}

func noIsolation(detail, next string, cause error) error {
	return &fault.Fault{Class: fault.Environment, Op: "sandbox.run", Subject: fault.Subject{Text: "bwrap"},
		Detail: detail, State: "nothing was run",
		Next: next + ", or opt in to runs without isolation with Auto{AllowUnsandboxed: true}",
		Err:  errors.Join(ErrNoIsolation, cause)}
}

// ran reports whether bwrap got as far as the command: only then does it write
// the command's exit code to the status stream.
func ran(status io.Reader) bool {
	dec := json.NewDecoder(status)
	for {
		var doc struct {
			ExitCode *int `json:"exit-code"`
		}
		if err := dec.Decode(&doc); err != nil {
			return false
		}
		if doc.ExitCode != nil {
			return true
		}
	}
}

// insideHome is the command's empty home folder.
const insideHome = "/run/home"

// systemPaths are the programs and libraries of the machine, and the few files
// under /etc that they need; none of them holds anything private.
func systemPaths() []string {
	paths := []string{"/usr", "/bin", "/sbin", "/lib", "/lib32", "/lib64", "/libx32", "/nix/store", "/gnu/store"}
	for _, name := range []string{"alternatives", "ca-certificates", "ca-certificates.conf", "group", "host.conf", "hosts",
		"ld.so.cache", "ld.so.conf", "ld.so.conf.d", "localtime", "mime.types", "nsswitch.conf", "passwd",
		"pki/ca-trust", "pki/tls/certs", "protocols", "resolv.conf", "services", "ssl/certs", "ssl/openssl.cnf", "timezone"} {
		paths = append(paths, "/etc/"+name)
	}
	return paths
}

// mounts returns bwrap's options: what the command sees.
func (c Command) mounts(l Limits) []string {
	args := []string{"--unshare-all", "--die-with-parent", "--new-session", "--cap-drop", "ALL", "--json-status-fd", "3"}
	if c.Network {
		args = append(args, "--share-net")
	}
	for _, path := range systemPaths() {
		args = append(args, "--ro-bind-try", path, path)
	}
	args = append(args, "--proc", "/proc", "--dev", "/dev")
	for _, path := range []string{"/tmp", "/run"} {
		if l.Memory > 0 {
			args = append(args, "--size", strconv.FormatInt(l.Memory, 10))
		}
		args = append(args, "--tmpfs", path)
	}
	args = append(args, "--dir", insideHome)
	for _, b := range c.binds() {
		args = append(args, b.option, b.source, b.path)
	}
	return append(args, "--remount-ro", "/", "--chdir", filepath.Clean(c.Dir))
}

// A bind shows a source of the machine at a path inside.
type bind struct{ option, source, path string }

// binds returns what the command names, outer folders before inner ones, so
// that an inner one keeps its own mode; a path given twice is writable when one
// of them says so. A mount counts more than a path given for its target.
func (c Command) binds() []bind {
	at := make(map[string]bind)
	show := func(source, path string, writable bool) {
		b := bind{"--ro-bind", filepath.Clean(source), filepath.Clean(path)}
		if writable {
			b.option = "--bind"
		}
		at[b.path] = b
	}
	_, mounted := c.mountOf(c.Dir)
	for _, path := range c.Readable {
		show(path, path, false)
	}
	// A folder inside a writable one stays writable when only Dir names it.
	if !mounted && !slices.Contains(c.Readable, c.Dir) {
		show(c.Dir, c.Dir, c.dirWritable())
	}
	for _, path := range c.Writable {
		show(path, path, true)
	}
	for _, m := range c.Mounts {
		show(m.Source, m.Target, m.Writable)
	}
	var binds []bind
	for _, b := range at {
		binds = append(binds, b)
	}
	slices.SortFunc(binds, func(a, b bind) int {
		return cmp.Or(cmp.Compare(len(a.path), len(b.path)), cmp.Compare(a.path, b.path))
	})
	return binds
}

func (c Command) dirWritable() bool {
	if m, ok := c.mountOf(c.Dir); ok {
		return m.Writable
	}
	return slices.ContainsFunc(c.Writable, func(path string) bool { return within(c.Dir, path) })
}

// visibleProgram returns the program's path, or an Environment fault when it is
// not there or cannot be seen from inside.
func (c Command) visibleProgram(env []string) (string, error) {
	program, err := c.program(env)
	if err != nil {
		return "", err
	}
	real, err := filepath.EvalSymlinks(c.outside(program))
	if err != nil {
		return "", missingProgram(program, "the program's path leads nowhere")
	}
	for _, path := range slices.Concat(systemPaths(), c.Readable, c.Writable, []string{c.outside(c.Dir)}, sources(c.Mounts)) {
		target, err := filepath.EvalSymlinks(path)
		if err == nil && within(real, target) {
			return program, nil
		}
	}
	return "", &fault.Fault{Class: fault.Environment, Op: "sandbox.run", Subject: fault.Subject{Text: real},
		Detail: "the program lies outside what the sandbox shows", State: "nothing was run",
		Next: fmt.Sprintf("add its folder %s to Readable", filepath.Dir(real))}
}

func bubblewrapPromises(c Command, l Limits) Promises {
	source := Promise{SourceReadOnly, true, "the working directory is mounted read-only"}
	if m, ok := c.covered(); ok {
		source.How = "what is seen at " + m.Target + " is " + m.Source + "; what the machine has there cannot be reached"
	} else if c.dirWritable() {
		source = Promise{SourceReadOnly, false, "the caller made the working directory writable"}
	} else if inner := c.writableInDir(); len(inner) > 0 {
		source.How += ", except " + strings.Join(inner, ", ")
	}
	network := Promise{NoNetwork, true, "the command has a network of its own with a loopback only"}
	if c.Network {
		network = Promise{NoNetwork, false, "the caller opened the network"}
	}
	ps := Promises{source,
		{NoOutsideWrite, true, "only what the caller names is mounted writable"},
		c.homePromise(), network, c.envPromise()}
	ps = append(ps, limitPromises(l)...)
	return append(ps, Promise{NoOrphans, true, "the kernel ends every process of the namespace with its first one"})
}

func sources(mounts []Mount) []string {
	var out []string
	for _, m := range mounts {
		out = append(out, m.Source)
	}
	return out
}

func (c Command) writableInDir() []string {
	var inner []string
	for _, path := range c.Writable {
		if within(path, c.Dir) {
			inner = append(inner, path)
		}
	}
	return inner
}

// homePromise says whether the user's home folder is out of reach.
func (c Command) homePromise() Promise {
	home, err := os.UserHomeDir()
	if err != nil {
		return Promise{NoHome, true, "home folders are not mounted"}
	}
	var inside []string
	for _, path := range slices.Concat([]string{c.outside(c.Dir)}, c.Readable, c.Writable, sources(c.Mounts)) {
		if within(home, path) {
			return Promise{NoHome, false, "the caller named " + path + ", which holds the home folder"}
		}
		if within(path, home) {
			inside = append(inside, path)
		}
	}
	if len(inside) > 0 {
		return Promise{NoHome, true, "of the home folder only what the caller names is mounted: " + strings.Join(inside, ", ")}
	}
	return Promise{NoHome, true, "home folders are not mounted"}
}
