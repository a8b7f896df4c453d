// Package config reads the settings of the shop from the environment.
package config

import (
	"fmt"
	"strconv"
	"time"
)

// Config holds every setting of the shop.
type Config struct {
	Listen     string
	Currency   string
	Zone       *time.Location
	Refund     Refund
	BackOffice BackOffice
}

// Refund holds the settings of the refund service.
type Refund struct {
	Window time.Duration // how long after the order a refund can be started; 0 is for ever
}

// BackOffice holds the settings of the staff interface.
type BackOffice struct {
	BatchLimit int // most orders in one batch
}

// Load reads the settings with lookup, which is os.LookupEnv outside of tests.
func Load(lookup func(string) (string, bool)) (Config, error) {
	c := Config{
		Listen:     ":8080",
		Currency:   "EUR",
		Zone:       time.UTC,
		Refund:     Refund{Window: 30 * 24 * time.Hour},
		BackOffice: BackOffice{BatchLimit: 50},
	}
	if v, ok := lookup("SHOP_LISTEN"); ok {
		c.Listen = v
	}
	if v, ok := lookup("SHOP_CURRENCY"); ok {
		c.Currency = v
	}
	if v, ok := lookup("SHOP_ZONE_HOURS"); ok {
		h, err := strconv.Atoi(v)
		if err != nil || h < -12 || h > 14 {
			return Config{}, fmt.Errorf("SHOP_ZONE_HOURS: %q is no offset in hours", v)
		}
		c.Zone = time.FixedZone(fmt.Sprintf("UTC%+d", h), h*3600)
	}
	if v, ok := lookup("SHOP_REFUND_WINDOW_DAYS"); ok {
		d, err := positive("SHOP_REFUND_WINDOW_DAYS", v)
		if err != nil {
			return Config{}, err
		}
		c.Refund.Window = time.Duration(d) * 24 * time.Hour
	}
	if v, ok := lookup("SHOP_BATCH_LIMIT"); ok {
		n, err := positive("SHOP_BATCH_LIMIT", v)
		if err != nil {
			return Config{}, err
		}
		c.BackOffice.BatchLimit = n
	}
	return c, nil
}

func positive(name, v string) (int, error) {
	n, err := strconv.Atoi(v)
	if err != nil || n < 0 {
		return 0, fmt.Errorf("%s: %q is no positive number", name, v)
	}
	return n, nil
}
