// Package strictyaml decodes YAML in which every key must be known and says
// which key stands wrong, and where.
package strictyaml

import (
	"errors"
	"fmt"
	"regexp"
	"strings"

	"github.com/goccy/go-yaml"
	"github.com/goccy/go-yaml/token"
)

// An Error is what is wrong with a document.
type Error struct {
	// Key is the key that is unknown, given twice or holds the wrong kind of
	// value; "" where the document is no YAML at all.
	Key string
	// Line and Col are 1-based; 0 when the place is not known.
	Line, Col int
	// Unknown says that the document uses a key that the reader does not have.
	Unknown bool
	// Message is the finding in words, without place.
	Message string
}

// Error renders the place and the finding in one line.
func (e *Error) Error() string {
	if e.Line == 0 {
		return e.Message
	}
	return fmt.Sprintf("line %d: %s", e.Line, e.Message)
}

// Decode reads one YAML document into v, a pointer to a struct. Unknown and
// duplicate keys, values of the wrong kind and broken YAML give an *Error. An
// empty document leaves v as it is. It is safe for concurrent use.
func Decode(data []byte, v any) error {
	if len(strings.TrimSpace(string(data))) == 0 {
		return nil
	}
	err := yaml.UnmarshalWithOptions(data, v, yaml.Strict())
	if err == nil {
		return nil
	}
	return explain(err)
}

func explain(err error) *Error {
	var unknown *yaml.UnknownFieldError
	var twice *yaml.DuplicateKeyError
	var kind *yaml.TypeError
	var syntax *yaml.SyntaxError
	var over *yaml.OverflowError
	var node *yaml.UnexpectedNodeTypeError
	switch {
	case errors.As(err, &unknown):
		e := place(unknown.Token, "")
		e.Key, e.Unknown = quoted(unknown.Message, unknown.Token), true
		e.Message = fmt.Sprintf("unknown key %q", e.Key)
		return e
	case errors.As(err, &twice):
		return double(twice.Message, twice.Token)
	case errors.As(err, &syntax) && strings.Contains(syntax.Message, "already defined"):
		return double(syntax.Message, syntax.Token)
	case errors.As(err, &kind):
		e := place(kind.Token, fmt.Sprintf("a value of kind %s stands where %s is expected", kind.SrcType, kind.DstType))
		e.Key = keyOf(kind.Token)
		return e
	case errors.As(err, &over):
		e := place(over.Token, fmt.Sprintf("the number %s does not fit into %s", over.SrcNum, over.DstType))
		e.Key = keyOf(over.Token)
		return e
	case errors.As(err, &node):
		e := place(node.Token, fmt.Sprintf("a %s stands where a %s is expected", node.Actual, node.Expected))
		e.Key = keyOf(node.Token)
		return e
	case errors.As(err, &syntax):
		return place(syntax.Token, "no valid YAML: "+syntax.Message)
	}
	first, _, _ := strings.Cut(err.Error(), "\n")
	return &Error{Message: "no valid YAML: " + first}
}

func double(message string, t *token.Token) *Error {
	e := place(t, "")
	e.Key = quoted(message, t)
	e.Message = fmt.Sprintf("key %q is given twice", e.Key)
	return e
}

func place(t *token.Token, message string) *Error {
	e := &Error{Message: message}
	if t != nil && t.Position != nil {
		e.Line, e.Col = t.Position.Line, t.Position.Column
	}
	return e
}

// quoted returns the name that a message of the decoder quotes, or the token's text.
func quoted(message string, t *token.Token) string {
	if m := regexp.MustCompile(`"([^"]*)"`).FindStringSubmatch(message); m != nil {
		return m[1]
	}
	if t != nil {
		return t.Value
	}
	return ""
}

// keyOf returns the key in front of a value's token on its line or above, "" where there is none.
func keyOf(t *token.Token) string {
	for ; t != nil; t = t.Prev {
		if t.Type == token.MappingValueType && t.Prev != nil {
			return t.Prev.Value
		}
	}
	return ""
}
