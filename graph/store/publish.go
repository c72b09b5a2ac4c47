package store

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"errors"
	"fmt"
	"hash/crc32"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"sort"
	"strings"
	"sync"

	"github.com/dgraph-io/badger/v4/fb"
	"github.com/dgraph-io/badger/v4/options"
	"github.com/dgraph-io/badger/v4/pb"
	"github.com/dgraph-io/badger/v4/table"
	"github.com/dgraph-io/badger/v4/y"
	"github.com/klauspost/compress/zstd"
	"github.com/settgraph/sett/graph"
	"github.com/zeebo/xxh3"
	"google.golang.org/protobuf/proto"
)

// Publish writes the pages as a generation and makes it current, without a layer. The
// caller holds the lock. Pages that are stored already, undamaged, are not written again.
// When it fails, what was current still is.
func (s *Store) Publish(ctx context.Context, pages graph.Pages) (Ref, error) {
	if err := s.create(); err != nil {
		return Ref{}, err
	}
	ref := Ref{Base: Digest(pages)}
	if _, err := s.readSeal(ref.Base, true); err != nil {
		if err := s.write(ctx, ref.Base, pages); err != nil {
			return Ref{}, fmt.Errorf("writing the index: %w", err)
		}
	}
	if err := s.swap(ref); err != nil {
		return Ref{}, err
	}
	return ref, nil
}

// Digest returns the name of the generation that holds these pages.
func Digest(pages graph.Pages) string {
	h := sha256.New()
	fmt.Fprintf(h, "sett store %d\n", Format)
	var n [8]byte
	put := func(s []byte) {
		binary.LittleEndian.PutUint64(n[:], uint64(len(s)))
		h.Write(n[:])
		h.Write(s)
	}
	for _, k := range sortedKeys(pages) {
		put([]byte(k))
		put(pages[k])
	}
	return hex.EncodeToString(h.Sum(nil)[:idLen/2])
}

// write makes the folder of a generation: in another place first, moved when it is whole
// and has been read back. Badger can build tables in memory and that is all it is asked
// to do here: its way to a folder goes through logs and memory-mapped files, where a full
// disk does not give an error but ends the process.
func (s *Store) write(ctx context.Context, id string, pages graph.Pages) error {
	if err := os.MkdirAll(s.path("gen"), 0o777); err != nil {
		return err
	}
	tmp, err := os.MkdirTemp(s.path("gen"), tmpPrefix)
	if err != nil {
		return err
	}
	defer os.RemoveAll(tmp) // in vain after the rename
	if err := os.Chmod(tmp, 0o755); err != nil {
		return err
	}
	entries, err := pack(ctx, pages)
	if err != nil {
		return err
	}
	l := seal{id: id}
	add := func(name string, data []byte, tail int) error {
		l.files = append(l.files, sealed{
			name: name, size: int64(len(data)), tail: int64(tail),
			check: xxh3.Hash(data[tail:]), hash: xxh3.Hash(data),
		})
		return writeSynced(filepath.Join(tmp, name), data)
	}
	n := uint64(0)
	for len(entries) > 0 {
		var data []byte
		data, entries = buildTable(entries)
		if err := ctx.Err(); err != nil {
			return err
		}
		tail, err := tableTail(data)
		if err != nil {
			return err
		}
		n++
		if err := add(table.IDToFilename(n), data, tail); err != nil {
			return err
		}
	}
	manifest, err := encodeManifest(n)
	if err != nil {
		return err
	}
	if err := add("MANIFEST", manifest, 0); err != nil {
		return err
	}
	if err := writeSynced(filepath.Join(tmp, sealName), l.encode()); err != nil {
		return err
	}
	if err := readBack(tmp, pages); err != nil {
		return fmt.Errorf("what was written cannot be read back: %w", err)
	}
	return s.place(tmp, id)
}

// place gives a finished folder its name. One of that name that is there is damaged.
func (s *Store) place(tmp, id string) error {
	dir := s.path("gen", id)
	err := os.Rename(tmp, dir)
	if err != nil {
		if _, serr := os.Lstat(dir); serr != nil {
			return err
		}
		if err := s.discard(dir); err != nil {
			return err
		}
		err = os.Rename(tmp, dir)
	}
	if err == nil {
		syncDir(dir) // or the first reader would, because Badger does
		syncDir(s.path("gen"))
	}
	return err
}

// discard removes a folder in such a way that nobody sees a part of it.
func (s *Store) discard(dir string) error {
	grave, err := os.MkdirTemp(filepath.Dir(dir), tmpPrefix)
	if err != nil {
		return err
	}
	if err := os.Rename(dir, filepath.Join(grave, "old")); err != nil && !errors.Is(err, fs.ErrNotExist) {
		_ = os.Remove(grave)
		return err
	}
	_ = os.RemoveAll(grave)
	return nil
}

func readBack(dir string, pages graph.Pages) error {
	g := &Generation{}
	if err := g.open(dir); err != nil {
		return err
	}
	defer g.Close()
	const page = "meta"
	if _, ok := pages[page]; !ok {
		return nil
	}
	b, err := g.Page(page)
	if err != nil {
		return err
	}
	if !bytes.Equal(b, pages[page]) {
		return fmt.Errorf("page %s differs", page)
	}
	return nil
}

// An entry is a page as Badger gets it.
type entry struct{ key, value []byte }

// tableSize is how many bytes of pages go into one table, roughly: what is in memory
// three times while a generation is written.
const tableSize = 16 << 20

// pageVersion is the version of every entry in Badger, which could hold several.
const pageVersion = 1

// storedKey is the key of a page in Badger. The few pages that every question reads, those
// without a slash in their key, come first and so lie side by side.
func storedKey(key string) []byte {
	if strings.Contains(key, "/") {
		return append([]byte("1"), key...)
	}
	return append([]byte("0"), key...)
}

// pack compresses all pages and sorts them as Badger will.
func pack(ctx context.Context, pages graph.Pages) ([]entry, error) {
	keys := sortedKeys(pages)
	entries := make([]entry, len(keys))
	workers := min(runtime.GOMAXPROCS(0), len(keys))
	enc, err := zstd.NewWriter(nil, zstd.WithEncoderConcurrency(max(workers, 1)), zstd.WithEncoderLevel(zstd.SpeedDefault), zstd.WithWindowSize(1<<20), zstd.WithEncoderCRC(false))
	if err != nil {
		return nil, err
	}
	defer enc.Close()
	var wg sync.WaitGroup
	for w := range workers {
		wg.Go(func() {
			for i := w; i < len(keys) && ctx.Err() == nil; i += workers {
				entries[i] = entry{storedKey(keys[i]), compress(enc, pages[keys[i]])}
			}
		})
	}
	wg.Wait()
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	sort.Slice(entries, func(i, j int) bool { return bytes.Compare(entries[i].key, entries[j].key) < 0 })
	return entries, nil
}

// The first byte of a stored page says how the rest is written.
const (
	pageRaw  = 0
	pageZstd = 1
)

func compress(enc *zstd.Encoder, page []byte) []byte {
	out := enc.EncodeAll(page, []byte{pageZstd})
	if len(out) > len(page) {
		return append([]byte{pageRaw}, page...)
	}
	return out
}

// buildTable makes one table of the first entries and returns those that are left.
func buildTable(entries []entry) ([]byte, []entry) {
	opt := table.Options{TableSize: tableSize, BlockSize: blockSize, Compression: options.None, ChkMode: options.OnBlockRead}
	b := table.NewTableBuilder(opt)
	defer b.Close()
	size := 0
	for len(entries) > 0 && (size == 0 || size+len(entries[0].value) <= tableSize) {
		e := entries[0]
		b.Add(y.KeyWithTs(e.key, pageVersion), y.ValueStruct{Value: e.value}, 0)
		size += len(e.value)
		entries = entries[1:]
	}
	return b.Finish(), entries
}

// blockSize is the least size of Badger's unit of reading and verifying: a page that is
// larger has a block to itself.
const blockSize = 4 << 10

// tableTail returns where the parts of a table begin that Badger reads when it opens it:
// the last block, the index and the footer.
func tableTail(data []byte) (int, error) {
	cut := func(end int) (int, error) { // the start of a part that its length follows
		if end < 4 {
			return 0, errors.New("table is too short")
		}
		n := int(y.BytesToU32(data[end-4 : end]))
		if n > end-4 {
			return 0, errors.New("table is too short")
		}
		return end - 4 - n, nil
	}
	end, err := cut(len(data)) // the checksum
	if err != nil {
		return 0, err
	}
	start, err := cut(end) // the index
	if err != nil {
		return 0, err
	}
	index := fb.GetRootAsTableIndex(data[start:end-4], 0)
	var last fb.BlockOffset
	if n := index.OffsetsLength(); n == 0 || !index.Offsets(&last, n-1) || int(last.Offset()) > start {
		return 0, errors.New("table has no blocks")
	}
	return int(last.Offset()), nil
}

// encodeManifest makes Badger's list of tables: n of them, all on the lowest level, where
// they lie side by side and are never merged.
func encodeManifest(n uint64) ([]byte, error) {
	var set pb.ManifestChangeSet
	for id := uint64(1); id <= n; id++ {
		set.Changes = append(set.Changes, &pb.ManifestChange{Id: id, Op: pb.ManifestChange_CREATE, Level: maxLevels - 1})
	}
	changes, err := proto.MarshalOptions{Deterministic: true}.Marshal(&set)
	if err != nil {
		return nil, err
	}
	b := []byte{'B', 'd', 'g', 'r', 0, 0, 0, badgerFormat}
	b = binary.BigEndian.AppendUint32(b, uint32(len(changes)))
	b = binary.BigEndian.AppendUint32(b, crc32.Checksum(changes, y.CastagnoliCrcTable))
	return append(b, changes...), nil
}

// badgerFormat is the version of Badger's files that this file writes.
const badgerFormat = 8

func writeSynced(path string, data []byte) error {
	f, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o666&^0o022)
	if err != nil {
		return err
	}
	_, err = f.Write(data)
	if err == nil {
		err = f.Sync()
	}
	if cerr := f.Close(); err == nil {
		err = cerr
	}
	return err
}

// syncDir makes a rename last through a power failure where the system lets folders be
// synced; elsewhere a lost rename is noticed, like any damage, when the index is opened.
func syncDir(dir string) {
	if d, err := os.Open(dir); err == nil {
		_ = d.Sync()
		_ = d.Close()
	}
}

func sortedKeys(pages graph.Pages) []string {
	keys := make([]string, 0, len(pages))
	for k := range pages {
		keys = append(keys, k)
	}
	sort.Strings(keys)
	return keys
}
