package indexer

import (
	"errors"
	"io/fs"
	"os"
	"path"
	"strings"
	"sync"

	"github.com/zeebo/xxh3"
)

// The files whose patterns count, weakest first. As with git, what is nearer to a file is
// stronger among files of one sort; a .ignore is stronger than any .gitignore, as with the
// search tools that read it.
const (
	gitExclude  = ".git/info/exclude"
	gitIgnore   = ".gitignore"
	plainIgnore = ".ignore"
)

// rules are the ignore files that hold in a folder. Their contents are read when a path is
// first matched: in a folder that did not change, none is.
type rules struct {
	above  *rules
	dir    string
	files  []fileState // ignore files of this folder
	gomod  bool        // this folder or one above is the root of a Go module
	hash   uint64      // of all that holds here
	walker *walker

	once  sync.Once
	lists map[string]*ignoreList
}

// ignoresIn returns the ignore files that a folder has. That of git's own folder may
// appear any time without the folder changing, so it is always among them.
func ignoresIn(entries []fs.DirEntry) []fileState {
	var fs []fileState
	for _, e := range entries {
		switch name := e.Name(); {
		case name == gitIgnore || name == plainIgnore:
			fs = append(fs, fileState{name: name, lang: -1})
		case name == ".git" && e.IsDir():
			fs = append(fs, fileState{name: gitExclude, lang: -1})
		}
	}
	return fs
}

// ignoreFiles brings the states of ignore files up to date. One that cannot be read counts
// as empty.
func (w *walker) ignoreFiles(dir string, old *dirState, fs []fileState) []fileState {
	out := make([]fileState, len(fs))
	for i, f := range fs {
		out[i] = fileState{name: f.name, lang: -1}
		info, err := os.Lstat(w.abs(below(dir, f.name)))
		if err != nil || !info.Mode().IsRegular() {
			continue
		}
		out[i].stamp = stampOf(info)
		if k := remembered(old, f.name); k != nil && k.stamp == out[i].stamp && !k.stamp.racy(w.old.when) {
			out[i].hash = k.hash
			continue
		}
		w.dirty.Store(true)
		if text, err := readFile(w.root, path.Join(dir, f.name), maxIgnore); err == nil {
			out[i].hash = xxh3.Hash(text)
		}
	}
	return out
}

// maxIgnore bounds the size of an ignore file.
const maxIgnore = 4 << 20

func remembered(old *dirState, name string) *fileState {
	if old == nil {
		return nil
	}
	for i := range old.ignores {
		if old.ignores[i].name == name {
			return &old.ignores[i]
		}
	}
	return nil
}

// sum is equal for equal rules, so that what was chosen by them can be kept.
func (r *rules) sum(m mode) uint64 {
	e := encoder{}
	if r.above != nil {
		e.u64(r.above.hash)
	}
	e.uint(uint64(m))
	if r.gomod {
		e.uint(1)
	}
	for _, f := range r.files {
		e.str(f.name)
		e.u64(f.hash)
	}
	return xxh3.Hash(e.buf)
}

func (r *rules) load() {
	r.lists = map[string]*ignoreList{}
	for _, f := range r.files {
		if f.hash == 0 {
			continue // it does not exist, or it is a link, which git does not follow either
		}
		text, err := readFile(r.walker.root, path.Join(r.dir, f.name), maxIgnore)
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			r.walker.cannotRead(path.Join(r.dir, f.name), err)
		}
		if l := parseIgnore(r.dir, text); len(l.patterns) > 0 {
			r.lists[f.name] = l
		}
	}
}

func (w *walker) cannotRead(p string, err error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.notes = append(w.notes, "cannot read "+p+": "+bare(err).Error())
}

func (r *rules) match(p string, dir bool) verdict {
	for _, kind := range [...]string{plainIgnore, gitIgnore, gitExclude} {
		for s := r; s != nil; s = s.above {
			s.once.Do(s.load)
			if l := s.lists[kind]; l != nil {
				if v := l.match(p, dir); v != unmatched {
					return v
				}
			}
		}
	}
	return unmatched
}

// quote writes a path so that it can stand in a line.
func quote(p string) string {
	return strings.Map(func(r rune) rune {
		if r < ' ' || r == 0x7f || r == 0xfffd {
			return '?'
		}
		return r
	}, p)
}
