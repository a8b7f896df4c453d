package patch

// A Format is a way in which a change is best expressed (PAT-5).
type Format string

// The formats.
const (
	FormatWhole      Format = "whole"      // the whole file
	FormatStructured Format = "structured" // operations anchored at symbols
	FormatDiff       Format = "diff"       // a unified diff
)

// A Strategy decides in which format a file's change should be asked for. The
// zero value is useful. A Strategy is immutable data.
type Strategy struct {
	// SmallFile is the number of lines up to which a file is written whole (0: 60).
	SmallFile int
	// RewriteShare is the share of changed lines beyond which a file is
	// rewritten whole (0: a third).
	RewriteShare float64
}

// Choose returns the format for a file of so many lines, 0 for a new one, of
// which about changed lines will change, and says why. anchored says that the
// places to change lie in symbols that the index knows. A whole rewrite has to
// be declared (Edit.Rewrite); the Patcher then proves every line that was not
// meant to change identical, line ends and indentation included.
func (s Strategy) Choose(lines, changed int, anchored bool) (Format, string) {
	small, share := s.SmallFile, s.RewriteShare
	if small == 0 {
		small = 60
	}
	if share == 0 {
		share = 1.0 / 3
	}
	switch {
	case lines == 0:
		return FormatWhole, "the file is new"
	case lines <= small:
		return FormatWhole, "the file is small enough to be written whole"
	case float64(changed) > share*float64(lines):
		return FormatWhole, "more of the file changes than the share up to which edits are smaller"
	case anchored:
		return FormatStructured, "the places to change lie in symbols, which hold when lines move"
	}
	return FormatDiff, "the file is large and the places to change lie outside of symbols"
}
