; A query of the size a language brings: definitions, references, imports, marks.
(package_clause (package_identifier) @package)
(import_spec name: (_)? @import.name path: (_) @import.path)
(function_declaration name: (identifier) @def.name) @def.function
(function_declaration type_parameters: (type_parameter_list) @def.type_parameters)
(function_declaration result: (_) @def.result)
(method_declaration receiver: (parameter_list) @def.receiver name: (field_identifier) @def.name) @def.method
(method_declaration result: (_) @def.result)
(type_spec name: (type_identifier) @def.name type: (struct_type) @struct) @def.struct
(type_spec name: (type_identifier) @def.name type: (interface_type) @interface) @def.interface
(type_spec name: (type_identifier) @def.name type: [(type_identifier) (pointer_type) (map_type) (slice_type) (function_type) (qualified_type)]) @def.type
(type_alias name: (type_identifier) @def.name type: (_) @alias) @def.alias
(field_declaration name: (field_identifier) @def.name type: (_) @type) @def.field
(field_declaration tag: (_) @tag)
(method_elem name: (field_identifier) @def.name) @def.abstract
(const_spec name: (identifier) @def.name) @def.constant
(var_spec name: (identifier) @def.name type: (_)? @type) @def.variable
(short_var_declaration left: (expression_list (identifier) @def.name)) @def.local
(range_clause left: (expression_list (identifier) @def.name)) @def.range
(parameter_declaration name: (identifier) @def.name type: (_) @type) @def.parameter
(variadic_parameter_declaration name: (identifier) @def.name type: (_) @type) @def.variadic
(type_parameter_list (type_parameter_declaration name: (identifier) @def.name)) @def.type_parameter
(labeled_statement label: (label_name) @def.label)
(call_expression function: (identifier) @call.name arguments: (argument_list) @call.args) @call
(call_expression function: (selector_expression operand: (_) @call.operand field: (field_identifier) @call.name)) @call
(call_expression function: (parenthesized_expression) @call.dynamic)
(call_expression function: (identifier) @new.name arguments: (argument_list . (type_identifier) @type) (#any-of? @new.name "new" "make"))
(go_statement (call_expression function: (_) @go))
(defer_statement (call_expression function: (_) @defer))
(selector_expression operand: (identifier) @ref.package field: (field_identifier) @ref.member)
(qualified_type package: (package_identifier) @ref.package name: (type_identifier) @ref.type)
(type_identifier) @ref.type
(identifier) @ref.name
(composite_literal type: (type_identifier) @literal.type)
(composite_literal type: (qualified_type) @literal.type)
(keyed_element . (literal_element (identifier) @literal.key))
(type_assertion_expression type: (_) @assertion)
(type_conversion_expression type: (_) @conversion)
(type_switch_statement value: (_) @switch)
(type_case type: (_) @case)
(generic_type type: (type_identifier) @generic)
(assignment_statement left: (expression_list (selector_expression) @write))
(inc_statement (identifier) @write)
(return_statement (expression_list) @return)
(func_literal) @def.closure
(comment) @comment
(interpreted_string_literal) @string
(raw_string_literal) @string
(ERROR) @error
