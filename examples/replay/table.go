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

// table prints the ends as Markdown, and how often each outcome came.
func table(w io.Writer, ends []End) error {
	var b strings.Builder
	b.WriteString("| commit | files | outcome | tests selected | seconds |\n| --- | --: | --- | --: | --: |\n")
	count := map[string]int{}
	for _, e := range ends {
		fmt.Fprintf(&b, "| %s %s | %d | %s | %d | %.0f |\n", e.Commit[:10], cell(e.Subject), e.Files, cell(e.outcome()), e.Selected, e.Elapsed.Round(time.Second).Seconds())
		count[e.outcome()]++
	}
	b.WriteString("\n| outcome | commits |\n| --- | --: |\n")
	names := slices.SortedFunc(maps.Keys(count), func(a, b string) int { return cmp.Or(cmp.Compare(count[b], count[a]), cmp.Compare(a, b)) })
	for _, n := range names {
		fmt.Fprintf(&b, "| %s | %d |\n", cell(n), count[n])
	}
	b.WriteString("\n")
	for _, e := range ends {
		if e.Why != "" {
			fmt.Fprintf(&b, "- %s: %s\n", e.Commit[:10], strings.Join(strings.Fields(e.Why), " "))
		}
	}
	_, err := io.WriteString(w, b.String())
	return err
}

func cell(s string) string { return strings.ReplaceAll(s, "|", "\\|") }
