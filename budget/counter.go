package budget

import (
	"sync"

	"github.com/tiktoken-go/tokenizer"
)

// A BPE counts exactly, with a byte-pair encoding. Make one with O200K or
// CL100K; it is safe for concurrent use.
type BPE struct {
	name string
	load func() tokenizer.Codec
}

// O200K returns an exact Counter for the o200k_base encoding. Its vocabulary is
// loaded at the first Count.
func O200K() *BPE { return newBPE("o200k_base", tokenizer.O200kBase) }

// CL100K returns an exact Counter for the cl100k_base encoding. Its vocabulary
// is loaded at the first Count.
func CL100K() *BPE { return newBPE("cl100k_base", tokenizer.Cl100kBase) }

func newBPE(name string, enc tokenizer.Encoding) *BPE {
	return &BPE{name: name, load: sync.OnceValue(func() tokenizer.Codec {
		codec, err := tokenizer.Get(enc)
		if err != nil {
			return nil
		}
		return codec
	})}
}

// Name returns the encoding's name.
func (b *BPE) Name() string { return b.name }

// Count returns the exact number of tokens. Should the encoding not be
// available, or refuse the text, it falls back to one token a byte, which no
// encoding exceeds.
func (b *BPE) Count(text string) int {
	codec := b.load()
	if codec == nil {
		return len(text)
	}
	n, err := codec.Count(text)
	if err != nil {
		return len(text)
	}
	return n
}

// nameOf returns what a Context says about its Counter: the Counter's own name
// where it has one.
func nameOf(c Counter) string {
	if n, ok := c.(interface{ Name() string }); ok {
		return n.Name()
	}
	return "custom"
}
