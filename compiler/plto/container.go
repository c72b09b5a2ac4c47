package plto

import (
	"crypto/sha256"
	"encoding/binary"
	"fmt"
	"hash/crc32"
	"math"
	"strconv"
	"unicode/utf8"
)

const (
	magic      = "PLTO"
	headerSize = 44
	entrySize  = 20

	required = 1 // a section's flag: who does not know it cannot read the file
)

// The sections that this version knows, in their order.
const (
	sourceSection = 1 + iota
	declSection
	refSection
	derivedSection
)

// section is an entry of the table and what it is about.
type section struct {
	id, flags uint32
	offset    int
	data      []byte
}

func sectionName(id uint32) string {
	switch id {
	case sourceSection:
		return "source"
	case declSection:
		return "declarations"
	case refSection:
		return "references"
	case derivedSection:
		return "derived"
	}
	return "section " + strconv.FormatUint(uint64(id), 10)
}

var le = binary.LittleEndian

// header checks the beginning that all versions share, and gives the version, which is one
// that can be read.
func header(data []byte) (version uint32, err error) {
	if len(data) < legacyHeader {
		return 0, truncated(legacyHeader, len(data))
	}
	if !Is(data) {
		return 0, whole(NotPLTO, "invalid magic number: expected PLTO")
	}
	version = le.Uint32(data[4:])
	switch {
	case version > Version:
		return 0, whole(TooNew, "unsupported schema version %d (expected %d)", version, Version)
	case version < oldest:
		return 0, whole(Damaged, "unsupported schema version %d (expected %d)", version, Version)
	}
	return version, nil
}

// table is the number of sections, after the part of the file that they are listed in was
// found to be there.
func table(data []byte) (int, error) {
	if len(data) < headerSize {
		return 0, truncated(headerSize, len(data))
	}
	n := uint64(le.Uint32(data[8:]))
	if size := headerSize + n*entrySize; size > uint64(len(data)) {
		return 0, truncated(size, len(data))
	}
	return int(n), nil
}

// entry reads the entry with the index given; its content begins where the one before it ends.
func entry(data []byte, i, begin int) (section, error) {
	e := data[headerSize+i*entrySize:]
	id, offset, length := le.Uint32(e), le.Uint32(e[8:]), le.Uint32(e[12:])
	name := sectionName(id)
	if uint64(offset) != uint64(begin) {
		return section{}, damaged(name, int(offset), "the section should begin at byte %d", begin)
	}
	end := uint64(offset) + uint64(length)
	if end > uint64(len(data)) {
		return section{}, &Error{Damaged, name, int(offset), truncated(end, len(data)).Text}
	}
	s := section{id, le.Uint32(e[4:]), begin, data[begin:end]}
	if crc32.Checksum(s.data, castagnoli()) != le.Uint32(e[16:]) {
		return section{}, damaged(name, begin, "the checksum does not match: some of its %d bytes are damaged", length)
	}
	return s, nil
}

func castagnoli() *crc32.Table { return crc32.MakeTable(crc32.Castagnoli) } // made once there

// sections splits a file of this version, and checks that it is as it was written.
func sections(data []byte) ([]section, error) {
	n, err := table(data)
	if err != nil {
		return nil, err
	}
	out := make([]section, 0, n)
	at := headerSize + n*entrySize
	for i := range n {
		s, err := entry(data, i, at)
		if err != nil {
			return nil, err
		}
		at += len(s.data)
		out = append(out, s)
	}
	if at < len(data) {
		return nil, whole(Damaged, "trailing bytes: the last section ends at byte %d, the file has %d", at, len(data))
	}
	if [sha256.Size]byte(data[12:headerSize]) != sha256.Sum256(data[headerSize:]) {
		return nil, damaged("header", 12, "the content hash does not match: the table of sections is damaged")
	}
	return out, nil
}

// sourceOnly is the text of a file of this version.
func sourceOnly(data []byte) (string, error) {
	n, err := table(data)
	if err != nil {
		return "", err
	}
	if n == 0 {
		return "", noSource()
	}
	for i := range n {
		e := data[headerSize+i*entrySize:]
		if id := le.Uint32(e); id > derivedSection && le.Uint32(e[4:])&required != 0 {
			return "", unknown(id, int(le.Uint32(e[8:]))) // who knows what it does to the text
		}
	}
	s, err := entry(data, 0, headerSize+n*entrySize)
	if err != nil {
		return "", err
	}
	if s.id != sourceSection {
		return "", noSource()
	}
	return sourceText(s.data, s.offset)
}

// unknown is the error of a section that must be known and is not.
func unknown(id uint32, offset int) error {
	return &Error{TooNew, sectionName(id), offset, fmt.Sprintf("the section is required to read the file, and is not one of version %d", Version)}
}

func noSource() error { return whole(Damaged, "the source section is missing") }

// sourceText is the content of a source section.
func sourceText(data []byte, offset int) (string, error) {
	if len(data) > math.MaxInt32 {
		return "", damaged("source", offset, "the text has %d bytes, more than %d", len(data), math.MaxInt32)
	}
	text := string(data)
	if utf8.ValidString(text) {
		return text, nil
	}
	for i, r := range text {
		if r == utf8.RuneError {
			if _, n := utf8.DecodeRuneInString(text[i:]); n == 1 {
				return "", whole(Damaged, "invalid UTF-8 in source section: byte 0x%02x at byte %d of the file", text[i], offset+i)
			}
		}
	}
	return text, nil
}

// join puts sections together to a file.
func join(parts []section) ([]byte, error) {
	size := headerSize + len(parts)*entrySize
	at := size
	for _, s := range parts {
		size += len(s.data)
	}
	if size > math.MaxUint32 {
		return nil, whole(Invalid, "the file would have %d bytes, more than %d", size, uint32(math.MaxUint32))
	}
	out := make([]byte, headerSize, size)
	copy(out, magic)
	le.PutUint32(out[4:], Version)
	le.PutUint32(out[8:], uint32(len(parts)))
	for _, s := range parts {
		for _, v := range [...]uint32{s.id, s.flags, uint32(at), uint32(len(s.data)), crc32.Checksum(s.data, castagnoli())} {
			out = le.AppendUint32(out, v)
		}
		at += len(s.data)
	}
	for _, s := range parts {
		out = append(out, s.data...)
	}
	hash := sha256.Sum256(out[headerSize:])
	copy(out[12:], hash[:])
	return out, nil
}
