// Shopd runs the shop: the back office, and the jobs of the night.
package main

import (
	"context"
	"fmt"
	"log"
	"net/http"
	"os"
	"os/signal"
	"time"

	"example.com/shop/audit"
	"example.com/shop/backoffice"
	"example.com/shop/config"
	"example.com/shop/fulfilment"
	"example.com/shop/jobs"
	"example.com/shop/order"
	"example.com/shop/payment"
	"example.com/shop/permission"
	"example.com/shop/refund"
	"example.com/shop/returns"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if err := run(ctx); err != nil {
		log.Fatal(err)
	}
}

func run(ctx context.Context) error {
	conf, err := config.Load(os.LookupEnv)
	if err != nil {
		return err
	}
	trail := audit.New(os.Stdout, time.Now)
	orders := order.NewStore()
	refunds := refund.NewService(orders, payment.NewCard(2), trail, conf.Refund.Window, time.Now)
	desk := returns.NewDesk(refunds, trail, conf.Zone)
	worker := fulfilment.NewWorker(orders, van{}, trail)

	registry := jobs.NewRegistry()
	registry.Nightly("Pack", worker.Pack)
	registry.Nightly("Ship", worker.Ship)
	registry.Register("Refund", refunds.Refund)
	registry.Register("Preview", refunds.Preview)

	desks := backoffice.Desks{"refunds": refunds, "returns": desk}
	office := backoffice.NewServer(nightShift{}, orders, refunds, registry, desks, conf.BackOffice.BatchLimit)

	go nights(ctx, registry)
	server := &http.Server{Addr: conf.Listen, Handler: office, ReadHeaderTimeout: 10 * time.Second}
	go func() {
		<-ctx.Done()
		_ = server.Close()
	}()
	if err := server.ListenAndServe(); err != http.ErrServerClosed {
		return err
	}
	return nil
}

// nights runs the nightly jobs at three until ctx ends.
func nights(ctx context.Context, registry *jobs.Registry) {
	for {
		select {
		case <-ctx.Done():
			return
		case <-time.After(jobs.UntilNight(time.Now(), 3)):
			if err := registry.RunNightly(ctx); err != nil {
				log.Print(err)
			}
		}
	}
}

// van is the shop's own carrier.
type van struct{}

func (van) Name() string { return "van" }

func (van) Collect(_ context.Context, parcelID string) error {
	_, err := fmt.Fprintln(os.Stderr, "collect", parcelID)
	return err
}

// nightShift is the staff of a shop in which one person does everything.
type nightShift struct{}

func (nightShift) Actor(token string) (permission.Actor, bool) {
	return permission.Actor{ID: "owner", Roles: []permission.Role{permission.Admin}},
		token != "" && token == os.Getenv("SHOP_OWNER_TOKEN")
}
