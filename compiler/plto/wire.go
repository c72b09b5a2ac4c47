package plto

import (
	"math"
	"math/bits"
	"strings"
	"unicode/utf8"

	"github.com/google/uuid"
)

// reader reads the fields of one record. The first error stays, and ends the record.
type reader struct {
	data    string
	base    int // offset of data in the file
	at      int
	section string
	err     *Error

	// The current field.
	num   uint32
	text  string // its bytes, when it has some
	value uint64 // else its integer
	bytes bool
	start int // where it begins

	shape shape
}

// shape is what a reader knows of a kind of record.
type shape struct {
	known uint32 // the greatest number that is known
	lists uint32 // a bit for each number that may come more than once, and be empty
	maybe uint32 // a bit for each number that says something by being there, also when it is empty
}

func (s shape) is(set, num uint32) bool { return set>>num&1 == 1 }

// inside is a reader of the record that the current field is; done ends it.
func (r *reader) inside(s shape) reader {
	data, base := r.content()
	return reader{data: data, base: base, section: r.section, shape: s}
}

// done keeps what was wrong with the record that in has read.
func (r *reader) done(in *reader) {
	if r.err == nil {
		r.err = in.err
	}
}

func (r *reader) fail(at int, format string, args ...any) {
	if r.err == nil {
		r.err = damaged(r.section, r.base+at, format, args...)
	}
}

// next goes to the next field of a known number.
func (r *reader) next() bool {
	if r.err != nil || r.at == len(r.data) {
		return false
	}
	before, at := r.num, r.at
	if !r.field() {
		return false
	}
	switch s := r.shape; {
	case r.num > s.known:
		r.at, r.num = at, before
		return false // what is left is for extra
	case s.is(s.lists, r.num):
	case r.num == before:
		r.fail(at, "field %d comes twice", r.num)
	case s.is(s.maybe, r.num):
	case r.bytes && r.text == "" || !r.bytes && r.value == 0:
		r.fail(at, "field %d is empty", r.num)
	}
	return r.err == nil
}

// field reads any field.
func (r *reader) field() bool {
	r.start = r.at
	tag := r.varint()
	num := tag >> 1
	switch {
	case r.err != nil:
		return false
	case num == 0 || num > math.MaxInt32:
		r.fail(r.start, "there is no field number %d", num)
		return false
	case uint32(num) < r.num:
		r.fail(r.start, "field %d comes after field %d", num, r.num)
		return false
	}
	r.num, r.bytes, r.text = uint32(num), tag&1 == 1, ""
	r.value = r.varint()
	if !r.bytes || r.err != nil {
		return r.err == nil
	}
	if r.value > uint64(len(r.data)-r.at) {
		r.fail(r.start, "field %d has %d bytes, but %d are left", num, r.value, len(r.data)-r.at)
		return false
	}
	r.text = r.data[r.at : r.at+int(r.value)]
	r.at += int(r.value)
	return true
}

// varint reads an integer: seven bits a byte, the lowest first.
func (r *reader) varint() uint64 {
	var v uint64
	for shift := 0; ; shift += 7 {
		if r.at == len(r.data) {
			r.fail(r.at, "an integer is cut off")
			return 0
		}
		b := r.data[r.at]
		r.at++
		if shift == 63 && b > 1 {
			r.fail(r.at-1, "an integer has more than 64 bits")
			return 0
		}
		v |= uint64(b&0x7f) << shift
		if b < 0x80 {
			if b == 0 && shift > 0 {
				r.fail(r.at-1, "an integer is not in its shortest form")
			}
			return v
		}
	}
}

// count counts the fields of the current number from the current one on, as far as they can
// be valid, which takes so many bytes each.
func (r *reader) count(least int) int {
	ahead := *r
	n := 1
	for ahead.err == nil && ahead.at < len(ahead.data) && ahead.field() && ahead.num == r.num {
		n++
	}
	return min(n, 1+(len(r.data)-r.start)/least)
}

// extra is what is left of the record: well-formed fields of unknown numbers.
func (r *reader) extra() Extra {
	start := r.at
	for r.err == nil && r.at < len(r.data) {
		r.field()
	}
	if r.err != nil {
		return ""
	}
	return Extra(r.data[start:])
}

// need fails when a field that every record of the kind has was not there.
func (r *reader) need(there bool, num uint32) {
	if !there {
		r.fail(0, "field %d is missing", num)
	}
}

// content is the bytes of the current field and their offset in the file.
func (r *reader) content() (string, int) {
	if !r.bytes {
		r.fail(r.start, "field %d is an integer and should have bytes", r.num)
	}
	return r.text, r.base + r.at - len(r.text)
}

// str is the text that the current field holds.
func (r *reader) str() string {
	text, _ := r.content()
	if !utf8.ValidString(text) {
		r.fail(r.start, "field %d is not UTF-8", r.num)
	}
	return text
}

// id is the identity that the current field holds.
func (r *reader) id() (id uuid.UUID) {
	text, _ := r.content()
	if len(text) != len(id) || strings.Trim(text, "\x00") == "" {
		r.fail(r.start, "field %d is no identity", r.num)
		return id
	}
	copy(id[:], text)
	return id
}

// integer is what the current field holds; it is below the limit.
func (r *reader) integer(limit int) int {
	switch {
	case r.bytes:
		r.fail(r.start, "field %d has bytes and should be an integer", r.num)
		return 0
	case r.value >= uint64(limit):
		r.fail(r.start, "%d is out of range: there are %d", r.value, limit)
		return 0
	}
	return int(r.value)
}

// writer writes records. The first error stays.
type writer struct {
	out []byte
	err *Error
}

func (w *writer) varint(v uint64) {
	for ; v >= 0x80; v >>= 7 {
		w.out = append(w.out, byte(v)|0x80)
	}
	w.out = append(w.out, byte(v))
}

// int writes a field unless it is zero.
func (w *writer) int(num uint32, v int) {
	if v != 0 {
		w.varint(uint64(num) << 1)
		w.varint(uint64(v))
	}
}

// str writes a field unless it is empty.
func (w *writer) str(num uint32, s string) {
	if s != "" {
		w.item(num, s)
	}
}

// item writes a field of a list.
func (w *writer) item(num uint32, s string) {
	w.varint(uint64(num)<<1 | 1)
	w.varint(uint64(len(s)))
	w.out = append(w.out, s...)
}

// id writes a field unless it is zero.
func (w *writer) id(num uint32, id uuid.UUID) {
	if id != uuid.Nil {
		w.varint(uint64(num)<<1 | 1)
		w.varint(uint64(len(id)))
		w.out = append(w.out, id[:]...)
	}
}

// extra ends a record whose greatest known field has the number given.
func (w *writer) extra(s shape, e Extra) {
	if e == "" {
		return
	}
	r := reader{data: string(e), section: "unknown fields", num: s.known + 1}
	if r.extra(); r.err != nil && w.err == nil {
		r.err.Kind = Invalid
		w.err = r.err
	}
	w.out = append(w.out, e...)
}

// record writes a field that is a record, whose fields the function writes.
func (w *writer) record(num uint32, fields func()) {
	w.varint(uint64(num)<<1 | 1)
	start := len(w.out)
	w.out = append(w.out, 0) // most records are short
	fields()
	size := len(w.out) - start - 1
	if more := (bits.Len(uint(size)) - 1) / 7; more > 0 { // further bytes of the length
		w.out = append(w.out, make([]byte, more)...)
		copy(w.out[start+1+more:], w.out[start+1:])
	}
	for i := start; ; i++ {
		if size < 0x80 {
			w.out[i] = byte(size)
			return
		}
		w.out[i] = byte(size) | 0x80
		size >>= 7
	}
}
