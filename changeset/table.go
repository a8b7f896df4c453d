package changeset

import (
	"encoding/json"
	"fmt"
	"regexp"
	"slices"
	"strings"
)

// atLeast is how many alike items of a section make a table.
const atLeast = 3

// run returns how many items from the first on are alike: places with names of
// their own, or all without one, of one kind, capability point and block, and
// with nothing in them that needs more than a cell.
func run(items []*tree) int {
	n := 0
	for n < len(items) && inTable(items[n]) && like(items[0], items[n]) {
		n++
	}
	if n < atLeast {
		return 1
	}
	return n
}

func inTable(t *tree) bool {
	place := false
	for i, k := range t.keys {
		v := t.items[i]
		switch {
		case k == "target" || k == "place":
			place = true
		case v.object, v.objects():
			return false
		}
	}
	_, named := nameOf(t)
	return place && (named || t.get("id") == nil)
}

func like(a, b *tree) bool {
	for _, k := range []string{"kind", "capability", "block"} {
		if !equal(a.get(k), b.get(k)) {
			return false
		}
	}
	return (a.get("id") == nil) == (b.get("id") == nil)
}

func equal(a, b *tree) bool {
	if a == nil || b == nil {
		return a == b
	}
	x, err := a.MarshalJSON()
	y, yerr := b.MarshalJSON()
	return err == nil && yerr == nil && string(x) == string(y)
}

// table writes alike items: once what all of them say, and a row each for the
// rest. A cell is empty where an item does not have the field.
func (w *writer) table(first int, items []*tree) {
	head := fmt.Sprintf("%d to %d", first, first+len(items)-1)
	if id, named := nameOf(items[0]); named {
		last, _ := nameOf(items[len(items)-1])
		head = id + " to " + last
	}
	w.line(0, "### "+head)
	w.line(0, "")
	var columns []string
	for _, item := range items {
		for _, k := range item.keys {
			if !slices.Contains(columns, k) {
				columns = append(columns, k)
			}
		}
	}
	columns = slices.DeleteFunc(columns, func(k string) bool {
		v := items[0].get(k)
		same := v != nil && !slices.ContainsFunc(items, func(t *tree) bool { return !equal(t.get(k), v) })
		if same {
			w.field(0, k, v)
		}
		return same
	})
	place := func(k string) bool { return k == "target" || k == "place" }
	slices.SortStableFunc(columns, func(a, b string) int { // the widest last
		switch {
		case place(a) == place(b):
			return 0
		case place(a):
			return 1
		}
		return -1
	})
	w.line(0, "")
	w.line(0, "| "+strings.Join(columns, " | ")+" |")
	w.line(0, "|"+strings.Repeat(" --- |", len(columns)))
	hashes := map[string]string{}
	for _, item := range items {
		var cells []string
		for _, k := range columns {
			cells = append(cells, bars.Replace(cell(item.get(k), hashes)))
		}
		w.line(0, "| "+strings.Join(cells, " | ")+" |")
	}
}

var bars = strings.NewReplacer(`\`, `\\`, "|", `\|`)

// cell writes a value on one line, "" for none.
func cell(t *tree, hashes map[string]string) string {
	if t == nil {
		return ""
	}
	if s, ok := spanCell(t, hashes); ok {
		return s
	}
	if s, ok := t.scalar.(string); ok {
		return text(s)
	}
	data, err := t.MarshalJSON()
	if err != nil {
		return "null"
	}
	return string(data)
}

var (
	spanKeys = []string{"file", "hash", "start", "end", "line", "col"}
	// spanForm is file:line:col, the bytes, and the hash where the table has not
	// given it for this file before.
	spanForm = regexp.MustCompile(`^(.+):(\d+):(\d+) bytes (\d+)-(\d+)(?: of (\S+))?$`)
)

// noHash stands for the hash of what does not exist yet.
const noHash = "-"

// spanCell writes a place in short, when it can be read back from that.
func spanCell(t *tree, hashes map[string]string) (string, bool) {
	if !slices.Equal(t.keys, spanKeys) {
		return "", false
	}
	file, isText := t.items[0].scalar.(string)
	hash, hashed := t.items[1].scalar.(string)
	if !isText || !hashed || !plain(file) {
		return "", false
	}
	n := make([]any, 4)
	for i := range n {
		if n[i] = t.items[2+i].scalar; !digits.MatchString(fmt.Sprint(n[i])) {
			return "", false
		}
	}
	s := fmt.Sprintf("%s:%v:%v bytes %v-%v", file, n[2], n[3], n[0], n[1])
	if was, known := hashes[file]; known && was == hash {
		return s, true
	}
	said := hash
	if hash == "" {
		said = noHash
	} else if hash == noHash || strings.ContainsAny(hash, " \t\n") || !plain(hash) {
		return "", false
	}
	s += " of " + said
	if m := spanForm.FindStringSubmatch(s); m == nil || m[1] != file || m[6] != said {
		return "", false
	}
	hashes[file] = hash
	return s, true
}

// rows reads the rows of a table whose common fields are in base.
func (r *reader) rows(base *tree) ([]*tree, error) {
	_, s, _ := r.next()
	columns, err := cells(s)
	if err != nil {
		return nil, err
	}
	r.at++
	if _, s, ok := r.next(); !ok || !strings.HasPrefix(s, "| ---") {
		return nil, fmt.Errorf("the line below a table's head is missing")
	}
	r.at++
	var out []*tree
	hashes := map[string]string{}
	for {
		_, s, ok := r.next()
		if !ok || !strings.HasPrefix(s, "|") {
			return out, nil
		}
		row, err := cells(s)
		if err != nil {
			return nil, err
		}
		if len(row) != len(columns) {
			return nil, fmt.Errorf("a row has %d cells, its table %d columns", len(row), len(columns))
		}
		item := &tree{object: true, keys: slices.Clone(base.keys), items: slices.Clone(base.items)}
		for i, c := range row {
			if c == "" {
				continue
			}
			v, err := readCell(columns[i], c, hashes)
			if err != nil {
				return nil, err
			}
			item.add(columns[i], v)
		}
		out = append(out, item)
		r.at++
	}
}

func readCell(column, s string, hashes map[string]string) (*tree, error) {
	if m := spanForm.FindStringSubmatch(s); m != nil && (column == "target" || column == "place") && s[0] != '{' {
		hash := m[6]
		if hash == "" {
			known := false
			if hash, known = hashes[m[1]]; !known {
				return nil, fmt.Errorf("the hash of %s is missing", m[1])
			}
		}
		if hash == noHash {
			hash = ""
		}
		hashes[m[1]] = hash
		t := &tree{object: true}
		for i, v := range []any{m[1], hash, json.Number(m[4]), json.Number(m[5]), json.Number(m[2]), json.Number(m[3])} {
			t.add(spanKeys[i], &tree{scalar: v})
		}
		return t, nil
	}
	if column == "id" {
		return &tree{scalar: s}, nil
	}
	return scalar(s)
}

// cells takes a row of a table apart.
func cells(s string) ([]string, error) {
	if len(s) < 2 || s[0] != '|' || s[len(s)-1] != '|' {
		return nil, fmt.Errorf("%q is no row of a table", s)
	}
	var out []string
	var b strings.Builder
	for i := 1; i < len(s); i++ {
		switch {
		case s[i] == '\\' && i+1 < len(s):
			i++
			b.WriteByte(s[i])
		case s[i] == '|':
			out = append(out, strings.TrimSpace(b.String()))
			b.Reset()
		default:
			b.WriteByte(s[i])
		}
	}
	return out, nil
}
