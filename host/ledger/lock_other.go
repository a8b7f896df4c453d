//go:build !(darwin || dragonfly || freebsd || linux || netbsd || openbsd)

package ledger

import (
	"context"
	"os"

	"github.com/plumbkit/plumb/host/fault"
)

func unsupported() error {
	return &fault.Fault{Class: fault.Unsupported, Op: "ledger.open",
		Detail: "this platform has no file locks that plumb uses", State: "nothing was touched",
		Next: "bring a Store of your own, or use Memory"}
}

func openPlain(string, int) (*os.File, error) { return nil, unsupported() }

func openLocked(context.Context, string) (*os.File, error) { return nil, unsupported() }

func syncDir(string) error { return unsupported() }
