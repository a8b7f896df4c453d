package budget_test

import (
	"context"
	"os"
	"testing"

	"github.com/plumbkit/plumb/budget"
	"github.com/plumbkit/plumb/host/task"
	"github.com/plumbkit/plumb/index"
	"github.com/plumbkit/plumb/index/lang/golang"
)

// BenchmarkCollect measures PRF-6: 90,000 tokens collected from the Go standard
// library, beside the loaded snapshot, with the estimate and without history.
func BenchmarkCollect(b *testing.B) {
	root := goroot()
	if _, err := os.Stat(root); err != nil {
		b.Skip("no Go source tree here")
	}
	ctx := context.Background()
	snap, err := (&index.TreeSitter{Languages: []*index.Language{golang.Language()}}).Index(ctx, index.Input{FS: os.DirFS(root)})
	if err != nil {
		b.Fatal(err)
	}
	for name, text := range map[string]string{
		"trace": "net/http: Transport.roundTrip leaks a connection when the server closes it early; see net/http/transport.go:600",
		"name":  "encoding/json: Decoder.Decode should report the offset in UnmarshalTypeError",
		"words": "The JSON encoder must escape invalid UTF-8 in map keys",
	} {
		in := budget.Input{Task: task.Task{Requirement: text}, Snapshot: snap, Total: 90_000}
		for label, counter := range map[string]budget.Counter{"estimate": budget.Estimate{}, "o200k": budget.O200K()} {
			b.Run(name+"/"+label, func(b *testing.B) {
				used := 0
				for b.Loop() {
					c, err := (&budget.LayeredQuota{Counter: counter}).Collect(ctx, in)
					if err != nil {
						b.Fatal(err)
					}
					used = c.Used
				}
				b.ReportMetric(float64(used), "tokens")
			})
		}
	}
}
