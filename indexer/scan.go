package indexer

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"slices"
	"strings"
	"time"

	"github.com/settgraph/sett/indexer/lang"
	"github.com/zeebo/xxh3"
)

// A Digest identifies a set of files with their contents, together with all else that
// decides what is indexed. Equal digests: nothing to do.
type Digest [16]byte

// A Scan is the project's files at one moment.
type Scan struct {
	Files     []File         // sources and configuration files, sorted by path
	Digest    Digest         // of all that State.Digest is compared with
	Config    *Config        // what sett.toml says
	Skipped   map[string]int // files, and folders under "<reason> folders", by reason
	Unindexed map[string]int // files by language, of those that have no front end
	Notes     []string       // what could not be read, sorted
	Left      []Left         // sources that are too large, or could not be read, sorted
	Took      time.Duration

	cache *cache
	dirty bool
	laid  bool // unsaved text is part of it
	langs []lang.Language

	outside       []uint64 // by language: what it depends on besides the files
	lookedOutside time.Time
}

// outsideEvery is how often a process that scans again and again looks at what is outside
// the project: dependencies do not come and go while somebody types.
const outsideEvery = 2 * time.Second

// A File is a file that counts.
type File struct {
	Path string // slash-separated, from the root
	Size int64
	Hash uint64 // xxh3 of the contents
	Lang string // the language that it is a source of, or empty
	conf uint64 // bit i: a configuration file of language i
}

// Left is a source that was left out.
type Left struct{ Path, Reason string }

// Changes says how a scan differs from what is indexed.
type Changes struct{ Added, Changed, Removed []string }

// ScanFiles finds the files of the project and what is in them. It opens only what may
// have changed since the scan that gave the bytes of stat, see [Scan.Stat]; nil is always
// right, and slower. Only a mistake in sett.toml, a root that cannot be read and an ended
// context are errors; anything else that cannot be read is a note.
func ScanFiles(ctx context.Context, o Options, stat []byte) (*Scan, error) {
	start := time.Now()
	root, err := os.OpenRoot(o.Root)
	if err != nil {
		return nil, fmt.Errorf("reading the project: %w", err)
	}
	defer root.Close()
	langs := o.languages()
	if len(langs) > 64 {
		return nil, errors.New("internal error: more than 64 languages")
	}
	cfg, err := readConfig(root, o.Overlay)
	if err != nil {
		return nil, err
	}
	w := newWalker(ctx, root, &o, langs, cfg, start.UnixNano())
	key := cacheKey(langs, cfg)
	last := o.Last
	if last != nil && last.cache.key == key && len(o.Overlay) == 0 && !last.laid {
		w.old = last.cache
	} else {
		last = nil
		if old := decodeCache(stat); old != nil && old.key == key {
			w.old = old
		}
	}
	if err := w.walk(); err != nil {
		return nil, err
	}
	if last != nil && !w.dirty.Load() && len(w.old.dirs) == len(w.dirs) && last.Config.hash == cfg.hash {
		same := *last
		same.dirty = false
		known := start.Sub(last.lookedOutside) < outsideEvery
		if !known {
			now, err := outside(root, &o, langs, last.Files)
			known = err == nil && slices.Equal(now, last.outside)
			same.lookedOutside = start
		}
		if known {
			same.Took = time.Since(start)
			return &same, nil
		}
	}
	s := &Scan{
		Config: cfg, Skipped: map[string]int{}, Unindexed: map[string]int{},
		cache: &cache{when: w.now, key: key, dirs: w.dirs},
		dirty: w.dirty.Load() || w.old == nil || len(w.old.dirs) != len(w.dirs),
		langs: langs, Notes: w.notes, laid: len(o.Overlay) > 0,
	}
	s.collect(w.dirs)
	if err := s.lay(w, o.Overlay); err != nil {
		return nil, err
	}
	slices.SortFunc(s.Files, func(a, b File) int { return strings.Compare(a.Path, b.Path) })
	slices.Sort(s.Notes)
	slices.SortFunc(s.Left, func(a, b Left) int { return strings.Compare(a.Path, b.Path) })
	if s.outside, err = outside(root, &o, langs, s.Files); err != nil {
		return nil, err
	}
	s.lookedOutside = start
	s.Digest = digest(langs, cfg, s.outside, s.Files)
	s.Took = time.Since(start)
	return s, nil
}

// Stat returns what makes the next scan fast, or nil if that is what was given. It is
// about this machine, not part of an index.
func (s *Scan) Stat() []byte {
	if !s.dirty {
		return nil
	}
	return s.cache.encode()
}

// Changes compares the scan with what was indexed, which may be nil for nothing.
func (s *Scan) Changes(prev *State) Changes {
	var c Changes
	var old []fileRecord
	if prev != nil {
		old = prev.files
	}
	for i, j := 0, 0; i < len(s.Files) || j < len(old); {
		switch {
		case j == len(old) || i < len(s.Files) && s.Files[i].Path < old[j].path:
			c.Added = append(c.Added, s.Files[i].Path)
			i++
		case i == len(s.Files) || old[j].path < s.Files[i].Path:
			c.Removed = append(c.Removed, old[j].path)
			j++
		default:
			if s.Files[i].Hash != old[j].hash || s.Files[i].Size != old[j].size {
				c.Changed = append(c.Changed, s.Files[i].Path)
			}
			i++
			j++
		}
	}
	return c
}

// collect makes the list of files from the folders.
func (s *Scan) collect(dirs map[string]*dirState) {
	for dir, d := range dirs {
		for reason, n := range d.skipped {
			s.Skipped[reason] += n
		}
		for l, n := range d.others {
			s.Unindexed[l] += n
		}
		s.Notes = append(s.Notes, d.notes...)
		for _, f := range d.files {
			switch {
			case f.skip == "":
				s.Files = append(s.Files, s.file(path.Join(dir, f.name), f))
			case f.skip != skipAbsent:
				s.Skipped[f.skip]++
				if f.lang >= 0 && (f.skip == skipLarge || f.skip == skipUnreadable) {
					s.Left = append(s.Left, Left{path.Join(dir, f.name), f.skip})
				}
			}
		}
	}
}

func (s *Scan) file(p string, f fileState) File {
	out := File{Path: p, Size: f.stamp.size, Hash: f.hash, conf: f.conf}
	if f.lang >= 0 && f.lang < len(s.langs) {
		out.Lang = s.langs[f.lang].Name
	}
	return out
}

// lay puts unsaved text over the files, and adds those that are not on disk yet unless
// they would be skipped there.
func (s *Scan) lay(w *walker, overlay map[string][]byte) error {
	if len(overlay) == 0 {
		return nil
	}
	at := make(map[string]int, len(s.Files))
	for i, f := range s.Files {
		at[f.Path] = i
	}
	for _, p := range sortedKeys(overlay) {
		if !fs.ValidPath(p) {
			return fmt.Errorf("unsaved text for %q: not a path from the root", p)
		}
		f := fileState{name: path.Base(p), hash: xxh3.Hash(overlay[p]), stamp: stamp{size: int64(len(overlay[p]))}}
		if i, ok := at[p]; ok {
			s.Files[i].Size, s.Files[i].Hash = f.stamp.size, f.hash
			continue
		}
		if w.skips(p) {
			continue
		}
		if f.lang, f.conf = w.class(p); f.lang >= 0 || f.conf != 0 {
			s.Files = append(s.Files, s.file(p, f))
		}
	}
	return nil
}

func readConfig(root *os.Root, overlay map[string][]byte) (*Config, error) {
	text, ok := overlay[ConfigFile]
	if !ok {
		var err error
		text, err = readFile(root, ConfigFile, 1<<20)
		if errors.Is(err, fs.ErrNotExist) {
			return DefaultConfig(), nil
		}
		if err != nil {
			return nil, fmt.Errorf("reading %s: %w", ConfigFile, bare(err))
		}
	}
	return ParseConfig(text)
}

// errTooLarge is what readFile gives for a file over the limit.
var errTooLarge = errors.New("file is too large")

// readFile reads a regular file of the project. It never follows a link out of the root.
func readFile(root *os.Root, name string, limit int64) ([]byte, error) {
	info, err := root.Stat(name) // before opening: a pipe would block
	if err != nil {
		return nil, err
	}
	if !info.Mode().IsRegular() {
		return nil, &fs.PathError{Op: "read", Path: name, Err: errors.New("not a regular file")}
	}
	if info.Size() > limit {
		return nil, &fs.PathError{Op: "read", Path: name, Err: errTooLarge}
	}
	f, err := root.Open(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	buf := make([]byte, 0, info.Size()+1) // one more, so that the end is met without growing
	for {
		n, err := f.Read(buf[len(buf):cap(buf)])
		buf = buf[:len(buf)+n]
		if err == io.EOF {
			return buf, nil
		}
		if err != nil {
			return nil, err
		}
		if int64(len(buf)) > limit {
			return nil, &fs.PathError{Op: "read", Path: name, Err: errTooLarge}
		}
		if len(buf) == cap(buf) {
			buf = append(buf, 0)[:len(buf)]
		}
	}
}

// bare removes the path from an error of the file system, which the message gives anyway.
func bare(err error) error {
	var p *fs.PathError
	if errors.As(err, &p) {
		return p.Err
	}
	return err
}

// cacheKey is the hash of all that decides what a scan makes of a folder, apart from
// what is on disk.
func cacheKey(langs []lang.Language, cfg *Config) uint64 {
	e := encoder{}
	e.u64(cfg.hash)
	for _, l := range langs {
		e.str(l.Name)
		e.int(int64(l.Version))
	}
	return xxh3.Hash(e.buf)
}

// outside asks each language that has sources here what its facts depend on besides.
func outside(root *os.Root, o *Options, langs []lang.Language, files []File) ([]uint64, error) {
	out := make([]uint64, len(langs))
	for i, l := range langs {
		if l.Outside == nil || !slices.ContainsFunc(files, func(f File) bool { return f.Lang == l.Name }) {
			continue
		}
		in := &lang.Input{Root: o.Root, Workers: 1, ReadFile: func(p string) ([]byte, error) { return o.read(root, p) }}
		for _, f := range files {
			if f.conf&(1<<i) != 0 {
				in.Configs = append(in.Configs, lang.File{Path: f.Path, Size: f.Size, Hash: f.Hash})
			}
		}
		var err error
		if out[i], err = runOutside(l, in); err != nil {
			return nil, err
		}
	}
	return out, nil
}

func runOutside(l lang.Language, in *lang.Input) (h uint64, err error) {
	defer guard(&err, l.Name, func() string { return "what is outside of the project" })
	return l.Outside(in), nil
}

func digest(langs []lang.Language, cfg *Config, outside []uint64, files []File) Digest {
	e := encoder{buf: []byte("sett digest 2\n")}
	e.u64(cacheKey(langs, cfg))
	for _, h := range outside {
		e.u64(h)
	}
	for _, f := range files {
		e.str(f.Path)
		e.u64(f.Hash)
		e.str(f.Lang)
		e.uint(f.conf)
	}
	return Digest(sum(e.buf))
}

func sum(b []byte) (d [16]byte) {
	h := xxh3.Hash128(b)
	binary.LittleEndian.PutUint64(d[:8], h.Lo)
	binary.LittleEndian.PutUint64(d[8:], h.Hi)
	return d
}
