package changeset

import (
	"encoding/json"
	"fmt"
	"regexp"
	"strings"
)

// Markdown renders the plan for a person. ParseMarkdown reads it back without
// loss (CHG-4): lists of objects are sections, values are bullets, text of
// several lines is quoted with ">", and text that could be mistaken for
// something else is written as a JSON string. Places of one kind and block that
// follow one another share a section: what they have in common stands there once,
// the rest in a table with a row each.
func (p *Plan) Markdown() string {
	data, err := json.Marshal(p)
	if err != nil {
		return "" // a Plan holds nothing that JSON cannot write
	}
	t, err := readTree(data)
	if err != nil {
		return ""
	}
	var w writer
	title := ""
	if p.Task != "" {
		title = text(p.Task)
	}
	w.line(0, "# Plan "+title)
	w.line(0, "")
	for i, key := range t.keys {
		if key != "task" && !t.items[i].objects() {
			w.field(0, key, t.items[i])
		}
	}
	for i, key := range t.keys {
		if t.items[i].objects() {
			w.section(key, t.items[i])
		}
	}
	return w.String()
}

type writer struct{ strings.Builder }

func (w *writer) line(depth int, s string) {
	w.WriteString(strings.TrimRight(strings.Repeat("  ", depth)+s, " ") + "\n")
}

func (w *writer) section(key string, t *tree) {
	w.line(0, "")
	w.line(0, "## "+heading(key))
	for i := 0; i < len(t.items); i++ {
		item := t.items[i]
		w.line(0, "")
		if n := run(t.items[i:]); n > 1 {
			w.table(i+1, t.items[i:i+n])
			i += n - 1
			continue
		}
		id, named := nameOf(item)
		if !named {
			id = fmt.Sprint(i + 1)
		}
		w.line(0, "### "+id)
		w.line(0, "")
		for j, k := range item.keys {
			if k != "id" || !named {
				w.field(0, k, item.items[j])
			}
		}
	}
}

// heading writes a key as a heading: not_done is "Not done".
func heading(key string) string {
	return strings.ToUpper(key[:1]) + strings.ReplaceAll(key[1:], "_", " ")
}

var digits = regexp.MustCompile(`^\d+$`)

// nameOf returns an object's id, if it can stand as a heading.
func nameOf(t *tree) (string, bool) {
	id := t.get("id")
	if id == nil {
		return "", false
	}
	s, ok := id.scalar.(string)
	return s, ok && plain(s) && !digits.MatchString(s)
}

func (w *writer) field(depth int, key string, t *tree) {
	w.value(depth, "- "+key+":", t)
}

// value writes a value behind its bullet: on the same line, or below it one deeper.
func (w *writer) value(depth int, bullet string, t *tree) {
	s, isText := t.scalar.(string)
	switch {
	case len(t.items) > 0 && t.object:
		w.line(depth, bullet)
		for i, k := range t.keys {
			w.field(depth+1, k, t.items[i])
		}
	case len(t.items) > 0:
		w.line(depth, bullet)
		for i, item := range t.items {
			w.value(depth+1, fmt.Sprintf("%d.", i+1), item)
		}
	case isText && quotable(s):
		w.line(depth, bullet)
		for _, l := range strings.Split(s, "\n") {
			w.line(depth+1, "> "+l)
		}
	case isText:
		w.line(depth, bullet+" "+text(s))
	default:
		data, err := t.MarshalJSON()
		if err != nil {
			data = []byte("null")
		}
		w.line(depth, bullet+" "+string(data))
	}
}

// quotable reports whether a text of several lines survives quoting.
func quotable(s string) bool {
	if !strings.Contains(s, "\n") {
		return false
	}
	for _, l := range strings.Split(s, "\n") {
		if l != strings.TrimRight(l, " \t\r") || strings.ContainsFunc(l, control) {
			return false
		}
	}
	return true
}

func control(r rune) bool { return r < ' ' && r != '\t' || r == 0x7f || r == 0xfffd }

// plain reports whether a text can stand as it is and is read back as the same text.
func plain(s string) bool {
	if s == "" || s != strings.TrimSpace(s) || strings.ContainsAny(s, "\n\t") || strings.ContainsFunc(s, control) {
		return false
	}
	return !strings.ContainsAny(s[:1], "\"[{>") && !json.Valid([]byte(s))
}

func text(s string) string {
	if plain(s) {
		return s
	}
	data, err := json.Marshal(s)
	if err != nil {
		return `""`
	}
	return string(data)
}
