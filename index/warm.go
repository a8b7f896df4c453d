package index

import (
	"context"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"io/fs"
)

// A warmth is what a store remembers of the folder that is indexed.
type warmth struct {
	engine *engine
	store  snapshotStore
	name   string
	loaded *Snapshot // nil: nothing fit
	stamps []stamp   // as loaded, by slot
}

// warm finds the saved Snapshot of the folder; nil when the store keeps none or
// the file system does not tell folders apart. Worktrees have one each.
func (e *engine) warm(ctx context.Context, fsys fs.FS) *warmth {
	store, ok := e.store.(snapshotStore)
	if !ok {
		return nil
	}
	info, err := fs.Stat(fsys, ".")
	if err != nil {
		return nil
	}
	folder := sysStamp(info)
	if folder.inode == 0 {
		return nil
	}
	w := &warmth{engine: e, store: store}
	b := binary.LittleEndian.AppendUint64([]byte(e.version()), uint64(folder.inode))
	w.name = nameOf(b)
	data, err := store.Load(ctx, w.name)
	if err != nil || data == nil {
		return w
	}
	if w.loaded = e.load(fsys, data, w.fetch(ctx)); w.loaded != nil {
		w.loadStamps(ctx)
	}
	return w
}

func nameOf(b []byte) string {
	sum := sha256.Sum256(b)
	return hex.EncodeToString(sum[:])
}

// fetch returns packs from the store. One that the store shows in place was
// checked there; any other is checked here.
func (w *warmth) fetch(ctx context.Context) func(key [32]byte) *packed {
	v, _ := w.store.(viewer)
	room := &sharedSegments{}
	return func(key [32]byte) *packed {
		name := hex.EncodeToString(key[:])
		if v != nil {
			if data, seg := v.view(name); len(data) > sealSize && seg != nil {
				return &packed{small: data[sealSize:], from: seg, room: room}
			}
		}
		data, err := w.store.Get(ctx, name)
		if err != nil {
			return nil
		}
		if small := unseal(key, data); small != nil {
			return &packed{small: small, room: room}
		}
		return nil
	}
}

// The stamps are kept apart, because they are renewed when nothing else changes:
// the digest of the Snapshot that they belong to, then 24 bytes a file.

func (w *warmth) stampsName() string { return nameOf([]byte("stamps " + w.name)) }

func (w *warmth) loadStamps(ctx context.Context) {
	files := w.loaded.slots
	w.stamps = make([]stamp, len(files))
	data, err := w.store.Load(ctx, w.stampsName())
	if err != nil || len(data) != 32+24*len(files) || hex.EncodeToString(data[:32]) != w.loaded.digest {
		return
	}
	for i, f := range files {
		at := data[32+24*i:]
		st := stamp{inode: int64(binary.LittleEndian.Uint64(at)), size: int64(binary.LittleEndian.Uint64(at[8:])),
			changed: int64(binary.LittleEndian.Uint64(at[16:]))}
		w.stamps[i] = st
		f.stampWith(st)
	}
}

func (w *warmth) saveStamps(ctx context.Context, digest string, files []*file) error {
	b, err := hex.DecodeString(digest)
	if err != nil {
		return err
	}
	for _, f := range files {
		var st stamp
		if p := f.stamp.Load(); p != nil {
			st = *p
		}
		for _, v := range []int64{st.inode, st.size, st.changed} {
			b = binary.LittleEndian.AppendUint64(b, uint64(v))
		}
	}
	return w.store.Save(ctx, w.stampsName(), [][]byte{b})
}

// few is how many files may have been linked since a Snapshot was saved before
// it is saved again; each costs the next start a little.
func few(files int) int { return 32 + files/100 }

// keep saves what the next start can use; w is nil where no Snapshot is kept.
func (w *warmth) keep(ctx context.Context, s *Snapshot) {
	store, ok := s.engine.store.(snapshotStore)
	if !ok {
		return
	}
	err := store.Flush(ctx)
	if err == nil && w != nil {
		err = w.save(ctx, s)
	}
	if err != nil {
		s.engine.log.Debug("the snapshot was not saved", "error", err)
	}
}

func (w *warmth) save(ctx context.Context, s *Snapshot) error {
	if w.loaded != nil {
		since := 0
		for _, slot := range s.order {
			if s.slots[slot].siteBase >= w.loaded.siteEnd {
				since++
			}
		}
		gone := len(w.loaded.order) + since - len(s.order)
		if s.rootSit == w.loaded.siteEnd && since+max(gone, 0) <= few(len(s.order)) {
			return w.renewStamps(ctx, s)
		}
	}
	if err := s.relateAll(ctx); err != nil {
		return err
	}
	if s.delta != nil {
		c := *s
		c.renumber()
		s = &c
	}
	parts := s.save()
	if parts == nil {
		return nil
	}
	if err := w.store.Save(ctx, w.name, parts); err != nil {
		return err
	}
	return w.saveStamps(ctx, s.digest, s.slots)
}

// renewStamps saves the stamps of what is as it was loaded, if any is another.
func (w *warmth) renewStamps(ctx context.Context, s *Snapshot) error {
	changed := 0
	for i, old := range w.loaded.slots {
		if f := s.file(old.path); f == nil || f.hash != old.hash {
			continue
		} else if st := f.stamp.Load(); st != nil && *st != w.stamps[i] {
			changed++
			old.stampWith(*st)
		}
	}
	if changed == 0 {
		return nil
	}
	return w.saveStamps(ctx, w.loaded.digest, w.loaded.slots)
}

// relateAll makes the relations of every family that has not been asked for them.
func (s *Snapshot) relateAll(ctx context.Context) error {
	for _, f := range s.engine.families {
		l := s.linked[f.key]
		if _, err := l.edges.get(ctx, func(t Target) (uint32, bool) { return s.numberOf(l, t) }); err != nil {
			return err
		}
	}
	return nil
}
