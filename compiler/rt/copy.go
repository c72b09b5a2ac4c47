package rt

import (
	"maps"
	"unsafe"
)

// Copier copies what a task captures, deeply. Generated code has a function per type, which
// asks [Copied] first and calls [Remember] before it goes on to the fields, so that shared
// and cyclic structure stays as it is.
type Copier struct {
	memo   map[unsafe.Pointer]unsafe.Pointer
	claims []claim
}

// NewCopier makes a copier for one spawn.
func NewCopier() *Copier { return &Copier{memo: map[unsafe.Pointer]unsafe.Pointer{}} }

// shared are the objects that tasks share, the singletons and the app.
var shared = map[unsafe.Pointer]bool{}

// Share marks an object as one that copiers leave alone. It is called at start-up, before
// any task exists. The object's type must not be of size zero: those have no identity.
func Share[T any](p *T) { shared[unsafe.Pointer(p)] = true }

// Copied is the copy of p if there is one already: nil of nil, and p itself when it is
// shared.
func Copied[T any](c *Copier, p *T) (*T, bool) {
	if p == nil || shared[unsafe.Pointer(p)] {
		return p, true
	}
	n, ok := c.memo[unsafe.Pointer(p)]
	return (*T)(n), ok
}

// Remember says that n is the copy of p.
func Remember[T any](c *Copier, p, n *T) { c.memo[unsafe.Pointer(p)] = unsafe.Pointer(n) }

// CopyArray copies an array; elem copies an element and is nil for values that need no copy.
func CopyArray[T any](c *Copier, a *Array[T], elem func(*Copier, T) T) *Array[T] {
	if n, ok := Copied(c, a); ok {
		return n
	}
	n := &Array[T]{S: append([]T(nil), a.S...)}
	Remember(c, a, n)
	if elem != nil {
		for i, x := range n.S {
			n.S[i] = elem(c, x)
		}
	}
	return n
}

// CopyMap copies a map; key and val are as in [CopyArray].
func CopyMap[K comparable, V any](c *Copier, m *Map[K, V], key func(*Copier, K) K, val func(*Copier, V) V) *Map[K, V] {
	if n, ok := Copied(c, m); ok {
		return n
	}
	n := NewMap[K, V](len(m.M))
	Remember(c, m, n)
	for k, v := range m.M {
		if key != nil {
			k = key(c, k)
		}
		if val != nil {
			v = val(c, v)
		}
		n.M[k] = v
	}
	return n
}

// CopySet copies a set; elem is as in [CopyArray].
func CopySet[T comparable](c *Copier, s *Set[T], elem func(*Copier, T) T) *Set[T] {
	if n, ok := Copied(c, s); ok {
		return n
	}
	n := &Set[T]{M: maps.Clone(s.M)}
	Remember(c, s, n)
	if elem != nil {
		clear(n.M)
		for x := range s.M {
			n.M[elem(c, x)] = struct{}{}
		}
	}
	return n
}

// CopyBytes copies a bytes buffer.
func CopyBytes(c *Copier, b *Bytes) *Bytes {
	if n, ok := Copied(c, b); ok {
		return n
	}
	n := &Bytes{B: append([]byte(nil), b.B...)}
	Remember(c, b, n)
	return n
}
