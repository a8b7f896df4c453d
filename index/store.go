package index

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"os"
	"runtime"
	"runtime/debug"
	"strconv"
	"strings"

	"github.com/klauspost/compress/s2"
)

// A Store keeps the facts of files by content (IDX-23), so that branches,
// worktrees, processes and, where a host brings one, machines share the work of
// parsing. It is a cache: an index comes out the same with it, without it, and
// with one that loses or damages what it was given.
//
// A key is 64 hexadecimal digits that identify everything the facts depend on:
// the file's path and content, the language with its extractor's version, and
// plumb's own format. What is kept under a key never has to change. The methods
// may be called by several goroutines at once, and by several processes for
// what they share.
//
// A Store that also has methods Load, Save and Flush as *FileStore does is used
// for whole Snapshots too.
type Store interface {
	// Get returns what was put under the key, nil without an error when there
	// is nothing. The caller may keep the bytes and does not change them.
	// Whatever comes back is checked before it is used.
	Get(ctx context.Context, key string) ([]byte, error)
	// Put keeps data under the key; it does not hold on to data after it
	// returns. An error costs the entry, never the index.
	Put(ctx context.Context, key string, data []byte) error
}

// A snapshotStore is a Store that keeps the last Snapshot of a folder too, under
// a name of 64 hexadecimal digits that is written again and again.
type snapshotStore interface {
	Store
	Load(ctx context.Context, name string) ([]byte, error)
	Save(ctx context.Context, name string, parts [][]byte) error
	Flush(ctx context.Context) error
}

// A viewer is a Store that can show an entry without copying it; seg keeps the
// memory of data.
type viewer interface {
	view(key string) (data []byte, seg *segment)
}

// recipe digests what every file of the engine depends on beside its language:
// plumb's format and, unless it is a released version, the very program, so that
// a changed extractor under an unchanged version never meets old facts.
func recipe() string {
	const module = "github.com/plumbkit/plumb"
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return program()
	}
	for _, m := range append([]*debug.Module{&info.Main}, info.Deps...) {
		if m.Path == module && m.Replace == nil && m.Sum != "" {
			return m.Version + " " + m.Sum
		}
	}
	return program()
}

// program identifies the running executable by its size and time.
func program() string {
	if name, err := os.Executable(); err == nil {
		if info, err := os.Stat(name); err == nil {
			return strconv.FormatInt(info.Size(), 10) + " " + strconv.FormatInt(info.ModTime().UnixNano(), 10)
		}
	}
	return "unknown"
}

// languageKey is the part of a key that all files of a language share.
func (e *engine) languageKey(l *Language) [32]byte {
	b := []byte("plumb facts " + strconv.Itoa(packVersion))
	for _, s := range []string{e.recipe, l.Name, l.Family, l.Version, l.Query, strconv.FormatInt(e.maxSize, 10)} {
		b = appendString(b, s)
	}
	return sha256.Sum256(b)
}

// factsKey is the key of the facts of a file whose path and hash are known.
func (e *engine) factsKey(lang *Language, f *file) [32]byte {
	of := e.keys[lang.Name]
	b := append(make([]byte, 0, 128), of[:]...)
	b = append(b, f.hash[:]...)
	b = append(b, byte(e.pathOrigin(f.path)))
	return sha256.Sum256(append(b, f.path...))
}

// sealSize is how many bytes stand before an entry's compressed pack: the start
// of the SHA-256 over the key and what follows.
const sealSize = 16

// seal makes the entry of a pack, in the worker's buffer.
func (w *worker) seal(key [32]byte, p pack) []byte {
	if n := sealSize + s2.MaxEncodedLen(len(p)); cap(w.sealed) < n {
		w.sealed = make([]byte, n)
	}
	b := w.sealed[:cap(w.sealed)]
	small := s2.Encode(b[sealSize:], p)
	sum := sealSum(key, small)
	copy(b, sum[:sealSize])
	return b[:sealSize+len(small)]
}

func sealSum(key [32]byte, small []byte) [32]byte {
	h := sha256.New()
	h.Write(key[:])
	h.Write(small)
	return [32]byte(h.Sum(nil))
}

// unseal returns the compressed pack in an entry, nil when it is damaged or another's.
func unseal(key [32]byte, data []byte) []byte {
	if len(data) < sealSize || inflated(data[sealSize:]) == 0 {
		return nil
	}
	if sum := sealSum(key, data[sealSize:]); !bytes.Equal(sum[:sealSize], data[:sealSize]) {
		return nil
	}
	return data[sealSize:]
}

// cached makes the version of a file out of the store; nil when the store has
// nothing that holds.
func (w *worker) cached(ctx context.Context, lang *Language, f *file) *file {
	store := w.engine.store
	if store == nil {
		return nil
	}
	key := w.engine.factsKey(lang, f)
	var data []byte
	var seg *segment
	if v, ok := store.(viewer); ok {
		data, seg = v.view(hex.EncodeToString(key[:]))
	}
	if data == nil {
		var err error
		if data, err = store.Get(ctx, hex.EncodeToString(key[:])); err != nil {
			w.engine.log.Debug("the fact store failed", "file", f.path, "error", err)
			return nil
		}
	}
	small := unseal(key, data)
	if small == nil {
		return nil
	}
	p, err := s2.Decode(w.scratch[:cap(w.scratch)], small)
	if err != nil {
		return nil
	}
	facts, ok := pack(p).unpack(complete)
	if !ok || facts.Path != f.path || facts.Language != lang.Name || facts.Hash != f.hashString() ||
		facts.Size != f.size || facts.check(f.size) != "" || len(facts.LineStarts) > f.size+1 || !lasting(facts.Skipped) {
		return nil
	}
	f.packed, f.key = w.segments.keep(p), key // before take, whose buffer holds p
	w.take(f, facts)
	runtime.KeepAlive(seg)
	return f
}

// offer hands a new version to the store, under the key of the facts, or where
// they are not whole under one that only a saved Snapshot asks for: what could
// come out otherwise the next time is tried again.
func (w *worker) offer(ctx context.Context, lang *Language, f *file) {
	store := w.engine.store
	if store == nil || w.passing {
		return
	}
	key := w.engine.factsKey(lang, f)
	if !lasting(f.skipped) {
		key = sha256.Sum256(append(key[:], f.skipped...))
	}
	if err := store.Put(ctx, hex.EncodeToString(key[:]), w.seal(key, f.pack())); err != nil {
		w.engine.log.Debug("the fact store did not take an entry", "file", f.path, "error", err)
		return
	}
	f.key = key
}

// lasting reports whether the same bytes always give the same facts, by the
// reason why they were not extracted.
func lasting(skipped string) bool {
	return skipped == "" || skipped == skipBinary || skipped == skipEncoding
}

// version says in one string what makes the versions of two engines stand
// beside each other.
func (e *engine) version() string {
	var b strings.Builder
	b.WriteString(e.recipe)
	for _, n := range []int64{packVersion, savedVersion, int64(e.tiers), e.maxSize} {
		b.WriteString(" " + strconv.FormatInt(n, 10))
	}
	for _, l := range e.languages {
		key := e.keys[l.Name]
		b.WriteString(" " + hex.EncodeToString(key[:]))
		for _, s := range [][]string{l.Extensions, l.Filenames, l.Manifests} {
			b.WriteString(" " + strings.Join(s, "\x00"))
		}
	}
	return b.String()
}
