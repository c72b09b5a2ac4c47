package load

import (
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
)

// extensions are those of source files; an earlier one wins over a later one.
var extensions = [...]string{".pluto", ".pt"}

// tree is where files are: the disk, or a file system that is part of this program.
type tree interface {
	read(p string) ([]byte, error)
	names(dir string) []string   // of the files in a folder, sorted; nil when there is no such folder
	folders(dir string) []string // in a folder, sorted
	isDir(p string) bool
	isFile(p string) bool
	join(dir, name string) string
	display(p string) string // as messages print it
	abs(p string) string     // where it is on disk, or ""
}

// stem splits the extension of source files off a file name; ok is false for other files.
func stem(name string) (string, bool) {
	for _, ext := range extensions {
		if s, ok := strings.CutSuffix(name, ext); ok && s != "" && !strings.HasPrefix(name, ".") {
			return s, true
		}
	}
	return "", false
}

// sources are the names of the source files of a folder, sorted, one for each stem.
func sources(t tree, dir string) []string {
	names := t.names(dir)
	return slices.DeleteFunc(slices.Clone(names), func(name string) bool {
		s, ok := stem(name)
		if !ok {
			return true
		}
		first := s + extensions[0]
		return name != first && slices.Contains(names, first)
	})
}

// sourceFile finds the file of a module: name.pluto, else name.pt.
func sourceFile(t tree, dir, name string) (string, bool) {
	for _, ext := range extensions {
		if p := t.join(dir, name+ext); t.isFile(p) {
			return p, true
		}
	}
	return "", false
}

// disk is the file system of the machine under a layer.
type disk struct {
	base string
	over *Layer
}

func (d *disk) read(p string) ([]byte, error) {
	if text, ok := d.over.files[p]; ok {
		if text == nil {
			return nil, &fs.PathError{Op: "open", Path: p, Err: fs.ErrNotExist}
		}
		return text, nil
	}
	if info, err := os.Stat(p); err == nil && info.Size() > maxSource {
		return nil, fmt.Errorf("it has more than %d MB", maxSource>>20)
	}
	return os.ReadFile(p)
}

// maxSource bounds the size of a file that is read: a tree takes many times as much memory.
const maxSource = 16 << 20

func (d *disk) names(dir string) []string {
	entries, _ := os.ReadDir(dir)
	var names []string
	for _, e := range entries {
		p := filepath.Join(dir, e.Name())
		if _, ok := d.over.files[p]; ok {
			continue // the layer decides
		}
		if e.Type().IsRegular() || e.Type()&fs.ModeSymlink != 0 && d.isFile(p) {
			names = append(names, e.Name())
		}
	}
	names = append(names, d.over.names[dir]...)
	slices.Sort(names)
	return names
}

func (d *disk) folders(dir string) []string {
	entries, _ := os.ReadDir(dir)
	names := append(foldersOf(entries), d.over.folders[dir]...)
	slices.Sort(names)
	return slices.Compact(names)
}

func foldersOf(entries []fs.DirEntry) []string {
	var names []string
	for _, e := range entries {
		if e.IsDir() {
			names = append(names, e.Name())
		}
	}
	return names
}

func (d *disk) isDir(p string) bool {
	if d.over.isDir(p) {
		return true
	}
	info, err := os.Stat(p)
	return err == nil && info.IsDir()
}

func (d *disk) isFile(p string) bool {
	if text, ok := d.over.files[p]; ok {
		return text != nil
	}
	info, err := os.Stat(p)
	return err == nil && !info.IsDir()
}

func (d *disk) join(dir, name string) string { return filepath.Join(dir, name) }

// display is the path relative to the base when it is below it.
func (d *disk) display(p string) string {
	if rel, err := filepath.Rel(d.base, p); err == nil && filepath.IsLocal(rel) {
		p = rel
	}
	return filepath.ToSlash(p)
}

func (d *disk) abs(p string) string { return p }

// embedded is the library inside this program. Its files are printed as std/strings.pluto.
type embedded struct{ fsys fs.FS }

func (e *embedded) read(p string) ([]byte, error) { return fs.ReadFile(e.fsys, p) }

func (e *embedded) names(dir string) []string {
	entries, _ := fs.ReadDir(e.fsys, dir)
	var names []string
	for _, entry := range entries {
		if !entry.IsDir() {
			names = append(names, entry.Name())
		}
	}
	return names
}

func (e *embedded) folders(dir string) []string {
	entries, _ := fs.ReadDir(e.fsys, dir)
	return foldersOf(entries)
}

func (e *embedded) isDir(p string) bool {
	info, err := fs.Stat(e.fsys, p)
	return err == nil && info.IsDir()
}

func (e *embedded) isFile(p string) bool {
	info, err := fs.Stat(e.fsys, p)
	return err == nil && !info.IsDir()
}

func (e *embedded) join(dir, name string) string { return path.Join(dir, name) }
func (e *embedded) display(p string) string      { return path.Join("std", p) }
func (e *embedded) abs(string) string            { return "" }

// memory is one text that is no file.
type memory struct{ name, text string }

func (m *memory) read(p string) ([]byte, error) {
	if p != m.name {
		return nil, fmt.Errorf("%s: %w", p, fs.ErrNotExist)
	}
	return []byte(m.text), nil
}

func (m *memory) names(string) []string      { return []string{m.name} }
func (m *memory) folders(string) []string    { return nil }
func (m *memory) isDir(string) bool          { return false }
func (m *memory) isFile(p string) bool       { return p == m.name }
func (m *memory) join(_, name string) string { return name }
func (m *memory) display(p string) string    { return p }
func (m *memory) abs(string) string          { return "" }
