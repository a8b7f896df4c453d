package order

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
)

// Errors of the store.
var (
	ErrNotFound = errors.New("no such order")
	ErrExists   = errors.New("order exists")
)

// Store keeps orders in memory. It may be used by several goroutines.
type Store struct {
	mu     sync.RWMutex
	orders map[string]Order
}

// NewStore returns an empty store.
func NewStore() *Store {
	return &Store{orders: make(map[string]Order)}
}

// Add stores a new order.
func (s *Store) Add(ctx context.Context, o Order) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if _, ok := s.orders[o.ID]; ok {
		return fmt.Errorf("order %s: %w", o.ID, ErrExists)
	}
	s.orders[o.ID] = o.Clone()
	return nil
}

// Get returns a copy of one order.
func (s *Store) Get(ctx context.Context, id string) (Order, error) {
	if err := ctx.Err(); err != nil {
		return Order{}, err
	}
	s.mu.RLock()
	defer s.mu.RUnlock()
	o, ok := s.orders[id]
	if !ok {
		return Order{}, fmt.Errorf("order %s: %w", id, ErrNotFound)
	}
	return o.Clone(), nil
}

// Save replaces an order that is stored.
func (s *Store) Save(ctx context.Context, o Order) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if _, ok := s.orders[o.ID]; !ok {
		return fmt.Errorf("order %s: %w", o.ID, ErrNotFound)
	}
	s.orders[o.ID] = o.Clone()
	return nil
}

// List returns the orders that keep accepts, in the order of their IDs.
func (s *Store) List(ctx context.Context, keep func(Order) bool) ([]Order, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	s.mu.RLock()
	defer s.mu.RUnlock()
	var found []Order
	for _, o := range s.orders {
		if keep(o) {
			found = append(found, o.Clone())
		}
	}
	slices.SortFunc(found, func(a, b Order) int { return cmp.Compare(a.ID, b.ID) })
	return found, nil
}
