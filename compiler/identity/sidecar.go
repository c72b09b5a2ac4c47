package identity

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"io/fs"
	"slices"

	"github.com/google/uuid"

	"github.com/settgraph/sett/compiler/xref"
)

// entry is a record in the file of them.
type entry struct {
	File string    `json:"file"`
	Kind string    `json:"kind"`
	Name string    `json:"name"`
	ID   uuid.UUID `json:"id"`
}

const (
	version = 1
	opening = `{"version":%d,"ids":[` // the first line
)

// Encode writes records as a file: one a line, in order. No records give nil, no file.
func (r Recorded) Encode() []byte {
	if len(r) == 0 {
		return nil
	}
	list := make([]entry, 0, len(r))
	for k, id := range r {
		list = append(list, entry{k.File, k.Kind.String(), k.Qual, id})
	}
	slices.SortFunc(list, func(a, b entry) int {
		return cmp.Or(cmp.Compare(a.File, b.File), cmp.Compare(a.Name, b.Name), cmp.Compare(a.Kind, b.Kind))
	})
	var b bytes.Buffer
	fmt.Fprintf(&b, opening, version)
	for i, e := range list {
		if i > 0 {
			b.WriteByte(',')
		}
		line, err := json.Marshal(e)
		if err != nil {
			continue // texts and ids always encode
		}
		b.WriteByte('\n')
		b.Write(line)
	}
	b.WriteString("\n]}\n")
	return b.Bytes()
}

// Decode reads records. Entries that make no sense are passed over and counted. Of a file
// that was cut off, or that has the marks of a merge in it, the lines that are whole count.
func Decode(data []byte) (r Recorded, bad int, err error) {
	r = Recorded{}
	if len(data) == 0 {
		return r, 0, nil
	}
	var head struct {
		Version *int              `json:"version"`
		IDs     []json.RawMessage `json:"ids"`
	}
	if err := json.Unmarshal(data, &head); err != nil {
		first, rest, _ := bytes.Cut(data, []byte("\n"))
		if string(bytes.TrimSpace(first)) != fmt.Sprintf(opening, version) {
			return r, 0, fmt.Errorf("reading recorded ids: %w", err)
		}
		for line := range bytes.Lines(rest) {
			head.IDs = append(head.IDs, bytes.TrimSuffix(bytes.TrimSpace(line), []byte(",")))
		}
	} else if head.Version == nil || *head.Version != version {
		return r, 0, fmt.Errorf("reading recorded ids: the version is not %d", version)
	}
	for _, raw := range head.IDs {
		var e entry
		kind, ok := xref.Kind(0), false
		if json.Unmarshal(raw, &e) == nil {
			kind, ok = ParseKind(e.Kind)
		}
		if !ok || e.ID == uuid.Nil || !fs.ValidPath(e.File) {
			bad++
			continue
		}
		r[xref.Key{File: e.File, Kind: kind, Qual: e.Name}] = e.ID
	}
	return r, bad, nil
}

// ParseKind is the kind with that word.
func ParseKind(word string) (xref.Kind, bool) {
	for k := xref.Module; k <= xref.Param; k++ {
		if k.String() == word {
			return k, true
		}
	}
	return 0, false
}

// Merge applies a change of records, those that go and those that come, to a file of them.
// A file that cannot be read counts as empty.
func Merge(disk, from, to []byte) []byte {
	have, _, _ := Decode(disk)
	gone, _, _ := Decode(from)
	come, _, _ := Decode(to)
	for k, id := range gone {
		if have[k] == id {
			delete(have, k)
		}
	}
	for k, id := range come {
		have[k] = id
	}
	return have.Encode()
}

// Delta is what [Merge] needs to make one set of records from another.
func Delta(old, now Recorded) (from, to Recorded) {
	from, to = Recorded{}, Recorded{}
	for k, id := range old {
		if now[k] != id {
			from[k] = id
		}
	}
	for k, id := range now {
		if old[k] != id {
			to[k] = id
		}
	}
	return from, to
}
