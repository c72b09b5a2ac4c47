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
func (b *Bytes) At(i int64) byte { return ByteAt(b.B, i) }

// Set is b[i] = x.
func (b *Bytes) Set(i int64, x byte) { ByteSet(b.B, i, x) }

// ByteAt is b[i], where s is b.B.
func ByteAt(s []byte, i int64) byte {
	if uint64(i) >= uint64(len(s)) {
		panic(bytesFault{i, int64(len(s))})
	}
	return s[i]
}

// ByteSet is b[i] = x, where s is b.B.
func ByteSet(s []byte, i int64, x byte) {
	if uint64(i) >= uint64(len(s)) {
		panic(bytesFault{i, int64(len(s))})
	}
	s[i] = x
}

// ToString is b.to_string(): a copy.
func (b *Bytes) ToString() string { return string(b.B) }
