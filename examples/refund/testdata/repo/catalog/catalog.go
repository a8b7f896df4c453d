// Package catalog holds what the shop sells.
package catalog

import (
	"cmp"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"sync"

	"example.com/shop/decimal"
)

// Errors of the catalog.
var (
	ErrUnknown = errors.New("no such product")
	ErrExists  = errors.New("product exists")
	ErrPrice   = errors.New("price must be positive")
)

// Product is something that is sold.
type Product struct {
	SKU      string
	Title    string
	Category string
	Price    decimal.Decimal
	Grams    int
}

// Catalog keeps products by SKU. It may be used by several goroutines.
type Catalog struct {
	mu       sync.RWMutex
	products map[string]Product
}

// New returns an empty catalog.
func New() *Catalog {
	return &Catalog{products: make(map[string]Product)}
}

// Add adds a new product.
func (c *Catalog) Add(p Product) error {
	if p.Price.Cmp(decimal.Decimal{}) <= 0 {
		return fmt.Errorf("%s at %s: %w", p.SKU, p.Price, ErrPrice)
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if _, ok := c.products[p.SKU]; ok {
		return fmt.Errorf("%s: %w", p.SKU, ErrExists)
	}
	c.products[p.SKU] = p
	return nil
}

// Product returns the product with that SKU.
func (c *Catalog) Product(sku string) (Product, error) {
	c.mu.RLock()
	defer c.mu.RUnlock()
	p, ok := c.products[sku]
	if !ok {
		return Product{}, fmt.Errorf("%s: %w", sku, ErrUnknown)
	}
	return p, nil
}

// Reprice changes a price and returns the one before.
func (c *Catalog) Reprice(sku string, price decimal.Decimal) (decimal.Decimal, error) {
	if price.Cmp(decimal.Decimal{}) <= 0 {
		return decimal.Decimal{}, fmt.Errorf("%s at %s: %w", sku, price, ErrPrice)
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	p, ok := c.products[sku]
	if !ok {
		return decimal.Decimal{}, fmt.Errorf("%s: %w", sku, ErrUnknown)
	}
	before := p.Price
	p.Price = price
	c.products[sku] = p
	return before, nil
}

// Search returns the products whose title or category holds every word of the
// query, cheapest first.
func (c *Catalog) Search(query string) []Product {
	words := strings.Fields(strings.ToLower(query))
	c.mu.RLock()
	defer c.mu.RUnlock()
	var found []Product
	for _, p := range c.products {
		text := strings.ToLower(p.Title + " " + p.Category)
		if !slices.ContainsFunc(words, func(w string) bool { return !strings.Contains(text, w) }) {
			found = append(found, p)
		}
	}
	slices.SortFunc(found, func(a, b Product) int {
		return cmp.Or(a.Price.Cmp(b.Price), cmp.Compare(a.SKU, b.SKU))
	})
	return found
}

// Import reads a price list, "sku,price" a line, and returns how many prices
// changed. Nothing changes if one line is wrong.
func (c *Catalog) Import(r io.Reader) (int, error) {
	rows, err := csv.NewReader(r).ReadAll()
	if err != nil {
		return 0, err
	}
	prices := make(map[string]decimal.Decimal, len(rows))
	for i, row := range rows {
		if len(row) != 2 {
			return 0, fmt.Errorf("line %d: want sku,price", i+1)
		}
		price, err := decimal.Parse(row[1])
		if err != nil {
			return 0, fmt.Errorf("line %d: %w", i+1, err)
		}
		if _, err := c.Product(row[0]); err != nil {
			return 0, fmt.Errorf("line %d: %w", i+1, err)
		}
		prices[row[0]] = price
	}
	changed := 0
	for sku, price := range prices {
		before, err := c.Reprice(sku, price)
		if err != nil {
			return changed, err
		}
		if before.Cmp(price) != 0 {
			changed++
		}
	}
	return changed, nil
}
