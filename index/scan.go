package index

import (
	"bytes"
	"context"
	"io"
	"sync"
)

// scanned is what was found in one file.
type scanned struct {
	hits    []Hit
	problem string
}

// A finder yields the [start, end) of every match in data.
type finder = func(data []byte) func(func([2]int) bool)

// scan looks through all readable files, several at once, and hands over the
// results in order of path until take returns false. A file's hash is checked
// where something was found, and its size always: a file that was changed
// without either is not noticed.
func (s *Snapshot) scan(ctx context.Context, find finder, take func(*file, scanned) bool) error {
	ctx, cancel := context.WithCancel(ctx)
	files := s.files(func(f *file) bool { return f.read && f.skipped != skipLink })
	const ahead = 64 // files looked through before their turn
	results := make([]chan scanned, len(files))
	for i := range results {
		results[i] = make(chan scanned, 1)
	}
	next, turns := make(chan int), make(chan struct{}, ahead)
	var group sync.WaitGroup
	defer group.Wait()
	defer cancel()
	for range s.engine.jobs {
		group.Go(func() {
			var buf bytes.Buffer
			for i := range next {
				results[i] <- s.scanFile(files[i], find, &buf)
			}
		})
	}
	group.Go(func() {
		defer close(next)
		for i := range files {
			select {
			case turns <- struct{}{}:
			case <-ctx.Done():
				return
			}
			select {
			case next <- i:
			case <-ctx.Done():
				return
			}
		}
	})
	for i, f := range files {
		select {
		case r := <-results[i]:
			<-turns
			if !take(f, r) {
				return nil
			}
		case <-ctx.Done():
			return ctx.Err()
		}
	}
	return nil
}

// scanFile looks through one file, whose bytes are only held meanwhile.
func (s *Snapshot) scanFile(f *file, find finder, buf *bytes.Buffer) scanned {
	data, err := s.peek(f, buf)
	if err != nil {
		return scanned{problem: "not searched: " + err.Error()}
	}
	if bytes.IndexByte(data[:min(len(data), 8000)], 0) >= 0 {
		return scanned{}
	}
	var r scanned
	for at := range find(data) {
		if r.hits == nil && hashOf(data) != f.hash {
			return scanned{problem: "not searched: " + unavailable(f.path, "the file has changed since it was indexed", nil).Error()}
		}
		r.hits = append(r.hits, s.hit(f, data, at))
	}
	return r
}

// peek returns a file's bytes, in buf where they are read, checked by size only.
func (s *Snapshot) peek(f *file, buf *bytes.Buffer) ([]byte, error) {
	if data := s.over[f.path]; data != nil {
		return data, nil
	}
	if s.fsys == nil {
		return nil, unavailable(f.path, "the snapshot was built without a file system", nil)
	}
	in, err := s.fsys.Open(f.path)
	if err != nil {
		return nil, unavailable(f.path, "the file can no longer be read", err)
	}
	defer in.Close()
	buf.Reset()
	if buf.Cap() > 8<<20 {
		*buf = bytes.Buffer{}
	}
	buf.Grow(f.size + bytes.MinRead)
	if _, err := buf.ReadFrom(io.LimitReader(in, int64(f.size)+1)); err != nil {
		return nil, unavailable(f.path, "the file can no longer be read", err)
	}
	if buf.Len() != f.size {
		return nil, unavailable(f.path, "the file has changed since it was indexed", nil)
	}
	return buf.Bytes(), nil
}
