// Package base64 is behind std.base64.
package base64

import (
	"encoding/base64"
	"strconv"
	"strings"

	"github.com/settgraph/sett/compiler/rt"
)

// Encode is the text for some bytes, padded, in the standard alphabet or in the one for
// addresses and file names.
func Encode(data string, urlSafe bool) string {
	return alphabet(urlSafe).EncodeToString([]byte(data))
}

// Decode appends the bytes that a text stands for to out and returns "", or says what is
// wrong with the text. The padding may be missing, as it often is in addresses; it may not
// be half there.
func Decode(text string, urlSafe bool, out *rt.Array[string]) string {
	enc := alphabet(urlSafe)
	switch {
	case strings.ContainsAny(text, "\r\n"): // which the decoder would skip
		return bad(strings.IndexAny(text, "\r\n"))
	case len(text)%4 != 0 && !strings.Contains(text, "="):
		enc = enc.WithPadding(base64.NoPadding)
	}
	data, err := enc.DecodeString(text)
	if err != nil {
		at := len(text)
		if c, ok := err.(base64.CorruptInputError); ok {
			at = int(c)
		}
		return bad(at)
	}
	out.S = append(out.S, string(data))
	return ""
}

func bad(at int) string { return "invalid base64 at offset " + strconv.Itoa(at) }

func alphabet(urlSafe bool) *base64.Encoding {
	if urlSafe {
		return base64.URLEncoding
	}
	return base64.StdEncoding
}
