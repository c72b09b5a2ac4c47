package rt

import "unsafe"

// Opt is T? for int, float, bool, string, byte and enums without payloads. Its zero value is
// none, and V is zero then, so that two of them compare by content.
type Opt[T any] struct {
	V  T
	OK bool
}

// Some wraps a value.
func Some[T any](v T) Opt[T] { return Opt[T]{v, true} }

// Void is the result of a task without one.
type Void = struct{}

// SameFunc says whether two closures are the same one; nil is only itself.
func SameFunc[F any](a, b F) bool {
	return *(*unsafe.Pointer)(unsafe.Pointer(&a)) == *(*unsafe.Pointer)(unsafe.Pointer(&b))
}
