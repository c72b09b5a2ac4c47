package journal

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"path"
	"slices"
	"sync"
	"time"
)

// Commit makes a change: all of its files or none. Files that are not what the change
// starts from are a *[ConflictError]. What was undone before can not be redone any more.
func (h *Held) Commit(label string, meta []byte, changes []Change) (Entry, error) {
	e := &entry{ID: h.head.Next, Label: label, Time: time.Now().UTC().Truncate(time.Millisecond), Meta: meta}
	for _, c := range changes {
		if !allowed(c.Path) {
			return Entry{}, fmt.Errorf("writing %q: not a path of the project", c.Path)
		}
		c.Mode = h.tree.mode(c.Path)
		if c.Mode == 0 && c.Like != "" {
			c.Mode = h.tree.mode(c.Like)
		}
		e.Files = append(e.Files, c)
		if c.After != nil {
			for _, d := range h.tree.missing(c.Path) {
				if !slices.Contains(e.Dirs, d) {
					e.Dirs = append(e.Dirs, d)
				}
			}
		}
	}
	slices.SortFunc(e.Files, func(a, b Change) int { return bytes.Compare([]byte(a.Path), []byte(b.Path)) })
	if _, err := h.plan(e, false); err != nil {
		return Entry{}, err
	}
	data, err := e.encode()
	if err != nil {
		return Entry{}, err
	}
	// The head is written to the same folder, and syncs that: until it says so there is no entry.
	if err := h.tree.put(entryFile(e.ID), data, e.mode()); err != nil {
		return Entry{}, err
	}
	old := *h.head
	next := old
	next.Next++
	next.Entries = append(slices.Clone(old.Entries[:old.Cursor]), record{e.ID, int64(len(data))})
	next.Pending = e.ID
	h.head = &next
	if err := h.saveHead(); err != nil {
		h.head = &old
		_ = h.tree.root.Remove(entryFile(e.ID))
		return Entry{}, err
	}
	if err := h.apply(e, false); err != nil {
		return Entry{}, h.giveUp(e, false, &old, err)
	}
	h.head.Cursor = len(h.head.Entries)
	h.head.Pending = 0
	gone := old.Entries[old.Cursor:]
	for len(h.head.Entries) > 1 && (len(h.head.Entries) > h.j.opts.MaxEntries || h.head.size() > h.j.opts.MaxBytes) {
		gone = append(slices.Clone(gone), h.head.Entries[0])
		h.head.Entries = h.head.Entries[1:]
		h.head.Cursor--
	}
	if h.finish(e) {
		for _, r := range gone {
			_ = h.tree.root.Remove(entryFile(r.ID))
		}
	}
	return e.public(false), nil
}

// finish writes down that the change of an entry is complete. It is, also when that cannot be
// written, on a full disk say: the next writer finds it pending with nothing left to do.
func (h *Held) finish(e *entry) bool {
	err := h.saveHead()
	if err != nil {
		h.j.note("the change (%s) is made, but the history could not be written: %v", e.Label, err)
	}
	return err == nil
}

// Undo takes the last applied entry back, if its files are still as it left them.
func (h *Held) Undo() (Entry, error) { return h.step(true) }

// Redo applies the last undone entry again, if its files are still as they were before it.
func (h *Held) Redo() (Entry, error) { return h.step(false) }

func (h *Held) step(back bool) (Entry, error) {
	at := h.head.Cursor
	if back {
		at--
	}
	if at < 0 || at >= len(h.head.Entries) {
		return Entry{}, ErrNothing
	}
	e, err := h.load(h.head.Entries[at].ID)
	if err != nil {
		// What lies behind it in this direction cannot be reached any more.
		var keep []record
		if back {
			keep, h.head.Cursor = h.head.Entries[at+1:], 0
		} else {
			keep = h.head.Entries[:at]
		}
		h.head.Entries = slices.Clone(keep)
		return Entry{}, errors.Join(err, h.saveHead())
	}
	if _, err := h.plan(e, back); err != nil {
		return Entry{}, err
	}
	old := *h.head
	next := old
	next.Pending, next.Back = e.ID, back
	h.head = &next
	if err := h.saveHead(); err != nil {
		h.head = &old
		return Entry{}, err
	}
	if err := h.apply(e, back); err != nil {
		return Entry{}, h.giveUp(e, back, &old, err)
	}
	h.head.Pending, h.head.Back = 0, false
	if back {
		h.head.Cursor--
	} else {
		h.head.Cursor++
	}
	h.finish(e)
	return e.public(back), nil
}

// Merge changes a file of records as a commit would, without a step in the history.
func (h *Held) Merge(name string, from, to []byte) error {
	disk, err := h.tree.read(name)
	if err != nil {
		return err
	}
	want := h.j.opts.Merge[name](disk, from, to)
	switch {
	case same(disk, want):
		return nil
	case want == nil:
		return h.tree.root.Remove(name)
	}
	return h.tree.write(name, want, h.tree.mode(name))
}

// History lists the entries, newest first, without waiting for a writer.
func (j *Journal) History() ([]Entry, error) {
	t, err := openTree(j.root)
	if err != nil {
		return nil, err
	}
	defer t.close()
	data, err := t.read(headFile)
	if data == nil || err != nil {
		return nil, err
	}
	hd, err := decodeHead(data)
	if err != nil {
		return nil, nil // the next writer sets it aside
	}
	var out []Entry
	for i := len(hd.Entries) - 1; i >= 0; i-- {
		data, err := t.read(entryFile(hd.Entries[i].ID))
		if err != nil || data == nil {
			break
		}
		e, err := decodeEntry(data)
		if err != nil {
			break
		}
		out = append(out, e.public(i >= hd.Cursor))
	}
	return out, nil
}

func (h *Held) load(id uint64) (*entry, error) {
	file := entryFile(id)
	data, err := h.tree.read(file)
	if err != nil {
		return nil, err
	}
	if data == nil {
		h.j.note("%s is missing", file)
		return nil, &DamageError{file, fs.ErrNotExist}
	}
	e, err := decodeEntry(data)
	if err == nil && e.ID != id {
		err = errFormat
	}
	if err != nil {
		return nil, h.setAside(file, err)
	}
	return e, nil
}

func (h *Held) saveHead() error { return h.tree.write(headFile, h.head.encode(), 0) }

// step of a plan: what is to become of one file.
type step struct {
	name string // as the entry has it
	path string // where the file really is
	tmp  string
	from []byte // what is there
	want []byte // nil: gone
	mode fs.FileMode
}

// plan compares the files with what the entry starts from, and gives what is to be done.
// Files that are already as they will be count as right.
func (h *Held) plan(e *entry, back bool) ([]step, error) {
	var steps []step
	var conflict ConflictError
	for i, c := range e.Files {
		from, to := c.Before, c.After
		if back {
			from, to = to, from
		}
		disk, err := h.tree.read(c.Path)
		if errors.Is(err, errNotRegular) {
			conflict.Paths = append(conflict.Paths, c.Path)
			continue
		}
		if err != nil {
			return nil, err
		}
		if merge := h.j.opts.Merge[c.Path]; merge != nil {
			to = merge(disk, from, to)
			from = disk
		}
		switch {
		case same(disk, to):
			continue
		case !same(disk, from):
			conflict.Paths = append(conflict.Paths, c.Path)
			continue
		}
		real, err := h.tree.real(c.Path)
		if err != nil {
			return nil, err
		}
		mode := c.Mode
		if now := h.tree.mode(real); now != 0 {
			mode = now // somebody may have changed it since
		}
		steps = append(steps, step{c.Path, real, path.Join(path.Dir(real), tempName(e.ID, i)), from, to, mode})
	}
	if len(conflict.Paths) > 0 {
		return nil, &conflict
	}
	return steps, nil
}

func same(a, b []byte) bool { return (a == nil) == (b == nil) && bytes.Equal(a, b) }

func tempName(id uint64, i int) string { return fmt.Sprintf(".sett-tmp-%d-%d", id, i) }

// apply brings the files of an entry to what they will be.
func (h *Held) apply(e *entry, back bool) error {
	steps, err := h.plan(e, back)
	if err != nil {
		return err
	}
	synced := map[string]bool{}
	for _, s := range steps {
		if s.want == nil {
			synced[path.Dir(s.path)] = true
			continue
		}
		for _, d := range h.tree.missing(s.path) {
			synced[path.Dir(d)] = true
		}
		synced[path.Dir(s.path)] = true
		if err := h.tree.root.MkdirAll(path.Dir(s.path), 0o777); err != nil {
			return fmt.Errorf("creating %s: %w", path.Dir(s.path), bare(err))
		}
	}
	// No file is replaced before the contents of all are on the disk.
	for _, do := range []func(s step) error{h.prepare, h.replace} {
		if err := together(len(steps), func(i int) error { return do(steps[i]) }); err != nil {
			h.sweep(e)
			return err
		}
	}
	if back {
		for _, d := range slices.Backward(e.Dirs) {
			if h.tree.root.Remove(d) == nil { // fails when it is not empty, as it should
				delete(synced, d)
				synced[path.Dir(d)] = true
			}
		}
	}
	dirs := slices.Collect(maps.Keys(synced))
	return together(len(dirs), func(i int) error {
		if err := h.tree.syncDir(dirs[i]); !errors.Is(err, fs.ErrNotExist) {
			return err
		}
		return nil
	})
}

// together does something for the numbers below n, several at once: most of it is waiting for
// the disk. All conflicts are one.
func together(n int, do func(i int) error) error {
	errs := make([]error, n)
	slots := make(chan struct{}, 16)
	var wg sync.WaitGroup
	for i := range n {
		slots <- struct{}{}
		wg.Go(func() {
			defer func() { <-slots }()
			errs[i] = do(i)
		})
	}
	wg.Wait()
	var all ConflictError
	for i, err := range errs {
		if conflict := (*ConflictError)(nil); errors.As(err, &conflict) {
			all.Paths = append(all.Paths, conflict.Paths...)
			errs[i] = nil
		}
	}
	if len(all.Paths) > 0 {
		errs = append(errs, &all)
	}
	return errors.Join(errs...)
}

// prepare writes the new contents beside a file.
func (h *Held) prepare(s step) error {
	if s.want == nil {
		return nil
	}
	return h.tree.writeTemp(s.tmp, s.want, s.mode)
}

// replace puts the new contents in the place of a file, if that is still what it was: syncing
// took its time, and editors do not know of the lock.
func (h *Held) replace(s step) error {
	disk, err := h.tree.read(s.path)
	switch {
	case errors.Is(err, errNotRegular):
		return &ConflictError{[]string{s.name}}
	case err != nil:
		return err
	case !same(disk, s.from):
		return &ConflictError{[]string{s.name}}
	case s.want != nil:
		err = h.tree.root.Rename(s.tmp, s.path)
	case s.from != nil:
		err = h.tree.root.Remove(s.path)
	}
	if err != nil {
		return fmt.Errorf("writing %s: %w", s.path, bare(err))
	}
	return nil
}

// sweep removes temporary files of an entry.
func (h *Held) sweep(e *entry) {
	for i, c := range e.Files {
		if real, err := h.tree.real(c.Path); err == nil {
			_ = h.tree.root.Remove(path.Join(path.Dir(real), tempName(e.ID, i)))
		}
	}
}

// giveUp takes back what a failed change did; old is the head before it.
func (h *Held) giveUp(e *entry, back bool, old *head, cause error) error {
	undo := func() error { return h.apply(e, !back) }
	if conflict := (*ConflictError)(nil); errors.As(cause, &conflict) {
		undo = func() error { return h.takeBack(e, back) }
	}
	if err := undo(); err != nil {
		// The head still names the entry: the next writer goes on taking it back, as the
		// asker was told that it failed.
		h.head.Back = !back
		return errors.Join(cause, err, h.saveHead())
	}
	next := *old
	if !slices.ContainsFunc(old.Entries, func(r record) bool { return r.ID == e.ID }) {
		next.Next = e.ID + 1
		defer func() { _ = h.tree.root.Remove(entryFile(e.ID)) }()
	}
	h.head = &next
	return errors.Join(cause, h.saveHead())
}

// recover ends what a dead writer began: forward when all files are as they were before or
// will be after, else back, leaving alone what somebody else wrote.
func (h *Held) recover() error {
	id, back := h.head.Pending, h.head.Back
	at := slices.IndexFunc(h.head.Entries, func(r record) bool { return r.ID == id })
	e, err := h.load(id)
	if err != nil || at < 0 {
		// Without its entry the change can be neither completed nor taken back.
		h.head.Pending, h.head.Back = 0, false
		if at >= 0 {
			h.head.Entries = slices.Delete(slices.Clone(h.head.Entries), at, at+1)
			h.head.Cursor = min(at, len(h.head.Entries))
		}
		return h.saveHead()
	}
	h.sweep(e)
	err = h.apply(e, back)
	var conflict *ConflictError
	switch {
	case err == nil && back:
		h.head.Cursor = at
	case err == nil:
		h.head.Cursor = at + 1
	case errors.As(err, &conflict):
		h.j.note("took back an unfinished change (%s), because %v", e.Label, err)
		if err := h.takeBack(e, back); err != nil {
			return err
		}
		if back {
			h.head.Cursor = at + 1
		} else {
			h.head.Entries, h.head.Cursor = h.head.Entries[:at], at
		}
	default:
		return fmt.Errorf("completing an unfinished change: %w", err)
	}
	h.head.Pending, h.head.Back = 0, false
	return h.saveHead()
}

// takeBack brings those files of an entry back that it has changed already.
func (h *Held) takeBack(e *entry, back bool) error {
	part := *e
	part.Files = nil
	for _, c := range e.Files {
		disk, err := h.tree.read(c.Path)
		if errors.Is(err, errNotRegular) {
			continue
		}
		if err != nil {
			return err
		}
		to := c.After
		if back {
			to = c.Before
		}
		if h.j.opts.Merge[c.Path] != nil || same(disk, to) {
			part.Files = append(part.Files, c)
		}
	}
	return h.apply(&part, !back)
}
