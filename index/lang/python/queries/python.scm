; What in a Python file is a definition, a call or a mark. Names that are bound
; by assignment, imports and parameters are read off the tree, because what a
; name means depends on the scope that binds it.

; Definitions

(function_definition) @definition.function
(class_definition) @definition.class
(type_alias_statement) @definition.type

; References

(call) @reference.call
[(import_statement) (import_from_statement) (future_import_statement)] @import

; Marks

(comment) @mark.comment ; and, by its text, a suppression
(string) @mark.string

(assert_statement) @mark.assertion
(call function: (attribute attribute: (identifier) @_name)
  (#match? @_name "^(assert|fail|raises$|warns$|deprecated_call$|approx$|verify|expect|check)")) @mark.assertion
(call function: (identifier) @_name
  (#match? @_name "^(assert|fail|raises$|warns$|verify|expect|check|_assert|_check)")) @mark.assertion

(call function: (attribute attribute: (identifier) @_name)
  (#any-of? @_name "skip" "skipTest" "importorskip" "xfail" "exit" "SkipTest")) @mark.skip
(call function: (identifier) @_name
  (#any-of? @_name "skip" "SkipTest" "importorskip" "xfail")) @mark.skip

(call function: (identifier) @_name
  (#any-of? @_name "print" "breakpoint" "ic" "pprint" "pp" "set_trace")) @mark.debug
(call function: (attribute attribute: (identifier) @_name)
  (#any-of? @_name "set_trace" "pprint" "pp" "print_stack" "print_exc" "embed" "breakpoint" "post_mortem")) @mark.debug
(print_statement) @mark.debug
