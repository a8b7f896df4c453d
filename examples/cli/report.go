package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"syscall"

	"github.com/plumbkit/plumb/host/fault"
)

// end writes what is still to be printed and returns the exit code.
func (e *env) end(err error) int {
	e.bar.clear()
	if flushed := e.out.Flush(); flushed != nil && (err == nil || errors.Is(err, errFindings)) {
		err = flushed
	}
	return e.report(err)
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
	found := *fault.From(err, "plumb", "read the message and run the command again")
	f := &found
	f.Next = inFlags(f.Next)
	if e.structured() {
		if data, jerr := json.Marshal(f); jerr == nil {
			fmt.Fprintln(escaped{e.stderr}, string(e.hideJSON(data)))
			return f.Class.ExitCode()
		}
	}
	e.sayf("plumb: %s: %s\n", string(f.Class), f.Detail)
	if s := f.Subject.String(); s != "" {
		e.sayf("  about: %s\n", s)
	}
	if f.Err != nil {
		e.sayf("  cause: %s\n", f.Err.Error())
	}
	for _, c := range f.Candidates {
		e.sayf("  candidate: %s\n", c.String())
	}
	if f.State != "" {
		e.sayf("  state: %s\n", f.State)
	}
	e.sayf("  next: %s\n", f.Next)
	return f.Class.ExitCode()
}

// phrases are what faults of the library say to a programmer, and what stands
// for it on the command line.
var phrases = strings.NewReplacer(
	"opt in to runs without isolation with Auto{AllowUnsandboxed: true}", "opt in to runs without isolation with -unsandboxed",
	"raise Budgets.Feedback", "give the tests more time with -feedback",
	"raise Budgets.Authority", "allow more questions with -authority",
	"or set a Splitter", "or declare changes",
	"set a model, or list capability points in the task", "list capability points in the task",
	"give Input.Workspace, or ask for L0 and L1 only", "ask for L0 and L1 only with -layers L0,L1",
	"or collect without a History", "or take the folder out of git",
	"raise the total to", "raise -tokens to",
	"to Readable", "to what the sandbox can read: install the tool for all users",
	"set Layered.Runner", "ask for L0 and L1 only with -layers L0,L1",
	"bring a runner of your own", "ask for L0 and L1 only with -layers L0,L1",
	"or bring a Sandbox of your own", "or opt in to runs without isolation with -unsandboxed",
	"or name its full path or its folder in PATH through Env", "or put its folder in PATH",
	"let an Approver approve", "approve it with -approve or -ask: it is",
	"set an Approver", "approve it with -approve DIGEST, or run with -ask",
	"set an Answerer", "run with -ask",
	"Layered.Budgets", "-within",
	"Budgets.Information", "-tokens",
)

// inFlags puts a hint into the words of the command line.
func inFlags(next string) string { return phrases.Replace(next) }
