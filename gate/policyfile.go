package gate

import (
	"bytes"
	"errors"
	"strings"

	"github.com/bmatcuk/doublestar/v4"

	"github.com/plumbkit/plumb/host/fault"
	"github.com/plumbkit/plumb/index"
)

// PolicyFile is the file, in the root of a repository, from which Rules without a
// Policy of the host's take one. It is a protected path itself.
const PolicyFile = ".plumb-policy.yaml"

// RepositoryPolicy reads the policy of a repository as a Snapshot has it, nil
// when there is none. A gate is to be given that of the state before a change, so
// that no change is judged by the policy that it brings along.
//
// Errors are those of ReadPolicy, and index_unavailable when the file cannot be read.
func RepositoryPolicy(before *index.Snapshot) (*Policy, error) {
	if before == nil {
		return nil, nil
	}
	if _, ok := before.File(PolicyFile); !ok {
		return nil, nil
	}
	data, err := before.Source(PolicyFile)
	if err != nil {
		return nil, fault.From(err, "gate.policy", "index the repository again")
	}
	p, err := ReadPolicy(data)
	var f *fault.Fault
	if errors.As(err, &f) {
		f.Subject.File = PolicyFile
	}
	if p != nil {
		p.own = true
	}
	return p, err
}

// known are the rules that a policy may name: the built-in ones, and that for
// credentials, which a host adds.
func known() []Rule {
	return append(Default(), Rule{ID: ClassSecrets + ".content", Class: ClassSecrets, Strength: Block})
}

// locate notes the line of every glob, and gives a fault about a key its line.
func (p *Policy) locate(data []byte, err error) error {
	p.lines = map[policyGlob]int{}
	for _, g := range p.globs() {
		p.lines[g] = keyLine(data, g.key, g.glob)
	}
	var f *fault.Fault
	if errors.As(err, &f) && f.Subject.Line == 0 {
		key, inner, _ := strings.Cut(f.Subject.Text, ".")
		for _, g := range p.globs() {
			if g.key == key && !doublestar.ValidatePattern(g.glob) {
				inner = g.glob
			}
		}
		f.Subject.Line = keyLine(data, key, inner)
	}
	return err
}

// keyLine returns the 1-based line on which text stands below, or on, the line of
// a top-level key; the key's own when it stands nowhere, 0 without the key.
func keyLine(data []byte, key, text string) int {
	at, n := 0, 0
	for l := range bytes.Lines(data) {
		n++
		if top := bytes.TrimLeft(l, "\"'"); bytes.HasPrefix(top, []byte(key)) && bytes.HasPrefix(bytes.TrimLeft(top[len(key):], "\"' "), []byte(":")) {
			at = n
		} else if at > 0 && len(l) > 0 && l[0] != ' ' && l[0] != '-' && l[0] != '#' && l[0] != '\n' && l[0] != '\r' {
			break
		}
		if at > 0 && text != "" && bytes.Contains(l, []byte(text)) {
			return n
		}
	}
	return at
}
