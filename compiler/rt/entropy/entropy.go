// Package entropy gives random bytes that nobody can predict. It is apart from package sys
// because it links much more.
package entropy

import (
	"crypto/rand"
	"encoding/hex"
)

// Hex is n random bytes as 2n lower-case hex digits.
func Hex(n int64) string {
	if n <= 0 {
		return ""
	}
	b := make([]byte, n)
	rand.Read(b) // never fails
	return hex.EncodeToString(b)
}
