package index

// An Answer is what a query returns: what is certain apart from what a person
// or model has to confirm, the total where a limit cut it, and what the answer
// rests on, so that "none found" cannot be read as "there is none" (IDX-35).
// Like Impact and Members it is part of a document: who writes one puts schema
// on top (ARC-4), as what surrounds the answer is the writer's.
type Answer[T any] struct {
	Sure    []T `json:"sure"`
	Confirm []T `json:"confirm"`
	// Total counts all results, Sure and Confirm, before any limit.
	Total int   `json:"total"`
	Basis Basis `json:"basis"`
}

// Cut reports whether a limit left results out.
func (a Answer[T]) Cut() bool { return len(a.Sure)+len(a.Confirm) < a.Total }

// A Basis says what an answer rests on.
type Basis struct {
	// Digest is that of the Snapshot asked.
	Digest string `json:"digest"`
	// Tier says what answered: "relations", "symbols", or "lexical" when the
	// name is not in the index and only a text search could speak (IDX-29).
	Tier string `json:"tier"`
	// Files were searched; Skipped of them could not be read in full.
	Files   int `json:"files"`
	Skipped int `json:"skipped"`
	// Stale lists files that are known to have changed since (IDX-22).
	Stale []string `json:"stale,omitempty"`
	// Unresolved, Dynamic and Ambiguous count the sites with the same name
	// whose target is not known, and Places shows the first 20 of them.
	Unresolved int    `json:"unresolved"`
	Dynamic    int    `json:"dynamic"`
	Ambiguous  int    `json:"ambiguous"`
	Places     []Span `json:"places,omitempty"`
	// Confidence is "high" when nothing above weakens the answer, "low" for a
	// lexical answer, "medium" otherwise.
	Confidence string `json:"confidence"`
	// Notes are further sentences for the reader.
	Notes []string `json:"notes,omitempty"`
}
