package payment

import (
	"context"
	"errors"
	"testing"

	"example.com/shop/money"
)

func gateways() map[string]Gateway {
	wallet := NewWallet()
	wallet.TopUp("maria", 10000)
	return map[string]Gateway{"card": NewCard(2), "wallet": wallet}
}

func TestChargeOnceForEachKey(t *testing.T) {
	ctx := context.Background()
	for name, g := range gateways() {
		first, err := g.Charge(ctx, "maria", 4000, "k-1")
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		second, err := g.Charge(ctx, "maria", 4000, "k-1")
		if err != nil || second.ID != first.ID || !second.Repeated {
			t.Errorf("%s: repeated charge: %+v, %v", name, second, err)
		}
		if _, err := g.Charge(ctx, "maria", 4001, "k-1"); !errors.Is(err, ErrKeyReused) {
			t.Errorf("%s: key with another amount: %v", name, err)
		}
		p, err := g.Payment(ctx, first.PaymentID)
		if err != nil || p.Captured != 4000 || p.Left() != 4000 {
			t.Errorf("%s: %+v, %v", name, p, err)
		}
	}
}

func TestChargeNeedsAnAmount(t *testing.T) {
	for name, g := range gateways() {
		if _, err := g.Charge(context.Background(), "maria", 0, "k-1"); !errors.Is(err, ErrAmount) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestDeclined(t *testing.T) {
	ctx := context.Background()
	if _, err := NewCard(0).Charge(ctx, "bad-token", 100, "k-1"); !errors.Is(err, ErrDeclined) {
		t.Errorf("card: %v", err)
	}
	if _, err := NewWallet().Charge(ctx, "maria", 100, "k-1"); !errors.Is(err, ErrDeclined) {
		t.Errorf("wallet: %v", err)
	}
}

func TestFees(t *testing.T) {
	c := NewCard(2)
	for _, amount := range []money.Cents{1000, 2550} {
		if _, err := c.Charge(context.Background(), "tok", amount, amountKey(amount)); err != nil {
			t.Fatal(err)
		}
	}
	if got := c.Fees(); got != 71 {
		t.Errorf("fees %d", got)
	}
}

func amountKey(a money.Cents) string {
	return money.Format(a, "EUR")
}

func TestWalletBalance(t *testing.T) {
	w := NewWallet()
	w.TopUp("maria", 500)
	if _, err := w.Charge(context.Background(), "maria", 200, "k-1"); err != nil {
		t.Fatal(err)
	}
	if got := w.Balance("maria"); got != 300 {
		t.Errorf("balance %d", got)
	}
}
