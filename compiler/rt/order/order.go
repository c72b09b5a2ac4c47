// Package order sorts arrays for std.collections.
package order

import (
	"slices"

	"github.com/settgraph/sett/compiler/rt"
)

// Ints sorts in place, smallest first.
func Ints(a *rt.Array[int64]) { slices.Sort(a.S) }

// Floats sorts in place, smallest first, and what is not a number before all others.
func Floats(a *rt.Array[float64]) { slices.Sort(a.S) }

// Strings sorts in place, byte by byte.
func Strings(a *rt.Array[string]) { slices.Sort(a.S) }
