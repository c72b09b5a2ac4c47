package rt

import "strconv"

// Failure is what ends a program and no handler can catch. It travels as a panic to the top
// of its task.
type Failure struct {
	text  string
	plain bool // shown without its position: the text has one
}

// Error makes a Failure readable where Go shows panics, in tests of Go code.
func (f *Failure) Error() string { return f.text }

// Fail ends the program with a line of its own, for externs: Fail("pluto: ...").
func Fail(text string) { panic(&Failure{text: text}) }

// The makers below are what the slow paths of inlined accessors call: `panic(maker(...))`
// keeps the accessor small and lets the compiler drop its own bounds check.

//go:noinline
func arrayIndex(i int64, n int) *Failure { return indexFailure("array index", i, n) }

//go:noinline
func bytesIndex(i int64, n int) *Failure { return indexFailure("bytes index", i, n) }

//go:noinline
func stringIndex(i int64, n int) *Failure { return indexFailure("string index", i, n) }

//go:noinline
func byteAtIndex(i int64, n int) *Failure { return indexFailure("string byte_at index", i, n) }

func indexFailure(what string, i int64, n int) *Failure {
	return &Failure{text: "pluto: " + what + " out of bounds: index " + strconv.FormatInt(i, 10) + ", length " + strconv.Itoa(n)}
}

//go:noinline
func emptyArray(what string) *Failure { return &Failure{text: "pluto: " + what} }

//go:noinline
func missingKey() *Failure { return &Failure{text: "pluto: map key not found"} }

//go:noinline
func outOfMemory() *Failure { return &Failure{text: "pluto: out of memory"} }

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
