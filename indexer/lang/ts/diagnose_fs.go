package ts

import (
	"encoding/binary"
	"io/fs"
	"path"
	"slices"
	"strings"
	"time"
	"unicode/utf16"

	"github.com/microsoft/typescript-go/sett"
	"github.com/settgraph/sett/indexer/lang"
	"github.com/zeebo/xxh3"
)

// checkFS is the disk, with the project's files as the input gives them laid over it. It
// writes nothing, and is safe for concurrent use.
type checkFS struct {
	tsgo.FS
	root  string
	in    *lang.Input
	files map[string]lang.File   // the known files by absolute path
	dirs  map[string]*dirListing // folders with known files, by absolute path
}

func newCheckFS(root string, in *lang.Input) *checkFS {
	f := &checkFS{FS: tsgo.CachedFS(tsgo.OSFS()), root: root, in: in, files: map[string]lang.File{}, dirs: map[string]*dirListing{}}
	for _, list := range [][]lang.File{in.Files, in.Configs} {
		for _, file := range list {
			abs := root + "/" + file.Path
			if _, known := f.files[abs]; known || !parsable(abs) {
				continue
			}
			f.files[abs] = file
			d := f.dir(path.Dir(abs))
			d.files = append(d.files, path.Base(abs))
		}
	}
	return f
}

// dir returns the listing of a folder at or below the root, and makes it known to those above.
func (f *checkFS) dir(abs string) *dirListing {
	d := f.dirs[abs]
	if d == nil {
		d = &dirListing{}
		f.dirs[abs] = d
		if len(abs) > len(f.root) {
			up := f.dir(path.Dir(abs))
			up.dirs = append(up.dirs, path.Base(abs))
		}
	}
	return d
}

// ours reports whether the input is to be asked for a path: it lies in the project and not
// in what is installed.
func (f *checkFS) ours(abs string) (rel string, ok bool) {
	rel, ok = strings.CutPrefix(abs, f.root+"/")
	return rel, ok && !inNodeModules(abs) && fs.ValidPath(rel)
}

// guard turns a panic, with which the file system of the compiler answers malformed paths,
// into the answer that there is nothing.
func guard() { _ = recover() }

// ReadFile returns the text of a file, decoded as the compiler does it. JSON that nests
// too deep for the compiler is shown to it as broken.
func (f *checkFS) ReadFile(p string) (text string, ok bool) {
	text, ok = f.read(p)
	if ok && strings.HasSuffix(p, ".json") && tooDeep(text) {
		return "{", true
	}
	return text, ok
}

func (f *checkFS) read(p string) (text string, ok bool) {
	defer guard()
	if rel, ours := f.ours(p); ours {
		if b, err := f.in.ReadFile(rel); err == nil {
			return decode(b), true
		}
		if _, known := f.files[p]; known {
			return "", false
		}
	}
	return f.FS.ReadFile(p)
}

// decode makes text of the bytes of a file: UTF-8, or UTF-16 with a mark.
func decode(b []byte) string {
	if len(b) >= 2 {
		switch {
		case b[0] == 0xFF && b[1] == 0xFE:
			return decode16(b[2:], binary.LittleEndian)
		case b[0] == 0xFE && b[1] == 0xFF:
			return decode16(b[2:], binary.BigEndian)
		}
	}
	return strings.TrimPrefix(string(b), "\uFEFF")
}

func decode16(b []byte, order binary.ByteOrder) string {
	u := make([]uint16, len(b)/2)
	for i := range u {
		u[i] = order.Uint16(b[2*i:])
	}
	return string(utf16.Decode(u))
}

// FileExists reports whether a file is known or on disk.
func (f *checkFS) FileExists(p string) (ok bool) {
	defer guard()
	if _, known := f.files[p]; known {
		return true
	}
	return f.FS.FileExists(p)
}

// DirectoryExists reports whether a folder has a known file below it, or is on disk.
func (f *checkFS) DirectoryExists(p string) (ok bool) {
	defer guard()
	return f.dirs[strings.TrimSuffix(p, "/")] != nil || f.FS.DirectoryExists(p)
}

// GetAccessibleEntries lists a folder.
func (f *checkFS) GetAccessibleEntries(p string) (e tsgo.Entries) {
	defer guard()
	e = f.FS.GetAccessibleEntries(p)
	if d := f.dirs[strings.TrimSuffix(p, "/")]; d != nil {
		e.Files, e.Directories = merge(e.Files, d.files), merge(e.Directories, d.dirs)
	}
	return e
}

// merge returns the sorted union; what it is given stays.
func merge(a, b []string) []string {
	all := slices.Concat(a, b)
	slices.Sort(all)
	return slices.Compact(all)
}

// Realpath follows links.
func (f *checkFS) Realpath(p string) (real string) {
	real = p
	defer guard()
	if _, known := f.files[p]; known && !f.FS.FileExists(p) {
		return p
	}
	return f.FS.Realpath(p)
}

// Stat describes a file on disk.
func (f *checkFS) Stat(p string) (info fs.FileInfo) {
	defer guard()
	return f.FS.Stat(p)
}

// WriteFile refuses.
func (f *checkFS) WriteFile(string, string) error { return errReadOnly }

// AppendFile refuses.
func (f *checkFS) AppendFile(string, string) error { return errReadOnly }

// Remove refuses.
func (f *checkFS) Remove(string) error { return errReadOnly }

// Chtimes refuses.
func (f *checkFS) Chtimes(string, time.Time, time.Time) error { return errReadOnly }

// stamp tells contents of a file from others: by their hash, or by the size and time of
// what is installed.
type stamp struct{ a, b uint64 }

// stamp returns the stamp of a file; text is set if it had to be read for that.
func (f *checkFS) stamp(p string) (s stamp, text *string, ok bool) {
	defer guard()
	if file, known := f.files[p]; known {
		return stamp{a: file.Hash, b: 1}, nil, true
	}
	if strings.HasPrefix(p, tsgo.LibPath()) {
		return stamp{b: 2}, nil, true
	}
	if _, ours := f.ours(p); ours {
		t, ok := f.ReadFile(p)
		return stamp{a: xxh3.HashString(t), b: 3}, &t, ok
	}
	info := f.FS.Stat(p)
	if info == nil || info.IsDir() {
		return stamp{}, nil, false
	}
	return stamp{a: uint64(info.ModTime().UnixNano()), b: uint64(info.Size())<<3 | 4}, nil, true
}
