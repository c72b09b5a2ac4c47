// Package journal changes several files of a folder at once: all of them or none, whatever
// happens meanwhile, and back again.
//
// A change is first written as an entry: what every file was and what it will be, synced to
// the disk. Then the head, a small file, names the entry as pending; from there on the change
// will happen. Each file is replaced by renaming a synced temporary file, and the head says
// that the entry is applied. Who takes the lock and finds an entry pending, because its
// writer died, completes it; or takes it back when somebody else has changed one of its
// files since.
//
// After a power cut the same holds as after the death of a process. A change whose call has
// returned stays, and is in the history: its files, the names in their folders and the head
// were synced, in this order. Of one that was on its way the head may or may not name the
// entry. If it does, entry and head are whole, as both were synced with their folder before
// the first file was replaced, and every file is what it was or what it will be; if it does
// not, no file was replaced. A file is synced before it replaces the old one, although the
// entry has its contents too: once the head says applied nobody compares it with the entry
// any more, and what an editor writes into it then must not be taken for damage.
//
// Entries are kept for undo and redo. They are bounded in number and size, the oldest go
// first. A damaged journal costs history, never an edit: what cannot be read is renamed, and
// reported.
package journal

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"time"

	"github.com/gofrs/flock"
)

// Where everything is, below the root.
const (
	home     = ".sett"
	lockFile = home + "/pluto.lock"
	dir      = home + "/journal"
	headFile = dir + "/head"
)

// Options say how a journal works. The zero value is ready for use.
type Options struct {
	Wait       time.Duration // how long to wait for another writer; 0 stands for 10 s
	MaxEntries int           // 0 stands for 200
	MaxBytes   int64         // of all entries; 0 stands for 64 MB

	// Merge holds, by path, how to change a file that is a set of records, of which a
	// change says only those that go (from) and those that come (to). Such files never
	// conflict. It must give the same when it is done twice; nil removes the file.
	Merge map[string]func(disk, from, to []byte) []byte
}

// Change is what happens to one file.
type Change struct {
	Path   string      // slash path from the root
	Before []byte      // nil when the file is not there
	After  []byte      // nil to remove it
	Like   string      // a new file has the permissions of the one with this path; "" for the usual ones. Others keep theirs
	Mode   fs.FileMode // of an [Entry]: the permissions, 0 for the usual ones
}

// Entry is a change of several files in the history.
type Entry struct {
	ID      uint64
	Label   string
	Time    time.Time
	Meta    []byte // the caller's
	Changes []Change
	Undone  bool
}

// Errors that a caller may want to tell apart.
var (
	ErrBusy     = errors.New("another process is writing")
	ErrNothing  = errors.New("there is nothing to undo or redo")
	ErrReadOnly = errors.New("the project cannot be written")
)

// ConflictError says that files are not what a change starts from.
type ConflictError struct{ Paths []string }

func (e *ConflictError) Error() string {
	return strings.Join(e.Paths, ", ") + " changed meanwhile"
}

// DamageError says that a part of the history cannot be read. It has been set aside.
type DamageError struct {
	File string // slash path from the root, as renamed
	Err  error
}

func (e *DamageError) Error() string {
	return fmt.Sprintf("the journal is damaged, see %s: %v", e.File, e.Err)
}

// Unwrap gives what is wrong.
func (e *DamageError) Unwrap() error { return e.Err }

// Journal is the journal of a folder. It is safe for concurrent use, also by several
// processes.
type Journal struct {
	root string
	opts Options

	mu    sync.Mutex
	notes []string
}

// Open gives the journal of a folder; it touches nothing on disk yet.
func Open(root string, o Options) *Journal {
	if o.Wait == 0 {
		o.Wait = 10 * time.Second
	}
	if o.MaxEntries == 0 {
		o.MaxEntries = 200
	}
	if o.MaxBytes == 0 {
		o.MaxBytes = 64 << 20
	}
	return &Journal{root: root, opts: o}
}

// Notes returns what had to be repaired or set aside since the last call.
func (j *Journal) Notes() []string {
	j.mu.Lock()
	defer j.mu.Unlock()
	n := j.notes
	j.notes = nil
	return n
}

func (j *Journal) note(format string, args ...any) {
	j.mu.Lock()
	defer j.mu.Unlock()
	j.notes = append(j.notes, fmt.Sprintf(format, args...))
}

// State says where the history stands: a text that differs after every change, and whether
// a change is being made right now, or was when its process died. Who reads several files
// and gets the same state before and after, none pending, has read all of one change or
// nothing of it.
func (j *Journal) State() (state string, pending bool) {
	data, err := os.ReadFile(filepath.Join(j.root, filepath.FromSlash(headFile)))
	if err != nil {
		return "", false
	}
	h, err := decodeHead(data)
	if err != nil {
		return string(data), false
	}
	return string(data), h.Pending != 0
}

// Held is the journal while this process may write.
type Held struct {
	j    *Journal
	tree *tree
	head *head
	lock *flock.Flock
	once sync.Once
}

// Lock waits until nobody else writes, and completes what a dead writer began.
func (j *Journal) Lock(ctx context.Context) (*Held, error) {
	t, err := openTree(j.root)
	if err != nil {
		return nil, err
	}
	if err := t.makeHome(); err != nil {
		t.close()
		return nil, fmt.Errorf("%w: %w", ErrReadOnly, err)
	}
	l := flock.New(filepath.Join(j.root, filepath.FromSlash(lockFile)))
	wait, cancel := context.WithTimeout(ctx, j.opts.Wait)
	defer cancel()
	ok, err := l.TryLockContext(wait, 3*time.Millisecond)
	if !ok {
		_ = l.Close()
		t.close()
		switch {
		case ctx.Err() != nil:
			return nil, ctx.Err()
		case wait.Err() != nil:
			return nil, ErrBusy
		case errors.Is(err, fs.ErrPermission):
			return nil, fmt.Errorf("%w: %w", ErrReadOnly, err)
		}
		return nil, fmt.Errorf("locking %s: %w", lockFile, err)
	}
	h := &Held{j: j, tree: t, lock: l}
	if err := h.begin(); err != nil {
		h.Release()
		return nil, err
	}
	return h, nil
}

// Release lets others write.
func (h *Held) Release() {
	h.once.Do(func() {
		_ = h.lock.Close()
		h.tree.close()
	})
}

// begin reads the head and brings a pending change to its end.
func (h *Held) begin() error {
	data, err := h.tree.read(headFile)
	if err != nil {
		return err
	}
	switch {
	case data == nil:
		h.head = &head{Next: 1}
	default:
		if h.head, err = decodeHead(data); err != nil {
			h.setAside(headFile, err)
			h.head = h.rebuild()
			return h.saveHead()
		}
	}
	if h.head.Pending == 0 {
		return nil
	}
	return h.recover()
}

// rebuild makes a head of the entries that are there, all of them applied: undo looks at
// the files before it believes that.
func (h *Held) rebuild() *head {
	out := &head{Next: 1}
	for _, name := range h.tree.list(dir) {
		id, ok := entryID(name)
		if !ok {
			continue
		}
		out.Next = max(out.Next, id+1)
		if data, err := h.tree.read(entryFile(id)); err == nil {
			if _, err = decodeEntry(data); err == nil {
				out.Entries = append(out.Entries, record{id, int64(len(data))})
				continue
			}
			h.setAside(entryFile(id), err)
		}
	}
	out.sort()
	out.Cursor = len(out.Entries)
	return out
}

// setAside renames a file that cannot be understood.
func (h *Held) setAside(file string, why error) *DamageError {
	to := file + ".damaged"
	if err := h.tree.root.Rename(file, to); err != nil {
		_ = h.tree.root.Remove(file)
	}
	h.j.note("set aside %s: %v", to, why)
	return &DamageError{to, why}
}
