package rt

import "embed"

// Source is the text of this package and its subpackages, tests too. It is here because only
// here can it be embedded; rt/sources picks what programs get, and this file is not in it.
//
//go:embed *.go *.s */*.go
var Source embed.FS
