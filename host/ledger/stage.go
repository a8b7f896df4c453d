package ledger

import (
	"encoding/json"
)

// Finished is the data of a KindStage entry: a stage that is done, with what it
// was done on and what it hands to the next (CHG-9). It comes back from the
// record exactly as it went in.
type Finished struct {
	// Schema is the version of this form; 1.
	Schema int `json:"schema"`
	// Stage is the stage's name; not empty.
	Stage string `json:"stage"`
	// Input is the digest of what the stage worked on; not empty.
	Input string `json:"input"`
	// Output is the stage's result, the JSON document that the next stage reads.
	Output json.RawMessage `json:"output"`
	// Done is the definition of done that was met.
	Done string `json:"done,omitempty"`
	// Symbols, Tests, Rejected and Questions are the stage's conclusions: new
	// symbols, new tests, ways rejected, and questions left open.
	Symbols   []string `json:"symbols,omitempty"`
	Tests     []string `json:"tests,omitempty"`
	Rejected  []string `json:"rejected,omitempty"`
	Questions []string `json:"questions,omitempty"`
}

func (f Finished) lacks() string {
	switch {
	case f.Stage == "":
		return "the finished stage has no name"
	case f.Input == "":
		return "the finished stage does not say what it worked on"
	case len(f.Output) == 0:
		return "the finished stage hands on nothing"
	}
	return ""
}

// Entry returns an entry of the task that records f.
func (f Finished) Entry(task string) Entry {
	f.Schema = schema
	return Entry{Task: task, Kind: KindStage, Stage: f.Stage, Data: marshal(f)}
}

// FinishedOn returns the latest record of the stage having been finished on
// this very input, so that a task that starts again need not repeat it. ok is
// false when there is none, and for one in which a secret was masked: it is not
// what the stage handed on, so the stage has to be repeated. An entry whose data is not a Finished is an
// InvalidInput fault naming it.
func FinishedOn(entries []Entry, stage, input string) (f Finished, ok bool, err error) {
	all := OfKind(entries, KindStage)
	for i := len(all) - 1; i >= 0; i-- {
		f, err := decode[Finished](all[i])
		if err != nil {
			return Finished{}, false, err
		}
		if f.Stage == stage && f.Input == input && all[i].Masked == 0 {
			return f, true, nil
		}
	}
	return Finished{}, false, nil
}
