package store

import (
	"errors"
	"io/fs"
	"os"
	"sort"
	"strings"

	"github.com/dgraph-io/badger/v4"
	"github.com/settgraph/sett/graph"
)

// Info describes one generation on disk.
type Info struct {
	ID      string
	Current bool
	Disk    int64 // bytes of its files
}

// Generations lists the generations on disk in the order of their names.
func (s *Store) Generations() ([]Info, error) {
	current, err := s.Current()
	if err != nil && !errors.Is(err, ErrNone) && !IsCorrupt(err) {
		return nil, err
	}
	entries, err := os.ReadDir(s.path("gen"))
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	var infos []Info
	for _, e := range entries {
		if !isID(e.Name()) {
			continue
		}
		in := Info{ID: e.Name(), Current: e.Name() == current.Base}
		files, err := os.ReadDir(s.path("gen", e.Name()))
		if err != nil {
			continue // swept just now
		}
		for _, f := range files {
			if fi, err := f.Info(); err == nil {
				in.Disk += fi.Size()
			}
		}
		infos = append(infos, in)
	}
	return infos, nil
}

// PageKind sums up the pages whose keys have the same first element.
type PageKind struct {
	Kind   string // "n" of "n/000001"
	Pages  int
	Size   int64 // bytes of the pages
	Stored int64 // bytes that they take in Badger
}

// Verify reads all of a generation: every byte of its files, every page, and that its
// name is the digest of its pages. The layer of the reference is read too.
func (s *Store) Verify(ref Ref) ([]PageKind, error) {
	if _, err := s.readSeal(ref.Base, true); err != nil {
		if errors.Is(err, errGone) {
			err = &CorruptError{File: s.rel("gen", ref.Base), What: "it does not exist"}
		}
		return nil, err
	}
	g, err := s.open(ref)
	if errors.Is(err, errGone) {
		err = &CorruptError{File: s.rel("layer", ref.Layer), What: "it does not exist"}
	}
	if err != nil {
		return nil, err
	}
	defer g.Close()
	kinds := map[string]*PageKind{}
	pages := graph.Pages{}
	err = g.each(func(key string, stored int64, page []byte) {
		pages[key] = page
		kind, _, _ := strings.Cut(key, "/")
		k := kinds[kind]
		if k == nil {
			k = &PageKind{Kind: kind}
			kinds[kind] = k
		}
		k.Pages++
		k.Size += int64(len(page))
		k.Stored += stored
	})
	if err != nil {
		return nil, &CorruptError{File: g.name, What: "its pages cannot be read", Err: err}
	}
	if Digest(pages) != ref.Base {
		return nil, &CorruptError{File: g.name, What: "its pages are not those that it is named by"}
	}
	out := make([]PageKind, 0, len(kinds))
	for _, k := range kinds {
		out = append(out, *k)
	}
	sort.Slice(out, func(i, j int) bool { return out[i].Kind < out[j].Kind })
	return out, nil
}

// each calls f for every page, in no order that means anything.
func (g *Generation) each(f func(key string, stored int64, page []byte)) (err error) {
	defer recovered(&err)
	txn := g.db.NewTransaction(false)
	defer txn.Discard()
	it := txn.NewIterator(badger.IteratorOptions{})
	defer it.Close()
	for it.Rewind(); it.Valid(); it.Next() {
		item := it.Item()
		key := string(item.Key())
		err := item.Value(func(value []byte) error {
			page, err := g.decompress(value)
			if err == nil {
				f(key[1:], int64(len(key)+len(value)), page)
			}
			return err
		})
		if err != nil {
			return err
		}
	}
	return nil
}
