package store

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/zeebo/xxh3"
)

// A seal is the file SEAL of a generation. It says what every other file of the folder
// must be like, so that damage is noticed before Badger meets it: Badger reads some
// parts of its files in goroutines of its own and ends the process when they make no
// sense. Those parts, the head and the tail of each file, are verified at every open;
// the rest of a table lies under Badger's block checksums, which are verified with every
// read, and under the seal's hash of the whole file.
type seal struct {
	id    string
	files []sealed
}

type sealed struct {
	name  string
	size  int64
	tail  int64  // where the part begins that every open verifies
	check uint64 // hash of that part
	hash  uint64 // hash of the whole file
}

const (
	sealName  = "SEAL"
	sealMagic = "sett generation\x00"
)

func (l *seal) encode() []byte {
	b := []byte(sealMagic)
	b = binary.AppendUvarint(b, Format)
	b = append(b, l.id...)
	b = binary.AppendUvarint(b, uint64(len(l.files)))
	for _, f := range l.files {
		b = binary.AppendUvarint(b, uint64(len(f.name)))
		b = append(b, f.name...)
		b = binary.AppendUvarint(b, uint64(f.size))
		b = binary.AppendUvarint(b, uint64(f.tail))
		b = binary.LittleEndian.AppendUint64(b, f.check)
		b = binary.LittleEndian.AppendUint64(b, f.hash)
	}
	return binary.LittleEndian.AppendUint64(b, xxh3.Hash(b))
}

var errSeal = errors.New("not a seal")

func (l *seal) decode(b []byte) error {
	if len(b) < len(sealMagic)+8 || string(b[:len(sealMagic)]) != sealMagic {
		return errSeal
	}
	body, sum := b[:len(b)-8], binary.LittleEndian.Uint64(b[len(b)-8:])
	if xxh3.Hash(body) != sum {
		return errors.New("checksum mismatch")
	}
	body = body[len(sealMagic):]
	uvarint := func() uint64 {
		v, n := binary.Uvarint(body)
		if n <= 0 {
			body = nil
			return 0
		}
		body = body[n:]
		return v
	}
	take := func(n uint64) []byte {
		if n > uint64(len(body)) {
			body = nil
			return make([]byte, min(n, 64))
		}
		v := body[:n]
		body = body[n:]
		return v
	}
	if v := uvarint(); v != Format {
		return fmt.Errorf("format %d, this program reads %d", v, Format)
	}
	l.id = string(take(idLen))
	l.files = nil
	for n := uvarint(); n > 0 && len(body) > 0; n-- {
		f := sealed{name: string(take(uvarint())), size: int64(uvarint()), tail: int64(uvarint())}
		f.check = binary.LittleEndian.Uint64(take(8))
		f.hash = binary.LittleEndian.Uint64(take(8))
		if body == nil || f.name != filepath.Base(f.name) || f.tail < 0 || f.tail > f.size {
			return errSeal
		}
		l.files = append(l.files, f)
	}
	if len(l.files) == 0 || len(body) != 0 {
		return errSeal
	}
	return nil
}

// errGone says that the folder of a generation does not exist.
var errGone = errors.New("the generation is gone")

// readSeal reads and applies the seal of a generation: every file is there, of the right
// size, with the right tail, or all of it is verified when whole is set.
func (s *Store) readSeal(id string, whole bool) (*seal, error) {
	dir := s.path("gen", id)
	corrupt := func(file, what string, err error) error {
		if _, derr := os.Stat(dir); errors.Is(derr, fs.ErrNotExist) {
			return errGone
		}
		return &CorruptError{File: s.rel("gen", id, file), What: what, Err: err}
	}
	b, err := os.ReadFile(filepath.Join(dir, sealName))
	if err != nil {
		return nil, corrupt(sealName, "it cannot be read", err)
	}
	var l seal
	if err := l.decode(b); err != nil {
		return nil, corrupt(sealName, "it cannot be read", err)
	}
	if l.id != id {
		return nil, corrupt(sealName, "it belongs to another generation", nil)
	}
	for _, f := range l.files {
		if err := f.verify(filepath.Join(dir, f.name), whole); err != nil {
			return nil, corrupt(f.name, "it is not what was written", err)
		}
	}
	return &l, nil
}

func (f *sealed) verify(path string, whole bool) error {
	file, err := os.Open(path)
	if err != nil {
		return err
	}
	defer file.Close()
	info, err := file.Stat()
	if err != nil {
		return err
	}
	if info.Size() != f.size {
		return fmt.Errorf("%d bytes instead of %d", info.Size(), f.size)
	}
	from, want := f.tail, f.check
	if whole {
		from, want = 0, f.hash
	}
	b := make([]byte, f.size-from)
	if _, err := file.ReadAt(b, from); err != nil && err != io.EOF {
		return err
	}
	if xxh3.Hash(b) != want {
		return errors.New("checksum mismatch")
	}
	return nil
}
