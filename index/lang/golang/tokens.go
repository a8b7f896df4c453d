package golang

import (
	"go/format"
	"go/scanner"
	"go/token"

	"github.com/plumbkit/plumb/index"
)

// tokens splits src into tokens for comparing lines apart from layout. What
// the compiler's scanner cannot read comes back as it stands, so that two texts
// with the same tokens differ in white space, or in optional semicolons and
// commas at a line's end, alone.
func tokens(src []byte) []index.Token {
	var out []index.Token
	fset := token.NewFileSet()
	file := fset.AddFile("", fset.Base(), len(src))
	var s scanner.Scanner
	s.Init(file, src, func(token.Position, string) {}, scanner.ScanComments)
	comma := false
	for {
		pos, tok, text := s.Scan()
		kind := index.TokenOther
		switch {
		case tok == token.EOF:
			return out
		case tok == token.SEMICOLON && text == "\n":
			continue
		case tok == token.IDENT:
			kind = index.TokenName
		case tok == token.STRING || tok == token.CHAR:
			kind = index.TokenString
		case tok == token.COMMENT:
			kind = index.TokenComment
		case tok.IsLiteral() || tok == token.ILLEGAL:
		case tok.IsOperator():
			kind = index.TokenPunctuation
			text = tok.String()
		default:
			text = tok.String()
		}
		if comma && (tok == token.RPAREN || tok == token.RBRACE || tok == token.RBRACK) {
			out = out[:len(out)-1]
		}
		comma = tok == token.COMMA
		out = append(out, index.Token{Kind: kind, Text: text, Line: file.Line(pos)})
	}
}

// formatSource rewrites src as gofmt does.
func formatSource(src []byte) ([]byte, error) { return format.Source(src) }
