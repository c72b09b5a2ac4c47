package indexer

import (
	"maps"
	"slices"
	"strings"
)

// A cache is what a scan remembers of the disk so that the next one can believe what did
// not change: of each folder its time and what of it counts, of each file its size, its
// time and the hash of its contents.
//
// Something whose time is not clearly before the scan that saw it can have changed
// afterwards without getting another time, so it is looked at again: see racy.
type cache struct {
	when int64  // when the scan began, in nanoseconds
	key  uint64 // hash of what decides which files count, apart from ignore files
	dirs map[string]*dirState
}

// A dirState is a folder as it was.
type dirState struct {
	stamp   stamp
	rules   uint64 // hash of the ignore files that held in it, its own included
	gomod   bool   // it holds a go.mod
	ignores []fileState
	dirs    []string // names of the folders that were walked
	files   []fileState
	skipped map[string]int // why other entries do not count
	others  map[string]int // sources of languages that are not indexed
	notes   []string
}

// A fileState is a file as it was.
type fileState struct {
	name  string
	stamp stamp
	hash  uint64
	lang  int    // index in the languages, -1 if it is no source
	conf  uint64 // bit i: a configuration file of language i
	skip  string // why it does not count, after a look inside; else empty
}

// A stamp is what the disk says of a file without opening it. Where the system has them,
// tag covers the file's number and the time of its last change of any sort, which nobody
// can set back.
type stamp struct {
	size, mtime int64
	tag         uint64
}

// racyWindow is the coarsest time that file systems keep, in nanoseconds.
const racyWindow = 2e9

// racy reports whether the file may have changed after the scan at the time without its
// stamp telling.
func (s stamp) racy(when int64) bool { return s.mtime > when-racyWindow }

// cacheMagic begins a cache. Raise it when its form changes, or what folders and files are
// chosen by: the choices are remembered too.
const cacheMagic = "sett files 3\n"

func (c *cache) encode() []byte {
	e := encoder{buf: []byte(cacheMagic)}
	e.int(c.when)
	e.u64(c.key)
	e.uint(uint64(len(c.dirs)))
	prev := ""
	for _, path := range slices.Sorted(maps.Keys(c.dirs)) {
		e.after(prev, path)
		prev = path
		d := c.dirs[path]
		e.stamp(d.stamp)
		e.u64(d.rules)
		e.uint(bit(d.gomod))
		e.files(d.ignores)
		e.strs(d.dirs)
		e.files(d.files)
		e.counts(d.skipped)
		e.counts(d.others)
		e.strs(d.notes)
	}
	return e.buf
}

func bit(b bool) uint64 {
	if b {
		return 1
	}
	return 0
}

func (e *encoder) stamp(s stamp) {
	e.int(s.size)
	e.int(s.mtime)
	e.u64(s.tag)
}

func (e *encoder) files(fs []fileState) {
	e.uint(uint64(len(fs)))
	for _, f := range fs {
		e.str(f.name)
		e.stamp(f.stamp)
		e.u64(f.hash)
		e.int(int64(f.lang))
		e.uint(f.conf)
		e.str(f.skip)
	}
}

// decodeCache returns nil for anything that is no cache.
func decodeCache(data []byte) *cache {
	body, ok := strings.CutPrefix(string(data), cacheMagic)
	if !ok {
		return nil
	}
	d := decoder{buf: []byte(body)}
	c := &cache{when: d.int(), key: d.u64()}
	n := d.count()
	c.dirs = make(map[string]*dirState, n)
	prev := ""
	for range n {
		prev = d.after(prev)
		c.dirs[prev] = &dirState{
			stamp: d.stamp(), rules: d.u64(), gomod: d.uint() == 1, ignores: d.files(), dirs: d.strs(), files: d.files(),
			skipped: d.counts(), others: d.counts(), notes: d.strs(),
		}
		if d.bad {
			return nil
		}
	}
	if d.bad || len(d.buf) != 0 {
		return nil
	}
	return c
}

func (d *decoder) stamp() stamp { return stamp{d.int(), d.int(), d.u64()} }

func (d *decoder) files() []fileState {
	n := d.count()
	if n == 0 {
		return nil
	}
	fs := make([]fileState, n)
	for i := range fs {
		fs[i] = fileState{name: d.str(), stamp: d.stamp(), hash: d.u64(), lang: int(d.int()), conf: d.uint(), skip: d.str()}
		if d.bad {
			return nil
		}
	}
	return fs
}
