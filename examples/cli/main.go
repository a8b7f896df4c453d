// Command plumb is a command line over plumb's stages: every query and stage
// from the shell, text for people, JSON for programs, exit codes by fault class.
package main

import (
	"bufio"
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"slices"
	"syscall"

	"github.com/plumbkit/plumb/host/fault"
)

func main() {
	signal.Notify(make(chan os.Signal, 1), syscall.SIGPIPE) // a reader that has seen enough is an EPIPE, not an end
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	context.AfterFunc(ctx, stop) // a second interrupt ends the process at once
	code := run(ctx, os.Args[1:], os.Stdin, os.Stdout, os.Stderr)
	stop()
	os.Exit(code)
}

// errFindings ends a command that worked and found something: exit code 1.
var errFindings = errors.New("there are findings")

// An action runs one command with its arguments.
type action = func(ctx context.Context, e *env, args []string) error

// A command is one verb of the command line.
type command struct {
	name, args, short string
	// flags declares the command's own flags and returns what runs it.
	flags func(fs *flag.FlagSet) action
}

// run runs one command line and returns its exit code.
func run(ctx context.Context, argv []string, stdin io.Reader, stdout, stderr io.Writer) int {
	if len(argv) == 0 {
		argv = []string{"help"}
	}
	e := &env{stdin: stdin, out: bufio.NewWriterSize(stdout, 1<<16), stderr: stderr}
	switch argv[0] {
	case "help", "-h", "-help", "--help":
		return e.end(help(e.out, argv[1:]))
	}
	c, err := find(argv[0])
	if err != nil {
		e.json = slices.Contains(argv, "-json") || slices.Contains(argv, "--json")
		return e.end(err)
	}
	return c.run(ctx, e, argv[1:])
}

func (c command) run(ctx context.Context, e *env, argv []string) int {
	fs, do := c.flagSet(e)
	args, err := interleaved(fs, argv)
	switch {
	case errors.Is(err, flag.ErrHelp):
		c.usage(e.out)
		return e.end(nil)
	case err != nil:
		return e.end(c.flagFault(fs, err))
	}
	if err := e.folder(); err != nil {
		return e.end(err)
	}
	return e.end(do(ctx, e, args))
}

// flagSet declares the flags of every command and the command's own.
func (c command) flagSet(e *env) (*flag.FlagSet, action) {
	fs := flag.NewFlagSet(c.name, flag.ContinueOnError)
	fs.SetOutput(io.Discard)
	fs.StringVar(&e.dir, "C", ".", "the `folder` of the repository")
	fs.BoolVar(&e.json, "json", false, "print one JSON document")
	fs.BoolVar(&e.lines, "jsonl", false, "print one JSON object a line")
	fs.BoolVar(&e.noCache, "no-cache", false, "build the index from nothing and keep nothing of it")
	fs.BoolVar(&e.verbose, "v", false, "log to standard error")
	return fs, c.flags(fs)
}

// interleaved parses flags that may stand before or after the arguments.
func interleaved(fs *flag.FlagSet, argv []string) ([]string, error) {
	var args []string
	for {
		if err := fs.Parse(argv); err != nil {
			return nil, err
		}
		rest := fs.Args()
		if len(rest) == 0 {
			return args, nil
		}
		if len(argv) > len(rest) && argv[len(argv)-len(rest)-1] == "--" {
			return append(args, rest...), nil
		}
		args, argv = append(args, rest[0]), rest[1:]
	}
}

// one returns the only argument of a command.
func one(args []string, what string) (string, error) {
	if len(args) == 1 && args[0] != "" {
		return args[0], nil
	}
	f := wrong(fmt.Sprintf("one argument is expected (%s), not %d", what, len(args)), "give "+what)
	if len(args) > 0 {
		f.Subject.Text = args[len(args)-1]
	}
	return "", f
}

// none refuses arguments.
func none(args []string) error {
	if len(args) == 0 {
		return nil
	}
	f := wrong("this command takes no arguments", "leave it out; plumb help lists what each command takes")
	f.Subject.Text = args[0]
	return f
}

// atLeastZero refuses a negative number, which would mean nothing.
func atLeastZero(flag string, n int) error {
	if n >= 0 {
		return nil
	}
	return wrong(fmt.Sprintf("%s is %d", flag, n), "give 0 or more")
}

// wrong is a fault of the command line itself.
func wrong(detail, next string) *fault.Fault {
	return &fault.Fault{Class: fault.InvalidInput, Op: "plumb", Detail: detail, Next: next}
}
