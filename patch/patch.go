// Package patch turns edits into a Set of results, checked before anything is
// written, and applies Sets to a Workspace as transactions that can be undone.
package patch

import (
	"context"
	"io/fs"
	"time"

	"github.com/plumbkit/plumb/changeset"
	"github.com/plumbkit/plumb/host/fault"
	"github.com/plumbkit/plumb/index"
)

// A Patcher turns edits into a Set. It writes nothing.
//
// Errors are faults: anchor_mismatch when the text an edit is based on is not
// there exactly once (first diverging line, what stands there now, and the
// candidates), invalid_input for malformed or overlapping edits,
// budget_exceeded for a change above its size limits, dangerous for a path
// outside the workspace, the write set, or a derived file.
type Patcher interface {
	Patch(ctx context.Context, in Input) (*Set, error)
}

// Func is a Patcher made of a function.
type Func func(ctx context.Context, in Input) (*Set, error)

// Patch calls f.
func (f Func) Patch(ctx context.Context, in Input) (*Set, error) { return f(ctx, in) }

// Input is what a Patcher works on. A nil Plan means that no write set, limit
// from the plan or mapping to actions is known.
type Input struct {
	Before *index.Snapshot
	Plan   *changeset.Plan
	Edits  []Edit
	// AsCame says that the edits were decided on elsewhere, as an existing commit
	// was: what is noise in them was asked for too, so that it is classed, counted
	// and left in.
	AsCame bool
}

// An Op is what an Edit does.
type Op string

// The operations. Every format becomes these.
const (
	Hunks        Op = "hunks"         // line hunks of a unified diff, with File, To and modes
	WriteFile    Op = "write_file"    // the whole content; Hash or Expect required over an existing file
	CreateFile   Op = "create_file"   // must not exist
	DeleteFile   Op = "delete_file"   // must exist
	RenameFile   Op = "rename_file"   // File to To
	CopyFile     Op = "copy_file"     // File to To
	ChangeMode   Op = "change_mode"   // File to Mode
	ReplaceBody  Op = "replace_body"  // body of Symbol, brackets included
	ReplaceNode  Op = "replace_node"  // whole definition of Symbol
	InsertBefore Op = "insert_before" // before Symbol (and its doc comment)
	InsertAfter  Op = "insert_after"  // after Symbol
	InsertLine   Op = "insert_line"   // so that Text starts at 1-based Line; Expect is the line that stood there
	DeleteSymbol Op = "delete_symbol" // Symbol with its doc comment
	ReplaceText  Op = "replace_text"  // Expect, which must be unique in File (or inside Symbol)
	AddImport    Op = "add_import"    // Text is the import as written
)

// An Edit is one change as asked for, with the text it is based on (PAT-2).
type Edit struct {
	Op   Op     `json:"op"`
	File string `json:"file"`         // slash-separated, relative to the workspace
	To   string `json:"to,omitempty"` // new path of a rename or copy
	// Symbol is a canonical name, ID or unique suffix; Kind narrows it.
	Symbol string `json:"symbol,omitempty"`
	Kind   string `json:"kind,omitempty"`
	// Expect is the exact text that Text replaces or, for symbol operations,
	// that stands there; ExpectContains must occur in it; Hash pins the file:
	// its index.ContentHash, or "git:" and at least 7 digits of its git blob's
	// name. The hash of a unified diff's index line only helps to place hunks.
	Expect         string      `json:"expect,omitempty"`
	ExpectContains string      `json:"expect_contains,omitempty"`
	Hash           string      `json:"hash,omitempty"`
	Line           int         `json:"line,omitempty"` // 1-based
	Text           string      `json:"text,omitempty"` // literal
	Mode           fs.FileMode `json:"mode,omitempty"`
	// Hunks are those of a unified diff.
	Hunks []Lines `json:"hunks,omitempty"`
	// Block joins edits that land whole or not at all; "" is the default block.
	Block string `json:"block,omitempty"`
	// After names blocks that have to be written before this one (PAT-22).
	After []string `json:"after,omitempty"`
	// Action is the plan's action this edit carries out, "" if not stated.
	Action string `json:"action,omitempty"`
	// Rewrite declares that the whole file is meant to change; with delete_file,
	// that it is meant to go whatever the Snapshot has there.
	Rewrite bool `json:"rewrite,omitempty"`
	// From says where the edit stands in its input: "file:line" (1-based).
	From string `json:"from,omitempty"`
}

// Lines is one hunk as read: its lines keep their first character (' ', '-' or '+').
type Lines struct {
	// OldStart and NewStart are 1-based line numbers as claimed; they are hints.
	OldStart int      `json:"old_start"`
	NewStart int      `json:"new_start"`
	Lines    []string `json:"lines"`
	// OldNoEOL and NewNoEOL say that the last line of that side has no newline.
	OldNoEOL bool `json:"old_no_eol,omitempty"`
	NewNoEOL bool `json:"new_no_eol,omitempty"`
	// Section is the heading behind a hunk's header, the line above the hunk
	// that opens what encloses it; it helps to tell equal places apart.
	Section string `json:"section,omitempty"`
	// Under are lines that stand above the hunk in the file and enclose it, the
	// outermost first, as an envelope's "@@" lines give them.
	Under []string `json:"under,omitempty"`
	// AtEnd says that the hunk's last old line is the last line of the file, or,
	// without an old line, that its lines are added behind the last one.
	AtEnd bool `json:"at_end,omitempty"`
	// At is the 1-based line of the hunk's header in the input, 0 if not known.
	At int `json:"at,omitempty"`
}

// A Set is a change worked out in full: every result byte, before anything is
// written. Sets are immutable.
type Set struct {
	Schema int `json:"schema"`
	// Base is the digest of the Snapshot it was made from.
	Base  string `json:"base"`
	Files []File `json:"files"` // sorted by Path
	Hunks []Hunk `json:"hunks"` // of all files, in order
	Noise Noise  `json:"noise"`
	// Blocks are the blocks in the order in which they are written.
	Blocks []Block `json:"blocks,omitempty"`
	// Loosened lists edits whose anchor matched only after an opt-in loosening.
	Loosened []string `json:"loosened,omitempty"`
	// Commands are generators that ran and whose outputs are in Files.
	Commands []Command `json:"commands,omitempty"`
	// Pending are generators whose source is changed here and that did not run,
	// because the Patcher was given no way to run them.
	Pending []Command `json:"pending,omitempty"`
	// Refused are the blocks left out, when the caller allowed a part to land.
	Refused []Refusal `json:"refused,omitempty"`
}

// A Refusal is a block that is not in the Set, and why.
type Refusal struct {
	Block string       `json:"block"`
	Fault *fault.Fault `json:"fault"`
}

// A FileOp is what happens to a file.
type FileOp string

// The file operations.
const (
	Modified FileOp = "modified"
	Created  FileOp = "created"
	Deleted  FileOp = "deleted"
	Renamed  FileOp = "renamed"
	Copied   FileOp = "copied"
)

// A File is one file of a Set, before and after.
type File struct {
	Path string `json:"path"`
	// From is the old path of a renamed or copied file.
	From    string      `json:"from,omitempty"`
	Op      FileOp      `json:"op"`
	Old     []byte      `json:"old,omitempty"`
	New     []byte      `json:"new,omitempty"`
	OldMode fs.FileMode `json:"old_mode,omitempty"`
	NewMode fs.FileMode `json:"new_mode,omitempty"`
	Block   string      `json:"block,omitempty"`
}

// A HunkClass classes changed lines (PAT-13).
type HunkClass string

// The classes. All but Meant, Comment and LogText are noise.
const (
	Meant         HunkClass = "meant"
	WhiteSpace    HunkClass = "white_space"
	LineEnd       HunkClass = "line_end"
	Quotes        HunkClass = "quotes"
	ImportOrder   HunkClass = "import_order"
	TrailingComma HunkClass = "trailing_comma"
	Wrapping      HunkClass = "wrapping"
	Reordered     HunkClass = "reordered"
	Comment       HunkClass = "comment"
	LogText       HunkClass = "log_text"
)

// A Hunk is one run of changed lines of a Set.
type Hunk struct {
	File string `json:"file"`
	// OldLine and NewLine are 1-based; OldCount and NewCount count lines.
	OldLine    int       `json:"old_line"`
	OldCount   int       `json:"old_count"`
	NewLine    int       `json:"new_line"`
	NewCount   int       `json:"new_count"`
	Old        []string  `json:"old"` // without line ends
	New        []string  `json:"new"`
	Symbol     string    `json:"symbol,omitempty"` // canonical name it falls in
	Action     string    `json:"action,omitempty"`
	Capability string    `json:"capability,omitempty"`
	Class      HunkClass `json:"class"`
	Block      string    `json:"block,omitempty"`
}

// Noise counts lines that were changed without being asked for (PAT-13).
type Noise struct {
	// Before and After are noise lines ÷ changed lines, before and after restoring.
	Before   float64 `json:"before"`
	After    float64 `json:"after"`
	Restored int     `json:"restored"` // lines put back
	// AsCame says that noise was left in, because the edits were decided on elsewhere.
	AsCame  bool              `json:"as_came,omitempty"`
	ByClass map[HunkClass]int `json:"by_class,omitempty"`
}

// A Block is a group of edits that lands whole or not at all (PAT-9).
type Block struct {
	Name  string   `json:"name"`
	Files []string `json:"files"`
	// Calls are "file:line" of call sites that a contract binds to the block.
	Calls []string `json:"calls,omitempty"`
	After []string `json:"after,omitempty"`
}

// A Command is a generator that ran.
type Command struct {
	Command string   `json:"command"`
	Dir     string   `json:"dir"`
	Outputs []string `json:"outputs"`
	// Sandboxed says whether isolation held.
	Sandboxed bool `json:"sandboxed"`
}

// An Authorization allows exactly one Set, by digest, to be written. The gate
// issues it, or a host overrides and is recorded. It guards against mistakes,
// not against a hostile host, which could build one itself.
type Authorization struct {
	Set    string    `json:"set"` // Set.Digest
	By     string    `json:"by"`
	Policy string    `json:"policy"` // digest of the policy that decided, "override" for a host
	Reason string    `json:"reason"`
	Entry  string    `json:"entry"` // ledger entry that records it
	At     time.Time `json:"at"`
}

// A Receipt says what Apply or Undo did.
type Receipt struct {
	Schema int    `json:"schema"`
	ID     string `json:"id"`
	Set    string `json:"set"`
	// Status is "applied", "already_applied" or "undone".
	Status string    `json:"status"`
	Files  []string  `json:"files"`
	Blocks []string  `json:"blocks,omitempty"`
	At     time.Time `json:"at"`
	// Rollback is the kind of rollback chosen: patch, snapshot or branch.
	Rollback string `json:"rollback"`
}
