package python

import "github.com/plumbkit/plumb/index"

// Within makes a linker of Link work within so many steps for one site.
func Within(l index.Linker, steps int) { l.(*linker).work = steps }
