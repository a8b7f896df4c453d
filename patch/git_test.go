package patch

import (
	"crypto/sha1"
	"encoding/hex"
	"fmt"
)

func gitBlobName(content string) string {
	sum := sha1.Sum(fmt.Appendf(nil, "blob %d\x00%s", len(content), content))
	return hex.EncodeToString(sum[:])
}
