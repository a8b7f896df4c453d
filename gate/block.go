package gate

import "slices"

// A block is one bracketed run of statements of a unit, with the word that
// opens the statement before it: "if", "for", "func" and so on, or "" for a
// composite value. Blocks are told from tokens alone, so that they hold for
// every language with braces; where there are none, a unit has no blocks.
type block struct {
	start, end int // offsets of the braces
	opener     string
}

func blocksOf(tokens []token) []block {
	var out []block
	var open []int // into out
	statement := 0
	for i := range tokens {
		switch tokens[i].Text {
		case "{":
			open = append(open, len(out))
			out = append(out, block{start: tokens[i].start, end: -1, opener: openerOf(tokens[statement:i])})
			statement = i + 1
		case "}":
			if len(open) > 0 {
				out[open[len(open)-1]].end = tokens[i].end
				open = open[:len(open)-1]
			}
			if i+1 < len(tokens) && tokens[i+1].Text != "else" {
				statement = i + 1
			}
		case ";":
		default:
			if i > 0 && tokens[i].Line > tokens[i-1].Line && !continues(tokens[i-1].Text) {
				statement = i
			}
		}
	}
	return out
}

// continues reports whether a line that ends with the token goes on in the next.
func continues(last string) bool {
	return slices.Contains([]string{",", "(", "[", "+", "-", "*", "/", "&&", "||", "=", ":=", ".", "==", "!=", "<", ">", "|", "&"}, last)
}

// openerOf is the word that makes the braces after the tokens a block.
func openerOf(statement []token) string {
	if len(statement) > 0 && statement[0].Text == "go" {
		return "go"
	}
	for i := len(statement) - 1; i >= 0; i-- {
		switch t := statement[i].Text; t {
		case "func":
			return t
		}
	}
	if len(statement) > 0 {
		switch t := statement[0].Text; t {
		case "if", "for", "while", "switch", "select", "else", "case", "default", "try", "catch", "with", "unless":
			return t
		case "}":
			return "else"
		}
	}
	return ""
}

// around returns the openers of the blocks around an offset, outermost first.
func around(blocks []block, offset int) []string {
	var out []string
	for _, b := range blocks {
		if b.start < offset && (b.end < 0 || offset < b.end) {
			out = append(out, b.opener)
		}
	}
	return out
}

// conditions counts the blocks around an offset that need not be gone through:
// those that a condition guards, and those that nobody waits for.
func conditions(blocks []block, offset int) int {
	n := 0
	for _, o := range around(blocks, offset) {
		switch o {
		case "if", "else", "switch", "select", "case", "unless", "catch", "go":
			n++
		}
	}
	return n
}

// inClosure reports whether an offset stands in a function inside the unit.
func inClosure(blocks []block, offset int) bool {
	n := 0
	for _, o := range around(blocks, offset) {
		if o == "func" || o == "go" {
			n++
		}
	}
	return n > 1
}
