package task_test

import (
	"fmt"

	"github.com/plumbkit/plumb/host/task"
)

func ExampleRead() {
	t, err := task.Read([]byte(`
requirement: The amount must not exceed what was paid.
capabilities:
  - id: REFUND-2
    sentence: A refund above the amount paid is rejected.
    symbols: [refund.Service.Refund]
    layers: [domain, test]
`))
	fmt.Println(t.Capabilities[0].ID, t.Capabilities[0].Symbols, err)

	_, err = task.Read([]byte("requirement: x\ncapabilites: []\n"))
	fmt.Println(err)
	// Output:
	// REFUND-2 [refund.Service.Refund] <nil>
	// task.read "capabilites": invalid_input: line 2 uses the key "capabilites", which no task file has here; state: nothing was read; next: correct the task file; its keys are schema, id, requirement, source, capabilities, changes, answers and justifications
}
