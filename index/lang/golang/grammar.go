package golang

import (
	"github.com/plumbkit/plumb/index/lang/internal/extract"
	"github.com/plumbkit/plumb/internal/captures"
	"github.com/plumbkit/plumb/internal/syntax"
)

// A kind is what the extractor calls a node kind of the grammar. Kinds that it
// treats as their children are kOther.
type kind uint8

const (
	kOther kind = iota
	kError

	kIdentifier
	kTypeIdentifier
	kFieldIdentifier
	kPackageIdentifier
	kLabel
	kBlank
	kComment

	kPackageClause
	kImportDeclaration
	kConstDeclaration
	kVarDeclaration
	kTypeDeclaration
	kFunctionDeclaration
	kMethodDeclaration
	kImportSpec
	kImportSpecList
	kConstSpec
	kVarSpec
	kVarSpecList
	kTypeSpec
	kTypeAlias
	kFieldDeclaration
	kMethodElem
	kTypeElem
	kParameterList
	kParameter
	kVariadicParameter
	kTypeParameterList
	kTypeParameter
	kTypeConstraint

	kPointerType
	kArrayType
	kImplicitArrayType
	kSliceType
	kMapType
	kChannelType
	kFunctionType
	kStructType
	kFieldList
	kInterfaceType
	kQualifiedType
	kGenericType
	kTypeArguments
	kNegatedType
	kParenthesizedType

	kBlock
	kShortVar
	kAssignment
	kIncrement
	kDecrement
	kLabeled
	kBreak
	kIf
	kFor
	kForClause
	kRangeClause
	kSwitch
	kTypeSwitch
	kSelect
	kExpressionCase
	kTypeCase
	kDefaultCase
	kCommunicationCase
	kReceive
	kExpressionList
	kExpressionStatement

	kCall
	kArguments
	kVariadicArgument
	kSelector
	kIndex
	kSlice
	kAssertion
	kConversion
	kInstantiation
	kComposite
	kLiteralValue
	kLiteralElement
	kKeyedElement
	kFuncLiteral
	kUnary
	kBinary
	kParenthesized
	kString
	kRawString
	kInt
	kFloat
	kImaginary
	kRune
	kNil
	kTrue
	kFalse
	kIota

	// Tokens.
	kComma
	kSemicolon
	kNewline
	kClose // ) ] }
)

// A grammar is what the extractor knows of one compiled language: its kinds and
// fields by number. It is immutable.
type grammar struct {
	lang          *syntax.Language
	kinds         []kind
	packageClause uint16
	roles         []extract.Role // by capture
	fields
}

// The fields of the grammar that the extractor reads.
type fields struct {
	name, typ, value, left, right, body, receiver, parameters, typeParameters, typeArguments,
	result, operand, field, function, arguments, index, element, key, pkg, path, alias,
	initializer, condition, consequence, operator, tag, length uint16
}

func newGrammar(lang *syntax.Language) (*grammar, error) {
	if err := captures.Check(lang, query); err != nil {
		return nil, err
	}
	g := &grammar{lang: lang, kinds: make([]kind, len(lang.Kinds())), roles: extract.RolesOf(lang)}
	for k, names := range kindNames() {
		for _, name := range names {
			for _, named := range []bool{true, false} {
				if id, ok := lang.Kind(name, named); ok {
					g.kinds[id] = k
				}
			}
		}
	}
	g.packageClause, _ = lang.Kind("package_clause", true)
	for name, to := range g.fields.byName() {
		*to, _ = lang.Field(name)
	}
	return g, nil
}

func (f *fields) byName() map[string]*uint16 {
	return map[string]*uint16{"name": &f.name, "type": &f.typ, "value": &f.value, "left": &f.left, "right": &f.right,
		"body": &f.body, "receiver": &f.receiver, "parameters": &f.parameters, "type_parameters": &f.typeParameters,
		"type_arguments": &f.typeArguments, "result": &f.result, "operand": &f.operand, "field": &f.field,
		"function": &f.function, "arguments": &f.arguments, "index": &f.index, "element": &f.element, "key": &f.key,
		"package": &f.pkg, "path": &f.path, "alias": &f.alias, "initializer": &f.initializer,
		"condition": &f.condition, "consequence": &f.consequence, "operator": &f.operator, "tag": &f.tag, "length": &f.length}
}

func kindNames() map[kind][]string {
	return map[kind][]string{
		kError: {"ERROR"}, kIdentifier: {"identifier"}, kTypeIdentifier: {"type_identifier"},
		kFieldIdentifier: {"field_identifier"}, kPackageIdentifier: {"package_identifier"}, kLabel: {"label_name"},
		kBlank: {"blank_identifier"}, kComment: {"comment"},
		kPackageClause: {"package_clause"}, kImportDeclaration: {"import_declaration"},
		kConstDeclaration: {"const_declaration"}, kVarDeclaration: {"var_declaration"},
		kTypeDeclaration: {"type_declaration"}, kFunctionDeclaration: {"function_declaration"},
		kMethodDeclaration: {"method_declaration"}, kImportSpec: {"import_spec"}, kImportSpecList: {"import_spec_list"},
		kConstSpec: {"const_spec"}, kVarSpec: {"var_spec"}, kVarSpecList: {"var_spec_list"}, kTypeSpec: {"type_spec"},
		kTypeAlias: {"type_alias"}, kFieldDeclaration: {"field_declaration"}, kMethodElem: {"method_elem"},
		kTypeElem: {"type_elem"}, kParameterList: {"parameter_list"}, kParameter: {"parameter_declaration"},
		kVariadicParameter: {"variadic_parameter_declaration"}, kTypeParameterList: {"type_parameter_list"},
		kTypeParameter: {"type_parameter_declaration"}, kTypeConstraint: {"type_constraint"},
		kPointerType: {"pointer_type"}, kArrayType: {"array_type"}, kImplicitArrayType: {"implicit_length_array_type"},
		kSliceType: {"slice_type"}, kMapType: {"map_type"}, kChannelType: {"channel_type"},
		kFunctionType: {"function_type"}, kStructType: {"struct_type"}, kFieldList: {"field_declaration_list"},
		kInterfaceType: {"interface_type"}, kQualifiedType: {"qualified_type"}, kGenericType: {"generic_type"},
		kTypeArguments: {"type_arguments"}, kNegatedType: {"negated_type"}, kParenthesizedType: {"parenthesized_type"},
		kBlock: {"block"}, kShortVar: {"short_var_declaration"}, kAssignment: {"assignment_statement"},
		kIncrement: {"inc_statement"}, kDecrement: {"dec_statement"}, kLabeled: {"labeled_statement"},
		kBreak: {"break_statement", "continue_statement", "goto_statement"}, kIf: {"if_statement"},
		kFor: {"for_statement"}, kForClause: {"for_clause"}, kRangeClause: {"range_clause"},
		kSwitch: {"expression_switch_statement"}, kTypeSwitch: {"type_switch_statement"}, kSelect: {"select_statement"},
		kExpressionCase: {"expression_case"}, kTypeCase: {"type_case"}, kDefaultCase: {"default_case"},
		kCommunicationCase: {"communication_case"}, kReceive: {"receive_statement"},
		kExpressionList: {"expression_list"}, kExpressionStatement: {"expression_statement"},
		kCall: {"call_expression"}, kArguments: {"argument_list"}, kVariadicArgument: {"variadic_argument"},
		kSelector: {"selector_expression"}, kIndex: {"index_expression"}, kSlice: {"slice_expression"},
		kAssertion: {"type_assertion_expression"}, kConversion: {"type_conversion_expression"},
		kInstantiation: {"type_instantiation_expression"}, kComposite: {"composite_literal"},
		kLiteralValue: {"literal_value"}, kLiteralElement: {"literal_element"}, kKeyedElement: {"keyed_element"},
		kFuncLiteral: {"func_literal"}, kUnary: {"unary_expression"}, kBinary: {"binary_expression"},
		kParenthesized: {"parenthesized_expression"}, kString: {"interpreted_string_literal"},
		kRawString: {"raw_string_literal"}, kInt: {"int_literal"}, kFloat: {"float_literal"},
		kImaginary: {"imaginary_literal"}, kRune: {"rune_literal"}, kNil: {"nil"}, kTrue: {"true"}, kFalse: {"false"},
		kIota: {"iota"}, kComma: {","}, kSemicolon: {";"}, kNewline: {"\n", "\x00"}, kClose: {")", "]", "}"},
	}
}
