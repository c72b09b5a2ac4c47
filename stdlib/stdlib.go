// Package stdlib is the standard library of Pluto, in Pluto: a folder for each module. What
// cannot be said in Pluto is behind `extern fn` declarations, whose functions are in the
// packages below compiler/rt.
//
// The comment at the top of a module and those before its public declarations are its
// documentation. A paragraph "Example:" is followed by a program, indented; one "Prints:" by
// what the program prints. The tests of this package compile and run all of them.
package stdlib

import (
	"embed"
	"io/fs"
)

//go:embed */*.pluto
var files embed.FS

// Files is the library: the module std.x is the folder x.
func Files() fs.FS { return files }
