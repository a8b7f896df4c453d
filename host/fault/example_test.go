package fault_test

import (
	"errors"
	"fmt"

	"github.com/plumbkit/plumb/host/fault"
)

func Example() {
	var err error = &fault.Fault{
		Class:   fault.AnchorMismatch,
		Op:      "patch.apply",
		Subject: fault.Subject{File: "pay/refund.go", Line: 42},
		Detail:  "the line is not the one the edit was made for",
		State:   "workspace unchanged",
		Next:    "read lines 40-50 again and resend the edit",
	}
	if errors.Is(err, fault.AnchorMismatch) {
		fmt.Println(err)
		fmt.Println("exit code", fault.ClassOf(err).ExitCode())
	}
	// Output:
	// patch.apply pay/refund.go:42: anchor_mismatch: the line is not the one the edit was made for; state: workspace unchanged; next: read lines 40-50 again and resend the edit
	// exit code 4
}
