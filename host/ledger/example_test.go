package ledger_test

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"time"

	"github.com/plumbkit/plumb/host/ledger"
)

func Example() {
	dir, err := os.MkdirTemp("", "ledger")
	if err != nil {
		fmt.Println(err)
		return
	}
	defer os.RemoveAll(dir)
	ctx, store := context.Background(), &ledger.Files{Dir: dir}
	log := &ledger.Log{Store: store, Now: func() time.Time { return time.Date(2024, 5, 1, 12, 0, 0, 0, time.UTC) }}

	for _, e := range []ledger.Entry{
		{Task: "refund", Kind: ledger.KindIndex, Stage: "index", Index: "9f2c"},
		{Task: "refund", Kind: ledger.KindContext, Stage: "budget", Index: "9f2c", Data: json.RawMessage(`{"tokens":15800}`)},
		ledger.Hunks{Set: "41aa", Coverage: "40 of 40 files", Hunks: []ledger.Hunk{
			{File: "pay/refund.go", Start: 12, End: 14, OldStart: 12, OldEnd: 12, Capability: "CAP-2", Why: "refuse more than was paid"},
		}}.Entry("refund", "model", "9f2c"),
	} {
		if _, err := log.Record(ctx, e); err != nil {
			fmt.Println(err)
			return
		}
	}

	entries, err := ledger.Entries(ctx, store, "refund")
	if err != nil {
		fmt.Println(err)
		return
	}
	change, _, err := ledger.WhoChanged(entries, "pay/refund.go", 13)
	fmt.Println(change.Entry.By, change.Entry.Time.Format(time.DateOnly), change.Hunk.Why, change.Entry.Index, change.Coverage, err)
	fmt.Println(ledger.Complete(entries))
	// Output:
	// model 2024-05-01 refuse more than was paid 9f2c 40 of 40 files <nil>
	// ledger.complete "refund": partial_failure: the record lacks the results of patch refund#3 (set 41aa); state: the record is as it was; next: run the stages again whose results are missing, so that they are recorded
}
