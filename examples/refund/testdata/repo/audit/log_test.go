package audit

import (
	"context"
	"strings"
	"testing"
	"time"

	"example.com/shop/decimal"
)

func fixed() time.Time {
	return time.Date(2024, 5, 3, 9, 30, 0, 0, time.UTC)
}

func TestEntriesAreLinesOfJSON(t *testing.T) {
	var out strings.Builder
	log := New(&out, fixed)
	ctx := context.Background()
	if err := log.RoleGranted(ctx, "ada", "ines", "warehouse"); err != nil {
		t.Fatal(err)
	}
	if err := log.PriceChanged(ctx, "ada", "cable", decimal.MustParse("0.375"), decimal.MustParse("0.4")); err != nil {
		t.Fatal(err)
	}
	want := `{"at":"2024-05-03T09:30:00Z","actor":"ada","event":"role.granted","subject":"ines","fields":{"role":"warehouse"}}
{"at":"2024-05-03T09:30:00Z","actor":"ada","event":"price.changed","subject":"cable","fields":{"from":"0.375","to":"0.4"}}
`
	if out.String() != want {
		t.Errorf("got\n%swant\n%s", out.String(), want)
	}
}

func TestAbout(t *testing.T) {
	log := New(&strings.Builder{}, fixed)
	ctx := context.Background()
	for _, sku := range []string{"lamp", "cable", "lamp"} {
		if err := log.StockCounted(ctx, "ada", sku, 7); err != nil {
			t.Fatal(err)
		}
	}
	if got := len(log.About("lamp")); got != 2 {
		t.Errorf("%d entries", got)
	}
}

func TestSomebodyMustHaveDoneIt(t *testing.T) {
	log := New(&strings.Builder{}, fixed)
	if err := log.LabelPrinted(context.Background(), "", "p-1"); err == nil {
		t.Error("an entry without an actor was written")
	}
	if got := len(log.About("p-1")); got != 0 {
		t.Errorf("%d entries", got)
	}
}
