// Package index turns a repository into a Snapshot: an immutable answer to who
// defines, calls, implements, tests and generates what, in which every answer
// says how it was reached.
//
// Extraction is a pure function of one file's bytes (Facts). Linking sits above
// it, is independent of order and can always be redone. Language knowledge
// lives in Language values that the host passes in; nothing is registered.
package index

import (
	"context"
	"io/fs"
)

// An Indexer builds or updates a Snapshot.
//
// The returned Snapshot describes exactly the state of in.FS that was read.
// Files that cannot be read or parsed cost only themselves: they are listed
// with the reason (File.Skipped) and are not an error. Errors are faults of
// class invalid_input (no file system), environment (the root cannot be read)
// or canceled.
type Indexer interface {
	Index(ctx context.Context, in Input) (*Snapshot, error)
}

// Func is an Indexer made of a function.
type Func func(ctx context.Context, in Input) (*Snapshot, error)

// Index calls f.
func (f Func) Index(ctx context.Context, in Input) (*Snapshot, error) { return f(ctx, in) }

// Input is what an Indexer reads.
type Input struct {
	// FS is the repository's root. It is read only during Index and, later, by
	// the Snapshot's Source, Search and Drift.
	FS fs.FS
	// Prev, if not nil, is a Snapshot of an earlier state of the same
	// repository: files whose content is unchanged are not parsed again. The
	// result has the same Facts as one built from nothing.
	Prev *Snapshot
	// Tiers limits what is built (IDX-26). The zero value builds every tier.
	Tiers Tiers
	// Progress, if not nil, is called from one goroutine at a time.
	Progress Progress
}

// Tiers limits an index to less than everything; each tier includes the ones before it.
type Tiers uint8

// The tiers, least first. TierAll, the zero value, is every tier.
const (
	TierAll       Tiers = iota
	TierSymbols         // definitions and their text
	TierRelations       // references and what types are to each other
	TierBuild           // the commands that build and test a package
)

// Progress is called as work advances: stage is a word such as "parse" or
// "link", done and total count items (total 0: not known yet), item is the
// current one. It must return quickly.
type Progress func(stage string, done, total int, item string)
