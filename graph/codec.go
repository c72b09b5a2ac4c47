package graph

import (
	"encoding/binary"
	"errors"
	"math"
)

// errPage is what decoding a damaged page reports; the store wraps it with the page's key.
var errPage = errors.New("graph page is damaged")

// An encoder appends primitive values to a page.
type encoder struct{ buf []byte }

func (e *encoder) uint(v uint64) { e.buf = binary.AppendUvarint(e.buf, v) }
func (e *encoder) int(v int64)   { e.buf = binary.AppendVarint(e.buf, v) }
func (e *encoder) byte(v byte)   { e.buf = append(e.buf, v) }
func (e *encoder) u64(v uint64)  { e.buf = binary.LittleEndian.AppendUint64(e.buf, v) }
func (e *encoder) str(s string) {
	e.uint(uint64(len(s)))
	e.buf = append(e.buf, s...)
}

// A decoder reads what an encoder wrote. The first malformed value sets bad; every
// later read gives zero, so that callers may check once at the end.
type decoder struct {
	buf []byte
	bad bool
}

func (d *decoder) fail() {
	d.bad = true
	d.buf = nil
}

func (d *decoder) uint() uint64 {
	// One byte is by far the commonest length.
	if len(d.buf) > 0 && d.buf[0] < 0x80 {
		v := d.buf[0]
		d.buf = d.buf[1:]
		return uint64(v)
	}
	v, n := binary.Uvarint(d.buf)
	if n <= 0 {
		d.fail()
		return 0
	}
	d.buf = d.buf[n:]
	return v
}

func (d *decoder) int() int64 {
	u := d.uint()
	return int64(u>>1) ^ -int64(u&1)
}

func (d *decoder) u32v() uint32 {
	v := d.uint()
	if v > math.MaxUint32 {
		d.fail()
		return 0
	}
	return uint32(v)
}

func (d *decoder) byte() byte {
	if len(d.buf) == 0 {
		d.fail()
		return 0
	}
	v := d.buf[0]
	d.buf = d.buf[1:]
	return v
}

func (d *decoder) u64() uint64 {
	if len(d.buf) < 8 {
		d.fail()
		return 0
	}
	v := binary.LittleEndian.Uint64(d.buf)
	d.buf = d.buf[8:]
	return v
}

func (d *decoder) str() string {
	n := d.uint()
	if n > uint64(len(d.buf)) {
		d.fail()
		return ""
	}
	s := string(d.buf[:n])
	d.buf = d.buf[n:]
	return s
}

// count reads a length whose elements take at least one byte each, so that a damaged
// page cannot ask for more memory than it has bytes.
func (d *decoder) count() int {
	n := d.uint()
	if n > uint64(len(d.buf)) {
		d.fail()
		return 0
	}
	return int(n)
}

func (e *encoder) span(s Span) {
	e.pos(s.Pos)
	e.uint(uint64(s.EndLine - s.Line))
	e.uint(uint64(s.Off))
	e.uint(uint64(s.End - s.Off))
}

func (d *decoder) span() Span {
	s := Span{Pos: d.pos()}
	s.EndLine = s.Line + d.u32v()
	s.Off = d.u32v()
	s.End = s.Off + d.u32v()
	return s
}

// hasUUID stands beside the flags of a declaration whose identity is written after them.
const hasUUID = 1 << 16

func (e *encoder) flags(f Flags, id [16]byte) {
	if id == ([16]byte{}) {
		e.uint(uint64(f))
		return
	}
	e.uint(uint64(f) | hasUUID)
	e.buf = append(e.buf, id[:]...)
}

func (d *decoder) flags() (f Flags, id [16]byte) {
	v := d.uint()
	if v&hasUUID != 0 {
		if len(d.buf) < len(id) {
			d.fail()
			return 0, id
		}
		d.buf = d.buf[copy(id[:], d.buf):]
	}
	return Flags(v), id
}

func (e *encoder) pos(p Pos) {
	e.uint(uint64(p.Line))
	e.uint(uint64(p.Col))
}

func (d *decoder) pos() Pos { return Pos{d.u32v(), d.u32v()} }

// A table is a page of records that can be read one at a time: the number of records,
// the end of each, then the records.
type table struct {
	n    int
	ends []byte // n little-endian uint32
	data []byte
}

// encodeTable makes a page of n records; put appends record i.
func encodeTable(n int, put func(e *encoder, i int)) []byte {
	ends := make([]byte, 0, 4*n)
	var body encoder
	for i := range n {
		put(&body, i)
		ends = binary.LittleEndian.AppendUint32(ends, uint32(len(body.buf)))
	}
	var e encoder
	e.buf = make([]byte, 0, len(ends)+len(body.buf)+5)
	e.uint(uint64(n))
	e.buf = append(e.buf, ends...)
	e.buf = append(e.buf, body.buf...)
	return e.buf
}

func parseTable(page []byte) (table, error) {
	d := decoder{buf: page}
	n := d.uint()
	if d.bad || n > uint64(len(d.buf)/4) {
		return table{}, errPage
	}
	t := table{n: int(n), ends: d.buf[:4*n], data: d.buf[4*n:]}
	prev := uint32(0)
	for i := range t.n {
		end := binary.LittleEndian.Uint32(t.ends[4*i:])
		if end < prev || int(end) > len(t.data) {
			return table{}, errPage
		}
		prev = end
	}
	return t, nil
}

// at returns a decoder over record i, empty when there is no such record.
func (t *table) at(i int) decoder {
	if i < 0 || i >= t.n {
		return decoder{bad: true}
	}
	start := uint32(0)
	if i > 0 {
		start = binary.LittleEndian.Uint32(t.ends[4*i-4:])
	}
	return decoder{buf: t.data[start:binary.LittleEndian.Uint32(t.ends[4*i:])]}
}
