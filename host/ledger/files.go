package ledger

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"

	"github.com/plumbkit/plumb/host/fault"
)

// Files is the default Store: one file a task in a folder, one line an entry,
// readable by its owner only. Dir must be set; the folder is made when needed.
// A Files holds nothing open between calls and is safe for concurrent use, by
// any number of processes on one machine; keep the folder off network drives
// whose locks do not hold.
//
// Append holds a lock on the task's file and has the entry on disk before it
// returns. An entry whose writing was cut short is not part of the record: Read
// leaves it out, and the next Append cuts it off and notes in its own line how
// many bytes that were. Anything else that is not as it was written — a damaged
// or missing line, a foreign one — is an Environment fault that names the line.
// Lines removed from the end as a whole leave no trace.
//
// Entries stay until Remove, or until the host deletes the file.
type Files struct {
	// Dir is the folder of the record files.
	Dir string
}

// Append adds an entry to the task's file; see Files.
func (s *Files) Append(ctx context.Context, task string, entry []byte) (int, error) {
	entry, err := prepare(ctx, task, entry)
	if err != nil {
		return 0, err
	}
	if err := s.ready("ledger.append"); err != nil {
		return 0, err
	}
	f, err := openLocked(ctx, s.path(task))
	if err != nil {
		return 0, s.refused(err, "ledger.append", task)
	}
	defer f.Close()
	tail, err := readTail(f)
	if err != nil {
		return 0, s.damaged(err, "ledger.append", task)
	}
	if tail.last.Seq == 0 {
		// The name is made durable before the first line, so that whoever finds
		// a line need not ask whether its file's name is.
		if err := syncDir(s.Dir); err != nil {
			return 0, s.refused(err, "ledger.append", task)
		}
	}
	if err := tail.write(f, entry); err != nil {
		return 0, s.refused(err, "ledger.append", task)
	}
	return tail.last.Seq + 1, nil
}

// Read returns the task's entries; see Files. It takes no lock and works in a
// folder that cannot be written.
func (s *Files) Read(ctx context.Context, task string) ([][]byte, error) {
	if err := ctx.Err(); err != nil {
		return nil, fault.From(err, "ledger.read", "read again")
	}
	if task == "" {
		return nil, noTask("ledger.read")
	}
	if s.Dir == "" {
		return nil, noDir("ledger.read")
	}
	f, err := openPlain(s.path(task), os.O_RDONLY)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, s.refused(err, "ledger.read", task)
	}
	defer f.Close()
	data, err := io.ReadAll(f)
	if err != nil {
		return nil, s.refused(err, "ledger.read", task)
	}
	lines, err := scan(data, true)
	if err != nil {
		return nil, s.damaged(err, "ledger.read", task)
	}
	var entries [][]byte
	for _, l := range lines.all {
		entries = append(entries, l.Entry)
	}
	return entries, nil
}

// Remove deletes the task's record for good, once no writer holds it. A task
// without a record is no error.
func (s *Files) Remove(ctx context.Context, task string) error {
	if task == "" {
		return noTask("ledger.remove")
	}
	if s.Dir == "" {
		return noDir("ledger.remove")
	}
	if _, err := os.Lstat(s.path(task)); errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	f, err := openLocked(ctx, s.path(task))
	if err != nil {
		return s.refused(err, "ledger.remove", task)
	}
	defer f.Close()
	if err := errors.Join(os.Remove(s.path(task)), syncDir(s.Dir)); err != nil {
		return s.refused(err, "ledger.remove", task)
	}
	return nil
}

// Tasks returns the names of the tasks that have a record, sorted. Files in the
// folder that are no records are left out.
func (s *Files) Tasks(ctx context.Context) ([]string, error) {
	if s.Dir == "" {
		return nil, noDir("ledger.tasks")
	}
	files, err := os.ReadDir(s.Dir)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, s.refused(err, "ledger.tasks", "")
	}
	var tasks []string
	for _, file := range files {
		if err := ctx.Err(); err != nil {
			return nil, fault.From(err, "ledger.tasks", "ask again")
		}
		task, ok, err := s.taskOf(file.Name())
		if err != nil {
			return nil, s.refused(err, "ledger.tasks", file.Name())
		}
		if ok {
			tasks = append(tasks, task)
		}
	}
	slices.Sort(tasks)
	return tasks, nil
}

func (s *Files) path(task string) string { return filepath.Join(s.Dir, fileName(task)) }

// ready makes the folder, for its owner only.
func (s *Files) ready(op string) error {
	if s.Dir == "" {
		return noDir(op)
	}
	if info, err := os.Stat(s.Dir); err == nil && info.IsDir() {
		return nil
	}
	if err := os.MkdirAll(s.Dir, 0o700); err != nil {
		return s.refused(err, op, "")
	}
	if err := syncDir(filepath.Dir(filepath.Clean(s.Dir))); err != nil {
		return s.refused(err, op, "")
	}
	return nil
}

func noDir(op string) error {
	return &fault.Fault{Class: fault.InvalidInput, Op: op, Detail: "the store has no folder",
		State: "nothing was touched", Next: "set Files.Dir"}
}

// refused turns an error of the file system into a fault.
func (s *Files) refused(err error, op, task string) error {
	var f *fault.Fault
	if errors.As(err, &f) || fault.ClassOf(err) == fault.Canceled {
		return fault.From(err, op, "do it again")
	}
	return &fault.Fault{Class: fault.Environment, Op: op, Subject: fault.Subject{File: s.path(task), Text: task},
		Detail: "the record file could not be used", State: "earlier entries are as they were",
		Next: "free disk space or make the folder accessible, then do it again", Err: err}
}

// damaged turns an error of scan into a fault that names the line.
func (s *Files) damaged(err error, op, task string) error {
	var bad *damageError
	if !errors.As(err, &bad) {
		return s.refused(err, op, task)
	}
	where := fmt.Sprintf("line %d", bad.line)
	if bad.fromEnd {
		where = "the last line"
	}
	return &fault.Fault{Class: fault.Environment, Op: op, Subject: fault.Subject{File: s.path(task), Line: bad.line, Text: task},
		Detail: fmt.Sprintf("%s of the record is damaged: %s", where, bad.what), State: "the record is as it was; nothing was dropped",
		Next: "restore the file from a copy, or move it away and start the task anew"}
}
