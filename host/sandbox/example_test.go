//go:build linux

package sandbox_test

import (
	"context"
	"fmt"
	"os"
	"time"

	"github.com/plumbkit/plumb/host/sandbox"
)

func Example() {
	dir, err := os.MkdirTemp("", "example")
	if err != nil {
		fmt.Println(err)
		return
	}
	defer os.RemoveAll(dir)

	// Auto refuses where there is no isolation; this host allows runs without it
	// and looks at Unsandboxed before it trusts the result.
	s := sandbox.Auto{AllowUnsandboxed: true}
	r, err := s.Run(context.Background(), sandbox.Command{
		Dir:    dir,
		Args:   []string{"sh", "-c", "echo hello; exit 3"},
		Limits: sandbox.Limits{Wall: 10 * time.Second, Memory: 256 << 20},
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Printf("%d %s", r.ExitCode, r.Stdout)
	fmt.Println(r.Unsandboxed || r.Promises.Held(sandbox.NoNetwork))
	// Output:
	// 3 hello
	// true
}
