package syntax

/*
#include <stdlib.h>
#ifdef __GLIBC__
#include <malloc.h>
static void plumb_trim(void) { malloc_trim(0); }
#else
static void plumb_trim(void) {}
#endif
*/
import "C"

// Trim gives memory that the parser's runtime has freed back to the operating
// system, where the C library would keep it: after many files, that can be as
// much as the largest ones took at once. It takes milliseconds and is safe at any time.
func Trim() { C.plumb_trim() }
