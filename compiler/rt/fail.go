package rt

import (
	"strconv"
	"strings"
)

// Failure ends a program, and no handler can catch it. It travels as a panic to the top of its
// task.
type Failure struct {
	text  string
	plain bool // shown without its position: the text has one
}

// Error makes a Failure readable where Go shows panics, in tests of Go code.
func (f *Failure) Error() string { return f.text }

// Fail ends the program with a line of its own, for externs: Fail("pluto: ...").
func Fail(text string) { panic(&Failure{text: text}) }

// What the inlined accessors panic with is as small as can be: `panic(arrayFault{i, n})` costs
// the inliner nothing, and shows the compiler that its own bounds check is not needed. The
// text is made at the top.
type (
	arrayFault  struct{ i, n int64 }
	insertFault struct{ i, n int64 }
	removeFault struct{ i, n int64 }
	bytesFault  struct{ i, n int64 }
	stringFault struct{ i, n int64 }
	byteAtFault struct{ i, n int64 }

	// rowFault is of rows[i][j]: n rows, m elements in row i if there is one.
	rowFault struct{ i, n, j, m int64 }
)

// Fault is a failure whose whole text is known when the program is compiled:
// panic(rt.Fault("requires violation in half: n > 0")).
type Fault string

const unset Fault = "pluto: use of a value that was never set"

// Unset makes the value to panic with where an enum has no variant: it was never set.
func Unset() any { return unset }

// faultText is the text of a fault.
func faultText(r any) (string, bool) {
	switch r := r.(type) {
	case Fault:
		return string(r), true
	case arrayFault:
		return indexText("array index", r.i, r.n), true
	case rowFault:
		if uint64(r.i) >= uint64(r.n) {
			return indexText("array index", r.i, r.n), true
		}
		return indexText("array index", r.j, r.m), true
	case insertFault:
		return indexText("array insert_at index", r.i, r.n), true
	case removeFault:
		return indexText("array remove_at index", r.i, r.n), true
	case bytesFault:
		return indexText("bytes index", r.i, r.n), true
	case stringFault:
		return indexText("string index", r.i, r.n), true
	case byteAtFault:
		return indexText("string byte_at index", r.i, r.n), true
	}
	return "", false
}

// boundsText is what Go says of an index, in Pluto's words. Only arrays leave the check to Go.
func boundsText(text string) (string, bool) {
	text, ok := strings.CutPrefix(text, "runtime error: index out of range [")
	index, length, ok2 := strings.Cut(text, "] with length ")
	i, err := strconv.ParseUint(index, 10, 64)
	n, err2 := strconv.ParseInt(length, 10, 64)
	if !ok || !ok2 || err != nil || err2 != nil {
		return "", false
	}
	return indexText("array index", int64(i), n), true
}

func indexText(what string, i, n int64) string {
	return "pluto: " + what + " out of bounds: index " + ShowInt(i) + ", length " + ShowInt(n)
}

// FailRequires ends the program because a requires clause is false; place is f or Class$m.
func FailRequires(place, expr string) { failContract("requires violation in ", place, expr) }

// FailEnsures ends the program because an ensures clause is false.
func FailEnsures(place, expr string) { failContract("ensures violation in ", place, expr) }

// FailInvariant ends the program because an invariant is false.
func FailInvariant(class, expr string) { failContract("invariant violation on ", class, expr) }

// FailAssert ends the program because an assertion is false.
func FailAssert(expr string) { panic(&Failure{text: "assertion failed: " + expr}) }

//go:noinline
func failContract(what, place, expr string) {
	panic(&Failure{text: what + place + ": " + expr})
}
