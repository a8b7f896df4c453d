package index

import (
	"bytes"
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"time"
	"unicode/utf8"

	"golang.org/x/sync/errgroup"

	"github.com/plumbkit/plumb/host/fault"
	"github.com/plumbkit/plumb/internal/syntax"
	"github.com/plumbkit/plumb/internal/walk"
)

// The reasons of File.Skipped that the code compares with.
const (
	skipLink     = walk.SkipLink
	skipNested   = walk.SkipNested
	skipBinary   = "binary"
	skipEncoding = "not UTF-8"
)

// A worker reads and extracts one file after the other, for one goroutine.
type worker struct {
	engine   *engine
	start    time.Time // before the first file was listed
	parser   *syntax.Parser
	packer   packer
	segments *segments
	passing  bool // what it makes is not for the store
	buf      []byte
	scratch  []byte
	sealed   []byte
}

func (w *worker) close() {
	if w.parser != nil {
		w.parser.Close()
	}
}

// read makes the version of one entry. What is wrong with the entry becomes
// its reason; the error is only ever the end of ctx.
func (w *worker) read(ctx context.Context, fsys fs.FS, entry walk.Entry, prev *Snapshot) (*file, error) {
	f := &file{path: entry.Path, size: int(entry.Size), skipped: entry.Skip, origin: w.engine.pathOrigin(entry.Path)}
	if entry.Skip != "" {
		if entry.Skip == skipLink {
			f.hash, f.read, f.size = hashOf([]byte(entry.Link)), true, len(entry.Link)
		}
		return reuse(prev, f, w.engine), nil
	}
	st := stampOf(entry.Info, w.start)
	if old := unread(prev, f, st, w.engine); old != nil {
		return old, nil
	}
	f, err := w.whole(ctx, fsys, f, entry, prev)
	if err == nil && f.read {
		f.stampWith(st)
	}
	return f, err
}

// whole reads a file and makes its version.
func (w *worker) whole(ctx context.Context, fsys fs.FS, f *file, entry walk.Entry, prev *Snapshot) (*file, error) {
	if entry.Size > w.engine.maxSize || w.engine.of(entry.Path) == nil && entry.Size > 1<<20 {
		return w.stream(ctx, fsys, f, prev)
	}
	data, err := w.load(fsys, entry.Path, entry.Size)
	if err != nil {
		f.skipped = "the file cannot be read: " + readReason(err)
		return reuse(prev, f, w.engine), nil
	}
	f.hash, f.read = hashOf(data), true
	if old := reuse(prev, f, w.engine); old != f {
		return old, nil
	}
	return w.content(ctx, entry.Path, data, f.hash)
}

// unread returns prev's version of the file when its stamp says that it has not changed.
func unread(prev *Snapshot, f *file, st stamp, e *engine) *file {
	if prev == nil || !prev.engine.compatible(e) {
		return nil
	}
	if old := prev.file(f.path); old != nil && old.read && !old.timeout && old.holds(st) {
		return old
	}
	return nil
}

// reuse returns prev's version of the file when it is the same content and was
// made by the same rules.
func reuse(prev *Snapshot, f *file, e *engine) *file {
	if prev == nil || !prev.engine.compatible(e) {
		return f
	}
	old := prev.file(f.path)
	if old == nil || old.read != f.read || old.hash != f.hash || !f.read && old.skipped != f.skipped || (old.skipped == skipLink) != (f.skipped == skipLink) || old.timeout {
		return f
	}
	return old
}

// load reads a whole file into the worker's buffer.
func (w *worker) load(fsys fs.FS, name string, size int64) ([]byte, error) {
	in, err := fsys.Open(name)
	if err != nil {
		return nil, err
	}
	defer in.Close()
	if int64(cap(w.buf)) < size+1 || cap(w.buf) > 1<<20 && int64(cap(w.buf)) > 8*size {
		w.buf = make([]byte, 0, size+size/4+512)
	}
	buf := bytes.NewBuffer(w.buf[:0])
	_, err = io.Copy(buf, io.LimitReader(in, max(w.engine.maxSize, 1<<20)+1))
	w.buf = buf.Bytes()
	return w.buf, err
}

// stream hashes and counts a file that is too large to be held.
func (w *worker) stream(ctx context.Context, fsys fs.FS, f *file, prev *Snapshot) (*file, error) {
	if w.engine.of(f.path) != nil {
		f.skipped = fmt.Sprintf("larger than %d bytes", w.engine.maxSize)
	}
	in, err := fsys.Open(f.path)
	if err != nil {
		f.skipped = "the file cannot be read: " + readReason(err)
		return f, nil
	}
	defer in.Close()
	h := sha256.New()
	buf := make([]byte, 128<<10)
	f.size, f.lines = 0, 0
	last := byte('\n')
	for {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		n, err := in.Read(buf)
		h.Write(buf[:n])
		f.size += n
		f.lines += bytes.Count(buf[:n], []byte("\n"))
		if n > 0 {
			last = buf[n-1]
		}
		if err == io.EOF {
			if last != '\n' {
				f.lines++
			}
			break
		}
		if err != nil {
			f.skipped = "the file cannot be read: " + readReason(err)
			return f, nil
		}
	}
	h.Sum(f.hash[:0])
	f.read = true
	return reuse(prev, f, w.engine), nil
}

func readReason(err error) string {
	var pathError *fs.PathError
	if errors.As(err, &pathError) {
		return pathError.Err.Error()
	}
	return err.Error()
}

func hashOf(data []byte) [32]byte { return sha256.Sum256(data) }

// content makes the version of a file with this content, whose hash is given.
func (w *worker) content(ctx context.Context, p string, data []byte, hash [32]byte) (*file, error) {
	f := &file{path: p, size: len(data), hash: hash, read: true, origin: w.engine.pathOrigin(p),
		lines: countLines(data)}
	lang := w.engine.of(p)
	if lang == nil {
		return f, nil
	}
	if int64(len(data)) > w.engine.maxSize {
		f.skipped = fmt.Sprintf("larger than %d bytes", w.engine.maxSize)
		return f, nil
	}
	if kept := w.cached(ctx, lang, f); kept != nil {
		return kept, nil
	}
	facts := &Facts{Path: p, Language: lang.Name, Hash: f.hashString(), Size: len(data), Origin: f.origin}
	facts.LineStarts = lineStarts(data, f.lines+1)
	if isGenerated(data) && facts.Origin != Vendored {
		facts.Origin = Generated
	}
	if err := w.extract(ctx, lang, data, facts); err != nil {
		return nil, err
	}
	f.timeout = facts.Skipped == skipTimeout
	w.adopt(f, facts)
	w.offer(ctx, lang, f)
	return f, nil
}

const skipTimeout = "parsing took too long"

// adopt packs the facts into f.
func (w *worker) adopt(f *file, facts *Facts) {
	w.take(f, facts)
	f.packed = w.segments.keep(w.packer.pack(facts))
}

// take fills what f says of its facts, but for the pack.
func (w *worker) take(f *file, facts *Facts) {
	f.lang, f.origin, f.skipped = facts.Language, facts.Origin, facts.Skipped
	f.module, f.constraint, f.imports = facts.Module, facts.Constraint, facts.Imports
	f.lines = len(facts.LineStarts)
	if f.lines > 0 && int(facts.LineStarts[f.lines-1]) == facts.Size {
		f.lines-- // nothing stands behind the last line feed
	}
	f.defs, f.sites = uint32(len(facts.Defs)), uint32(len(facts.Sites))
	f.idents = len(facts.Names)
	f.derived = len(facts.Directives) > 0 || facts.Origin == Generated
	f.api = w.apiDigest(facts)
	for _, m := range facts.Marks {
		f.loose = f.loose || isLoose(&m, facts)
		if m.Kind == MarkTest && m.Form != FormBlock && m.In >= 0 && !f.isTest(int(m.In)) {
			f.tests = append(f.tests, m.In)
		}
	}
	if w.engine.tiers == TierSymbols {
		f.sites = 0
	}
}

// extract fills facts. A file that is no text, or on which the parser or the
// extractor fails, keeps the reason and what was found until then.
func (w *worker) extract(ctx context.Context, lang *Language, data []byte, facts *Facts) error {
	if lang.Extract == nil {
		return nil
	}
	if bytes.IndexByte(data[:min(len(data), 8000)], 0) >= 0 {
		facts.Skipped = skipBinary
		return nil
	}
	var tree *Tree
	if compiled := w.engine.grammars[lang.Name]; compiled != nil {
		g, err := compiled()
		if err != nil {
			return err
		}
		if w.parser == nil {
			w.parser = syntax.NewParser()
			w.parser.Limits = syntax.Limits{MaxBytes: int(w.engine.maxSize), Timeout: w.engine.maxTime}
		}
		if tree, err = w.parser.Parse(ctx, g, data); err != nil {
			return w.parseFailed(ctx, err, facts)
		}
		w.engine.parseNanos.Add(tree.ParseNanos)
		facts.Errors = errorRanges(tree)
	} else {
		tree = &Tree{Src: data}
	}
	facts.Skipped = guarded(lang, tree, facts)
	if facts.Skipped == "" && !utf8.Valid(data) {
		facts.Skipped = skipEncoding
	}
	facts.SetText(data)
	return nil
}

func (w *worker) parseFailed(ctx context.Context, err error, facts *Facts) error {
	if ctx.Err() != nil {
		return ctx.Err()
	}
	facts.Skipped = "the file cannot be parsed: " + err.Error()
	if errors.Is(err, fault.BudgetExceeded) {
		facts.Skipped = skipTimeout
	}
	return nil
}

// guarded calls the language's extractor. A panic in it costs only the file:
// what it had found is dropped, because it may contradict itself.
func guarded(lang *Language, tree *Tree, facts *Facts) (skipped string) {
	empty := *facts
	defer func() {
		if r := recover(); r != nil {
			*facts = empty
			skipped = fmt.Sprintf("extraction failed: %v", r)
		}
	}()
	if err := lang.Extract(tree, facts); err != nil {
		return "extraction failed: " + err.Error()
	}
	if reason := facts.check(len(tree.Src)); reason != "" {
		*facts = empty
		return "extraction contradicts itself: " + reason
	}
	facts.countBound(tree)
	return facts.Skipped
}

func errorRanges(tree *Tree) []Range {
	var out []Range
	for n := range tree.ErrorNodes() {
		if node := tree.Nodes[n]; len(out) == 0 || node.Start >= out[len(out)-1].End {
			out = append(out, Range{node.Start, node.End})
		}
		if len(out) == 100 {
			break
		}
	}
	return out
}

// countLines counts a last line without line feed too.
func countLines(data []byte) int {
	n := bytes.Count(data, []byte("\n"))
	if len(data) > 0 && data[len(data)-1] != '\n' {
		n++
	}
	return n
}

func lineStarts(data []byte, lines int) []uint32 {
	out := make([]uint32, 1, lines)
	for at := 0; ; {
		i := bytes.IndexByte(data[at:], '\n')
		if i < 0 {
			return out
		}
		at += i + 1
		out = append(out, uint32(at))
	}
}

// hashAll makes versions with content hashes only. known returns the version
// that was indexed, nil where none was; where its stamp holds, nothing is read.
func (e *engine) hashAll(ctx context.Context, fsys fs.FS, entries []walk.Entry, known func(string) *file) ([]*file, error) {
	now := time.Now()
	out := make([]*file, len(entries))
	group, ctx := errgroup.WithContext(ctx)
	group.SetLimit(e.jobs)
	for i, entry := range entries {
		group.Go(func() error {
			f := &file{path: entry.Path, skipped: entry.Skip}
			out[i] = f
			if old := known(entry.Path); old != nil && old.read && old.holds(stampOf(entry.Info, now)) {
				f.hash, f.read = old.hash, true
				return nil
			}
			switch entry.Skip {
			case "":
				w := e.worker(false)
				got, err := w.stream(ctx, fsys, f, nil)
				out[i] = got
				return err
			case skipLink:
				f.hash, f.read = hashOf([]byte(entry.Link)), true
			}
			return ctx.Err()
		})
	}
	return out, group.Wait()
}
