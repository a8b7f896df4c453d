package golang

import (
	"go/ast"
	"go/parser"
	"go/printer"
	"go/token"
	"strings"

	"github.com/plumbkit/plumb/index"
)

// declaredType returns the type that a field, variable, constant or type is
// declared with, "" where it is inferred or the declaration is cut short.
func declaredType(s index.Symbol) string {
	if s.Signature.Type != "" {
		return s.Signature.Type
	}
	text := strings.TrimSpace(s.Signature.Text)
	switch s.Kind {
	case index.KindField:
		return fieldType(text, s.Name)
	case index.KindVariable:
		text = strings.TrimSpace(strings.TrimSuffix(text, "="))
		return specType("var", text)
	case index.KindConstant:
		return specType("const", text)
	case index.KindType:
		return specType("type", text)
	}
	return ""
}

// fieldType reads the type of the field name from its declaration.
func fieldType(text, name string) string {
	file := parseText("type _ struct {\n" + text + "\n}")
	if file == nil {
		return ""
	}
	typ := ""
	ast.Inspect(file, func(n ast.Node) bool {
		f, ok := n.(*ast.Field)
		if !ok || typ != "" {
			return typ == ""
		}
		for _, id := range f.Names {
			if id.Name == name {
				typ = source(f.Type)
			}
		}
		if len(f.Names) == 0 {
			typ = source(f.Type)
		}
		return false
	})
	return typ
}

// specType reads the type of a specification that may lack its keyword.
func specType(keyword, text string) string {
	if !strings.HasPrefix(text, keyword+" ") {
		text = keyword + " " + text
	}
	if keyword == "var" && !strings.Contains(strings.TrimPrefix(text, "var "), " ") {
		return ""
	}
	file := parseText(text)
	if file == nil || len(file.Decls) != 1 {
		return ""
	}
	d, ok := file.Decls[0].(*ast.GenDecl)
	if !ok || len(d.Specs) != 1 {
		return ""
	}
	switch s := d.Specs[0].(type) {
	case *ast.ValueSpec:
		return source(s.Type)
	case *ast.TypeSpec:
		return source(s.Type)
	}
	return ""
}

func parseText(text string) *ast.File {
	file, err := parser.ParseFile(token.NewFileSet(), "", "package p\n"+text+"\n", parser.SkipObjectResolution)
	if err != nil {
		return nil
	}
	return file
}

func source(e ast.Expr) string {
	var b strings.Builder
	if e == nil || printer.Fprint(&b, token.NewFileSet(), e) != nil {
		return ""
	}
	return b.String()
}
