//go:build !cgo

package syntax

// The parser is C code. The name below is undefined on purpose: it is the
// message that a build without cgo stops with.
var _ = plumb_needs_cgo_and_a_C_compiler__set_CGO_ENABLED_1
