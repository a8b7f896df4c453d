// Package task holds the task that every stage works for: the requirement, its
// capability points, declared changes and the answers given so far.
package task

// A Task is one requirement on one repository. The zero value with a
// Requirement is useful. A Task is plain data; stages do not change it.
type Task struct {
	Schema int `json:"schema" yaml:"schema,omitempty"`
	// ID names the task in ledger and reports; "" lets the host choose.
	ID string `json:"id,omitempty" yaml:"id,omitempty"`
	// Requirement is the text as the requester wrote it.
	Requirement string `json:"requirement" yaml:"requirement"`
	// Source is the pinned section that the requirement was taken from.
	Source *Source `json:"source,omitempty" yaml:"source,omitempty"`
	// Capabilities are the testable sentences of the requirement (CHG-1).
	Capabilities []Capability `json:"capabilities,omitempty" yaml:"capabilities,omitempty"`
	// Changes are contracts declared by the requester.
	Changes []Change `json:"changes,omitempty" yaml:"changes,omitempty"`
	// Answers are those given to questions of earlier runs.
	Answers []Answer `json:"answers,omitempty" yaml:"answers,omitempty"`
	// Justifications allow, with a reason, what a later stage would refuse,
	// such as loosening one assertion or adding one suppression.
	Justifications []Justification `json:"justifications,omitempty" yaml:"justifications,omitempty"`
}

// A Source addresses a section of a document by number, heading or row key.
type Source struct {
	Document string `json:"document" yaml:"document"`
	Section  string `json:"section,omitempty" yaml:"section,omitempty"`
	// Hash pins the section's normalized text (SHA-256, hexadecimal).
	Hash string `json:"hash,omitempty" yaml:"hash,omitempty"`
}

// A Capability is one capability point: one testable sentence and where it sits.
type Capability struct {
	ID       string `json:"id" yaml:"id"`
	Sentence string `json:"sentence" yaml:"sentence"`
	// Symbols are names or canonical names in the repository.
	Symbols []string `json:"symbols,omitempty" yaml:"symbols,omitempty"`
	// Creates are canonical names that do not exist yet and that the point introduces.
	Creates []string `json:"creates,omitempty" yaml:"creates,omitempty"`
	// Layers are among domain, persistence, contract, configuration, test.
	Layers []string `json:"layers,omitempty" yaml:"layers,omitempty"`
	// Requirement is the requirement ID that the point serves, where IDs are in use.
	Requirement string `json:"requirement,omitempty" yaml:"requirement,omitempty"`
	// Constraints are implied needs absorbed into this point.
	Constraints []string `json:"constraints,omitempty" yaml:"constraints,omitempty"`
}

// A Change declares what a symbol becomes. Exactly one of NewSignature, NewName
// and Remove is given.
type Change struct {
	Symbol string `json:"symbol" yaml:"symbol"`
	// NewSignature is written in the symbol's language, from its parameter list
	// on: "(ctx context.Context, id string, amount money.Cents) error".
	NewSignature string `json:"new_signature,omitempty" yaml:"new_signature,omitempty"`
	NewName      string `json:"new_name,omitempty" yaml:"new_name,omitempty"`
	Remove       bool   `json:"remove,omitempty" yaml:"remove,omitempty"`
}

// An Answer settles a question of an earlier run.
type Answer struct {
	Question string `json:"question" yaml:"question"`
	// Option is the 1-based number of the option taken.
	Option int    `json:"option" yaml:"option"`
	Note   string `json:"note,omitempty" yaml:"note,omitempty"`
}

// A Justification allows one thing with a reason; it shows in the hand-off.
type Justification struct {
	// Rule is the rule that it answers, such as "tests.assertion-loosened".
	Rule string `json:"rule" yaml:"rule"`
	// File and Symbol narrow it; one of them is required.
	File   string `json:"file,omitempty" yaml:"file,omitempty"`
	Symbol string `json:"symbol,omitempty" yaml:"symbol,omitempty"`
	Reason string `json:"reason" yaml:"reason"`
}
