// Command plumb is a command line over plumb's stages: every query and stage
// from the shell, text for people, JSON for programs, exit codes by fault class.
package main

import (
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"strings"
	"syscall"

	"github.com/plumbkit/plumb/host/fault"
)

func main() {
	signal.Notify(make(chan os.Signal, 1), syscall.SIGPIPE) // a reader that has seen enough is an EPIPE, not an end
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	code := run(ctx, os.Args[1:], os.Stdin, os.Stdout, os.Stderr)
	stop()
	os.Exit(code)
}

// errFindings ends a command that worked and found something: exit code 1.
var errFindings = errors.New("there are findings")

// A command is one verb of the command line.
type command struct {
	name, args, short string
	// flags declares the command's own flags and returns what runs it.
	flags func(fs *flag.FlagSet) func(ctx context.Context, e *env, args []string) error
}

// commands are all verbs, in the order of the help text.
func commands() []command {
	return []command{
		{"index", "", "build the index and print its figures", indexCommand},
		{"dump", "definitions|references", "print every definition or reference, one a line", dumpCommand},
		{"definitions", "NAME", "where a name is defined; all of its definitions", definitionsCommand},
		{"references", "NAME", "who refers to it, certain apart from to-confirm", referencesCommand},
		{"callers", "NAME", "who calls it", callersCommand},
		{"callees", "NAME", "what it calls", calleesCommand},
		{"impact", "NAME", "what a change of it reaches", impactCommand},
		{"members", "NAME", "members, implementations and what an implementation lacks", membersCommand},
		{"tests", "FILE|NAME", "the tests of a file or symbol, each with the source of the link", testsCommand},
		{"outline", "FILE", "the definitions of a file", outlineCommand},
		{"search", "TEXT", "where a text stands", searchCommand},
		{"collect", "", "the context for a task", collectCommand},
		{"plan", "", "what a task has to change", planCommand},
		{"check", "", "do the edits of a file fit, and what would they do; writes nothing", checkCommand},
		{"apply", "", "write the edits of a file as one transaction", applyCommand},
		{"undo", "ID", "take a transaction back", undoCommand},
		{"verify", "", "verify the edits of a file", verifyCommand},
		{"gate", "", "what the gate says of the edits of a file", gateCommand},
		{"change", "", "take a task through the whole chain", changeCommand},
		{"trace", "", "the requirement and test table, and its gaps", traceCommand},
	}
}

// run runs one command line and returns its exit code.
func run(ctx context.Context, argv []string, stdin io.Reader, stdout, stderr io.Writer) int {
	if len(argv) == 0 || argv[0] == "help" || argv[0] == "-h" || argv[0] == "--help" {
		usage(stdout)
		return 0
	}
	for _, c := range commands() {
		if c.name == argv[0] {
			return c.run(ctx, argv[1:], stdin, stdout, stderr)
		}
	}
	e := &env{stdout: stdout, stderr: stderr}
	return e.report(&fault.Fault{Class: fault.InvalidInput, Op: "plumb", Subject: fault.Subject{Text: argv[0]},
		Detail: "there is no such command", Next: "run plumb help for the list"})
}

func (c command) run(ctx context.Context, argv []string, stdin io.Reader, stdout, stderr io.Writer) int {
	e := &env{stdin: stdin, stdout: stdout, stderr: stderr}
	fs := flag.NewFlagSet(c.name, flag.ContinueOnError)
	fs.SetOutput(io.Discard)
	fs.StringVar(&e.dir, "C", ".", "the repository")
	fs.BoolVar(&e.json, "json", false, "print one JSON document")
	fs.BoolVar(&e.lines, "jsonl", false, "print one JSON object a line")
	do := c.flags(fs)
	args, err := interleaved(fs, argv)
	switch {
	case errors.Is(err, flag.ErrHelp):
		c.usage(stdout, fs)
		return 0
	case err != nil:
		return e.report(&fault.Fault{Class: fault.InvalidInput, Op: "plumb " + c.name, Detail: err.Error(), Next: "run plumb " + c.name + " -h for its flags"})
	}
	return e.report(do(ctx, e, args))
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

// report prints an error and returns the exit code that belongs to its class.
func (e *env) report(err error) int {
	switch {
	case err == nil:
		return 0
	case errors.Is(err, errFindings):
		return 1
	case errors.Is(err, syscall.EPIPE):
		return 0 // the reader has seen enough
	}
	f := fault.From(err, "plumb", "read the message and run the command again")
	if e.json || e.lines {
		data, jerr := json.Marshal(f)
		if jerr == nil {
			fmt.Fprintln(escaped{e.stderr}, string(data))
			return f.Class.ExitCode()
		}
	}
	fmt.Fprintf(e.stderr, "plumb: %s: %s\n", f.Class, line(f.Detail))
	if s := f.Subject.String(); s != "" {
		fmt.Fprintf(e.stderr, "  about: %s\n", line(s))
	}
	if f.Err != nil {
		fmt.Fprintf(e.stderr, "  cause: %s\n", line(f.Err.Error()))
	}
	for _, c := range f.Candidates {
		fmt.Fprintf(e.stderr, "  candidate: %s\n", line(c.String()))
	}
	if f.State != "" {
		fmt.Fprintf(e.stderr, "  state: %s\n", line(f.State))
	}
	fmt.Fprintf(e.stderr, "  next: %s\n", line(f.Next))
	return f.Class.ExitCode()
}

func usage(w io.Writer) {
	fmt.Fprint(w, "plumb turns a requirement and a real repository into a minimal, verified, reversible change.\n\nUsage: plumb COMMAND [flags] [arguments]\n\n")
	for _, c := range commands() {
		fmt.Fprintf(w, "  %-28s %s\n", strings.TrimSpace(c.name+" "+c.args), c.short)
	}
	fmt.Fprint(w, `
Every command takes -C DIR (the repository), -json and -jsonl; plumb COMMAND -h lists its flags.
Exit codes: 0 done, 1 findings, 2 invalid input, 3 ambiguous, 4 anchor mismatch, 5 refused by the gate,
6 budget exceeded, 7 index unavailable, 8 rolled back, 9 environment, 10 unsupported, 130 canceled.
`)
}

func (c command) usage(w io.Writer, fs *flag.FlagSet) {
	fmt.Fprintf(w, "plumb %s: %s\n\nUsage: plumb %s [flags]\n", c.name, c.short, strings.TrimSpace(c.name+" "+c.args))
	fs.SetOutput(w)
	fs.PrintDefaults()
}
