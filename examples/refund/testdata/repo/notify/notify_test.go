package notify

import (
	"context"
	"errors"
	"slices"
	"testing"
	"time"
)

type flaky struct {
	failures int
	sent     []Mail
}

func (f *flaky) Send(_ context.Context, m Mail) error {
	if f.failures > 0 {
		f.failures--
		return errors.New("busy")
	}
	f.sent = append(f.sent, m)
	return nil
}

func newNotifier(t *testing.T, failures int) (*Notifier, *flaky, *[]time.Duration) {
	t.Helper()
	sender, pauses := &flaky{failures: failures}, new([]time.Duration)
	n := New(sender, 3, func(d time.Duration) { *pauses = append(*pauses, d) })
	if err := n.Define("shipped", "Your order {{.order}}", "Dear {{.name}},\nit is on its way.\n"); err != nil {
		t.Fatal(err)
	}
	return n, sender, pauses
}

func TestSend(t *testing.T) {
	n, sender, _ := newNotifier(t, 0)
	err := n.Send(context.Background(), "shipped", "m@example.com", map[string]string{"order": "o-1", "name": "Maria"})
	if err != nil {
		t.Fatal(err)
	}
	want := Mail{To: "m@example.com", Subject: "Your order o-1", Body: "Dear Maria,\nit is on its way."}
	if len(sender.sent) != 1 || sender.sent[0] != want {
		t.Errorf("got %+v", sender.sent)
	}
}

func TestSendTriesAgain(t *testing.T) {
	n, sender, pauses := newNotifier(t, 2)
	fields := map[string]string{"order": "o-1", "name": "Maria"}
	if err := n.Send(context.Background(), "shipped", "m@example.com", fields); err != nil {
		t.Fatal(err)
	}
	if len(sender.sent) != 1 || !slices.Equal(*pauses, []time.Duration{time.Second, 2 * time.Second}) {
		t.Errorf("sent %d, pauses %v", len(sender.sent), *pauses)
	}
	n, _, _ = newNotifier(t, 3)
	if err := n.Send(context.Background(), "shipped", "m@example.com", fields); err == nil {
		t.Error("three failures are no error")
	}
}

func TestMissingFields(t *testing.T) {
	n, sender, _ := newNotifier(t, 0)
	if err := n.Send(context.Background(), "shipped", "m@example.com", nil); err == nil || len(sender.sent) != 0 {
		t.Errorf("got %v, sent %v", err, sender.sent)
	}
	if err := n.Send(context.Background(), "lost", "m@example.com", nil); !errors.Is(err, ErrNoTemplate) {
		t.Errorf("got %v", err)
	}
}
