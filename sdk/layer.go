package sdk

import (
	"encoding/binary"
	"errors"
	"maps"
	"slices"

	"github.com/settgraph/sett/graph"
)

// A layer is all that changed since a generation was made: the units that are gone or were
// re-read, the facts of those that are there, and the indexer's state after it. Each layer
// replaces the one before it, so a reader needs at most one.
type layer struct {
	gone  map[string]bool         // units of the generation that no longer hold
	units map[string]*graph.Facts // by unit
	state []byte                  // see indexer.State; nil when the layer is empty
}

// with returns the layer after a further change.
func (l layer) with(drop map[string]bool, facts []*graph.Facts, state []byte) layer {
	n := layer{gone: maps.Clone(l.gone), units: maps.Clone(l.units), state: state}
	if n.gone == nil {
		n.gone, n.units = map[string]bool{}, map[string]*graph.Facts{}
	}
	for u := range drop {
		n.gone[u] = true
		delete(n.units, u)
	}
	for _, f := range facts {
		n.gone[f.Unit] = true
		n.units[f.Unit] = f
	}
	return n
}

func (l layer) drop() map[string]bool { return l.gone }

// facts returns the re-read units in the order of their names.
func (l layer) facts() []*graph.Facts {
	fs := make([]*graph.Facts, 0, len(l.units))
	for _, u := range slices.Sorted(maps.Keys(l.units)) {
		fs = append(fs, l.units[u])
	}
	return fs
}

// edges counts the uses in the layer: what laying it over a snapshot costs.
func (l layer) edges() int {
	n := 0
	for _, f := range l.units {
		n += len(f.Edges)
	}
	return n
}

func (l layer) encode() []byte {
	var b []byte
	b = binary.AppendUvarint(b, uint64(len(l.gone)))
	for _, u := range slices.Sorted(maps.Keys(l.gone)) {
		b = binary.AppendUvarint(b, uint64(len(u)))
		b = append(b, u...)
	}
	b = binary.AppendUvarint(b, uint64(len(l.state)))
	b = append(b, l.state...)
	return append(b, graph.EncodeFacts(l.facts())...)
}

var errLayer = errors.New("the stored changes are damaged")

func (l *layer) decode(b []byte) error {
	next := func() ([]byte, bool) {
		n, k := binary.Uvarint(b)
		if k <= 0 || n > uint64(len(b)-k) {
			return nil, false
		}
		v := b[k : k+int(n)]
		b = b[k+int(n):]
		return v, true
	}
	n, k := binary.Uvarint(b)
	if k <= 0 || n > uint64(len(b)) {
		return errLayer
	}
	b = b[k:]
	l.gone, l.units = make(map[string]bool, n), map[string]*graph.Facts{}
	for range n {
		u, ok := next()
		if !ok {
			return errLayer
		}
		l.gone[string(u)] = true
	}
	state, ok := next()
	if !ok {
		return errLayer
	}
	l.state = state
	facts, err := graph.DecodeFacts(b)
	if err != nil {
		return err
	}
	for _, f := range facts {
		l.units[f.Unit] = f
	}
	return nil
}
