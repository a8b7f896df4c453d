package main

import (
	"bytes"
	"context"
	"encoding/json"
	"slices"
	"strings"
	"unicode"

	"github.com/plumbkit/plumb"
	"github.com/plumbkit/plumb/patch"
)

// hide replaces credentials in what is printed: those of the change that the
// command is about, and those of a form or name that gives them away (SEC-3).
func (e *env) hide(text string) string { return e.veil.Hide(text) }

// hideJSON is hide for the strings of a JSON document. The document is looked at
// in one go first, since almost every one has nothing to hide.
func (e *env) hideJSON(doc []byte) []byte {
	if text := strings.Join(stringsOf(doc), "\n"); e.hide(text) == text {
		return doc
	}
	return e.veil.HideJSON(doc)
}

// stringsOf are the strings of a JSON document, keys included.
func stringsOf(doc []byte) []string {
	var out []string
	dec := json.NewDecoder(bytes.NewReader(doc))
	for {
		token, err := dec.Token()
		if err != nil {
			return out
		}
		if s, ok := token.(string); ok {
			out = append(out, s)
		}
	}
}

// cover hides, from here on, the credentials that stand in the source text of an
// answer, also those that only a name gives away. What has neither white space nor
// a sign that assigns or quotes is a path or a name itself.
func (e *env) cover(ctx context.Context, answer any) error {
	doc, err := json.Marshal(answer)
	if err != nil {
		return err
	}
	source := slices.DeleteFunc(stringsOf(doc), func(s string) bool { return !strings.ContainsFunc(s, givesAway) })
	return e.veil.AddText(ctx, strings.Join(source, "\n"))
}

func givesAway(r rune) bool { return unicode.IsSpace(r) || strings.ContainsRune("=:\"'`", r) }

// edited hides the credentials of edits and of a task from here on.
func (e *env) edited(ctx context.Context, data []byte) error {
	return e.veil.AddText(ctx, string(data))
}

// showable returns a run's result without the contents of files that hold
// credentials: a document has them encoded, where nothing hides them.
func (e *env) showable(r *plumb.Result) *plumb.Result {
	if r == nil || r.Set == nil {
		return r
	}
	out, set := *r, *r.Set
	set.Files = append([]patch.File(nil), set.Files...)
	for i := range set.Files {
		f := &set.Files[i]
		if e.hide(string(f.Old)) != string(f.Old) || e.hide(string(f.New)) != string(f.New) {
			f.Old, f.New = nil, nil
		}
	}
	out.Set = &set
	return &out
}
