package indexer

import (
	"errors"
	"strings"

	"github.com/settgraph/sett/indexer/lang"
)

// A State is what the indexer has to know of an index to bring it up to date: what was
// read, which units there are, and the key of each. It is kept with the index, and equal
// for equal files.
type State struct {
	// Digest is that of the scan that was indexed; zero if files changed meanwhile, so
	// that it equals no scan's.
	Digest    Digest
	Skipped   map[string]int // as in Scan
	Unindexed map[string]int // as in Scan

	langs []langRecord
	files []fileRecord // sorted by path
	units []unitRecord // sorted by name
}

type langRecord struct {
	name    string
	version int
}

type fileRecord struct {
	path    string
	size    int64
	hash    uint64
	lang    string
	summary lang.Summary
}

type unitRecord struct {
	name  string
	key   [16]byte
	notes []UnitNote
}

// A UnitNote is a problem of a unit, as its front end told it.
type UnitNote struct {
	Unit   string
	File   string // empty if it is about no file
	Line   int    // 0 if it is about the whole file
	Col    int
	Text   string
	Broken bool // the unit's facts may be incomplete
}

// Units returns the names of all units, sorted.
func (s *State) Units() []string {
	names := make([]string, len(s.units))
	for i, u := range s.units {
		names[i] = u.name
	}
	return names
}

// Paths returns the sources and configuration files that were read, sorted.
func (s *State) Paths() []string {
	paths := make([]string, len(s.files))
	for i, f := range s.files {
		paths[i] = f.path
	}
	return paths
}

// Files returns the number of indexed sources by language.
func (s *State) Files() map[string]int {
	n := map[string]int{}
	for _, f := range s.files {
		if f.lang != "" {
			n[f.lang]++
		}
	}
	return n
}

// Notes returns the notes of all units, in the order of units.
func (s *State) Notes() []UnitNote {
	var ns []UnitNote
	for _, u := range s.units {
		ns = append(ns, u.notes...)
	}
	return ns
}

const stateMagic = "sett state 1\n"

// Encode returns the bytes that [DecodeState] reads.
func (s *State) Encode() []byte {
	e := encoder{buf: []byte(stateMagic)}
	e.buf = append(e.buf, s.Digest[:]...)
	e.counts(s.Skipped)
	e.counts(s.Unindexed)
	e.uint(uint64(len(s.langs)))
	for _, l := range s.langs {
		e.str(l.name)
		e.int(int64(l.version))
	}
	words := words{at: map[string]uint64{}}
	var body encoder
	body.uint(uint64(len(s.files)))
	prev := ""
	for i := range s.files {
		f := &s.files[i]
		body.after(prev, f.path)
		prev = f.path
		body.uint(uint64(f.size))
		body.u64(f.hash)
		body.uint(words.id(f.lang))
		if f.lang == "" {
			continue
		}
		body.u64(f.summary.Shape)
		bits := uint64(0)
		if f.summary.Test {
			bits |= 1
		}
		if f.summary.Generated {
			bits |= 2
		}
		body.uint(bits)
		body.uint(words.id(f.summary.Hints))
		body.uint(uint64(len(f.summary.Imports)))
		for _, im := range f.summary.Imports {
			body.uint(words.id(im))
		}
	}
	body.uint(uint64(len(s.units)))
	prev = ""
	for _, u := range s.units {
		body.after(prev, u.name)
		prev = u.name
		body.buf = append(body.buf, u.key[:]...)
		body.uint(uint64(len(u.notes)))
		for _, n := range u.notes {
			body.uint(words.id(n.File))
			body.uint(uint64(n.Line))
			body.uint(uint64(n.Col))
			body.str(n.Text)
			broken := uint64(0)
			if n.Broken {
				broken = 1
			}
			body.uint(broken)
		}
	}
	e.strs(words.list)
	e.buf = append(e.buf, body.buf...)
	return e.buf
}

// words numbers strings that occur often, in the order of their first use.
type words struct {
	at   map[string]uint64
	list []string
}

func (w *words) id(s string) uint64 {
	n, ok := w.at[s]
	if !ok {
		n = uint64(len(w.list))
		w.at[s] = n
		w.list = append(w.list, s)
	}
	return n
}

// ErrState says that bytes are no state, or one of another version: all has to be indexed.
var ErrState = errors.New("the record of what was indexed cannot be read")

// DecodeState reads what [State.Encode] wrote. Its error is [ErrState].
func DecodeState(data []byte) (*State, error) {
	body, ok := strings.CutPrefix(string(data), stateMagic)
	if !ok || len(body) < 16 {
		return nil, ErrState
	}
	s := &State{Digest: Digest([]byte(body[:16]))}
	d := decoder{buf: data[len(stateMagic)+16:]}
	s.Skipped = d.counts()
	s.Unindexed = d.counts()
	s.langs = make([]langRecord, d.count())
	for i := range s.langs {
		s.langs[i] = langRecord{d.str(), int(d.int())}
	}
	list := d.strs()
	word := func() string {
		if n := d.uint(); n < uint64(len(list)) {
			return list[n]
		}
		d.fail()
		return ""
	}
	s.files = make([]fileRecord, d.count())
	prev := ""
	for i := range s.files {
		f := &s.files[i]
		f.path = d.after(prev)
		prev = f.path
		f.size = int64(d.uint())
		f.hash = d.u64()
		if f.lang = word(); f.lang == "" || d.bad {
			continue
		}
		f.summary.Shape = d.u64()
		bits := d.uint()
		f.summary.Test, f.summary.Generated = bits&1 != 0, bits&2 != 0
		f.summary.Hints = word()
		if n := d.count(); n > 0 {
			f.summary.Imports = make([]string, n)
			for k := range f.summary.Imports {
				f.summary.Imports[k] = word()
			}
		}
	}
	s.units = make([]unitRecord, d.count())
	prev = ""
	for i := range s.units {
		u := &s.units[i]
		u.name = d.after(prev)
		prev = u.name
		if len(d.buf) < 16 {
			return nil, ErrState
		}
		copy(u.key[:], d.buf)
		d.buf = d.buf[16:]
		if n := d.count(); n > 0 {
			u.notes = make([]UnitNote, n)
			for k := range u.notes {
				u.notes[k] = UnitNote{Unit: u.name, File: word(), Line: int(d.uint()), Col: int(d.uint()), Text: d.str(), Broken: d.uint() == 1}
			}
		}
	}
	if d.bad || len(d.buf) != 0 {
		return nil, ErrState
	}
	return s, nil
}

// PeekDigest returns the digest of an encoded state without decoding it.
func PeekDigest(data []byte) (Digest, bool) {
	if len(data) < len(stateMagic)+16 || string(data[:len(stateMagic)]) != stateMagic {
		return Digest{}, false
	}
	return Digest(data[len(stateMagic):][:16]), true
}
