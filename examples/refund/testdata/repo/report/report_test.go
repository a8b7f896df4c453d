package report

import (
	"strings"
	"testing"
	"time"
)

func rows(t *testing.T) []Row {
	t.Helper()
	late := time.Date(2024, 5, 3, 23, 30, 0, 0, time.UTC)
	got, err := Daily([]Sale{
		{At: late, Method: "wallet", Amount: 500},
		{At: late.Add(-8 * time.Hour), Method: "card", Amount: 123450},
		{At: late.Add(-9 * time.Hour), Method: "card", Amount: 1550},
	}, time.FixedZone("CEST", 2*3600))
	if err != nil {
		t.Fatal(err)
	}
	return got
}

func TestDailyUsesTheZone(t *testing.T) {
	got := rows(t)
	if len(got) != 2 || got[0].Day != "2024-05-03" || got[1].Day != "2024-05-04" {
		t.Fatalf("got %+v", got)
	}
	if got[0].Count != 2 || got[0].Total != 125000 {
		t.Errorf("got %+v", got[0])
	}
}

func TestTable(t *testing.T) {
	var b strings.Builder
	if err := WriteTable(&b, rows(t), "EUR"); err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(b.String(), "EUR 1,250.00") {
		t.Errorf("got\n%s", b.String())
	}
}

func TestCSV(t *testing.T) {
	var b strings.Builder
	if err := WriteCSV(&b, rows(t)); err != nil {
		t.Fatal(err)
	}
	want := "day,method,sales,cents\n2024-05-03,card,2,125000\n2024-05-04,wallet,1,500\n"
	if b.String() != want {
		t.Errorf("got\n%s", b.String())
	}
}
