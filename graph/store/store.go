// Package store keeps generations of graph pages on disk.
//
// Everything is in the folder .sett of the project root:
//
//	CURRENT        one line, what to read now: <base> or <base>+<layer>
//	gen/<base>/    a Badger folder, never written to once it has its name
//	layer/<layer>  one small value that is laid over a base
//	stat           a private cache of the indexer about the files of this machine
//	lock           held, by the operating system's file lock, by whoever publishes
//	logs/          whatever a program wants to keep for its user
//
// A base is named by the hash of its pages and a layer by the hash of what it is laid
// over and its bytes, so the same pages have the same name everywhere and nothing in
// them says where or when they were made.
//
// Nobody needs the lock to read. A generation is written into a folder of another name,
// closed, opened again to see that it can be, renamed, and only then named in CURRENT,
// which is itself replaced by a rename: whoever is killed at any moment leaves the old
// generation in use, and leftovers that [Store.Sweep] removes. Badger's own directory
// lock is not used: it would guard against writers that cannot exist.
//
// The package also knows that disks fail: all that it reads is under a checksum, and
// damage is a [CorruptError], upon which a caller says so and indexes again.
package store

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/gofrs/flock"
)

// Dir is the name of the store's folder in the root of a project.
const Dir = ".sett"

// Format is the version of the layout of the folder and its files. It is part of the
// name of every generation. The meaning of pages has a version of its own, in package graph.
const Format = 1

// ErrNone says that nothing has been published yet.
var ErrNone = errors.New("there is no index")

// A CorruptError says that a file of the store is damaged or missing. Publishing the
// same pages again repairs it.
type CorruptError struct {
	File string // slash-separated, from the project root
	What string // what is wrong with it
	Err  error  // the cause, if there is one
}

func (e *CorruptError) Error() string {
	if e.Err != nil {
		return fmt.Sprintf("%s is damaged: %s: %v", e.File, e.What, e.Err)
	}
	return fmt.Sprintf("%s is damaged: %s", e.File, e.What)
}

func (e *CorruptError) Unwrap() error { return e.Err }

// IsCorrupt reports whether the error says that the store is damaged.
func IsCorrupt(err error) bool {
	var c *CorruptError
	return errors.As(err, &c)
}

// A Store is the store of one project. It holds nothing open and has no state, so any
// number of them, in any number of processes, may be used at once.
type Store struct{ dir string }

// At returns the store of the project with this root. It touches no file.
func At(root string) *Store { return &Store{dir: filepath.Join(root, Dir)} }

// A Ref names what can be opened: a generation, and perhaps a layer over it.
type Ref struct {
	Base  string
	Layer string // empty without a layer
}

// String returns the line that CURRENT holds.
func (r Ref) String() string {
	if r.Layer == "" {
		return r.Base
	}
	return r.Base + "+" + r.Layer
}

func parseRef(line string) (Ref, bool) {
	base, layer, plus := strings.Cut(line, "+")
	return Ref{base, layer}, isID(base) && (isID(layer) || !plus)
}

// idLen is the length of a name: 128 bits in hexadecimal.
const idLen = 32

func isID(s string) bool {
	if len(s) != idLen {
		return false
	}
	for _, c := range []byte(s) {
		if (c < '0' || c > '9') && (c < 'a' || c > 'f') {
			return false
		}
	}
	return true
}

// Current returns what was published last, or [ErrNone].
func (s *Store) Current() (Ref, error) {
	b, err := os.ReadFile(s.path("CURRENT"))
	if errors.Is(err, fs.ErrNotExist) {
		return Ref{}, ErrNone
	}
	if err != nil {
		return Ref{}, fmt.Errorf("reading which index is current: %w", err)
	}
	line, ended := strings.CutSuffix(string(b), "\n")
	ref, ok := parseRef(line)
	if !ok || !ended {
		return Ref{}, &CorruptError{File: s.rel("CURRENT"), What: "it does not name an index"}
	}
	return ref, nil
}

// swap makes a reference current. The old generation's time is set, because Sweep keeps
// for a while what has just been replaced.
func (s *Store) swap(ref Ref) error {
	old, err := s.Current()
	if err == nil && old == ref {
		return nil
	}
	if err := writeFile(s.path("CURRENT"), []byte(ref.String()+"\n"), true); err != nil {
		return fmt.Errorf("making the new index current: %w", err)
	}
	now := time.Now()
	if old.Base != "" && old.Base != ref.Base {
		_ = os.Chtimes(s.path("gen", old.Base), now, now) // a kindness to slow readers only
	}
	if old.Layer != "" {
		_ = os.Chtimes(s.path("layer", old.Layer), now, now)
	}
	return nil
}

// Lock takes the lock that publishers hold. With wait it waits until the context is
// done; without, ok is false when another process has it. The lock ends with unlock or
// with the process, however that ends.
func (s *Store) Lock(ctx context.Context, wait bool) (unlock func(), ok bool, err error) {
	if err := s.create(); err != nil {
		return nil, false, err
	}
	l := flock.New(s.path("lock"))
	if wait {
		ok, err = l.TryLockContext(ctx, 5*time.Millisecond)
	} else {
		ok, err = l.TryLock()
	}
	if err != nil {
		_ = l.Close()
		if ctx.Err() != nil {
			return nil, false, ctx.Err()
		}
		return nil, false, fmt.Errorf("locking %s: %w", s.rel("lock"), err)
	}
	if !ok {
		_ = l.Close()
		return nil, false, nil
	}
	return func() { _ = l.Close() }, true, nil
}

// LogDir returns the folder for log files, which need not exist.
func (s *Store) LogDir() string { return s.path("logs") }

// create makes the folder, which no version control should ever pick up.
func (s *Store) create() error {
	if err := os.MkdirAll(s.dir, 0o777); err != nil {
		return fmt.Errorf("creating the index folder: %w", err)
	}
	ignore := s.path(".gitignore")
	if _, err := os.Lstat(ignore); err == nil {
		return nil
	}
	if err := writeFile(ignore, []byte("*\n"), false); err != nil {
		return fmt.Errorf("creating %s: %w", s.rel(".gitignore"), err)
	}
	return nil
}

func (s *Store) path(elem ...string) string {
	return filepath.Join(append([]string{s.dir}, elem...)...)
}

// rel names a file in messages: the same on every machine.
func (s *Store) rel(elem ...string) string {
	return Dir + "/" + strings.Join(elem, "/")
}

// tmpPrefix begins the names of what is not finished or about to go.
const tmpPrefix = "tmp-"

// writeFile replaces a file as a whole: readers see the old bytes or the new ones. One
// that must outlast a power failure is durable; others are cheaper to write.
func writeFile(path string, data []byte, durable bool) error {
	f, err := os.CreateTemp(filepath.Dir(path), tmpPrefix)
	if err != nil {
		return err
	}
	_, err = f.Write(data)
	if err == nil {
		err = f.Chmod(0o666 &^ 0o022)
	}
	if err == nil && durable {
		err = f.Sync()
	}
	if cerr := f.Close(); err == nil {
		err = cerr
	}
	if err == nil {
		err = os.Rename(f.Name(), path)
	}
	if err != nil {
		_ = os.Remove(f.Name())
	}
	return err
}
