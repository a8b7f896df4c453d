package gate

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strings"

	"github.com/bmatcuk/doublestar/v4"

	"github.com/plumbkit/plumb/host/fault"
	"github.com/plumbkit/plumb/internal/strictyaml"
)

// A Policy sets thresholds and paths. The zero value is the safe default of
// every field. Globs are doublestar's, slash-separated, relative to the
// repository and compared without regard to case.
type Policy struct {
	Schema int `json:"schema" yaml:"schema"`
	// DeletedFiles is the largest number of files that may go at once; 0 means 5.
	DeletedFiles int `json:"deleted_files" yaml:"deleted_files"`
	// MovedFiles is the largest number of files that may be moved, or touched by
	// one rename, without evidence; 0 means 10.
	MovedFiles int `json:"moved_files" yaml:"moved_files"`
	// References is the largest number of references to a changed signature
	// that no person has to approve; 0 means 20.
	References int `json:"references" yaml:"references"`
	// Protected are paths that are blocked beside the built-in ones, which no
	// policy can take away.
	Protected []string `json:"protected" yaml:"protected"`
	// Dependencies, Documents, Fixtures, Runners and Unrun replace the built-in
	// lists: files that pin dependencies; documents, in which a name is no use;
	// what tests compare with; what runs tests; names of test files that the
	// runner leaves out on some machines, without which each language knows its own.
	Dependencies []string `json:"dependencies" yaml:"dependencies"`
	Documents    []string `json:"documents" yaml:"documents"`
	Fixtures     []string `json:"fixtures" yaml:"fixtures"`
	Runners      []string `json:"runners" yaml:"runners"`
	Unrun        []string `json:"unrun" yaml:"unrun"`
	// Strengths sets the strength of a class or of one rule: pass, evidence or
	// block. What is a block by default can only stay one.
	Strengths map[string]Strength `json:"strengths" yaml:"strengths"`

	lines map[policyGlob]int // 1-based lines of the globs in the text that was read
	own   bool               // it is that of the repository
	blank bool               // the text that was read sets nothing
}

// policySchema is the version of a policy's form.
const policySchema = 1

// ReadPolicy reads a policy in YAML. Unknown keys, strengths that do not exist
// and globs that do not parse are invalid_input faults that name the key and
// its line; a newer schema is unsupported. Safe for concurrent use.
func ReadPolicy(data []byte) (*Policy, error) {
	p := &Policy{}
	if err := strictyaml.Decode(data, p); err != nil {
		f := &fault.Fault{Class: fault.InvalidInput, Op: "gate.policy", Detail: err.Error(), State: "nothing was read",
			Next: "correct the policy; its keys are schema, deleted_files, moved_files, references, protected, dependencies, documents, fixtures, runners, unrun and strengths"}
		var e *strictyaml.Error
		if errors.As(err, &e) {
			f.Subject = fault.Subject{Line: e.Line, Text: e.Key}
		}
		return nil, f
	}
	if p.Schema > policySchema {
		return nil, &fault.Fault{Class: fault.Unsupported, Op: "gate.policy", Subject: fault.Subject{Text: fmt.Sprintf("schema %d", p.Schema)},
			Detail: fmt.Sprintf("this version reads policies up to schema %d", policySchema), State: "nothing was read", Next: "use the version that the policy was written for"}
	}
	p.blank = reflect.DeepEqual(*p, Policy{})
	return p, p.locate(data, p.check(known()))
}

func wrongPolicy(key, detail, next string) error {
	return &fault.Fault{Class: fault.InvalidInput, Op: "gate.policy", Subject: fault.Subject{Text: key},
		Detail: detail, State: "nothing was decided", Next: next}
}

// check refuses what contradicts itself or the given rules.
func (p *Policy) check(rules []Rule) error {
	for key, n := range map[string]int{"deleted_files": p.DeletedFiles, "moved_files": p.MovedFiles, "references": p.References} {
		if n < 0 {
			return wrongPolicy(key, fmt.Sprintf("%s is %d, and a threshold is not negative", key, n), "leave it out for the default")
		}
	}
	for _, g := range p.globs() {
		if !doublestar.ValidatePattern(g.glob) || g.glob == "" {
			return wrongPolicy(g.key, fmt.Sprintf("the glob %q does not parse", g.glob), "correct the glob; ** stands for any number of folders")
		}
	}
	for _, key := range slices.Sorted(maps.Keys(p.Strengths)) {
		if err := checkStrength(key, p.Strengths[key], rules); err != nil {
			return err
		}
	}
	return nil
}

func checkStrength(key string, s Strength, rules []Rule) error {
	if rank(s) < 0 {
		return wrongPolicy("strengths."+key, fmt.Sprintf("there is no strength %q", s), "use pass, evidence or block")
	}
	known := false
	for _, r := range rules {
		if r.ID != key && r.Class != key {
			continue
		}
		known = true
		if r.Strength == Block && s != Block {
			return wrongPolicy("strengths."+key, fmt.Sprintf("%s is a hard block and cannot be lowered to %s", r.ID, s), "leave it out, or justify the one place in the task")
		}
	}
	if !known {
		return wrongPolicy("strengths."+key, fmt.Sprintf("there is no rule or class %q", key), "use a rule's ID or its class")
	}
	return nil
}

// strength is what the policy makes of a rule: the stronger of rule and class.
func (p *Policy) strength(r Rule) Strength {
	byClass, okClass := p.Strengths[r.Class]
	byRule, okRule := p.Strengths[r.ID]
	switch {
	case okRule:
		return byRule
	case okClass:
		return byClass
	}
	return r.Strength
}

func rank(s Strength) int { return slices.Index([]Strength{Pass, Evidence, Block}, s) }

// A policyGlob is one glob with the key it stands under.
type policyGlob struct{ key, glob string }

func (p *Policy) globs() []policyGlob {
	var out []policyGlob
	for _, l := range []struct {
		key   string
		globs []string
	}{{"protected", p.Protected}, {"dependencies", p.Dependencies}, {"documents", p.Documents},
		{"fixtures", p.Fixtures}, {"runners", p.Runners}, {"unrun", p.Unrun}} {
		for _, g := range l.globs {
			out = append(out, policyGlob{l.key, g})
		}
	}
	return out
}

// Digest is the SHA-256, in hexadecimal, of the policy with its defaults; an
// Authorization names it.
func (p *Policy) Digest() string {
	full := p.complete()
	data, err := json.Marshal(full)
	if err != nil {
		data = fmt.Appendf(nil, "%#v", full)
	}
	sum := sha256.Sum256(append(data, []byte(strings.Join(builtinProtected(), "\n"))...))
	return hex.EncodeToString(sum[:])
}

// complete returns the policy with every default filled in.
func (p *Policy) complete() Policy {
	var c Policy
	if p != nil {
		c = *p
	}
	c.Schema = policySchema
	fill := func(n *int, value int) {
		if *n == 0 {
			*n = value
		}
	}
	fill(&c.DeletedFiles, 5)
	fill(&c.MovedFiles, 10)
	fill(&c.References, 20)
	list := func(l *[]string, value []string) {
		if *l == nil {
			*l = value
		}
	}
	list(&c.Documents, builtinDocuments())
	list(&c.Fixtures, builtinFixtures())
	list(&c.Runners, builtinRunners())
	return c
}
