package journal

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"runtime"
	"sort"
	"strings"
)

// tree is the folder. Nothing outside of it is ever read or written, whatever links say.
type tree struct {
	root *os.Root
	dir  string
}

func openTree(dir string) (*tree, error) {
	root, err := os.OpenRoot(dir)
	if err != nil {
		return nil, fmt.Errorf("opening the project: %w", err)
	}
	return &tree{root, dir}, nil
}

func (t *tree) close() { _ = t.root.Close() }

// makeHome makes the folders of the journal, which no version control should pick up.
func (t *tree) makeHome() error {
	made := t.missing(headFile)
	if err := t.root.MkdirAll(dir, 0o777); err != nil {
		return err
	}
	for _, d := range made {
		if err := t.syncDir(path.Dir(d)); err != nil {
			return err
		}
	}
	ignore := home + "/.gitignore"
	if _, err := t.root.Lstat(ignore); err == nil {
		return nil
	}
	return t.root.WriteFile(ignore, []byte("*\n"), 0o644)
}

// errNotRegular says that something that is no file has the name of one.
var errNotRegular = errors.New("not a regular file")

// read gives the contents of a regular file, nil when there is none.
func (t *tree) read(name string) ([]byte, error) {
	info, err := t.root.Stat(name)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("reading %s: %w", name, bare(err))
	}
	if !info.Mode().IsRegular() {
		return nil, fmt.Errorf("reading %s: %w", name, errNotRegular)
	}
	f, err := t.root.Open(name)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("reading %s: %w", name, bare(err))
	}
	defer f.Close()
	data, err := io.ReadAll(f)
	if err != nil {
		return nil, fmt.Errorf("reading %s: %w", name, bare(err))
	}
	if data == nil {
		data = []byte{}
	}
	return data, nil
}

// list gives the names in a folder, sorted; none when it cannot be read.
func (t *tree) list(dir string) []string {
	f, err := t.root.Open(dir)
	if err != nil {
		return nil
	}
	defer f.Close()
	names, _ := f.Readdirnames(-1)
	sort.Strings(names)
	return names
}

// real is where a path leads when its last element is a link: the link stays, what it
// points to is replaced. A link out of the folder is an error.
func (t *tree) real(name string) (string, error) {
	info, err := t.root.Lstat(name)
	if err != nil || info.Mode()&fs.ModeSymlink == 0 {
		return name, nil
	}
	base, err := filepath.EvalSymlinks(t.dir)
	if err != nil {
		return "", err
	}
	full, err := filepath.EvalSymlinks(filepath.Join(base, filepath.FromSlash(name)))
	if err != nil {
		return "", fmt.Errorf("following %s: %w", name, bare(err))
	}
	rel, err := filepath.Rel(base, full)
	if err != nil || rel == ".." || strings.HasPrefix(rel, ".."+string(filepath.Separator)) {
		return "", fmt.Errorf("%s is a link out of the project", name)
	}
	return filepath.ToSlash(rel), nil
}

// mode is the permissions of a file, 0 when there is none.
func (t *tree) mode(name string) fs.FileMode {
	info, err := t.root.Stat(name)
	if err != nil {
		return 0
	}
	return info.Mode().Perm()
}

// writeTemp writes and syncs a temporary file; with the mode 0 it gets the permissions that
// new files usually have.
func (t *tree) writeTemp(name string, data []byte, mode fs.FileMode) error {
	first := fs.FileMode(0o600)
	if mode == 0 {
		first = 0o666 // less what the process masks
	}
	f, err := t.root.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_TRUNC, first)
	if err != nil {
		return fmt.Errorf("writing %s: %w", name, bare(err))
	}
	_, err = f.Write(data)
	if err == nil && mode != 0 {
		err = f.Chmod(mode)
	}
	if err == nil {
		err = f.Sync()
	}
	if cerr := f.Close(); err == nil {
		err = cerr
	}
	if err != nil {
		_ = t.root.Remove(name)
		return fmt.Errorf("writing %s: %w", name, bare(err))
	}
	return nil
}

// write replaces a file of the journal itself, to stay.
func (t *tree) write(name string, data []byte, mode fs.FileMode) error {
	if err := t.put(name, data, mode); err != nil {
		return err
	}
	return t.syncDir(path.Dir(name))
}

// put is write, but a power cut may bring the old file back until its folder is synced.
func (t *tree) put(name string, data []byte, mode fs.FileMode) error {
	tmp := name + ".tmp"
	if err := t.writeTemp(tmp, data, mode); err != nil {
		return err
	}
	if err := t.root.Rename(tmp, name); err != nil {
		return fmt.Errorf("writing %s: %w", name, bare(err))
	}
	return nil
}

// syncDir makes renames in a folder last. Windows has no such thing.
func (t *tree) syncDir(name string) error {
	if runtime.GOOS == "windows" {
		return nil
	}
	f, err := t.root.Open(name)
	if err != nil {
		return fmt.Errorf("syncing %s: %w", name, bare(err))
	}
	defer f.Close()
	if err := f.Sync(); err != nil && !errors.Is(err, fs.ErrInvalid) {
		return fmt.Errorf("syncing %s: %w", name, bare(err))
	}
	return nil
}

// missing lists the folders above a path that are not there, outer ones first.
func (t *tree) missing(name string) []string {
	var out []string
	for d := path.Dir(name); d != "."; d = path.Dir(d) {
		if _, err := t.root.Stat(d); !errors.Is(err, fs.ErrNotExist) {
			break
		}
		out = append([]string{d}, out...)
	}
	return out
}

// bare removes the path from an error of the file system, which the message gives anyway.
func bare(err error) error {
	var p *fs.PathError
	if errors.As(err, &p) {
		return p.Err
	}
	return err
}
