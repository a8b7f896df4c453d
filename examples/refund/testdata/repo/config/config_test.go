package config

import (
	"strings"
	"testing"
	"time"
)

func env(pairs map[string]string) func(string) (string, bool) {
	return func(name string) (string, bool) {
		v, ok := pairs[name]
		return v, ok
	}
}

func TestDefaults(t *testing.T) {
	c, err := Load(env(nil))
	if err != nil {
		t.Fatal(err)
	}
	if c.Refund.Window != 720*time.Hour || c.BackOffice.BatchLimit != 50 || c.Currency != "EUR" {
		t.Fatalf("got %+v", c)
	}
}

func TestOverrides(t *testing.T) {
	c, err := Load(env(map[string]string{
		"SHOP_LISTEN":             "127.0.0.1:9000",
		"SHOP_REFUND_WINDOW_DAYS": "14",
		"SHOP_BATCH_LIMIT":        "5",
		"SHOP_ZONE_HOURS":         "2",
	}))
	if err != nil {
		t.Fatal(err)
	}
	if c.Listen != "127.0.0.1:9000" || c.Refund.Window != 14*24*time.Hour || c.BackOffice.BatchLimit != 5 {
		t.Fatalf("got %+v", c)
	}
	if got := c.Zone.String(); got != "UTC+2" {
		t.Fatalf("zone %q", got)
	}
}

func TestBadValuesNameTheirKey(t *testing.T) {
	for key, value := range map[string]string{
		"SHOP_REFUND_WINDOW_DAYS": "soon",
		"SHOP_BATCH_LIMIT":        "-1",
		"SHOP_ZONE_HOURS":         "25",
	} {
		_, err := Load(env(map[string]string{key: value}))
		if err == nil || !strings.Contains(err.Error(), key) {
			t.Errorf("%s=%s: got %v", key, value, err)
		}
	}
}
