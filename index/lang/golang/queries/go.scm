; What in a Go file is a definition, a reference of a special kind, or a mark.
; Every other identifier is a reference too, unless the walk over the tree finds
; it bound inside its function; signatures, scopes and types are read there.

; Definitions

(import_spec) @import
(function_declaration) @definition.function
(method_declaration) @definition.method
(method_elem) @definition.method
(type_spec type: (struct_type)) @definition.class
(type_spec type: (interface_type)) @definition.interface
(type_spec) @definition.type
(type_alias) @definition.type
(field_declaration) @definition.field
(const_spec) @definition.constant
(var_spec) @definition.variable

; References

(call_expression) @reference.call
(type_conversion_expression type: (generic_type)) @reference.call ; f[T](x)
(type_conversion_expression) @reference.type

; Marks

(comment) @mark.comment ; and, by its text, a suppression
[(interpreted_string_literal) (raw_string_literal)] @mark.string

(call_expression function: (selector_expression field: (field_identifier) @_name)
  (#eq? @_name "Run")) @mark.test

(call_expression function: (selector_expression field: (field_identifier) @_name)
  (#any-of? @_name "Error" "Errorf" "Fatal" "Fatalf" "Fail" "FailNow")) @mark.assertion
(call_expression function: (selector_expression operand: [
    (identifier) @_package
    (call_expression function: (selector_expression field: (field_identifier) @_package))])
  (#any-of? @_package "assert" "require" "Assert" "Require")) @mark.assertion
(call_expression function: (identifier) @_name
  (#match? @_name "^(?i)(assert|check|require|expect|verify|must|ensure|want|compare|diff|same|equal)")) @mark.assertion

(call_expression function: (selector_expression field: (field_identifier) @_name)
  (#any-of? @_name "Skip" "Skipf" "SkipNow" "Short")) @mark.skip

(call_expression function: (selector_expression operand: (identifier) @_package)
  (#any-of? @_package "fmt" "log" "spew" "runtime" "debug")) @mark.debug
(call_expression function: (identifier) @_name
  (#any-of? @_name "print" "println")) @mark.debug

(call_expression function: (identifier) @_name
  (#eq? @_name "panic")) @mark.placeholder
(call_expression function: (selector_expression operand: (identifier) @_package field: (field_identifier) @_name)
  (#eq? @_package "errors") (#eq? @_name "New")) @mark.placeholder
