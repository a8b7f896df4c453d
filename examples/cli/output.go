package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"reflect"
	"strings"
)

// emit prints one JSON document, on one line for -jsonl. A list that is empty is
// [] and never null.
func (e *env) emit(v any) error {
	e.bar.clear()
	var doc bytes.Buffer
	enc := json.NewEncoder(&doc)
	enc.SetEscapeHTML(false)
	if !e.lines {
		enc.SetIndent("", "  ")
	}
	if err := enc.Encode(filled(v)); err != nil {
		return err
	}
	_, err := escaped{e.out}.Write(e.hideJSON(doc.Bytes()))
	return err
}

// structured reports whether a program reads the output.
func (e *env) structured() bool { return e.json || e.lines }

// printf prints lines for people. Strings are single values, such as a path or
// a name: a line end in one is shown escaped, so that it cannot pass for output.
func (e *env) printf(format string, args ...any) {
	for i, a := range args {
		if s, ok := a.(string); ok {
			args[i] = line(e.hide(s))
		}
	}
	e.bar.clear()
	fmt.Fprintf(e.out, format, args...)
}

// names is printf for lines of paths and names alone, of which there are many:
// no credential is looked for in them.
func (e *env) names(format string, args ...any) {
	for i, a := range args {
		if s, ok := a.(string); ok {
			args[i] = line(s)
		}
	}
	fmt.Fprintf(e.out, format, args...)
}

// sayf is printf for standard error.
func (e *env) sayf(format string, args ...any) {
	for i, a := range args {
		if s, ok := a.(string); ok {
			args[i] = line(e.hide(s))
		}
	}
	e.bar.clear()
	fmt.Fprintf(e.stderr, format, args...)
}

// text prints a document of several lines, such as a diff.
func (e *env) text(s string) {
	e.bar.clear()
	fmt.Fprint(e.out, plain(e.hide(s)))
}

// filled returns a copy of plain data in which lists and tables that are nil are
// empty ones. What has a JSON form of its own is left as it is.
func filled(v any) any {
	if v == nil {
		return nil
	}
	return fill(reflect.ValueOf(v)).Interface()
}

func fill(v reflect.Value) reflect.Value {
	if _, own := v.Interface().(json.Marshaler); own {
		return v
	}
	switch v.Kind() {
	case reflect.Slice:
		if v.Type().Elem().Kind() == reflect.Uint8 {
			return v
		}
		out := reflect.MakeSlice(v.Type(), v.Len(), v.Len())
		for i := range v.Len() {
			out.Index(i).Set(fill(v.Index(i)))
		}
		return out
	case reflect.Map:
		out := reflect.MakeMapWithSize(v.Type(), v.Len())
		for _, k := range v.MapKeys() {
			out.SetMapIndex(k, fill(v.MapIndex(k)))
		}
		return out
	case reflect.Struct:
		return fillStruct(v)
	case reflect.Pointer:
		if v.IsNil() || v.Elem().Kind() != reflect.Struct {
			return v
		}
		out := reflect.New(v.Type().Elem())
		out.Elem().Set(fill(v.Elem()))
		return out
	case reflect.Interface:
		if v.IsNil() {
			return v
		}
		return fill(v.Elem())
	}
	return v
}

func fillStruct(v reflect.Value) reflect.Value {
	out := reflect.New(v.Type()).Elem()
	out.Set(v)
	for i := range v.NumField() {
		f := v.Type().Field(i)
		if f.IsExported() && f.Tag.Get("json") != "-" {
			out.Field(i).Set(fill(v.Field(i)))
		}
	}
	return out
}

// plural renders a number with what it counts.
func plural(n int, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return fmt.Sprintf("%d %s", n, many)
}

// cut shortens a line for people to a width, and says so.
func cut(s string, width int) string {
	if r := []rune(s); len(r) > width {
		return strings.TrimRight(string(r[:width-1]), " ") + "…"
	}
	return s
}
