package index

import (
	"bytes"
	"slices"
)

// A family is one language that stands alone, or all languages of one
// Language.Family: their files are linked together.
type family struct {
	key       string
	languages []*Language // in the host's order
}

// familyKey tells families apart; a family's name is never taken for a
// language's.
func familyKey(l *Language) string {
	if l.Family == "" {
		return l.Name
	}
	return "family " + l.Family
}

// families groups the languages, in order of their first one.
func families(languages []*Language) []*family {
	var out []*family
	for _, l := range languages {
		key := familyKey(l)
		i := slices.IndexFunc(out, func(f *family) bool { return f.key == key })
		if i < 0 {
			i = len(out)
			out = append(out, &family{key: key})
		}
		out[i].languages = append(out[i].languages, l)
	}
	return out
}

// manifest reports whether one of the languages reads files of that base name.
func (f *family) manifest(base string) bool {
	return slices.ContainsFunc(f.languages, func(l *Language) bool { return slices.Contains(l.Manifests, base) })
}

// linking returns the language whose Link serves the family: the first that
// has one, nil when none has.
func (f *family) linking() *Language {
	for _, l := range f.languages {
		if l.Link != nil {
			return l
		}
	}
	return nil
}

// familyOf returns the key of the family of a language's files, "" for files of no language.
func (e *engine) familyOf(lang string) string {
	if l := e.language(lang); l != nil {
		return familyKey(l)
	}
	return lang
}

func sameManifests(a, b []Manifest) bool {
	return slices.EqualFunc(a, b, func(x, y Manifest) bool { return x.Path == y.Path && bytes.Equal(x.Data, y.Data) })
}
