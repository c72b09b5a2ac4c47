package journal

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"strconv"
	"strings"
	"time"
)

// head says which entries there are and how far they are applied. Only who holds the lock
// writes it.
type head struct {
	Next    uint64   `json:"next"`    // number of the next entry
	Entries []record `json:"entries"` // oldest first
	Cursor  int      `json:"cursor"`  // so many of them are applied, the rest is undone
	Pending uint64   `json:"pending,omitempty"`
	Back    bool     `json:"back,omitempty"` // the pending entry is being undone
}

// record is an entry as the head knows it.
type record struct {
	ID   uint64 `json:"id"`
	Size int64  `json:"size"`
}

func (h *head) sort() {
	slices.SortFunc(h.Entries, func(a, b record) int { return int(int64(a.ID) - int64(b.ID)) })
}

func (h *head) size() (n int64) {
	for _, r := range h.Entries {
		n += r.Size
	}
	return n
}

var errFormat = errors.New("not in the format of a journal")

// A head is a line with the SHA-256 of the rest, and JSON.
func (h *head) encode() []byte {
	body, err := json.Marshal(h)
	if err != nil {
		return nil // plain numbers always encode
	}
	return fmt.Appendf(nil, "%s\n%s\n", sum(body), body)
}

func decodeHead(data []byte) (*head, error) {
	line, body, ok := bytes.Cut(data, []byte("\n"))
	body = bytes.TrimSuffix(body, []byte("\n"))
	if !ok || string(line) != sum(body) {
		return nil, errors.New("the checksum of the head is wrong")
	}
	h := &head{}
	if err := json.Unmarshal(body, h); err != nil {
		return nil, errFormat
	}
	if h.Cursor < 0 || h.Cursor > len(h.Entries) || h.Next == 0 {
		return nil, errFormat
	}
	for i, r := range h.Entries {
		if r.ID == 0 || r.ID >= h.Next || r.Size < 0 || i > 0 && h.Entries[i-1].ID >= r.ID {
			return nil, errFormat
		}
	}
	return h, nil
}

func sum(b []byte) string {
	s := sha256.Sum256(b)
	return hex.EncodeToString(s[:])
}

const suffix = ".entry"

func entryFile(id uint64) string { return fmt.Sprintf("%s/%08d%s", dir, id, suffix) }

func entryID(name string) (uint64, bool) {
	digits, ok := strings.CutSuffix(name, suffix)
	if !ok {
		return 0, false
	}
	id, err := strconv.ParseUint(digits, 10, 62)
	return id, err == nil && id > 0
}

// entry is what one file of the journal holds.
type entry struct {
	ID    uint64
	Label string
	Time  time.Time
	Meta  []byte
	Files []Change
	Dirs  []string // folders that the change made, outer ones first
}

// header is the part of an entry that is JSON; contents follow it, in the same order.
type header struct {
	ID    uint64    `json:"id"`
	Label string    `json:"label"`
	Time  time.Time `json:"time"`
	Meta  []byte    `json:"meta,omitempty"`
	Dirs  []string  `json:"dirs,omitempty"`
	Files []fileRow `json:"files"`
}

// fileRow has the sizes of the contents before and after; -1 when there is no file.
type fileRow struct {
	Path   string      `json:"path"`
	Mode   fs.FileMode `json:"mode"`
	Before int         `json:"before"`
	After  int         `json:"after"`
}

const magic = "settjnl1"

// An entry is: magic, the size of the header as four bytes, the header, the contents, and
// the SHA-256 of all that.
func (e *entry) encode() ([]byte, error) {
	h := header{ID: e.ID, Label: e.Label, Time: e.Time, Meta: e.Meta, Dirs: e.Dirs}
	for _, c := range e.Files {
		h.Files = append(h.Files, fileRow{c.Path, c.Mode, sizeOf(c.Before), sizeOf(c.After)})
	}
	js, err := json.Marshal(h)
	if err != nil {
		return nil, fmt.Errorf("writing the journal: %w", err)
	}
	out := append([]byte(magic), 0, 0, 0, 0)
	binary.LittleEndian.PutUint32(out[len(magic):], uint32(len(js)))
	out = append(out, js...)
	for _, c := range e.Files {
		out = append(append(out, c.Before...), c.After...)
	}
	s := sha256.Sum256(out)
	return append(out, s[:]...), nil
}

func sizeOf(b []byte) int {
	if b == nil {
		return -1
	}
	return len(b)
}

func decodeEntry(data []byte) (*entry, error) {
	if len(data) < len(magic)+4+sha256.Size || string(data[:len(magic)]) != magic {
		return nil, errFormat
	}
	body, check := data[:len(data)-sha256.Size], data[len(data)-sha256.Size:]
	if s := sha256.Sum256(body); !bytes.Equal(s[:], check) {
		return nil, errors.New("the checksum of the entry is wrong")
	}
	n := binary.LittleEndian.Uint32(body[len(magic):])
	rest := body[len(magic)+4:]
	if int64(n) > int64(len(rest)) {
		return nil, errFormat
	}
	var h header
	if err := json.Unmarshal(rest[:n], &h); err != nil {
		return nil, errFormat
	}
	rest = rest[n:]
	take := func(n int) ([]byte, bool) {
		if n < 0 {
			return nil, n == -1
		}
		if n > len(rest) {
			return nil, false
		}
		var b []byte
		b, rest = rest[:n:n], rest[n:]
		return b, true
	}
	e := &entry{ID: h.ID, Label: h.Label, Time: h.Time, Meta: h.Meta, Dirs: h.Dirs}
	for _, f := range h.Files {
		before, ok := take(f.Before)
		after, ok2 := take(f.After)
		if !ok || !ok2 || !allowed(f.Path) || f.Mode&^fs.ModePerm != 0 {
			return nil, errFormat
		}
		e.Files = append(e.Files, Change{Path: f.Path, Before: before, After: after, Mode: f.Mode})
	}
	for _, d := range h.Dirs {
		if !allowed(d) {
			return nil, errFormat
		}
	}
	if len(rest) != 0 || h.ID == 0 {
		return nil, errFormat
	}
	return e, nil
}

// allowed says whether a change may be of this path. A journal comes with a folder, which
// somebody else may have made: it must not reach what runs by itself, such as hooks of git,
// nor the journal.
func allowed(name string) bool {
	for part := range strings.SplitSeq(strings.ToLower(name), "/") {
		if part == ".git" {
			return false
		}
	}
	return fs.ValidPath(name) && name != "." && name != home && name != lockFile && name != dir && !strings.HasPrefix(name, dir+"/")
}

// mode is the permissions of the entry's file: who may not read a file may not read there
// what is in it. 0 stands for the usual ones.
func (e *entry) mode() fs.FileMode {
	mode := fs.FileMode(0o666)
	for _, c := range e.Files {
		if c.Mode != 0 {
			mode &= c.Mode | 0o600
		}
	}
	if mode == 0o666 {
		return 0
	}
	return mode
}

func (e *entry) public(undone bool) Entry {
	return Entry{ID: e.ID, Label: e.Label, Time: e.Time, Meta: e.Meta, Changes: e.Files, Undone: undone}
}
