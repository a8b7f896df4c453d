package index

import (
	"bufio"
	"context"
	"encoding/hex"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"sync"

	"github.com/plumbkit/plumb/host/fault"
)

// DefaultMaxBytes bounds the folder of a FileStore that sets no bound.
const DefaultMaxBytes = 2 << 30

// FileStore is a Store in a folder of its own: facts in append-only segment
// files that are mapped into memory, the last Snapshot of each folder in a file
// of its own. Set Dir before the first use and copy it never after; it is safe
// for concurrent use, and any number of processes may use one folder.
//
// Everything is checked by checksum when it is read; what is damaged, cut short
// or of another format is not there. A process writes segments of its own only,
// and never changes what another wrote, so that one that is killed leaves at most
// a torn last entry. When the folder grows beyond MaxBytes, what was used longest
// ago goes.
//
// The folder and its files can be read by their owner only (SEC-3). A folder that
// belongs to someone else, or that cannot be written, is read or left alone but
// never an error for the index. Where the system has no memory mapping, files
// are read instead.
type FileStore struct {
	// Dir is the folder; it is made when first written to. See CacheDir. ""
	// keeps nothing.
	Dir string
	// MaxBytes bounds the folder's size in bytes, 0 means DefaultMaxBytes. One
	// run can pass it by what it writes itself, until its Flush.
	MaxBytes int64

	mu       sync.Mutex
	opened   bool
	refused  bool
	segments []*storeSegment
	seen     map[string]bool // names of the segments that were opened
	own      *ownSegment
}

// Get implements Store. The error is always nil: what cannot be read is not there.
func (s *FileStore) Get(_ context.Context, key string) ([]byte, error) {
	data, seg := s.view(key)
	if seg == nil {
		return data, nil
	}
	return append([]byte(nil), data...), nil
}

// view implements viewer.
func (s *FileStore) view(key string) ([]byte, *segment) {
	k, ok := storeKey(key)
	if !ok {
		return nil, nil
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.open()
	for i := len(s.segments) - 1; i >= 0; i-- {
		if data, ok := s.segments[i].get(k); ok {
			return data, s.segments[i].memory
		}
	}
	if s.own != nil {
		return s.own.get(k), nil
	}
	return nil, nil
}

// Put implements Store. Faults: invalid_input for a key that is none;
// environment when the folder cannot be written.
func (s *FileStore) Put(_ context.Context, key string, data []byte) error {
	k, ok := storeKey(key)
	if !ok || len(data) == 0 || len(data) > maxEntry {
		return &fault.Fault{Class: fault.InvalidInput, Op: "index.store", Subject: fault.Subject{Text: key},
			Detail: "a key is 64 hexadecimal digits, and an entry has between 1 byte and 1 GiB", Next: "correct the key or the entry"}
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.open()
	if s.own == nil {
		own, err := s.newSegment()
		if err != nil {
			return s.unwritable(err)
		}
		s.own = own
	}
	if err := s.own.append(k, data); err != nil {
		s.own.close()
		s.own = nil
		return s.unwritable(err)
	}
	return nil
}

// Flush writes what Put has buffered, and brings the folder within its bound.
// Faults: environment when the folder cannot be written.
func (s *FileStore) Flush(context.Context) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.own == nil {
		return nil
	}
	err := s.own.flush()
	if err != nil {
		s.own.close()
		s.own = nil
		return s.unwritable(err)
	}
	s.maintain()
	return nil
}

// Close releases what the store holds open. It can be used again after.
func (s *FileStore) Close() error {
	err := s.Flush(context.Background())
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.own != nil {
		s.own.close()
		s.own = nil
	}
	s.segments, s.seen, s.opened = nil, nil, false
	return err
}

func (s *FileStore) unwritable(err error) error {
	return &fault.Fault{Class: fault.Environment, Op: "index.store", Subject: fault.Subject{File: s.Dir},
		Detail: "the fact cache cannot be written", Next: "free space, or give a folder that can be written; the index works without it", Err: err}
}

func storeKey(key string) (k [32]byte, ok bool) {
	n, err := hex.Decode(k[:], []byte(key[:min(len(key), 64)]))
	return k, err == nil && n == len(k) && len(key) == 64
}

// open maps the segments that are there.
func (s *FileStore) open() {
	if s.opened {
		return
	}
	s.opened, s.seen = true, make(map[string]bool)
	s.refused = s.Dir == "" || !ownFolder(s.Dir)
	s.refresh()
}

// refresh maps the segments that others have written since.
func (s *FileStore) refresh() {
	if s.refused {
		return
	}
	list, err := os.ReadDir(s.Dir)
	if err != nil {
		return
	}
	for _, e := range list {
		name := e.Name()
		if filepath.Ext(name) != segmentExt || s.seen[name] || s.own != nil && s.own.name == name {
			continue
		}
		if seg := openSegment(filepath.Join(s.Dir, name)); seg != nil {
			s.seen[name] = true
			s.segments = append(s.segments, seg)
		}
	}
}

// folder makes the folder.
func (s *FileStore) folder() error {
	if s.refused {
		return errors.New("the folder is not this user's own")
	}
	if err := os.MkdirAll(s.Dir, 0o700); err != nil {
		return err
	}
	if info, err := os.Stat(s.Dir); err == nil && info.Mode().Perm()&0o077 != 0 {
		return os.Chmod(s.Dir, 0o700)
	}
	return nil
}

func (s *FileStore) newSegment() (*ownSegment, error) {
	if err := s.folder(); err != nil {
		return nil, err
	}
	f, err := os.CreateTemp(s.Dir, "*"+segmentExt) // 0600
	if err != nil {
		return nil, err
	}
	return &ownSegment{file: f, name: filepath.Base(f.Name()), at: make(map[[32]byte]place)}, nil
}

// Load returns what was saved under the name, nil without an error when there is
// nothing or it is damaged.
func (s *FileStore) Load(_ context.Context, name string) ([]byte, error) {
	k, ok := storeKey(name)
	s.mu.Lock()
	s.open()
	s.refresh()
	refused := s.refused
	s.mu.Unlock()
	if !ok || refused {
		return nil, nil
	}
	data, err := os.ReadFile(filepath.Join(s.Dir, name+snapshotExt))
	if err != nil {
		if errors.Is(err, fs.ErrNotExist) {
			err = nil
		}
		return nil, err
	}
	touch(filepath.Join(s.Dir, name+snapshotExt))
	_, at, n, ok := readRecord(data, 0, &k)
	if !ok {
		return nil, nil
	}
	return data[at : at+n : at+n], nil
}

// Save keeps the parts, one after the other, under the name, in the place of what
// was there. Faults: as Put.
func (s *FileStore) Save(_ context.Context, name string, parts [][]byte) error {
	k, ok := storeKey(name)
	n := 0
	for _, p := range parts {
		n += len(p)
	}
	if !ok || n == 0 || n > maxEntry {
		return &fault.Fault{Class: fault.InvalidInput, Op: "index.store", Subject: fault.Subject{Text: name},
			Detail: "a name is 64 hexadecimal digits, and an entry has between 1 byte and 1 GiB", Next: "correct the name or the entry"}
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.open()
	if err := s.folder(); err != nil {
		return s.unwritable(err)
	}
	if err := replaceFile(filepath.Join(s.Dir, name+snapshotExt), append([][]byte{recordHead(k, parts...)}, parts...)); err != nil {
		return s.unwritable(err)
	}
	return nil
}

// replaceFile writes a file of its owner's, complete or not at all.
func replaceFile(name string, parts [][]byte) error {
	f, err := os.CreateTemp(filepath.Dir(name), "*"+temporaryExt)
	if err != nil {
		return err
	}
	out := bufio.NewWriterSize(f, bufferSize)
	for _, p := range parts {
		if _, err = out.Write(p); err != nil {
			break
		}
	}
	if err == nil {
		err = out.Flush()
	}
	if closed := f.Close(); err == nil {
		err = closed
	}
	if err == nil {
		err = os.Rename(f.Name(), name)
	}
	if err != nil {
		_ = os.Remove(f.Name())
	}
	return err
}
