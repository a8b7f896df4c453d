// Command refund plays the story of a partial refund: from one paragraph to a
// verified, reversible change with its hand-off.
//
// The model is scripted; everything else is real: index, git, go test, scratch
// trees, sandbox. It needs Go, a C compiler and git, and no key.
package main

import (
	"context"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"syscall"
)

func main() {
	var o options
	flag.StringVar(&o.dir, "dir", "", "the folder to play in; empty makes a temporary one")
	flag.BoolVar(&o.isolated, "isolated", false, "refuse to run tests without bubblewrap")
	flag.BoolVar(&o.keep, "keep", false, "leave the change in the shop instead of taking it back")
	flag.StringVar(&o.dieAfter, "die-after", "", "kill this process after a stage of the first telling; play again in the same folder to resume")
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	err := play(ctx, os.Stdout, o)
	stop()
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}
