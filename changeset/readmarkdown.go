package changeset

import (
	"encoding/json"
	"fmt"
	"regexp"
	"strings"

	"github.com/plumbkit/plumb/host/fault"
)

// ParseMarkdown reads what Markdown writes. What it cannot read is an
// invalid_input fault with the 1-based line; a schema newer than this package
// knows is unsupported.
func ParseMarkdown(doc string) (*Plan, error) {
	r := &reader{lines: strings.Split(doc, "\n")}
	t, err := r.plan()
	if err == nil {
		var data []byte
		if data, err = t.MarshalJSON(); err == nil {
			return decodePlan(data)
		}
	}
	return nil, unreadable(r.at, err)
}

func decodePlan(data []byte) (*Plan, error) {
	dec := json.NewDecoder(strings.NewReader(string(data)))
	dec.DisallowUnknownFields()
	var p Plan
	if err := dec.Decode(&p); err != nil {
		return nil, unreadable(0, err)
	}
	if p.Schema > 1 {
		return nil, &fault.Fault{Class: fault.Unsupported, Op: "changeset.read", Subject: fault.Subject{Text: fmt.Sprintf("schema %d", p.Schema)},
			Detail: "the plan was written by a newer version; this one reads schema 1", State: "nothing was read", Next: "read it with the version that wrote it"}
	}
	return &p, nil
}

func unreadable(line int, err error) error {
	return &fault.Fault{Class: fault.InvalidInput, Op: "changeset.read", Subject: fault.Subject{Line: line}, Detail: "the document is no plan: " + err.Error(), State: "nothing was read",
		Next: "write it as Plan.Markdown does", Err: err}
}

type reader struct {
	lines []string
	at    int // lines read
}

// next returns the next line that is not blank, its depth and its text.
func (r *reader) next() (depth int, s string, ok bool) {
	for i := r.at; i < len(r.lines); i++ {
		l := strings.TrimRight(r.lines[i], " \t\r")
		if l == "" {
			continue
		}
		r.at = i
		s = strings.TrimLeft(l, " ")
		return (len(l) - len(s)) / 2, s, true
	}
	r.at = len(r.lines)
	return 0, "", false
}

func (r *reader) plan() (*tree, error) {
	out := &tree{object: true}
	_, s, ok := r.next()
	title, isPlan := strings.CutPrefix(s, "# Plan")
	if !ok || !isPlan {
		return nil, fmt.Errorf("it does not begin with %q", "# Plan")
	}
	r.at++
	name := &tree{scalar: ""}
	if title = strings.TrimSpace(title); title != "" {
		var err error
		if name, err = scalar(title); err != nil {
			return nil, err
		}
	}
	out.add("task", name)
	if err := r.fields(0, out); err != nil {
		return nil, err
	}
	for {
		_, s, ok := r.next()
		if !ok {
			return out, nil
		}
		name, isSection := strings.CutPrefix(s, "## ")
		if !isSection {
			return nil, fmt.Errorf("a section is expected, not %q", s)
		}
		r.at++
		list, err := r.section()
		if err != nil {
			return nil, err
		}
		out.add(strings.ReplaceAll(strings.ToLower(name), " ", "_"), list)
	}
}

func (r *reader) section() (*tree, error) {
	list := &tree{list: true}
	for {
		_, s, ok := r.next()
		id, isItem := strings.CutPrefix(s, "### ")
		if !ok || !isItem {
			return list, nil
		}
		r.at++
		item := &tree{object: true}
		if err := r.fields(0, item); err != nil {
			return nil, err
		}
		if _, s, ok := r.next(); ok && strings.HasPrefix(s, "|") {
			rows, err := r.rows(item)
			if err != nil {
				return nil, err
			}
			list.items = append(list.items, rows...)
			continue
		}
		if !digits.MatchString(id) {
			item.add("id", &tree{scalar: id})
		}
		list.items = append(list.items, item)
	}
}

func (t *tree) add(key string, v *tree) {
	t.keys, t.items = append(t.keys, key), append(t.items, v)
}

// scalar reads a value as it stands on a line.
func scalar(s string) (*tree, error) {
	if s == "" {
		return nil, fmt.Errorf("a value is missing")
	}
	if strings.ContainsAny(s[:1], "\"[{") || json.Valid([]byte(s)) {
		return readTree([]byte(s))
	}
	return &tree{scalar: s}, nil
}

var (
	fieldForm = regexp.MustCompile(`^- ([a-z_]+):(?: (.*))?$`)
	itemForm  = regexp.MustCompile(`^\d+\.(?: (.*))?$`)
)

// fields reads the bullets of an object at a depth.
func (r *reader) fields(depth int, into *tree) error {
	for {
		d, s, ok := r.next()
		m := fieldForm.FindStringSubmatch(s)
		if !ok || d != depth || m == nil {
			if ok && d > depth {
				return fmt.Errorf("%q stands too deep", s)
			}
			return nil
		}
		r.at++
		v, err := r.value(depth, m[2])
		if err != nil {
			return err
		}
		into.add(m[1], v)
	}
}

// value reads what stands behind a bullet: on its line, or below it.
func (r *reader) value(depth int, rest string) (*tree, error) {
	if rest != "" {
		return scalar(rest)
	}
	d, s, ok := r.next()
	switch {
	case !ok || d != depth+1:
		return nil, fmt.Errorf("a value is missing")
	case strings.HasPrefix(s, ">"):
		return r.quote(depth + 1), nil
	case fieldForm.MatchString(s):
		t := &tree{object: true}
		return t, r.fields(depth+1, t)
	}
	return r.items(depth + 1)
}

func (r *reader) quote(depth int) *tree {
	var lines []string
	for ; r.at < len(r.lines); r.at++ {
		l, ok := strings.CutPrefix(strings.TrimRight(r.lines[r.at], " \t\r"), strings.Repeat("  ", depth)+">")
		if !ok {
			break
		}
		lines = append(lines, strings.TrimPrefix(l, " "))
	}
	return &tree{scalar: strings.Join(lines, "\n")}
}

func (r *reader) items(depth int) (*tree, error) {
	list := &tree{list: true}
	for {
		d, s, ok := r.next()
		m := itemForm.FindStringSubmatch(s)
		if !ok || d != depth || m == nil {
			if len(list.items) == 0 {
				return nil, fmt.Errorf("a value is expected, not %q", s)
			}
			return list, nil
		}
		r.at++
		v, err := r.value(depth, m[1])
		if err != nil {
			return nil, err
		}
		list.items = append(list.items, v)
	}
}
