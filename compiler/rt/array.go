package rt

import "slices"

// Array is a Pluto array, shared by everyone who holds the pointer. Generated code uses S
// directly, with unsigned indexes: what Go says of one that is out of range has all that is
// needed to say it in Pluto's words.
type Array[T any] struct{ S []T }

// NewArray makes an array that owns xs.
func NewArray[T any](xs ...T) *Array[T] { return &Array[T]{S: xs} }

// At is a[i].
func (a *Array[T]) At(i int64) T {
	s := a.S
	if uint64(i) >= uint64(len(s)) {
		panic(arrayFault{i, int64(len(s))})
	}
	return s[i]
}

// Set is a[i] = v.
func (a *Array[T]) Set(i int64, v T) {
	s := a.S
	if uint64(i) >= uint64(len(s)) {
		panic(arrayFault{i, int64(len(s))})
	}
	s[i] = v
}

// Ref is the place of a[i], for compound assignments, which evaluate their target once.
func (a *Array[T]) Ref(i int64) *T {
	s := a.S
	if uint64(i) >= uint64(len(s)) {
		panic(arrayFault{i, int64(len(s))})
	}
	return &s[i]
}

// Row is where the elements of rows[i] are; nil when there is no such row. What is said of
// an element that is not there, [RowAt] and the others know from the number of rows and i.
func Row[T any](rows []*Array[T], i int64) []T {
	if uint64(i) >= uint64(len(rows)) {
		return nil
	}
	return rows[i].S
}

// RowAt is rows[i][j], where row is Row(rows, i) and n the length of rows.
func RowAt[T any](row []T, j int64, n int, i int64) T {
	if uint64(j) >= uint64(len(row)) {
		panic(rowFault{i, int64(n), j, int64(len(row))})
	}
	return row[j]
}

// RowSet is rows[i][j] = v.
func RowSet[T any](row []T, j int64, n int, i int64, v T) {
	if uint64(j) >= uint64(len(row)) {
		panic(rowFault{i, int64(n), j, int64(len(row))})
	}
	row[j] = v
}

// RowRef is the place of rows[i][j].
func RowRef[T any](row []T, j int64, n int, i int64) *T {
	if uint64(j) >= uint64(len(row)) {
		panic(rowFault{i, int64(n), j, int64(len(row))})
	}
	return &row[j]
}

// Len is a.len().
func (a *Array[T]) Len() int64 { return int64(len(a.S)) }

// IsEmpty is a.is_empty().
func (a *Array[T]) IsEmpty() bool { return len(a.S) == 0 }

// Push is a.push(v).
func (a *Array[T]) Push(v T) { a.S = append(a.S, v) }

// Fill pushes v n times.
func (a *Array[T]) Fill(v T, n int64) {
	if n <= 0 {
		return
	}
	old := len(a.S)
	a.S = append(a.S, make([]T, n)...)
	s := a.S[old:]
	for i := range s {
		s[i] = v
	}
}

// maxReserve bounds the room that is made for elements that are still to come.
const maxReserve = 1 << 20

// Reserve makes room for n more elements.
func (a *Array[T]) Reserve(n int64) { a.S = slices.Grow(a.S, int(min(max(n, 0), maxReserve))) }

// Pop is a.pop(). The place it leaves is zeroed, so that nothing is kept alive by it.
func (a *Array[T]) Pop() T {
	s := a.S
	n := len(s) - 1
	if n < 0 {
		panic(Fault("pluto: pop from empty array"))
	}
	v := s[n]
	var zero T
	s[n] = zero
	a.S = s[:n]
	return v
}

// First is a.first().
func (a *Array[T]) First() T {
	s := a.S
	if len(s) == 0 {
		panic(Fault("pluto: first() on empty array"))
	}
	return s[0]
}

// Last is a.last().
func (a *Array[T]) Last() T {
	s := a.S
	if len(s) == 0 {
		panic(Fault("pluto: last() on empty array"))
	}
	return s[len(s)-1]
}

// Clear is a.clear().
func (a *Array[T]) Clear() {
	clear(a.S)
	a.S = a.S[:0]
}

// Reverse is a.reverse().
func (a *Array[T]) Reverse() {
	for i, j := 0, len(a.S)-1; i < j; i, j = i+1, j-1 {
		a.S[i], a.S[j] = a.S[j], a.S[i]
	}
}

// InsertAt is a.insert_at(i, v); i may be the length.
func (a *Array[T]) InsertAt(i int64, v T) {
	if uint64(i) > uint64(len(a.S)) {
		panic(insertFault{i, int64(len(a.S))})
	}
	a.S = append(a.S, v)
	copy(a.S[i+1:], a.S[i:])
	a.S[i] = v
}

// RemoveAt is a.remove_at(i).
func (a *Array[T]) RemoveAt(i int64) T {
	if uint64(i) >= uint64(len(a.S)) {
		panic(removeFault{i, int64(len(a.S))})
	}
	v := a.S[i]
	copy(a.S[i:], a.S[i+1:])
	n := len(a.S) - 1
	var zero T
	a.S[n] = zero
	a.S = a.S[:n]
	return v
}

// Slice is a.slice(start, end): a new array, the bounds clamped.
func (a *Array[T]) Slice(start, end int64) *Array[T] {
	n := int64(len(a.S))
	start = min(max(start, 0), n)
	end = min(max(end, start), n)
	return &Array[T]{S: append([]T(nil), a.S[start:end]...)}
}

// ArrayIndexOf is a.index_of(v): content for strings and enums, identity for objects, -1
// when absent. For closures see [ArrayIndexOfFunc].
func ArrayIndexOf[T comparable](a *Array[T], v T) int64 {
	for i, x := range a.S {
		if x == v {
			return int64(i)
		}
	}
	return -1
}

// ArrayContains is a.contains(v).
func ArrayContains[T comparable](a *Array[T], v T) bool { return ArrayIndexOf(a, v) >= 0 }

// ArrayIndexOfFunc is a.index_of(v) for closures, which are equal when they are the same.
func ArrayIndexOfFunc[F any](a *Array[F], v F) int64 {
	for i, x := range a.S {
		if SameFunc(x, v) {
			return int64(i)
		}
	}
	return -1
}
