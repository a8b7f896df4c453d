package main

import (
	"context"
	"flag"
	"strings"

	"github.com/plumbkit/plumb/host/fault"
	"github.com/plumbkit/plumb/host/sandbox"
)

func sandboxCommand(fs *flag.FlagSet) action {
	open := unsandboxedFlag(fs)
	return func(ctx context.Context, e *env, args []string) error {
		if len(args) != 1 || args[0] != "check" {
			f := wrong("the sandbox can be checked, and nothing else", "run plumb sandbox check")
			f.Subject.Text = strings.Join(args, " ")
			return f
		}
		promises, err := sandbox.Check(ctx, sandbox.Auto{AllowUnsandboxed: *open})
		if err != nil {
			return err
		}
		broken := promises.Broken()
		if e.structured() {
			if err := e.emit(struct {
				Schema   int              `json:"schema"`
				Isolated bool             `json:"isolated"`
				Promises sandbox.Promises `json:"promises"`
			}{1, len(broken) == 0, promises}); err != nil {
				return err
			}
		} else {
			for _, p := range promises {
				state := "held"
				if !p.Held {
					state = "NOT HELD"
				}
				e.printf("%-18s %-8s %s\n", string(p.Name), state, p.How)
			}
			e.printf("%d of %d promises hold here\n", len(promises)-len(broken), len(promises))
		}
		if len(broken) == 0 {
			return nil
		}
		var names []string
		for _, p := range broken {
			names = append(names, string(p.Name))
		}
		return &fault.Fault{Class: fault.Environment, Op: "plumb sandbox check", Subject: fault.Subject{Text: strings.Join(names, ", ")},
			Detail: "isolation cannot be had in full on this machine", State: "nothing was changed", Next: "install bubblewrap, and allow user namespaces where the system forbids them"}
	}
}
