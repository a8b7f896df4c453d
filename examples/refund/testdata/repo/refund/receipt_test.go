package refund

import (
	"context"
	"strings"
	"testing"
	"time"

	"example.com/shop/payment"
)

func TestSlip(t *testing.T) {
	s := newShop(t, payment.NewCard(0))
	res, err := s.Refund(context.Background(), finance, "o-1", "k-1")
	if err != nil {
		t.Fatal(err)
	}
	slip := Slip(res, "EUR", time.UTC)
	for _, want := range []string{"Refund for order o-1\n", "Date: 2024-05-03 10:00\n", "Reference: card-1/r1\n"} {
		if !strings.Contains(slip, want) {
			t.Errorf("no %q in\n%s", want, slip)
		}
	}
}

func TestSlipWritesAmountsLikeTheInvoice(t *testing.T) {
	s := newShop(t, payment.NewCard(0))
	res, err := s.Refund(context.Background(), finance, "o-1", "k-1")
	if err != nil {
		t.Fatal(err)
	}
	if slip := Slip(res, "EUR", time.UTC); !strings.Contains(slip, "Amount: 40,00 EUR\n") {
		t.Errorf("the invoice says 40,00 EUR, the slip says\n%s", slip)
	}
}
