package rt

import "unsafe"

// Fn is a closure that may cross to another task: it can be made again from copies of what
// it captured.
type Fn[F any] struct {
	Call F
	Copy func(c *Copier, into *Fn[F]) // sets the fields of into, which c knows already
}

// CopyFn copies a closure.
func CopyFn[F any](c *Copier, f *Fn[F]) *Fn[F] {
	if n, ok := Copied(c, f); ok {
		return n
	}
	n := new(Fn[F])
	Remember(c, f, n)
	f.Copy(c, n)
	return n
}

// SameFunc says whether two closures are the same one; nil is only itself.
func SameFunc[F any](a, b F) bool {
	return *(*unsafe.Pointer)(unsafe.Pointer(&a)) == *(*unsafe.Pointer)(unsafe.Pointer(&b))
}

// Box puts a value behind a pointer, for closures in variants of enums: pointers can be
// compared.
func Box[T any](v T) *T { return &v }
