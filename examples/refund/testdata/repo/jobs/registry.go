// Package jobs keeps handlers by name: those that run at night, and those that
// staff start from a menu.
package jobs

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
	"time"
)

// Errors of the registry.
var (
	ErrUnknown = errors.New("no such job")
	ErrShape   = errors.New("job cannot be started this way")
)

// Registry keeps handlers by name. A handler is any function; whoever starts one
// knows what it looks like.
type Registry struct {
	mu       sync.RWMutex
	handlers map[string]any
	nightly  []string
}

// NewRegistry returns an empty registry.
func NewRegistry() *Registry {
	return &Registry{handlers: make(map[string]any)}
}

// Register adds a handler, or replaces one.
func (r *Registry) Register(name string, handler any) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.handlers[name] = handler
}

// Nightly adds a handler that runs every night, after those added before it.
func (r *Registry) Nightly(name string, handler func(context.Context) error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.handlers[name] = handler
	r.nightly = append(r.nightly, name)
}

// Lookup returns the handler with that name.
func (r *Registry) Lookup(name string) (any, error) {
	r.mu.RLock()
	defer r.mu.RUnlock()
	h, ok := r.handlers[name]
	if !ok {
		return nil, fmt.Errorf("%s: %w", name, ErrUnknown)
	}
	return h, nil
}

// Names lists what can be started, sorted.
func (r *Registry) Names() []string {
	r.mu.RLock()
	defer r.mu.RUnlock()
	names := make([]string, 0, len(r.handlers))
	for name := range r.handlers {
		names = append(names, name)
	}
	slices.Sort(names)
	return names
}

// Run starts one handler that needs nothing but a context.
func (r *Registry) Run(ctx context.Context, name string) error {
	h, err := r.Lookup(name)
	if err != nil {
		return err
	}
	run, ok := h.(func(context.Context) error)
	if !ok {
		return fmt.Errorf("%s: %w", name, ErrShape)
	}
	return run(ctx)
}

// RunNightly runs the nightly handlers one after the other. One that fails does
// not keep the others from running.
func (r *Registry) RunNightly(ctx context.Context) error {
	r.mu.RLock()
	names := slices.Clone(r.nightly)
	r.mu.RUnlock()
	var failed []error
	for _, name := range names {
		if err := r.Run(ctx, name); err != nil {
			failed = append(failed, fmt.Errorf("%s: %w", name, err))
		}
	}
	return errors.Join(failed...)
}

// UntilNight returns how long it is until the next run at the given hour.
func UntilNight(now time.Time, hour int) time.Duration {
	next := time.Date(now.Year(), now.Month(), now.Day(), hour, 0, 0, 0, now.Location())
	if !next.After(now) {
		next = next.AddDate(0, 0, 1)
	}
	return next.Sub(now)
}
