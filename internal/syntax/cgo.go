package syntax

/*
#cgo darwin LDFLAGS: -Wl,-undefined,dynamic_lookup
#include <stdlib.h>
#include "walk.h"
*/
import "C"

import (
	"unsafe"

	sitter "github.com/smacker/go-tree-sitter"
)

// rawLanguage is the first field of sitter.Language, which is not exported.
// TestLanguageLayout fails when the binding changes it.
func rawLanguage(l *sitter.Language) *C.TSLanguage {
	return (*C.TSLanguage)(*(*unsafe.Pointer)(unsafe.Pointer(l)))
}

// nodeLayout returns the size and field offsets of the C side's node, for the test
// that Node has the same.
func nodeLayout() []uintptr {
	var n C.plumb_node
	return []uintptr{unsafe.Sizeof(n), unsafe.Offsetof(n.kind), unsafe.Offsetof(n.field), unsafe.Offsetof(n.flags),
		unsafe.Offsetof(n.start), unsafe.Offsetof(n.end), unsafe.Offsetof(n.parent), unsafe.Offsetof(n.next)}
}

// nodeFlags returns the C side's flags in the order of Flags.
func nodeFlags() []Flags {
	return []Flags{C.PLUMB_NAMED, C.PLUMB_MISSING, C.PLUMB_ERROR, C.PLUMB_HAS_ERROR, C.PLUMB_EXTRA}
}
