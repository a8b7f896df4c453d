package patch

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"reflect"
	"slices"
	"strings"

	"github.com/plumbkit/plumb/host/fault"
)

// ParseJSON reads structured operations: {"edits": […]} with an optional
// "schema" of 1, a bare list of edits, or a single edit. An edit has the keys
// of Edit; a key that is unknown, written twice or in another case is refused
// with its line, as is an edit that lacks what its operation needs.
//
// Errors are faults as for Parse.
func ParseJSON(data []byte) ([]Edit, error) {
	r := &jsonReader{data: bytes.TrimPrefix(data, []byte(bom))}
	r.dec = json.NewDecoder(bytes.NewReader(r.data))
	edits, err := r.document()
	if err == nil {
		if _, e := r.dec.Token(); !errors.Is(e, io.EOF) {
			err = r.fail(int(r.dec.InputOffset()), "something follows the end of the document")
		}
	}
	if err != nil {
		return nil, r.fault(err)
	}
	if len(edits) == 0 {
		return nil, r.fail(0, "the document holds no edit")
	}
	return edits, nil
}

type jsonReader struct {
	data []byte
	dec  *json.Decoder
}

// line returns the 1-based line of an offset.
func (r *jsonReader) line(offset int) int {
	return 1 + bytes.Count(r.data[:min(max(offset, 0), len(r.data))], []byte{'\n'})
}

func (r *jsonReader) fail(offset int, format string, args ...any) error {
	return malformed(parseOp, r.line(offset), "", format, args...)
}

// fault gives errors of the decoder their line.
func (r *jsonReader) fault(err error) error {
	var f *fault.Fault
	var syntax *json.SyntaxError
	switch {
	case errors.As(err, &f):
		return f
	case errors.As(err, &syntax):
		return r.fail(int(syntax.Offset)-1, "the document is no valid JSON: %v", err)
	case errors.Is(err, io.EOF), errors.Is(err, io.ErrUnexpectedEOF):
		return r.fail(len(r.data), "the document ends too early")
	}
	return r.fail(int(r.dec.InputOffset()), "the document is no valid JSON: %v", err)
}

// next returns the offset at which the coming value begins.
func (r *jsonReader) next() int {
	at := int(r.dec.InputOffset())
	for at < len(r.data) && strings.IndexByte(" \t\r\n,:", r.data[at]) >= 0 {
		at++
	}
	return at
}

func (r *jsonReader) document() ([]Edit, error) {
	start := r.next()
	if start < len(r.data) && r.data[start] == '[' {
		return r.list()
	}
	var raw json.RawMessage
	if err := r.dec.Decode(&raw); err != nil {
		return nil, err
	}
	keys, err := objectKeys(raw)
	if err != nil {
		return nil, r.fail(start, "the document is neither an object nor a list")
	}
	for _, k := range keys {
		if k.name == "op" {
			e, err := r.edit(raw, start)
			return []Edit{e}, err
		}
	}
	return r.envelope(raw, keys, start)
}

// envelope reads {"schema": 1, "edits": […]}.
func (r *jsonReader) envelope(raw json.RawMessage, keys []jsonKey, start int) ([]Edit, error) {
	var edits []Edit
	var doc struct{ Schema json.RawMessage }
	for i, k := range keys {
		switch k.name {
		case "schema":
			if err := json.Unmarshal(raw, &doc); err == nil && string(doc.Schema) != "1" {
				return nil, r.fail(start+k.offset, "the schema is %s; this version reads schema 1", doc.Schema)
			}
		case "edits":
			from := start + k.offset
			sub := &jsonReader{data: r.data, dec: json.NewDecoder(bytes.NewReader(r.data[start+k.value:]))}
			list, err := sub.listAt(start + k.value)
			if err != nil {
				return nil, err
			}
			if edits != nil {
				return nil, r.fail(from, "the key \"edits\" stands twice")
			}
			edits = list
		default:
			return nil, r.fail(start+keys[i].offset, "the key %q is not known here; a document has \"edits\" and \"schema\"", k.name)
		}
	}
	return edits, nil
}

func (r *jsonReader) list() ([]Edit, error) { return r.listAt(0) }

// listAt reads a list of edits; base is the offset at which the decoder started.
func (r *jsonReader) listAt(base int) ([]Edit, error) {
	tok, err := r.dec.Token()
	if err != nil {
		return nil, err
	}
	if tok != json.Delim('[') {
		return nil, r.fail(base, "\"edits\" has to be a list")
	}
	edits := []Edit{}
	for r.dec.More() {
		at := base + int(r.dec.InputOffset())
		for at < len(r.data) && strings.IndexByte(" \t\r\n,", r.data[at]) >= 0 {
			at++
		}
		var raw json.RawMessage
		if err := r.dec.Decode(&raw); err != nil {
			return nil, err
		}
		e, err := r.edit(raw, at)
		if err != nil {
			return nil, err
		}
		edits = append(edits, e)
	}
	_, err = r.dec.Token()
	return edits, err
}

// edit reads one edit that begins at the offset.
func (r *jsonReader) edit(raw json.RawMessage, at int) (Edit, error) {
	var e Edit
	keys, err := objectKeys(raw)
	if err != nil {
		return e, r.fail(at, "an edit has to be an object")
	}
	known := jsonNames(reflect.TypeFor[Edit]())
	seen := map[string]bool{}
	for _, k := range keys {
		if !known[k.name] {
			return e, r.fail(at+k.offset, "the key %q is not known in an edit; known are %s", k.name, strings.Join(slices.Sorted(maps.Keys(known)), ", "))
		}
		if seen[k.name] {
			return e, r.fail(at+k.offset, "the key %q stands twice", k.name)
		}
		seen[k.name] = true
	}
	dec := json.NewDecoder(bytes.NewReader(raw))
	dec.DisallowUnknownFields()
	if err := dec.Decode(&e); err != nil {
		var wrong *json.UnmarshalTypeError
		if errors.As(err, &wrong) {
			return e, r.fail(at+int(wrong.Offset)-1, "the value of %q is a %s", wrong.Field, wrong.Value)
		}
		return e, r.fail(at, "%v", err)
	}
	if e.From == "" {
		e.From = fmt.Sprintf("json:%d", r.line(at))
	}
	if why := checkEdit(&e); why != "" {
		return e, r.fail(at, "%s", why)
	}
	return e, nil
}

// A jsonKey is one key of an object with the offsets of itself and its value.
type jsonKey struct {
	name          string
	offset, value int
}

func objectKeys(raw []byte) ([]jsonKey, error) {
	dec := json.NewDecoder(bytes.NewReader(raw))
	if tok, err := dec.Token(); err != nil || tok != json.Delim('{') {
		return nil, errors.New("not an object")
	}
	var keys []jsonKey
	for dec.More() {
		k := jsonKey{offset: int(dec.InputOffset())}
		for strings.IndexByte(" \t\r\n,", raw[k.offset]) >= 0 {
			k.offset++
		}
		tok, err := dec.Token()
		if err != nil {
			return nil, err
		}
		k.name = tok.(string)
		k.value = int(dec.InputOffset())
		for strings.IndexByte(" \t\r\n:", raw[k.value]) >= 0 {
			k.value++
		}
		var skip json.RawMessage
		if err := dec.Decode(&skip); err != nil {
			return nil, err
		}
		keys = append(keys, k)
	}
	return keys, nil
}

// jsonNames are the keys that a struct has in JSON.
func jsonNames(t reflect.Type) map[string]bool {
	names := map[string]bool{}
	for i := range t.NumField() {
		name, _, _ := strings.Cut(t.Field(i).Tag.Get("json"), ",")
		names[name] = true
	}
	return names
}
