package main

import (
	"cmp"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"
	"time"
)

// table prints the ends as Markdown, how often each kind and each outcome came,
// what was left out, and what the stops say.
func table(w io.Writer, ends []End, skipped Skipped) error {
	var b strings.Builder
	b.WriteString("| commit | files | outcome | tests selected | seconds |\n| --- | --: | --- | --: | --: |\n")
	kinds, outcomes := map[string]int{}, map[string]int{}
	for _, e := range ends {
		fmt.Fprintf(&b, "| %s %s | %d | %s | %d | %.0f |\n", e.Commit[:10], cell(e.Subject), e.Files, cell(e.outcome()), e.Selected, e.Elapsed.Round(time.Second).Seconds())
		kinds[e.kind()]++
		outcomes[e.outcome()]++
	}
	counts(&b, "end", kinds)
	counts(&b, "outcome", outcomes)
	counts(&b, "not ordinary", skipped)
	b.WriteString("\n")
	for _, e := range ends {
		if len(e.Reasons) > 0 {
			fmt.Fprintf(&b, "- %s: %s\n", e.Commit[:10], strings.Join(strings.Fields(e.Reasons[0]), " "))
		}
		if e.Read.Why != "" {
			fmt.Fprintf(&b, "  - %s: %s\n", e.Read.Verdict, e.Read.Why)
		}
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// counts prints how often each name came, the most frequent first.
func counts(b *strings.Builder, title string, count map[string]int) {
	if len(count) == 0 {
		return
	}
	fmt.Fprintf(b, "\n| %s | commits |\n| --- | --: |\n", title)
	for _, n := range slices.SortedFunc(maps.Keys(count), func(a, b string) int { return cmp.Or(cmp.Compare(count[b], count[a]), cmp.Compare(a, b)) }) {
		fmt.Fprintf(b, "| %s | %d |\n", cell(n), count[n])
	}
}

func cell(s string) string { return strings.ReplaceAll(s, "|", "\\|") }
