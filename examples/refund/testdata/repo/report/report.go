// Package report sums up sales for finance.
package report

import (
	"cmp"
	"encoding/csv"
	"fmt"
	"io"
	"slices"
	"text/tabwriter"
	"time"

	"example.com/shop/money"
)

// Sale is one payment.
type Sale struct {
	At     time.Time
	Method string
	Amount money.Cents
}

// Row sums up the sales of one day by one method.
type Row struct {
	Day    string // 2006-01-02
	Method string
	Count  int
	Total  money.Cents
}

// Daily sums up sales by day, in the given zone, and method.
func Daily(sales []Sale, zone *time.Location) ([]Row, error) {
	type key struct{ day, method string }
	sums := make(map[key]Row)
	for _, s := range sales {
		k := key{s.At.In(zone).Format(time.DateOnly), s.Method}
		row := sums[k]
		row.Day, row.Method = k.day, k.method
		row.Count++
		var err error
		if row.Total, err = row.Total.Add(s.Amount); err != nil {
			return nil, fmt.Errorf("%s by %s: %w", k.day, k.method, err)
		}
		sums[k] = row
	}
	rows := make([]Row, 0, len(sums))
	for _, row := range sums {
		rows = append(rows, row)
	}
	slices.SortFunc(rows, func(a, b Row) int {
		return cmp.Or(cmp.Compare(a.Day, b.Day), cmp.Compare(a.Method, b.Method))
	})
	return rows, nil
}

// WriteTable writes rows for people.
func WriteTable(w io.Writer, rows []Row, currency string) error {
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(t, "day\tmethod\tsales\ttotal\t")
	for _, r := range rows {
		fmt.Fprintf(t, "%s\t%s\t%d\t%s\t\n", r.Day, r.Method, r.Count, money.Format(r.Total, currency))
	}
	return t.Flush()
}

// WriteCSV writes rows for programs, amounts in cents.
func WriteCSV(w io.Writer, rows []Row) error {
	c := csv.NewWriter(w)
	if err := c.Write([]string{"day", "method", "sales", "cents"}); err != nil {
		return err
	}
	for _, r := range rows {
		record := []string{r.Day, r.Method, fmt.Sprint(r.Count), fmt.Sprint(int64(r.Total))}
		if err := c.Write(record); err != nil {
			return err
		}
	}
	c.Flush()
	return c.Error()
}
