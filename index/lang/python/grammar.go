package python

import (
	"fmt"
	"strings"

	"github.com/plumbkit/plumb/index/lang/internal/extract"
	"github.com/plumbkit/plumb/internal/captures"
	"github.com/plumbkit/plumb/internal/syntax"
)

// A kind is what the extractor calls a node kind of the grammar. Keywords,
// punctuation, and kinds that it treats as their children are kOther.
type kind uint8

const (
	kOther kind = iota
	kIdentifier
	kComment
	kString
	kStringContent
	kInterpolation
	kConcatenatedString
	kInteger
	kFloat
	kTrue
	kFalse
	kNone
	kEllipsis
	kImportStatement
	kImportFromStatement
	kFutureImportStatement
	kAliasedImport
	kWildcardImport
	kRelativeImport
	kImportPrefix
	kDottedName
	kExpressionStatement
	kAssignment
	kAugmentedAssignment
	kNamedExpression
	kReturnStatement
	kDeleteStatement
	kRaiseStatement
	kAssertStatement
	kIfStatement
	kElifClause
	kElseClause
	kForStatement
	kWhileStatement
	kTryStatement
	kExceptClause
	kExceptGroupClause
	kFinallyClause
	kWithStatement
	kWithClause
	kWithItem
	kMatchStatement
	kCaseClause
	kCasePattern
	kClassPattern
	kKeywordPattern
	kAsPattern
	kAsPatternTarget
	kSplatPattern
	kListPattern
	kTuplePattern
	kDictPattern
	kUnionPattern
	kPatternList
	kListSplatPattern
	kDictionarySplatPattern
	kFunctionDefinition
	kClassDefinition
	kDecoratedDefinition
	kDecorator
	kParameters
	kLambdaParameters
	kTypedParameter
	kDefaultParameter
	kTypedDefaultParameter
	kKeywordSeparator
	kPositionalSeparator
	kLambda
	kAttribute
	kSubscript
	kSlice
	kCall
	kArgumentList
	kKeywordArgument
	kListSplat
	kDictionarySplat
	kParenthesizedListSplat
	kGeneratorExpression
	kListComprehension
	kDictionaryComprehension
	kSetComprehension
	kForInClause
	kIfClause
	kList
	kSet
	kTuple
	kDictionary
	kPair
	kExpressionList
	kParenthesizedExpression
	kConditionalExpression
	kBooleanOperator
	kNotOperator
	kComparisonOperator
	kBinaryOperator
	kUnaryOperator
	kAwait
	kYield
	kGlobalStatement
	kNonlocalStatement
	kType
	kTypeParameter
	kGenericType
	kUnionType
	kMemberType
	kConstrainedType
	kSplatType
	kTypeAliasStatement
	kBreakStatement
	kContinueStatement
	kPassStatement
	kBlock
	kModule
	kPrintStatement
	kExecStatement
	kError
)

// kindNames are the grammar's names of the kinds, in their order.
const kindNames = `identifier comment string string_content interpolation concatenated_string integer float true false none
ellipsis import_statement import_from_statement future_import_statement aliased_import wildcard_import
relative_import import_prefix dotted_name expression_statement assignment augmented_assignment
named_expression return_statement delete_statement raise_statement assert_statement if_statement elif_clause
else_clause for_statement while_statement try_statement except_clause except_group_clause finally_clause
with_statement with_clause with_item match_statement case_clause case_pattern class_pattern keyword_pattern
as_pattern as_pattern_target splat_pattern list_pattern tuple_pattern dict_pattern union_pattern pattern_list
list_splat_pattern dictionary_splat_pattern function_definition class_definition decorated_definition
decorator parameters lambda_parameters typed_parameter default_parameter typed_default_parameter
keyword_separator positional_separator lambda attribute subscript slice call argument_list keyword_argument
list_splat dictionary_splat parenthesized_list_splat generator_expression list_comprehension
dictionary_comprehension set_comprehension for_in_clause if_clause list set tuple dictionary pair
expression_list parenthesized_expression conditional_expression boolean_operator not_operator
comparison_operator binary_operator unary_operator await yield global_statement nonlocal_statement type
type_parameter generic_type union_type member_type constrained_type splat_type type_alias_statement
break_statement continue_statement pass_statement block module print_statement exec_statement ERROR`

// A grammar holds what the extractor needs of the grammar's tables.
type grammar struct {
	lang  *syntax.Language
	kinds []kind
	roles []extract.Role // by capture
	fields
}

// fields are the grammar's fields by name.
type fields struct {
	alias, alternative, argument, arguments, attribute, body, cause, condition, consequence, definition, function, guard, key, left, moduleName, name, object, operator, operators, parameters, returnType, right, subject, subscript, superclasses, typ, typeParameters, value uint16
}

func newGrammar(lang *syntax.Language) (*grammar, error) {
	if err := captures.Check(lang, query); err != nil {
		return nil, err
	}
	g := &grammar{lang: lang, kinds: make([]kind, len(lang.Kinds())), roles: extract.RolesOf(lang)}
	for i, name := range strings.Fields(kindNames) {
		id, ok := lang.Kind(name, true)
		if !ok {
			return nil, fmt.Errorf("the grammar has no node kind %q", name)
		}
		g.kinds[id] = kind(i + 1)
	}
	for name, to := range map[string]*uint16{
		"alias":           &g.alias,
		"alternative":     &g.alternative,
		"argument":        &g.argument,
		"arguments":       &g.arguments,
		"attribute":       &g.attribute,
		"body":            &g.body,
		"cause":           &g.cause,
		"condition":       &g.condition,
		"consequence":     &g.consequence,
		"definition":      &g.definition,
		"function":        &g.function,
		"guard":           &g.guard,
		"key":             &g.key,
		"left":            &g.left,
		"module_name":     &g.moduleName,
		"name":            &g.name,
		"object":          &g.object,
		"operator":        &g.operator,
		"operators":       &g.operators,
		"parameters":      &g.parameters,
		"return_type":     &g.returnType,
		"right":           &g.right,
		"subject":         &g.subject,
		"subscript":       &g.subscript,
		"superclasses":    &g.superclasses,
		"type":            &g.typ,
		"type_parameters": &g.typeParameters,
		"value":           &g.value,
	} {
		id, ok := lang.Field(name)
		if !ok {
			return nil, fmt.Errorf("the grammar has no field %q", name)
		}
		*to = id
	}
	return g, nil
}
