package store

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"runtime/debug"
	"sync"
	"time"

	"github.com/dgraph-io/badger/v4"
	"github.com/dgraph-io/badger/v4/options"
	"github.com/klauspost/compress/zstd"
)

// A Generation is an open generation with its layer. It is safe for concurrent use and
// goes on to work when another one becomes current, or when its files are removed.
type Generation struct {
	ref   Ref
	name  string // for messages
	db    *badger.DB
	layer []byte

	mu  sync.Mutex // guards the decoder, which is made when first needed
	dec *zstd.Decoder
}

// maxLevels is how many levels Badger has.
const maxLevels = 7

// badgerOptions are as lean as Badger lets a reader be: a cold process opens, reads three
// pages and ends.
func badgerOptions(dir string) badger.Options {
	return badger.DefaultOptions(dir).
		WithReadOnly(true).
		WithBypassLockGuard(true). // generations are immutable: see the package comment
		WithLogger(nil).
		WithMetricsEnabled(false).
		WithDetectConflicts(false).
		WithCompression(options.None).
		WithBlockCacheSize(0).
		WithIndexCacheSize(0).
		WithBloomFalsePositive(0).
		WithMemTableSize(1 << 20).
		WithNumMemtables(1).
		WithValueThreshold(64 << 10).
		WithMaxLevels(maxLevels).
		WithNumCompactors(0).
		WithBlockSize(blockSize).
		WithChecksumVerificationMode(options.OnBlockRead)
}

// Open opens what a reference names. When that has been replaced and removed meanwhile it
// opens what is current instead; [Generation.Ref] tells. Damage is a [CorruptError].
func (s *Store) Open(ref Ref) (*Generation, error) {
	const tries, pause = 10, 2 * time.Millisecond
	for range tries {
		g, err := s.open(ref)
		if !errors.Is(err, errGone) {
			return g, err
		}
		current, err := s.Current()
		if err != nil {
			return nil, err
		}
		if current == ref {
			time.Sleep(pause) // somebody may be replacing a damaged one
		}
		ref = current
	}
	return nil, &CorruptError{File: s.rel("CURRENT"), What: "it names an index that does not exist"}
}

func (s *Store) open(ref Ref) (*Generation, error) {
	g := &Generation{ref: ref, name: s.rel("gen", ref.Base)}
	if _, err := s.readSeal(ref.Base, false); err != nil {
		return nil, err
	}
	if ref.Layer != "" {
		var err error
		if g.layer, err = s.readLayer(ref); err != nil {
			return nil, err
		}
	}
	if err := g.open(s.path("gen", ref.Base)); err != nil {
		// The files were as they should be: unless they vanished since, Badger cannot
		// read what another version of it wrote.
		if _, again := s.readSeal(ref.Base, false); errors.Is(again, errGone) {
			return nil, errGone
		}
		return nil, &CorruptError{File: g.name, What: "Badger cannot open it", Err: err}
	}
	return g, nil
}

func (g *Generation) open(dir string) (err error) {
	defer recovered(&err)
	g.db, err = badger.Open(badgerOptions(dir))
	return err
}

// recovered turns a panic into an error: Badger trusts its files, and a page of a
// memory-mapped file can vanish under a reader.
func recovered(err *error) {
	if r := recover(); r != nil {
		*err = fmt.Errorf("%v", r)
	}
}

// Ref returns what was opened.
func (g *Generation) Ref() Ref { return g.ref }

// Layer returns the value that is laid over the generation, or nil. It must not be changed.
func (g *Generation) Layer() []byte { return g.layer }

// Page implements [graph.Source].
func (g *Generation) Page(key string) ([]byte, error) {
	var page []byte
	err := g.read(storedKey(key), func(value []byte) (err error) {
		page, err = g.decompress(value)
		return err
	})
	if err != nil {
		return nil, &CorruptError{File: g.name, What: "page " + key + " cannot be read", Err: err}
	}
	return page, nil
}

func (g *Generation) read(key []byte, f func(value []byte) error) (err error) {
	defer recovered(&err)
	defer debug.SetPanicOnFault(debug.SetPanicOnFault(true))
	txn := g.db.NewTransaction(false)
	defer txn.Discard()
	item, err := txn.Get(key)
	if err != nil {
		return err
	}
	return item.Value(f)
}

// maxPage bounds what a damaged page can make the decoder allocate.
const maxPage = 1 << 30

func (g *Generation) decompress(value []byte) ([]byte, error) {
	if len(value) == 0 {
		return nil, errors.New("it is empty")
	}
	switch kind, body := value[0], value[1:]; kind {
	case pageRaw:
		return append([]byte(nil), body...), nil
	case pageZstd:
		dec, err := g.decoder()
		if err != nil {
			return nil, err
		}
		return dec.DecodeAll(body, nil)
	default:
		return nil, fmt.Errorf("unknown encoding %d", kind)
	}
}

func (g *Generation) decoder() (*zstd.Decoder, error) {
	g.mu.Lock()
	defer g.mu.Unlock()
	var err error
	if g.dec == nil {
		g.dec, err = newDecoder()
	}
	return g.dec, err
}

func newDecoder() (*zstd.Decoder, error) {
	return zstd.NewReader(nil, zstd.WithDecoderConcurrency(0), zstd.WithDecoderLowmem(true), zstd.WithDecoderMaxMemory(maxPage))
}

// Close releases the files. Pages that were read stay valid.
func (g *Generation) Close() (err error) {
	defer recovered(&err)
	if g.db == nil {
		return nil
	}
	err = g.db.Close()
	if _, gone := os.Stat(g.db.Opts().Dir); errors.Is(gone, fs.ErrNotExist) {
		err = nil // swept meanwhile: Badger ends by syncing a folder that is no more
	}
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.dec != nil {
		g.dec.Close()
		g.dec = nil
	}
	return err
}
