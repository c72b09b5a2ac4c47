package load

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"

	"github.com/BurntSushi/toml"

	"github.com/settgraph/sett/compiler/diag"
	"github.com/settgraph/sett/compiler/source"
)

// LockName is the file that says which commits a project uses.
const LockName = "pluto.lock"

// LockChange is an entry of pluto.lock that a load added, moved or removed.
type LockChange struct {
	Name string // of the dependency
	URL  string
	Ref  string // "tag v1"; "" for the default branch
	From string // the commit before, "" for an entry that is new
	To   string // the commit now, "" for an entry that is gone
}

// String is the change as people read it: "added wirekit 1234567890ab (tag v1)".
func (c LockChange) String() string {
	ref := ""
	if c.Ref != "" {
		ref = " (" + c.Ref + ")"
	}
	switch {
	case c.From == "":
		return fmt.Sprintf("added %s %s%s", c.Name, short(c.To), ref)
	case c.To == "":
		return fmt.Sprintf("removed %s", c.Name)
	}
	return fmt.Sprintf("moved %s %s -> %s%s", c.Name, short(c.From), short(c.To), ref)
}

// lockEntry is one repository at one ref.
type lockEntry struct {
	Name   string `toml:"name"`
	URL    string `toml:"url"`
	Ref    string `toml:"ref,omitempty"`
	Commit string `toml:"commit"`
	Tree   string `toml:"tree"`
}

type lockText struct {
	Version  int         `toml:"version"`
	Packages []lockEntry `toml:"package"`
}

// lockFile is pluto.lock: what it said, and what this load uses.
type lockFile struct {
	path   string
	old    []lockEntry
	now    []lockEntry
	broken bool // it could not be read, and is left alone
}

func readLock(l *loader, path string) *lockFile {
	f := &lockFile{path: path}
	l.watch[path] = true
	text, err := l.disk.read(path)
	if errors.Is(err, fs.ErrNotExist) {
		return f
	}
	var raw lockText
	file := source.NewFile(l.disk.display(path), path, string(text))
	at, why := source.Span{}, ""
	if err != nil {
		why = reason(err).Error()
	} else if _, err := toml.Decode(string(text), &raw); err != nil {
		at, why = tomlError(file, err)
	} else if raw.Version != 1 {
		why = fmt.Sprintf("version %d is not known; this sett reads version 1", raw.Version)
	}
	for _, e := range raw.Packages {
		if !isHash(e.Commit) || !isHash(e.Tree) {
			why = fmt.Sprintf("'%s' needs a commit and a tree", e.Name)
		}
	}
	if why != "" {
		f.broken = true
		l.proj.Diags.Report(diag.PhaseManifest, diag.BadLock, file, at, "pluto.lock: %s", why)
		return f
	}
	f.old = raw.Packages
	return f
}

// isHash says whether the text can name an object of git, and a folder of the cache.
func isHash(s string) bool {
	if len(s) != 40 && len(s) != 64 {
		return false
	}
	for _, c := range []byte(s) {
		if (c < '0' || c > '9') && (c < 'a' || c > 'f') {
			return false
		}
	}
	return true
}

// find is what the file says about a dependency; it counts as used.
func (f *lockFile) find(d dependency) (lockEntry, bool) {
	for _, e := range f.old {
		if e.URL == d.url && e.Ref == d.ref.String() {
			f.keep(e)
			return e, true
		}
	}
	return lockEntry{}, false
}

// set is what this load found out about a dependency.
func (f *lockFile) set(d dependency, commit, tree string) {
	f.keep(lockEntry{d.name, d.url, d.ref.String(), commit, tree})
}

func (f *lockFile) keep(e lockEntry) {
	i := slices.IndexFunc(f.now, func(o lockEntry) bool { return o.URL == e.URL && o.Ref == e.Ref })
	if i < 0 {
		f.now = append(f.now, e)
		return
	}
	e.Name = f.now[i].Name
	f.now[i] = e
}

// close tells the project what changed, and writes it.
func (f *lockFile) close(l *loader) {
	slices.SortFunc(f.now, func(a, b lockEntry) int {
		return cmp.Or(cmp.Compare(a.Name, b.Name), cmp.Compare(a.URL, b.URL), cmp.Compare(a.Ref, b.Ref))
	})
	if l.opts.ReadOnly {
		return
	}
	failed := l.proj.Diags.Errors() > 0 // what could not be loaded may still need its entry
	l.proj.Lock, l.locked = f.changes(failed), slices.Clone(f.now)
	if f.broken || len(l.proj.Lock) == 0 {
		return
	}
	if failed {
		for _, e := range f.old {
			if !f.uses(f.now, e) {
				f.now = append(f.now, e)
			}
		}
	}
	if err := f.write(); err != nil {
		l.proj.Diags.Report(diag.PhaseManifest, diag.BadLock, source.NewFile(l.disk.display(f.path), f.path, ""), source.Span{}, "pluto.lock: %v", err)
	}
}

func (f *lockFile) uses(list []lockEntry, e lockEntry) bool {
	return slices.ContainsFunc(list, func(o lockEntry) bool { return o.URL == e.URL && o.Ref == e.Ref })
}

func (f *lockFile) changes(keepOld bool) []LockChange {
	var out []LockChange
	for _, e := range f.now {
		from := ""
		for _, o := range f.old {
			if o.URL == e.URL && o.Ref == e.Ref {
				from = o.Commit
			}
		}
		if from != e.Commit {
			out = append(out, LockChange{e.Name, e.URL, e.Ref, from, e.Commit})
		}
	}
	for _, o := range f.old {
		if !keepOld && !f.uses(f.now, o) {
			out = append(out, LockChange{o.Name, o.URL, o.Ref, o.Commit, ""})
		}
	}
	return out
}

func (f *lockFile) write() error {
	var b bytes.Buffer
	if len(f.now) == 0 {
		return os.Remove(f.path)
	}
	b.WriteString("# Written by sett. Keep it under version control; `sett update` moves it.\n")
	enc := toml.NewEncoder(&b)
	enc.Indent = ""
	if err := enc.Encode(lockText{1, f.now}); err != nil {
		return err
	}
	tmp, err := os.CreateTemp(filepath.Dir(f.path), LockName+".*")
	if err != nil {
		return err
	}
	defer os.Remove(tmp.Name())
	_, err = tmp.Write(b.Bytes())
	if err := errors.Join(err, tmp.Chmod(0o644), tmp.Close()); err != nil {
		return err
	}
	return os.Rename(tmp.Name(), f.path)
}
