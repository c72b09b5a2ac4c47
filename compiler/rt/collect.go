package rt

import (
	"cmp"
	"slices"
)

// Map is a Pluto map.
type Map[K comparable, V any] struct{ M map[K]V }

// NewMap makes an empty map with room for n entries.
func NewMap[K comparable, V any](n int) *Map[K, V] { return &Map[K, V]{M: make(map[K]V, n)} }

// Len is m.len().
func (m *Map[K, V]) Len() int64 { return int64(len(m.M)) }

// Contains is m.contains(k).
func (m *Map[K, V]) Contains(k K) bool { _, ok := m.M[k]; return ok }

// At is m[k].
func (m *Map[K, V]) At(k K) V {
	v, ok := m.M[k]
	if !ok {
		panic(Fault("pluto: map key not found"))
	}
	return v
}

// Had ends the program unless the map still has n entries: when m[k] op= v has made one, there
// was none to change.
func (m *Map[K, V]) Had(n int) {
	if len(m.M) != n {
		panic(Fault("pluto: map key not found"))
	}
}

// Insert is m.insert(k, v) and m[k] = v.
func (m *Map[K, V]) Insert(k K, v V) { m.M[k] = v }

// With inserts and gives the map back, so that a literal is one expression.
func (m *Map[K, V]) With(k K, v V) *Map[K, V] { m.M[k] = v; return m }

// Remove is m.remove(k).
func (m *Map[K, V]) Remove(k K) { delete(m.M, k) }

// Keys is m.keys() for keys without an order (enums with payloads); see [MapKeys] and [BoolKeys].
func (m *Map[K, V]) Keys() *Array[K] {
	ks := make([]K, 0, len(m.M))
	for k := range m.M {
		ks = append(ks, k)
	}
	return &Array[K]{S: ks}
}

// Values is m.values() for keys without an order; see [MapValues] and [BoolValues].
func (m *Map[K, V]) Values() *Array[V] {
	vs := make([]V, 0, len(m.M))
	for _, v := range m.M {
		vs = append(vs, v)
	}
	return &Array[V]{S: vs}
}

// MapKeys is m.keys(), sorted, for int, float, string, byte and enums without payloads.
func MapKeys[K cmp.Ordered, V any](m *Map[K, V]) *Array[K] {
	ks := m.Keys()
	slices.Sort(ks.S)
	return ks
}

// MapValues is m.values() in the order of [MapKeys].
func MapValues[K cmp.Ordered, V any](m *Map[K, V]) *Array[V] {
	type entry struct {
		k K
		v V
	}
	es := make([]entry, 0, len(m.M))
	for k, v := range m.M {
		es = append(es, entry{k, v})
	}
	slices.SortFunc(es, func(a, b entry) int { return cmp.Compare(a.k, b.k) })
	vs := make([]V, len(es))
	for i, e := range es {
		vs[i] = e.v
	}
	return &Array[V]{S: vs}
}

// BoolKeys is m.keys() of a map with bool keys: false, then true.
func BoolKeys[V any](m *Map[bool, V]) *Array[bool] {
	ks := &Array[bool]{}
	for _, k := range [...]bool{false, true} {
		if m.Contains(k) {
			ks.Push(k)
		}
	}
	return ks
}

// BoolValues is m.values() in the order of [BoolKeys].
func BoolValues[V any](m *Map[bool, V]) *Array[V] {
	vs := &Array[V]{}
	for _, k := range [...]bool{false, true} {
		if v, ok := m.M[k]; ok {
			vs.Push(v)
		}
	}
	return vs
}

// Set is a Pluto set.
type Set[T comparable] struct{ M map[T]struct{} }

// NewSet makes a set of xs.
func NewSet[T comparable](xs ...T) *Set[T] {
	s := &Set[T]{M: make(map[T]struct{}, len(xs))}
	for _, x := range xs {
		s.M[x] = struct{}{}
	}
	return s
}

// Len is s.len().
func (s *Set[T]) Len() int64 { return int64(len(s.M)) }

// Contains is s.contains(x).
func (s *Set[T]) Contains(x T) bool { _, ok := s.M[x]; return ok }

// Insert is s.insert(x).
func (s *Set[T]) Insert(x T) { s.M[x] = struct{}{} }

// Remove is s.remove(x).
func (s *Set[T]) Remove(x T) { delete(s.M, x) }

// ToArray is s.to_array() for elements without an order; see [SetToArray] and [BoolSetToArray].
func (s *Set[T]) ToArray() *Array[T] {
	xs := make([]T, 0, len(s.M))
	for x := range s.M {
		xs = append(xs, x)
	}
	return &Array[T]{S: xs}
}

// SetToArray is s.to_array(), sorted, for int, float, string, byte and enums without payloads.
func SetToArray[T cmp.Ordered](s *Set[T]) *Array[T] {
	xs := s.ToArray()
	slices.Sort(xs.S)
	return xs
}

// BoolSetToArray is s.to_array() of a set of bools: false, then true.
func BoolSetToArray(s *Set[bool]) *Array[bool] {
	xs := &Array[bool]{}
	for _, x := range [...]bool{false, true} {
		if s.Contains(x) {
			xs.Push(x)
		}
	}
	return xs
}
