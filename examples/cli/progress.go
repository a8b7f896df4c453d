package main

import (
	"fmt"
	"io"
	"os"
	"sync"
	"time"

	"github.com/mattn/go-isatty"

	"github.com/plumbkit/plumb/index"
)

// barEvery is how often the line is drawn at most: a person reads no faster.
const barEvery = 80 * time.Millisecond

// A bar is one line on a terminal that is drawn over and over. A nil bar draws
// nothing. It may be called from several goroutines.
type bar struct {
	w     io.Writer
	mu    sync.Mutex
	drawn bool
	last  time.Time
	stage string
}

// progress draws one line on a terminal, and nothing elsewhere.
func (e *env) progress() index.Progress {
	f, ok := e.stderr.(*os.File)
	if !ok || e.structured() || e.verbose || !isatty.IsTerminal(f.Fd()) {
		return nil
	}
	if e.bar == nil {
		e.bar = &bar{w: f}
	}
	return e.bar.draw
}

// draw shows how far a stage is.
func (b *bar) draw(stage string, done, total int, item string) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if stage == b.stage && time.Since(b.last) < barEvery {
		return
	}
	b.stage, b.last, b.drawn = stage, time.Now(), true
	at := ""
	if total > 0 {
		at = fmt.Sprintf(" %d%% (%d of %d)", done*100/total, done, total)
	}
	fmt.Fprintf(b.w, "\r\x1b[K%s", cut(stage+at+" "+line(item), 78))
}

// clear removes the line before something else is printed.
func (b *bar) clear() {
	if b == nil {
		return
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.drawn {
		fmt.Fprint(b.w, "\r\x1b[K")
		b.drawn, b.stage = false, ""
	}
}
