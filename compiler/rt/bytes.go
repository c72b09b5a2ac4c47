package rt

// Bytes is a Pluto bytes buffer.
type Bytes struct{ B []byte }

// NewBytes is bytes_new().
func NewBytes() *Bytes { return &Bytes{} }

// Len is b.len().
func (b *Bytes) Len() int64 { return int64(len(b.B)) }

// Push is b.push(x).
func (b *Bytes) Push(x byte) { b.B = append(b.B, x) }

// At is b[i].
func (b *Bytes) At(i int64) byte {
	s := b.B
	if uint64(i) >= uint64(len(s)) {
		panic(bytesFault{i, int64(len(s))})
	}
	return s[i]
}

// Set is b[i] = x.
func (b *Bytes) Set(i int64, x byte) {
	s := b.B
	if uint64(i) >= uint64(len(s)) {
		panic(bytesFault{i, int64(len(s))})
	}
	s[i] = x
}

// ToString is b.to_string(): a copy.
func (b *Bytes) ToString() string { return string(b.B) }
