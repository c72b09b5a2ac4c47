package pluto

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"syscall"

	"github.com/google/uuid"

	"github.com/settgraph/sett/compiler/identity"
	"github.com/settgraph/sett/compiler/xref"
	"github.com/settgraph/sett/sdk/pluto/journal"
)

// Edit runs a function that edits the project, and makes all its changes or, when it returns
// an error, none. The function must not call methods of the project that edit it. When
// files are written, no other process of sett writes meanwhile; what other programs wrote
// since the transaction read it is a [Conflict], and nothing is changed.
func (p *Project) Edit(ctx context.Context, o EditOptions, f func(tx *Tx) error) (*Change, error) {
	return p.edit(ctx, o, func(tx *Tx) ([]*Module, error) { return nil, f(tx) })
}

// edit is Edit for functions that may say what modules were before, for a reload.
func (p *Project) edit(ctx context.Context, o EditOptions, f func(tx *Tx) ([]*Module, error)) (*Change, error) {
	if p.opts.ReadOnly && !o.DryRun {
		return nil, readOnly(nil)
	}
	if o.Staged && o.Direct {
		return nil, fail(InvalidArgument, "an edit is staged or direct, not both")
	}
	direct := !o.Staged && (o.Direct || !p.opts.Staged)
	if err := p.begin(ctx); err != nil {
		return nil, err
	}
	defer p.end()
	var held *journal.Held
	if direct && !o.DryRun {
		var err error
		if held, err = p.lock(ctx); err != nil {
			return nil, err
		}
		defer held.Release()
	}
	base, err := p.current(ctx, held != nil)
	if err != nil {
		return nil, err
	}
	tx := &Tx{ctx: ctx, p: p, base: base, view: base, force: o.Force, token: &token{}}
	old, err := f(tx)
	if err != nil {
		return nil, err
	}
	if err := tx.complete(); err != nil {
		return nil, err
	}
	c, err := tx.change(&o)
	if err != nil {
		return nil, err
	}
	if o.reload {
		c.compare(old, tx.modules(tx.reloaded))
	} else {
		c.compare(base.modules, tx.view.modules)
	}
	if direct && !o.reload {
		if err := tx.apart(c); err != nil {
			return nil, err
		}
	}
	switch {
	case o.DryRun:
		c.Diff = c.Unified()
	case o.reload:
		err = p.accept(held, tx)
	case len(c.all()) == 0 && len(tx.records.from)+len(tx.records.to) == 0:
	case direct:
		err = p.commit(held, tx, c)
	default:
		c.Staged = true
		p.keep(tx, c)
	}
	if err != nil {
		return nil, err
	}
	if held != nil {
		held.Release()
	}
	if !o.NoCheck {
		// It has been written: a context that ends now only costs the diagnostics.
		if c.Diags, err = tx.view.affected(ctx, base, c); err != nil {
			c.Notes = append(c.Notes, "not checked: "+err.Error())
		}
	}
	return c, nil
}

// current is the view that a transaction starts from.
func (p *Project) current(ctx context.Context, locked bool) (*View, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.refresh(ctx, locked)
}

func readOnly(err error) *Error {
	e := &Error{Code: ReadOnly, Text: "the project is open for reading only", Err: err}
	if err != nil {
		e.Text = "the project cannot be written: " + bare(err).Error()
	}
	return e
}

// lock takes the lock of writers.
func (p *Project) lock(ctx context.Context) (*journal.Held, error) {
	held, err := p.journal.Lock(ctx)
	switch {
	case err == nil:
		p.saveIDs()
		return held, nil
	case errors.Is(err, journal.ErrBusy):
		return nil, &Error{Code: Locked, Text: "another process is editing the project", Hint: "try again", Err: err}
	case errors.Is(err, journal.ErrReadOnly):
		return nil, readOnly(err)
	}
	return nil, journalError(err)
}

// saveIDs sets recorded ids aside that cannot be read: the next change would write over them.
// Who calls it holds the lock.
func (p *Project) saveIDs() {
	text, err := p.read(idsFile)
	if err != nil {
		return
	}
	if _, _, err := identity.Decode(text); err != nil {
		_ = p.fs.Rename(idsFile, idsFile+".damaged")
	}
}

// journalError is an error of the journal for the asker.
func journalError(err error) error {
	var conflict *journal.ConflictError
	var damage *journal.DamageError
	switch {
	case err == nil:
		return nil
	case errors.As(err, &conflict):
		return &Error{
			Code: Conflict, Text: strings.Join(conflict.Paths, ", ") + " changed on disk since it was read", Files: conflict.Paths, Err: err,
			Hint: "try again to plan on the file as it is now, or reload it",
		}
	case errors.Is(err, journal.ErrNothing):
		return &Error{Code: NotFound, Text: err.Error(), Err: err}
	case errors.As(err, &damage):
		return &Error{Code: Stale, Text: "this step of the history is damaged and was set aside as " + damage.File, Err: err}
	case errors.As(err, new(syscall.Errno)): // a full disk, permissions
		return &Error{Code: ReadOnly, Text: "the project cannot be written, the edit is not made: " + err.Error(), Hint: "mend that and try again", Err: err}
	}
	return err
}

// apart refuses a direct edit of files that have staged ones.
func (tx *Tx) apart(c *Change) error {
	for _, f := range c.Files {
		if _, staged := tx.base.layer[f.Path]; staged {
			return &Error{Code: Conflict, Text: f.Path + " has staged edits", Files: []string{f.Path}, Hint: "save or discard them first, or stage this edit too"}
		}
	}
	return nil
}

// commit writes a change to disk.
func (p *Project) commit(held *journal.Held, tx *Tx, c *Change) error {
	var changes []journal.Change
	for _, f := range c.all() {
		changes = append(changes, journal.Change{Path: f.Path, Before: f.Before, After: f.After, Like: tx.view.layer[f.Path].like})
	}
	if ids := tx.records; len(ids.from)+len(ids.to) > 0 {
		changes = append(changes, journal.Change{Path: idsFile, Before: ids.from.Encode(), After: ids.to.Encode()})
	}
	e, err := held.Commit(c.Label, nil, changes)
	if err != nil {
		return journalError(err)
	}
	c.Entry = e.ID
	p.mu.Lock()
	defer p.mu.Unlock()
	var paths []string
	for _, f := range c.Files {
		p.written[f.Path] = true
		paths = append(paths, f.Path)
	}
	p.stage.forget(paths)
	p.settle(tx)
	return nil
}

// accept records the ids that a reload found.
func (p *Project) accept(held *journal.Held, tx *Tx) error {
	if ids := tx.records; len(ids.from)+len(ids.to) > 0 {
		if err := held.Merge(idsFile, ids.from.Encode(), ids.to.Encode()); err != nil {
			return journalError(err)
		}
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	p.settle(tx)
	return nil
}

// settle makes the view of a finished edit the one to go on from; p.mu is held.
func (p *Project) settle(tx *Tx) {
	tx.view.fresh = false
	p.view = tx.view
	for name := range tx.touched {
		p.notice(tx.view, name)
	}
	for _, name := range tx.reloaded {
		p.notice(tx.view, name)
	}
}

// notice makes a module as it is what a reload compares with; p.mu is held.
func (p *Project) notice(v *View, name string) {
	if m := v.byPath[name]; m != nil {
		p.seen[name] = m
	} else {
		delete(p.seen, name)
	}
}

// modules are those with these paths that there are.
func (tx *Tx) modules(names []string) []*Module {
	var out []*Module
	for _, name := range names {
		if m := tx.view.byPath[name]; m != nil {
			out = append(out, m)
		}
	}
	return out
}

// complete brings the modules in binary form up to date with what their texts refer to, and
// works out which ids have to be recorded.
func (tx *Tx) complete() error {
	if err := tx.refer(); err != nil {
		return err
	}
	now := tx.recorded()
	tx.records.from, tx.records.to = identity.Delta(tx.base.recorded, now)
	tx.now = now
	return nil
}

// recorded is the ids that have to be written down.
func (tx *Tx) recorded() identity.Recorded {
	out := maps.Clone(tx.base.recorded)
	for k := range out {
		_, before := tx.base.ids.Of[k]
		_, after := tx.view.ids.Of[k]
		if tx.touched[k.File] && (before || after) {
			delete(out, k)
		}
	}
	for path := range tx.touched {
		m := tx.view.byPath[path]
		if m == nil || m.Binary {
			continue
		}
		identity.Natural(tx.view.drafts[path].Draft, tx.view.ids.Of, func(k xref.Key, natural uuid.UUID) {
			if id := tx.view.ids.Of[k]; id != natural {
				out[k] = id
			}
		})
	}
	for k, id := range out {
		if owner, ok := tx.view.ids.Key[id]; ok && owner != k {
			delete(out, k) // the id is another's now
		}
	}
	return out
}

// stillDangling are the uses that operations left behind, without those that a later operation
// took away.
func (tx *Tx) stillDangling() []Use {
	return slices.DeleteFunc(slices.Clone(tx.dangling), func(u Use) bool {
		return u.Module != nil && tx.view.byID[u.Module.ID] == nil || u.Owner != nil && tx.view.byID[u.Owner.ID] == nil
	})
}

// change describes what the transaction does.
func (tx *Tx) change(o *EditOptions) (*Change, error) {
	c := &Change{Updated: tx.updated, Dangling: tx.stillDangling(), Notes: tx.notes, DryRun: o.DryRun, Label: o.Label}
	if c.Label == "" {
		c.Label = strings.Join(tx.ops, "; ")
		if len(tx.ops) > 3 {
			c.Label = fmt.Sprintf("%s; and %d more", strings.Join(tx.ops[:3], "; "), len(tx.ops)-3)
		}
	}
	for _, name := range slices.Sorted(maps.Keys(tx.touched)) {
		old, err := tx.base.contents(tx.p, name)
		if err != nil {
			return nil, err
		}
		now, err := tx.view.contents(tx.p, name)
		if err != nil {
			return nil, err
		}
		if !same(old, now) {
			c.add(fileChange(name, old, now))
		}
	}
	return c, nil
}
