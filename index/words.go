package index

import (
	"fmt"
	"slices"

	"github.com/plumbkit/plumb/host/fault"
)

// The words under which enumerations appear in documents, indexed by value.
// They are part of the format and never change.
var (
	kindWords = [...]string{"none", "package", "function", "method", "constructor", "class", "interface", "type",
		"enum", "enum_member", "field", "constant", "variable"}
	visibilityWords = [...]string{"public", "package", "private"}
	originWords     = [...]string{"handwritten", "generated", "test", "vendored"}
	refKindWords    = [...]string{"reference", "call", "type", "import", "write", "embed", "key", "string"}
	statusWords     = [...]string{"unresolved", "static", "ambiguous", "dynamic", "external"}
	markKindWords   = [...]string{"none", "test", "assertion", "skip", "suppression", "debug", "import", "string",
		"comment", "placeholder"}
	relationWords = [...]string{"none", "implements", "extends", "embeds", "overrides"}
	tierWords     = [...]string{"all", "symbols", "relations", "build"}
)

func word[T ~uint8](words []string, v T) string {
	if int(v) < len(words) {
		return words[v]
	}
	return fmt.Sprintf("unknown_%d", v)
}

func parseWord[T ~uint8](words []string, what string, text []byte, v *T) error {
	i := slices.Index(words, string(text))
	if i < 0 {
		return &fault.Fault{Class: fault.InvalidInput, Op: "index.read", Subject: fault.Subject{Text: string(text)},
			Detail: "this is no " + what, Next: fmt.Sprintf("use one of %q", words)}
	}
	*v = T(i)
	return nil
}

// String returns the lower_snake_case word for k.
func (k Kind) String() string { return word(kindWords[:], k) }

// MarshalText returns the word that String returns.
func (k Kind) MarshalText() ([]byte, error) { return []byte(k.String()), nil }

// UnmarshalText reads what MarshalText writes; other text is invalid_input.
func (k *Kind) UnmarshalText(text []byte) error { return parseWord(kindWords[:], "kind", text, k) }

// String returns the lower_snake_case word for v.
func (v Visibility) String() string { return word(visibilityWords[:], v) }

// MarshalText returns the word that String returns.
func (v Visibility) MarshalText() ([]byte, error) { return []byte(v.String()), nil }

// UnmarshalText reads what MarshalText writes; other text is invalid_input.
func (v *Visibility) UnmarshalText(text []byte) error {
	return parseWord(visibilityWords[:], "visibility", text, v)
}

// String returns the lower_snake_case word for o.
func (o Origin) String() string { return word(originWords[:], o) }

// MarshalText returns the word that String returns.
func (o Origin) MarshalText() ([]byte, error) { return []byte(o.String()), nil }

// UnmarshalText reads what MarshalText writes; other text is invalid_input.
func (o *Origin) UnmarshalText(text []byte) error {
	return parseWord(originWords[:], "origin", text, o)
}

// String returns the lower_snake_case word for k.
func (k RefKind) String() string { return word(refKindWords[:], k) }

// MarshalText returns the word that String returns.
func (k RefKind) MarshalText() ([]byte, error) { return []byte(k.String()), nil }

// UnmarshalText reads what MarshalText writes; other text is invalid_input.
func (k *RefKind) UnmarshalText(text []byte) error {
	return parseWord(refKindWords[:], "kind of reference", text, k)
}

// String returns the lower_snake_case word for s.
func (s Status) String() string { return word(statusWords[:], s) }

// MarshalText returns the word that String returns.
func (s Status) MarshalText() ([]byte, error) { return []byte(s.String()), nil }

// UnmarshalText reads what MarshalText writes; other text is invalid_input.
func (s *Status) UnmarshalText(text []byte) error {
	return parseWord(statusWords[:], "status", text, s)
}

// String returns the lower_snake_case word for k.
func (k MarkKind) String() string { return word(markKindWords[:], k) }

// MarshalText returns the word that String returns.
func (k MarkKind) MarshalText() ([]byte, error) { return []byte(k.String()), nil }

// UnmarshalText reads what MarshalText writes; other text is invalid_input.
func (k *MarkKind) UnmarshalText(text []byte) error {
	return parseWord(markKindWords[:], "kind of mark", text, k)
}

// String returns the lower_snake_case word for k.
func (k RelationKind) String() string { return word(relationWords[:], k) }

// MarshalText returns the word that String returns.
func (k RelationKind) MarshalText() ([]byte, error) { return []byte(k.String()), nil }

// UnmarshalText reads what MarshalText writes; other text is invalid_input.
func (k *RelationKind) UnmarshalText(text []byte) error {
	return parseWord(relationWords[:], "kind of relation", text, k)
}

// String returns the lower_snake_case word for t.
func (t Tiers) String() string { return word(tierWords[:], t) }

// MarshalText returns the word that String returns.
func (t Tiers) MarshalText() ([]byte, error) { return []byte(t.String()), nil }

// UnmarshalText reads what MarshalText writes; other text is invalid_input.
func (t *Tiers) UnmarshalText(text []byte) error { return parseWord(tierWords[:], "tier", text, t) }
