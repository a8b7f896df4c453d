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
	// Timeout is the longest time for one file, by the wall clock; default DefaultTimeout.
	Timeout time.Duration
	// MaxInProgress is how many unfinished matches the query may hold at once;
	// default DefaultMaxInProgress. Beyond it the oldest are lost and the tree is
	// marked Truncated.
	MaxInProgress int
}

// The default limits.
const (
	DefaultMaxBytes      = 4 << 20
	DefaultTimeout       = 5 * time.Second
	DefaultMaxInProgress = 1 << 10
)

// A Parser parses one file at a time. It is not safe for concurrent use: take
// one per goroutine. Close it when done.
type Parser struct {
	// Limits may be changed between calls of Parse.
	Limits Limits

	c       *C.plumb_parser
	cleanup runtime.Cleanup
	tree    Tree
	nodes   []Node
	matches []Match
	names   []Capture
	lines   []uint32
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
	stop := p.watch(ctx)
	status := p.run(lang, src)
	stop()
	runtime.KeepAlive(lang)
	if status != C.PLUMB_DONE {
		return nil, p.failure(ctx, lang, status)
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

func (p *Parser) run(lang *Language, src []byte) C.plumb_status {
	timeout := orDefault(p.Limits.Timeout, DefaultTimeout)
	text := unsafe.SliceData(src)
	if len(src) == 0 {
		text = new(byte)
	}
	var count C.uint32_t
	status := C.plumb_parse(p.c, lang.raw, (*C.char)(unsafe.Pointer(text)), C.uint32_t(len(src)),
		C.uint64_t(max(1, timeout.Microseconds())), &count)
	defer func() { C.plumb_release(p.c, 1<<18) }()
	if status != C.PLUMB_DONE {
		return status
	}
	p.nodes = room(p.nodes, int(count))
	status = C.plumb_flatten(p.c, (*C.uint8_t)(unsafe.SliceData(lang.named)), C.uint32_t(len(lang.named)),
		(*C.plumb_node)(unsafe.Pointer(unsafe.SliceData(p.nodes))), count, C.bool(lang.query != nil))
	if status != C.PLUMB_DONE {
		return status
	}
	p.lines = appendLines(p.lines[:0], src)
	p.tree = Tree{Language: lang, Src: src, Nodes: p.nodes[:count], lines: p.lines,
		HasError: p.nodes[0].Flags&HasError != 0}
	if lang.query != nil {
		status = p.match(lang)
	}
	p.tree.ParseNanos, p.tree.WalkNanos = int64(p.c.parse_ns), int64(p.c.walk_ns)
	return status
}

// match runs the query, growing the arrays when they are full.
func (p *Parser) match(lang *Language) C.plumb_status {
	C.plumb_query_start(p.c, lang.query, C.uint32_t(orDefault(p.Limits.MaxInProgress, DefaultMaxInProgress)))
	p.matches = spare(p.matches)
	p.names = spare(p.names)
	var nm, nc C.uint32_t
	var exceeded C.bool
	for {
		status := C.plumb_query_next(p.c, (*C.plumb_node)(unsafe.Pointer(unsafe.SliceData(p.nodes))),
			(*C.plumb_match)(unsafe.Pointer(unsafe.SliceData(p.matches))), C.uint32_t(len(p.matches)),
			(*C.plumb_capture)(unsafe.Pointer(unsafe.SliceData(p.names))), C.uint32_t(len(p.names)), &nm, &nc, &exceeded)
		if status != C.PLUMB_MORE {
			p.tree.Matches, p.tree.Captures = p.matches[:nm], p.names[:nc]
			p.tree.Truncated = bool(exceeded)
			lang.filter(&p.tree)
			return status
		}
		if int(nm) == len(p.matches) {
			p.matches = append(p.matches, make([]Match, len(p.matches))...)
		} else {
			p.names = append(p.names, make([]Capture, max(len(p.names), mostCaptures))...)
		}
	}
}

func (p *Parser) failure(ctx context.Context, lang *Language, status C.plumb_status) error {
	f := &fault.Fault{Op: op, Subject: fault.Subject{Text: lang.name}, State: "not parsed"}
	switch {
	case status == C.PLUMB_STOPPED && ctx.Err() != nil:
		f.Class, f.Detail, f.Err = fault.Canceled, "parsing was canceled", context.Cause(ctx)
		f.Next = "run it again; nothing has to be cleaned up"
	case status == C.PLUMB_STOPPED:
		f.Class, f.Next = fault.BudgetExceeded, "raise the time limit or leave the file out"
		f.Detail = fmt.Sprintf("parsing took longer than %v", orDefault(p.Limits.Timeout, DefaultTimeout))
	case status == C.PLUMB_REFUSED:
		f.Class, f.Detail, f.Next = fault.Unsupported, "the parser's runtime refuses the grammar's version", "build with another version of the grammar"
	default:
		f.Class, f.Detail, f.Next = fault.Environment, "the parser gave no tree", "leave the file out; report the file"
	}
	return f
}

func orDefault[T int | time.Duration](v, def T) T {
	if v <= 0 {
		return def
	}
	return v
}

// mostCaptures is how many captures one match can have.
const mostCaptures = 1 << 16

// spare returns s at its full capacity, or a small one in place of a huge one.
func spare[T any](s []T) []T {
	if n := cap(s); n > 0 && n <= 1<<20 {
		return s[:n]
	}
	return make([]T, 1<<10)
}

// room returns s with length n, reallocated when it is too small, or when it is
// large and far more than needed.
func room[T any](s []T, n int) []T {
	if cap(s) >= n && (cap(s) < 1<<18 || cap(s)/8 < n) {
		return s[:n]
	}
	return make([]T, n, n+n/4)
}
