package syntax

/*
#cgo CFLAGS: -O2
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
