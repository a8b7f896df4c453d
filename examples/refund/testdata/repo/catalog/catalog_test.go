package catalog

import (
	"errors"
	"strings"
	"testing"

	"example.com/shop/decimal"
)

func lamps(t *testing.T) *Catalog {
	t.Helper()
	c := New()
	for _, p := range []Product{
		{SKU: "l-1", Title: "Desk lamp", Category: "Light", Price: decimal.MustParse("39.00")},
		{SKU: "l-2", Title: "Floor lamp", Category: "Light", Price: decimal.MustParse("19.90")},
		{SKU: "d-1", Title: "Desk", Category: "Furniture", Price: decimal.MustParse("199")},
	} {
		if err := c.Add(p); err != nil {
			t.Fatal(err)
		}
	}
	return c
}

func TestSearch(t *testing.T) {
	c := lamps(t)
	for query, want := range map[string]string{"lamp": "l-2 l-1", "LIGHT desk": "l-1", "": "l-2 l-1 d-1", "chair": ""} {
		var got []string
		for _, p := range c.Search(query) {
			got = append(got, p.SKU)
		}
		if strings.Join(got, " ") != want {
			t.Errorf("%q: got %v, want %s", query, got, want)
		}
	}
}

func TestAddRefuses(t *testing.T) {
	c := lamps(t)
	if err := c.Add(Product{SKU: "l-1", Price: decimal.MustParse("1")}); !errors.Is(err, ErrExists) {
		t.Errorf("known SKU: %v", err)
	}
	if err := c.Add(Product{SKU: "x", Price: decimal.MustParse("-1")}); !errors.Is(err, ErrPrice) {
		t.Errorf("negative price: %v", err)
	}
}

func TestImport(t *testing.T) {
	c := lamps(t)
	n, err := c.Import(strings.NewReader("l-1,35.50\nl-2,19.90\n"))
	if err != nil || n != 1 {
		t.Fatalf("got %d, %v", n, err)
	}
	if p, _ := c.Product("l-1"); p.Price.String() != "35.50" {
		t.Errorf("price %s", p.Price)
	}
	if _, err := c.Import(strings.NewReader("l-1,1\nl-9,1\n")); !errors.Is(err, ErrUnknown) {
		t.Errorf("unknown SKU: %v", err)
	}
	if p, _ := c.Product("l-1"); p.Price.String() != "35.50" {
		t.Errorf("a list with a wrong line changed a price to %s", p.Price)
	}
}
