package changeset

import (
	"bytes"
	"fmt"
	"strings"

	"github.com/plumbkit/plumb/host/fault"
	"github.com/plumbkit/plumb/host/task"
	"github.com/plumbkit/plumb/index"
)

// A contract is what one symbol becomes.
type contract struct {
	sym      index.Symbol
	now      index.Symbol // with the new signature; as sym for a rename or removal
	rename   string
	remove   bool
	declared bool
	sure     bool // of one that follows from another: the relation is certain
	block    string
	because  string
}

// after says in words what the symbol becomes.
func (c contract) after() string {
	switch {
	case c.remove:
		return "nothing"
	case c.rename != "":
		return c.rename
	}
	return c.now.Signature.Text
}

// becomes says the same as a sentence.
func (c contract) becomes() string {
	if c.remove {
		return "it is removed"
	}
	return "its declaration becomes " + c.after()
}

// onlyNames reports whether all contracts are renames and removals.
func (v *derivation) onlyNames() bool {
	for _, c := range v.contracts {
		if !c.remove && c.rename == "" {
			return false
		}
	}
	return len(v.contracts) > 0
}

// declared reads the contracts that the task declares, and those that follow
// from them in the same family of interface and implementations.
func (v *derivation) declared() error {
	for _, change := range v.in.Task.Changes {
		sym, err := v.changed(change)
		if err != nil {
			return err
		}
		if v.contractOf(sym.ID) != nil {
			return invalid(change.Symbol, "two changes of it are declared", "declare one change for each symbol", nil)
		}
		c := contract{sym: sym, now: sym, rename: change.NewName, remove: change.Remove, declared: true, sure: true, block: lastTwo(sym.Canonical)}
		if change.NewSignature != "" {
			if c.now, err = v.resigned(sym, change.NewSignature); err != nil {
				return err
			}
		}
		v.contracts = append(v.contracts, c)
	}
	v.family()
	for _, c := range v.contracts {
		out := Contract{Symbol: c.sym.ID, Before: c.sym.Signature, Rename: c.rename, Block: c.block}
		if !c.remove {
			after := c.now.Signature
			out.After = &after
		}
		v.plan.Contracts = append(v.plan.Contracts, out)
	}
	return nil
}

// changed returns the symbol that a change is about; a name with several
// definitions takes the one that an answer chose.
func (v *derivation) changed(change task.Change) (index.Symbol, error) {
	defs := definitions(v.snap, change.Symbol)
	switch len(identities(defs)) {
	case 0:
		return index.Symbol{}, invalid(change.Symbol, "the change's symbol is not in the index", "name a symbol of the repository", near(v.snap, change.Symbol))
	case 1:
		return defs[0], nil
	}
	if chosen, ok := v.chosen(change.Symbol, defs); ok {
		return chosen, nil
	}
	f := &fault.Fault{Class: fault.Ambiguous, Op: "changeset.plan", Subject: fault.Subject{Text: change.Symbol},
		Detail: fmt.Sprintf("%d definitions bear the name of the declared change", len(identities(defs))), State: "no plan was made", Next: "name one of the candidates in full"}
	for _, d := range defs {
		f.Candidates = append(f.Candidates, fault.Subject{File: d.Span.File, Line: d.Span.Line, Symbol: d.Canonical})
	}
	return index.Symbol{}, f
}

func invalid(subject, detail, next string, candidates []fault.Subject) error {
	return &fault.Fault{Class: fault.InvalidInput, Op: "changeset.plan", Subject: fault.Subject{Text: subject}, Detail: detail, Candidates: candidates, State: "no plan was made", Next: next}
}

func (v *derivation) contractOf(id string) *contract {
	for i := range v.contracts {
		if v.contracts[i].sym.ID == id {
			return &v.contracts[i]
		}
	}
	return nil
}

// resigned returns the symbol as it is with a new signature. The language reads
// it: the declaration's text is put into the source of an overlay, and the
// symbol is taken from there.
func (v *derivation) resigned(sym index.Symbol, signature string) (index.Symbol, error) {
	src, err := v.snap.Source(sym.Span.File)
	if err != nil {
		return sym, err
	}
	if sym.Kind != index.KindFunction && sym.Kind != index.KindMethod && sym.Kind != index.KindConstructor {
		return sym, invalid(sym.Canonical, fmt.Sprintf("a new signature is declared for a %s", sym.Kind), "declare new signatures of functions and methods only", nil)
	}
	start, end := sym.Ident.End, min(max(sym.Body, sym.Ident.End), sym.Span.End)
	written := fromParameters(signature, sym.Name)
	if !strings.HasPrefix(written, "[") && !strings.HasPrefix(written, "<") {
		start = afterBrackets(src, start)
	}
	old := src[start:end]
	text := written + string(old[len(bytes.TrimRight(old, " \t\r\n:")):])
	edited := bytes.Join([][]byte{src[:start], []byte(text), src[end:]}, nil)
	over, err := v.snap.Overlay(v.ctx, map[string][]byte{sym.Span.File: edited})
	if err != nil {
		return sym, err
	}
	now, ok := over.Symbol(sym.ID)
	before, _ := v.snap.File(sym.Span.File)
	after, _ := over.File(sym.Span.File)
	if !ok || len(after.Errors) > len(before.Errors) {
		return sym, invalid(sym.Canonical, fmt.Sprintf("the new signature %q does not read as a declaration in this language", signature), "write it from the parameter list on, as it would stand in the source", nil)
	}
	return now, nil
}

// fromParameters returns a signature from its parameter list on: what it may be
// written with before (as in "func (s *Store) Get(id string) error", the form that
// answers show), and what opens the body behind it, are left out.
func fromParameters(signature, name string) string {
	text := strings.TrimSpace(signature)
	text = strings.TrimRight(text, "{: \t\r\n")
	depth := 0
	for i := 0; i < len(text); i++ {
		switch text[i] {
		case '(', '[', '{':
			depth++
		case ')', ']', '}':
			depth--
		}
		rest, found := strings.CutPrefix(text[i:], name)
		if depth != 0 || !found || i > 0 && wordByte(text[i-1]) || rest == "" {
			continue
		}
		if rest[0] == '(' || text[0] != '(' && (rest[0] == '[' || rest[0] == '<') {
			return rest
		}
	}
	return text
}

func wordByte(b byte) bool {
	return b == '_' || b == '$' || b >= '0' && b <= '9' || b >= 'a' && b <= 'z' || b >= 'A' && b <= 'Z' || b >= 0x80
}

// afterBrackets skips a bracketed list of type parameters at an offset.
func afterBrackets(src []byte, at int) int {
	if at >= len(src) || src[at] != '[' && src[at] != '<' {
		return at
	}
	depth := 0
	for i := at; i < len(src); i++ {
		switch src[i] {
		case '[', '<':
			depth++
		case ']', '>':
			if depth--; depth == 0 {
				return i + 1
			}
		}
	}
	return at
}
