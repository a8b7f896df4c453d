package main

import (
	"bufio"
	"context"
	"flag"
	"fmt"
	"os/user"
	"slices"
	"strings"

	"github.com/plumbkit/plumb/gate"
)

// approvedFlag lists operations that the person at the command line approves,
// by the digests that a refusal printed.
func approvedFlag(fs *flag.FlagSet) *[]string {
	var list []string
	fs.Func("approve", "approve the operation with this `digest`, which an earlier refusal printed; may be repeated", func(digest string) error {
		if len(digest) != 64 {
			return fmt.Errorf("%q is no digest of an operation: it has 64 hexadecimal digits", digest)
		}
		list = append(list, digest)
		return nil
	})
	return &list
}

// approver approves the listed operations, and puts others to the terminal when
// ask is set. It is nil when neither can say anything.
func approver(e *env, listed []string, ask bool) gate.Approver {
	if len(listed) == 0 && !ask {
		return nil
	}
	return gate.ApproverFunc(func(_ context.Context, op gate.Operation) (string, error) {
		if slices.Contains(listed, op.Digest) {
			return person(), nil
		}
		if !ask {
			return "", nil
		}
		e.sayf("the gate leaves it to you: %s\n", op.What)
		for _, f := range op.Findings {
			e.sayf("  %s\n", f.Reason)
			for _, ev := range f.Present {
				e.sayf("  evidence: %s\n", ev)
			}
		}
		fmt.Fprint(e.stderr, "approve it? yes or no: ")
		if strings.EqualFold(e.answer(), "yes") {
			return person(), nil
		}
		return "", nil
	})
}

// answer reads one line that a person types; "" when nobody does.
func (e *env) answer() string {
	if e.typed == nil {
		e.typed = bufio.NewReader(e.stdin)
	}
	line, _ := e.typed.ReadString('\n')
	return strings.TrimSpace(line)
}

// person names who sits at the command line.
func person() string {
	if u, err := user.Current(); err == nil && u.Username != "" {
		return u.Username
	}
	return "the command line"
}
