package syntax

/*
#include "walk.h"
*/
import "C"

import (
	"context"
	"fmt"
	"runtime"
	"sync"
	"time"
	"unsafe"

	"github.com/plumbkit/plumb/host/fault"
)

// Limits bound the work on one file. The zero value of a field means its default.
type Limits struct {
	// MaxBytes is the largest file that is parsed; default DefaultMaxBytes.
	MaxBytes int
	// Timeout is the most CPU time that the parse of one file may take; default
	// DefaultTimeout and as much again for each MiB of the file. Ten times as much
	// by the wall clock, matching included, ends it too. CPU time it is because a
	// busy machine must not change what is found.
	Timeout time.Duration
	// MaxMemory is the most bytes of C memory that the parse of one file may take;
	// default DefaultMaxMemory. Ordinary source takes 25 to 60 times its size. Each
	// node takes another 24 bytes of Go memory, which the parser reuses.
	MaxMemory int
	// MaxCaptures is the most captures the query may yield; default 8 for each
	// node and at least 65,536. Beyond it matching ends and the tree is marked Truncated.
	MaxCaptures int
}

// The default limits.
const (
	DefaultMaxBytes  = 4 << 20
	DefaultTimeout   = time.Second
	DefaultMaxMemory = 96 << 20
)

// A Parser parses one file at a time. It is not safe for concurrent use: take
// one per goroutine. Close it when done.
type Parser struct {
	// Limits may be changed between calls of Parse.
	Limits Limits

	c        *C.plumb_parser
	cleanup  runtime.Cleanup
	tree     Tree
	nodes    []Node
	lines    []uint32
	matches  []Match
	captures []Capture
	matcher  matcher
}

// NewParser returns a parser with the default limits.
func NewParser() *Parser {
	p := &Parser{}
	if !bool(C.plumb_complete()) {
		return p
	}
	if p.c = C.plumb_parser_new(); p.c != nil {
		p.cleanup = runtime.AddCleanup(p, func(c *C.plumb_parser) { C.plumb_parser_free(c) }, p.c)
	}
	return p
}

// Close frees the parser's C memory. It may be called twice. Trees stay readable.
func (p *Parser) Close() {
	if p.c == nil {
		return
	}
	p.cleanup.Stop()
	C.plumb_parser_free(p.c)
	p.c = nil
}

// Parse parses src, whatever bytes it holds, and matches lang's query against it.
// A file that does not follow the grammar still gives a tree (Tree.HasError).
// src must not be changed while the tree is in use.
//
// Faults: BudgetExceeded when src is larger or takes longer than the limits
// allow; Canceled when ctx ends; Unsupported when the runtime is not the known
// one or does not take the grammar; InvalidInput on a closed parser. After any
// of them but the last the parser can be used again.
func (p *Parser) Parse(ctx context.Context, lang *Language, src []byte) (*Tree, error) {
	if p.c == nil {
		return nil, &fault.Fault{Class: fault.InvalidInput, Op: op, Detail: "the parser is closed", Next: "take a new parser"}
	}
	if limit := orDefault(p.Limits.MaxBytes, DefaultMaxBytes); len(src) > limit {
		return nil, &fault.Fault{Class: fault.BudgetExceeded, Op: op,
			Detail: fmt.Sprintf("the file has %d bytes; the limit is %d", len(src), limit), State: "not parsed",
			Next: "raise the size limit or leave the file out"}
	}
	C.plumb_stop(p.c, 0)
	stop := p.watch(ctx)
	status := p.run(ctx, lang, src)
	stop()
	if status != C.PLUMB_DONE {
		return nil, p.failure(ctx, lang, len(src), status)
	}
	return &p.tree, nil
}

const op = "syntax.parse"

// watch lets the end of ctx stop the C code until the returned function is called.
func (p *Parser) watch(ctx context.Context) (stop func()) {
	if ctx.Done() == nil {
		return func() {}
	}
	var running sync.WaitGroup
	running.Add(1)
	cancel := context.AfterFunc(ctx, func() {
		C.plumb_stop(p.c, 1)
		running.Done()
	})
	return func() {
		if !cancel() {
			running.Wait()
		}
		C.plumb_stop(p.c, 0)
	}
}

func (p *Parser) run(ctx context.Context, lang *Language, src []byte) C.plumb_status {
	timeout := p.timeout(len(src))
	deadline := time.Now().Add(10 * timeout)
	text := unsafe.SliceData(src)
	if len(src) == 0 {
		text = new(byte)
	}
	var count C.uint32_t
	status := C.plumb_parse(p.c, lang.raw, (*C.char)(unsafe.Pointer(text)), C.uint32_t(len(src)),
		C.uint64_t(max(1, timeout.Microseconds())), C.int64_t(orDefault(p.Limits.MaxMemory, DefaultMaxMemory)), &count)
	defer func() { C.plumb_release(p.c) }()
	if status != C.PLUMB_DONE {
		return status
	}
	p.nodes = room(p.nodes, int(count))
	status = C.plumb_flatten(p.c, (*C.uint8_t)(unsafe.SliceData(lang.named)), C.uint32_t(len(lang.named)),
		(*C.plumb_node)(unsafe.Pointer(unsafe.SliceData(p.nodes))), count)
	if status != C.PLUMB_DONE {
		return status
	}
	p.lines = appendLines(p.lines[:0], src)
	p.tree = Tree{Language: lang, Src: src, Nodes: p.nodes[:count], lines: p.lines,
		HasError: p.nodes[0].Flags&HasError != 0, ParseNanos: int64(p.c.parse_ns)}
	if lang.query == nil {
		return C.PLUMB_DONE
	}
	return p.match(ctx, lang.query, deadline)
}

// match runs the query. A tree whose matches were cut short is still a tree.
func (p *Parser) match(ctx context.Context, q *query, deadline time.Time) C.plumb_status {
	p.tree.Matches, p.tree.Captures = spare(p.matches), spare(p.captures)
	limit := orDefault(p.Limits.MaxCaptures, max(1<<16, 8*len(p.tree.Nodes)))
	whole := p.matcher.run(&p.tree, q, limit, func() bool { return ctx.Err() != nil || time.Now().After(deadline) })
	p.matches, p.captures = p.tree.Matches, p.tree.Captures
	if !whole {
		return C.PLUMB_STOPPED
	}
	return C.PLUMB_DONE
}

func (p *Parser) failure(ctx context.Context, lang *Language, size int, status C.plumb_status) error {
	f := &fault.Fault{Op: op, Subject: fault.Subject{Text: lang.name}, State: "not parsed"}
	switch {
	case status == C.PLUMB_STOPPED && ctx.Err() != nil:
		f.Class, f.Detail, f.Err = fault.Canceled, "parsing was canceled", context.Cause(ctx)
		f.Next = "run it again; nothing has to be cleaned up"
	case status == C.PLUMB_STOPPED:
		f.Class, f.Next = fault.BudgetExceeded, "raise the time limit or leave the file out"
		f.Detail = fmt.Sprintf("parsing took longer than %v of CPU time", p.timeout(size).Round(time.Millisecond))
	case status == C.PLUMB_TOO_BIG:
		f.Class, f.Next = fault.BudgetExceeded, "raise the memory limit or leave the file out"
		f.Detail = fmt.Sprintf("parsing took more than %d bytes of memory", orDefault(p.Limits.MaxMemory, DefaultMaxMemory))
	case status == C.PLUMB_REFUSED:
		f.Class, f.Detail, f.Next = fault.Unsupported, "the parser's runtime refuses the grammar's version", "build with another version of the grammar"
	default:
		f.Class, f.Detail, f.Next = fault.Environment, "the parser gave no tree", "leave the file out; report the file"
	}
	return f
}

// timeout returns the time allowed for a file of size bytes.
func (p *Parser) timeout(size int) time.Duration {
	return orDefault(p.Limits.Timeout, DefaultTimeout+DefaultTimeout*time.Duration(size)/(1<<20))
}

func orDefault[T int | time.Duration](v, def T) T {
	if v <= 0 {
		return def
	}
	return v
}

// spare returns s emptied, or nil in place of a huge one.
func spare[T any](s []T) []T {
	if cap(s) > 1<<20 {
		return nil
	}
	return s[:0]
}

// room returns s with length n, reallocated when it is too small, or when it is
// large and far more than needed.
func room[T any](s []T, n int) []T {
	if cap(s) >= n && (cap(s) < 1<<18 || cap(s)/8 < n) {
		return s[:n]
	}
	return make([]T, n, n+n/4)
}
