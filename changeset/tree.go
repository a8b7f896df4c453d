package changeset

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
)

// A tree is a JSON value with its keys in order: the form between a document's
// JSON and its Markdown.
type tree struct {
	keys   []string // of an object
	items  []*tree  // values of an object, or of a list
	list   bool
	object bool
	scalar any // string, json.Number, bool or nil
}

func readTree(data []byte) (*tree, error) {
	dec := json.NewDecoder(bytes.NewReader(data))
	dec.UseNumber()
	t, err := decodeTree(dec)
	if err != nil {
		return nil, err
	}
	if _, err := dec.Token(); !errors.Is(err, io.EOF) {
		return nil, errors.New("more than one JSON value")
	}
	return t, nil
}

func decodeTree(dec *json.Decoder) (*tree, error) {
	token, err := dec.Token()
	if err != nil {
		return nil, err
	}
	delim, ok := token.(json.Delim)
	if !ok {
		return &tree{scalar: token}, nil
	}
	t := &tree{list: delim == '[', object: delim == '{'}
	for dec.More() {
		if t.object {
			key, err := dec.Token()
			if err != nil {
				return nil, err
			}
			t.keys = append(t.keys, fmt.Sprint(key))
		}
		item, err := decodeTree(dec)
		if err != nil {
			return nil, err
		}
		t.items = append(t.items, item)
	}
	_, err = dec.Token()
	return t, err
}

// MarshalJSON writes the tree back as it was read.
func (t *tree) MarshalJSON() ([]byte, error) {
	if !t.list && !t.object {
		return json.Marshal(t.scalar)
	}
	var b bytes.Buffer
	open, end := byte('['), byte(']')
	if t.object {
		open, end = '{', '}'
	}
	b.WriteByte(open)
	for i, item := range t.items {
		if i > 0 {
			b.WriteByte(',')
		}
		if t.object {
			key, err := json.Marshal(t.keys[i])
			if err != nil {
				return nil, err
			}
			b.Write(append(key, ':'))
		}
		data, err := item.MarshalJSON()
		if err != nil {
			return nil, err
		}
		b.Write(data)
	}
	b.WriteByte(end)
	return b.Bytes(), nil
}

func (t *tree) get(key string) *tree {
	for i, k := range t.keys {
		if k == key {
			return t.items[i]
		}
	}
	return nil
}

// objects reports whether t is a list that holds objects and nothing else.
func (t *tree) objects() bool {
	for _, item := range t.items {
		if !item.object {
			return false
		}
	}
	return t.list && len(t.items) > 0
}
