package ledger

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"net/url"
	"os"
	"path/filepath"
	"strings"
)

const (
	// extension ends the name of a record file.
	extension = ".jsonl"
	// maxName is the longest escaped task name that is used as it is, in bytes.
	maxName = 180
	// shortened stands between the beginning of a longer name and its digest.
	shortened = "~"
)

// fileName returns the name of the task's file. Different tasks have different
// names, also where the file system ignores letter case; a name never leaves
// the folder, and a long one is cut and completed by its digest.
func fileName(task string) string {
	var b strings.Builder
	for i := range len(task) {
		c := task[i]
		plain := c >= 'a' && c <= 'z' || c >= '0' && c <= '9' || c == '-' || c == '_' || c == '.' && i > 0
		if plain {
			b.WriteByte(c)
			continue
		}
		fmt.Fprintf(&b, "%%%02x", c)
	}
	name := b.String()
	if len(name) > maxName {
		sum := sha256.Sum256([]byte(task))
		name = name[:maxName/2] + shortened + hex.EncodeToString(sum[:])
	}
	return name + extension
}

// taskOf returns the task whose file has the name; ok is false for a file that
// is no record. The name of a shortened one is read from its first entry.
func (s *Files) taskOf(name string) (task string, ok bool, err error) {
	escaped, ok := strings.CutSuffix(name, extension)
	if !ok {
		return "", false, nil
	}
	if strings.Contains(escaped, shortened) {
		task, err = s.firstTask(name)
	} else if task, err = url.PathUnescape(escaped); err != nil {
		return "", false, nil
	}
	return task, err == nil && task != "" && fileName(task) == name, err
}

// firstTask returns the task that the file's first entry names, or "".
func (s *Files) firstTask(name string) (string, error) {
	f, err := openPlain(filepath.Join(s.Dir, name), os.O_RDONLY)
	if err != nil {
		return "", err
	}
	defer f.Close()
	var first struct {
		Entry struct {
			Task string `json:"task"`
		} `json:"entry"`
	}
	if err := json.NewDecoder(f).Decode(&first); err != nil && err != io.EOF {
		return "", nil
	}
	return first.Entry.Task, nil
}
