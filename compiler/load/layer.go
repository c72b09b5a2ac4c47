package load

import (
	"path/filepath"
	"slices"
)

// Layer is files that win over those of the disk: contents that are not saved yet, files and
// folders that are only here, and files that are to be gone. It is immutable and safe for
// concurrent use.
type Layer struct {
	files   map[string][]byte   // by absolute path; nil: there is no such file
	names   map[string][]string // of the files of a folder that are there
	folders map[string][]string // of the folders of a folder that hold such files
}

// NewLayer makes a layer of contents by absolute path. A nil content takes the file away; a
// folder that is empty after that is still one, as it is on a disk. The map must not change
// any more.
func NewLayer(files map[string][]byte) *Layer {
	l := &Layer{files: files, names: map[string][]string{}, folders: map[string][]string{}}
	for p, text := range files {
		if text == nil {
			continue
		}
		dir := filepath.Dir(p)
		known := l.isDir(dir)
		l.names[dir] = append(l.names[dir], filepath.Base(p))
		for !known && filepath.Dir(dir) != dir {
			parent := filepath.Dir(dir)
			known = l.isDir(parent)
			l.folders[parent] = append(l.folders[parent], filepath.Base(dir))
			dir = parent
		}
	}
	return l
}

// isDir says whether files of the layer are in or below the folder.
func (l *Layer) isDir(dir string) bool {
	return l.names[dir] != nil || l.folders[dir] != nil
}

// Read is the content of a file of the layer by its absolute path; ok says that the layer
// decides about the path, with nil for a file that is to be gone. A nil layer decides nothing.
func (l *Layer) Read(path string) (content []byte, ok bool) {
	if l == nil {
		return nil, false
	}
	content, ok = l.files[path]
	return content, ok
}

// Paths are the absolute paths of the files that are in the layer, sorted.
func (l *Layer) Paths() []string {
	if l == nil {
		return nil
	}
	var out []string
	for path, text := range l.files {
		if text != nil {
			out = append(out, path)
		}
	}
	slices.Sort(out)
	return out
}
