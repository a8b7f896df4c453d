package ecmascript

import (
	"github.com/plumbkit/plumb/index/lang/internal/extract"
	"github.com/plumbkit/plumb/internal/captures"
	"github.com/plumbkit/plumb/internal/syntax"
)

// A kind is what the extractor calls a node kind. The grammars of TypeScript,
// TSX and JavaScript share their names; what a grammar lacks never comes up.
// Kinds that the extractor treats as their children are kOther.
type kind uint8

const (
	kOther kind = iota
	kError
	kComment

	// Names.
	kIdentifier
	kTypeIdentifier
	kPropertyIdentifier
	kPrivateIdentifier
	kShorthand
	kShorthandPattern
	kStatementIdentifier
	kNestedIdentifier
	kNestedTypeIdentifier
	kComputedName

	// Statements and declarations.
	kProgram
	kImportStatement
	kImportClause
	kNamespaceImport
	kNamedImports
	kImportSpecifier
	kImportRequire
	kImportAlias
	kExportStatement
	kExportClause
	kExportSpecifier
	kNamespaceExport
	kAmbient
	kModule
	kLexical
	kVariable
	kDeclarator
	kFunctionDeclaration
	kFunctionSignature
	kClassDeclaration
	kInterface
	kTypeAlias
	kEnum
	kEnumBody
	kEnumAssignment
	kBlock
	kReturn
	kIf
	kFor
	kForIn
	kSwitch
	kSwitchBody
	kSwitchCase
	kCatch
	kLabeled
	kJump
	kExpressionStatement

	// Members.
	kClassHeritage
	kExtendsClause
	kImplementsClause
	kExtendsTypeClause
	kClassBody
	kMethod
	kMethodSignature
	kAbstractMethod
	kField
	kStaticBlock
	kPropertySignature
	kIndexSignature
	kMappedClause
	kCallSignature
	kConstructSignature
	kDecorator

	// Parameters and patterns.
	kParameters
	kParameter
	kOptionalParameter
	kTypeParameters
	kTypeParameter
	kConstraint
	kDefaultType
	kObjectPattern
	kArrayPattern
	kPairPattern
	kRestPattern
	kAssignmentPattern
	kTypeAnnotation
	kPredicateAnnotation
	kAssertsAnnotation
	kPredicate
	kAsserts

	// Expressions.
	kCall
	kNew
	kArguments
	kMember
	kSubscript
	kFunction
	kArrow
	kClassExpression
	kObject
	kPair
	kArray
	kSpread
	kAssignment
	kAugmented
	kTernary
	kBinary
	kUnary
	kUpdate
	kSequence
	kParenthesized
	kAwait
	kYield
	kAs
	kSatisfies
	kTypeAssertion
	kInstantiation
	kNonNull
	kMeta
	kImport
	kThis
	kSuper
	kString
	kTemplate
	kSubstitution
	kFragment
	kNumber
	kRegex
	kTrue
	kNull
	kUndefined
	kEmpty

	// JSX.
	kJSXElement
	kJSXOpening
	kJSXClosing
	kJSXSelfClosing
	kJSXAttribute
	kJSXExpression
	kJSXText
	kJSXNamespace

	// Types.
	kTypeArguments
	kUnion
	kIntersection
	kArrayType
	kTuple
	kReadonly
	kParenthesizedType
	kPredefined
	kGeneric
	kTypeQuery
	kIndexQuery
	kLookup
	kConditional
	kInfer
	kLiteralType
	kTemplateType
	kObjectType
	kFunctionType
	kConstructorType
	kThisType
	kOptionalType
	kRestType

	// Tokens.
	kComma
	kSemicolon
	kClose // ) ] }
	kQuote
)

// A grammar is what the extractor knows of one compiled language: its kinds and
// fields by number. It is immutable.
type grammar struct {
	lang  *syntax.Language
	kinds []kind
	roles []extract.Role // by capture
	fields
}

// The fields of the grammars that the extractor reads.
type fields struct {
	name, alias, source, value, declaration, body, parameters, parameter, typeParameters, typeArguments,
	returnType, typ, function, constructor, arguments, object, property, index, left, right, operator,
	condition, consequence, alternative, argument, pattern, key, module, decorator, constraint, initializer,
	increment, label, kind, indexType, openTag, closeTag, attribute, sign uint16
}

func newGrammar(lang *syntax.Language, query string) (*grammar, error) {
	if err := captures.Check(lang, query); err != nil {
		return nil, err
	}
	g := &grammar{lang: lang, kinds: make([]kind, len(lang.Kinds())), roles: extract.RolesOf(lang)}
	for id, name := range lang.Kinds() {
		for _, named := range []bool{true, false} {
			if of, ok := lang.Kind(name, named); ok && int(of) == id {
				g.kinds[id] = kindOf(name, named)
			}
		}
	}
	for name, to := range g.fields.byName() {
		*to = noField
		if id, ok := lang.Field(name); ok {
			*to = id
		}
	}
	return g, nil
}

// noField is the number of no field.
const noField = 1<<16 - 1

func (f *fields) byName() map[string]*uint16 {
	return map[string]*uint16{"name": &f.name, "alias": &f.alias, "source": &f.source, "value": &f.value,
		"declaration": &f.declaration, "body": &f.body, "parameters": &f.parameters, "parameter": &f.parameter,
		"type_parameters": &f.typeParameters, "type_arguments": &f.typeArguments, "return_type": &f.returnType,
		"type": &f.typ, "function": &f.function, "constructor": &f.constructor, "arguments": &f.arguments,
		"object": &f.object, "property": &f.property, "index": &f.index, "left": &f.left, "right": &f.right,
		"operator": &f.operator, "condition": &f.condition, "consequence": &f.consequence,
		"alternative": &f.alternative, "argument": &f.argument, "pattern": &f.pattern, "key": &f.key,
		"module": &f.module, "decorator": &f.decorator, "constraint": &f.constraint, "initializer": &f.initializer,
		"increment": &f.increment, "label": &f.label, "kind": &f.kind, "index_type": &f.indexType,
		"open_tag": &f.openTag, "close_tag": &f.closeTag, "attribute": &f.attribute, "sign": &f.sign}
}

func kindOf(name string, named bool) kind {
	if !named {
		return tokenKinds[name]
	}
	return namedKinds[name]
}

var tokenKinds = map[string]kind{",": kComma, ";": kSemicolon, ")": kClose, "]": kClose, "}": kClose, "'": kQuote, "\"": kQuote}

var namedKinds = map[string]kind{
	"ERROR": kError, "comment": kComment, "html_comment": kComment,
	"identifier": kIdentifier, "type_identifier": kTypeIdentifier, "property_identifier": kPropertyIdentifier,
	"private_property_identifier": kPrivateIdentifier, "shorthand_property_identifier": kShorthand,
	"shorthand_property_identifier_pattern": kShorthandPattern, "statement_identifier": kStatementIdentifier,
	"nested_identifier": kNestedIdentifier, "nested_type_identifier": kNestedTypeIdentifier,
	"computed_property_name": kComputedName,

	"program": kProgram, "import_statement": kImportStatement, "import_clause": kImportClause,
	"namespace_import": kNamespaceImport, "named_imports": kNamedImports, "import_specifier": kImportSpecifier,
	"import_require_clause": kImportRequire, "import_alias": kImportAlias, "export_statement": kExportStatement,
	"export_clause": kExportClause, "export_specifier": kExportSpecifier, "namespace_export": kNamespaceExport,
	"ambient_declaration": kAmbient, "module": kModule, "internal_module": kModule, "lexical_declaration": kLexical,
	"variable_declaration": kVariable, "variable_declarator": kDeclarator,
	"function_declaration": kFunctionDeclaration, "generator_function_declaration": kFunctionDeclaration,
	"function_signature": kFunctionSignature, "class_declaration": kClassDeclaration,
	"abstract_class_declaration": kClassDeclaration, "interface_declaration": kInterface,
	"type_alias_declaration": kTypeAlias, "enum_declaration": kEnum, "enum_body": kEnumBody,
	"enum_assignment": kEnumAssignment, "statement_block": kBlock, "return_statement": kReturn,
	"if_statement": kIf, "for_statement": kFor, "for_in_statement": kForIn, "switch_statement": kSwitch, "switch_body": kSwitchBody, "switch_case": kSwitchCase, "switch_default": kSwitchCase, "catch_clause": kCatch,
	"labeled_statement": kLabeled, "break_statement": kJump, "continue_statement": kJump,
	"expression_statement": kExpressionStatement,

	"class_heritage": kClassHeritage, "extends_clause": kExtendsClause, "implements_clause": kImplementsClause,
	"extends_type_clause": kExtendsTypeClause, "class_body": kClassBody, "method_definition": kMethod,
	"method_signature": kMethodSignature, "abstract_method_signature": kAbstractMethod,
	"public_field_definition": kField, "field_definition": kField, "class_static_block": kStaticBlock,
	"property_signature": kPropertySignature, "index_signature": kIndexSignature, "mapped_type_clause": kMappedClause,
	"call_signature": kCallSignature, "construct_signature": kConstructSignature, "decorator": kDecorator,

	"formal_parameters": kParameters, "required_parameter": kParameter, "optional_parameter": kOptionalParameter,
	"type_parameters": kTypeParameters, "type_parameter": kTypeParameter, "constraint": kConstraint,
	"default_type": kDefaultType, "object_pattern": kObjectPattern, "array_pattern": kArrayPattern,
	"pair_pattern": kPairPattern, "rest_pattern": kRestPattern, "assignment_pattern": kAssignmentPattern,
	"object_assignment_pattern": kAssignmentPattern, "type_annotation": kTypeAnnotation,
	"omitting_type_annotation": kTypeAnnotation, "adding_type_annotation": kTypeAnnotation,
	"opting_type_annotation": kTypeAnnotation, "type_predicate_annotation": kPredicateAnnotation,
	"asserts_annotation": kAssertsAnnotation, "type_predicate": kPredicate, "asserts": kAsserts,

	"call_expression": kCall, "new_expression": kNew, "arguments": kArguments, "member_expression": kMember,
	"subscript_expression": kSubscript, "function_expression": kFunction, "generator_function": kFunction,
	"arrow_function": kArrow, "class": kClassExpression, "object": kObject, "pair": kPair, "array": kArray,
	"spread_element": kSpread, "assignment_expression": kAssignment, "augmented_assignment_expression": kAugmented,
	"ternary_expression": kTernary, "binary_expression": kBinary, "unary_expression": kUnary,
	"update_expression": kUpdate, "sequence_expression": kSequence, "parenthesized_expression": kParenthesized,
	"await_expression": kAwait, "yield_expression": kYield, "as_expression": kAs, "satisfies_expression": kSatisfies,
	"type_assertion": kTypeAssertion, "instantiation_expression": kInstantiation, "non_null_expression": kNonNull,
	"meta_property": kMeta, "import": kImport, "this": kThis, "super": kSuper, "string": kString,
	"template_string": kTemplate, "template_substitution": kSubstitution, "string_fragment": kFragment,
	"number": kNumber, "regex": kRegex, "true": kTrue, "false": kTrue, "null": kNull, "undefined": kUndefined,
	"empty_statement": kEmpty,

	"jsx_element": kJSXElement, "jsx_opening_element": kJSXOpening, "jsx_closing_element": kJSXClosing,
	"jsx_self_closing_element": kJSXSelfClosing, "jsx_attribute": kJSXAttribute, "jsx_expression": kJSXExpression,
	"jsx_text": kJSXText, "jsx_namespace_name": kJSXNamespace,

	"type_arguments": kTypeArguments, "union_type": kUnion, "intersection_type": kIntersection,
	"array_type": kArrayType, "tuple_type": kTuple, "readonly_type": kReadonly,
	"parenthesized_type": kParenthesizedType, "predefined_type": kPredefined, "generic_type": kGeneric,
	"type_query": kTypeQuery, "index_type_query": kIndexQuery, "lookup_type": kLookup,
	"conditional_type": kConditional, "infer_type": kInfer, "literal_type": kLiteralType,
	"template_literal_type": kTemplateType, "object_type": kObjectType, "interface_body": kObjectType,
	"function_type": kFunctionType, "constructor_type": kConstructorType, "this_type": kThisType,
	"optional_type": kOptionalType, "rest_type": kRestType,
}
