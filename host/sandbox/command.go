package sandbox

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/plumbkit/plumb/host/fault"
)

// Check returns an InvalidInput fault for a command that cannot be run as it
// stands: no program, paths that are relative or do not exist, the root folder
// as writable, malformed variables.
func (c Command) Check() error {
	if len(c.Args) == 0 || c.Args[0] == "" {
		return refuse("", "the command names no program", "put the program and its arguments into Args")
	}
	for _, m := range c.Mounts {
		if err := m.check(); err != nil {
			return err
		}
	}
	if err := checkDir(c.Dir, c.outside(c.Dir)); err != nil {
		return err
	}
	for _, path := range append(append([]string{}, c.Readable...), c.Writable...) {
		if err := checkPath(path); err != nil {
			return err
		}
	}
	for _, path := range c.Writable {
		if filepath.Clean(path) == "/" {
			return refuse(path, "the root folder cannot be made writable", "name the folders that the command writes")
		}
	}
	for _, text := range append(append([]string{}, c.Args...), c.Env...) {
		if strings.ContainsRune(text, 0) {
			return refuse(text, "an argument or variable holds a zero byte", "leave the byte out")
		}
	}
	for _, pair := range c.Env {
		if name, _, ok := strings.Cut(pair, "="); !ok || name == "" {
			return refuse(name, "a variable is not of the form NAME=value", "correct Env")
		}
	}
	return nil
}

// checkDir checks a folder that is found at another path outside.
func checkDir(dir, outside string) error {
	if !filepath.IsAbs(dir) {
		return checkPath(dir)
	}
	if err := checkPath(outside); err != nil {
		return err
	}
	if info, err := os.Stat(outside); err != nil || !info.IsDir() {
		return refuse(dir, "the working directory is not a folder", "set Dir to an existing folder")
	}
	return nil
}

func checkPath(path string) error {
	if !filepath.IsAbs(path) {
		return refuse(path, fmt.Sprintf("the path %q is not absolute", path), "use absolute paths in Dir, Readable, Writable and Mounts")
	}
	if _, err := os.Stat(path); errors.Is(err, fs.ErrNotExist) {
		return refuse(path, "the path does not exist", "create it before the run, or leave it out")
	}
	return nil
}

func refuse(subject, detail, next string) error {
	return &fault.Fault{Class: fault.InvalidInput, Op: "sandbox.run", Subject: fault.Subject{Text: subject},
		Detail: detail, State: "nothing was run", Next: next}
}

// program returns the path of the command's program, looked up in the PATH of
// env, or an Environment fault.
func (c Command) program(env []string) (string, error) {
	name := c.Args[0]
	if strings.ContainsRune(name, '/') {
		if !filepath.IsAbs(name) {
			name = filepath.Join(c.Dir, name)
		}
		if executable(c.outside(name)) {
			return name, nil
		}
		return "", missingProgram(name, "there is no program at this path")
	}
	path := lookup(env, "PATH")
	for _, dir := range filepath.SplitList(path) {
		if full := filepath.Join(dir, name); filepath.IsAbs(dir) && executable(c.outside(full)) {
			return full, nil
		}
	}
	return "", missingProgram(name, fmt.Sprintf("no program of this name is in the command's PATH %s", path))
}

func executable(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.Mode().IsRegular() && info.Mode().Perm()&0o111 != 0
}

func missingProgram(name, detail string) error {
	return &fault.Fault{Class: fault.Environment, Op: "sandbox.run", Subject: fault.Subject{Text: name},
		Detail: detail, State: "nothing was run", Next: "install it, or name its full path or its folder in PATH through Env"}
}

// within reports whether path is dir or lies in it; both are absolute.
func within(path, dir string) bool {
	path, dir = filepath.Clean(path), filepath.Clean(dir)
	return path == dir || strings.HasPrefix(path, strings.TrimSuffix(dir, "/")+"/")
}
