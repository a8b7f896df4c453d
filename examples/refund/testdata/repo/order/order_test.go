package order

import (
	"context"
	"errors"
	"testing"

	"example.com/shop/decimal"
)

func cables() Order {
	return Order{
		ID: "o-1",
		Lines: []Line{
			{SKU: "cable", Title: "Cable by the metre", Quantity: 4, Price: decimal.MustParse("0.375")},
			{SKU: "lamp", Title: "Lamp", Quantity: 1, Price: decimal.MustParse("19.90")},
		},
	}
}

func TestTotalKeepsEveryDigit(t *testing.T) {
	if got := cables().Total(); got.Cmp(decimal.MustParse("21.40")) != 0 {
		t.Errorf("total %s", got)
	}
	if got := cables().Pieces(); got != 5 {
		t.Errorf("%d pieces", got)
	}
}

func TestStore(t *testing.T) {
	ctx := context.Background()
	s := NewStore()
	if err := s.Add(ctx, cables()); err != nil {
		t.Fatal(err)
	}
	if err := s.Add(ctx, cables()); !errors.Is(err, ErrExists) {
		t.Errorf("second add: %v", err)
	}
	o, err := s.Get(ctx, "o-1")
	if err != nil {
		t.Fatal(err)
	}
	o.Lines[0].Quantity = 99
	o.Notes = append(o.Notes, "called")
	again, err := s.Get(ctx, "o-1")
	if err != nil || again.Lines[0].Quantity != 4 || len(again.Notes) != 0 {
		t.Errorf("the stored order changed with its copy: %+v, %v", again, err)
	}
	if err := s.Save(ctx, o); err != nil {
		t.Fatal(err)
	}
	if again, _ = s.Get(ctx, "o-1"); len(again.Notes) != 1 {
		t.Errorf("notes %q", again.Notes)
	}
	if err := s.Save(ctx, Order{ID: "o-2"}); !errors.Is(err, ErrNotFound) {
		t.Errorf("save of an unknown order: %v", err)
	}
}

func TestListIsSorted(t *testing.T) {
	ctx := context.Background()
	s := NewStore()
	for _, id := range []string{"o-3", "o-1", "o-2"} {
		if err := s.Add(ctx, Order{ID: id, Customer: "c-1"}); err != nil {
			t.Fatal(err)
		}
	}
	found, err := s.List(ctx, func(o Order) bool { return o.ID != "o-2" })
	if err != nil || len(found) != 2 || found[0].ID != "o-1" || found[1].ID != "o-3" {
		t.Errorf("got %+v, %v", found, err)
	}
}
