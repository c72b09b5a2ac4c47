package pluto

import (
	"context"
	"slices"

	"github.com/settgraph/sett/sdk/pluto/journal"
)

// Undo takes the last edit back: of staged edits the last one, else the last change on disk,
// if its files are still as it left them. Ids go back as well.
func (p *Project) Undo(ctx context.Context) (*Change, error) { return p.travel(ctx, true) }

// Redo does the last edit again that was undone.
func (p *Project) Redo(ctx context.Context) (*Change, error) { return p.travel(ctx, false) }

func (p *Project) travel(ctx context.Context, back bool) (*Change, error) {
	if p.opts.ReadOnly {
		return nil, readOnly(nil)
	}
	if err := p.begin(ctx); err != nil {
		return nil, err
	}
	defer p.end()
	before, err := p.View(ctx)
	if err != nil {
		return nil, err
	}
	c := &Change{}
	stepped, err := p.step(back, c)
	if err != nil {
		return nil, err
	}
	if !stepped {
		if err := p.stepOnDisk(ctx, back, c); err != nil {
			return nil, err
		}
	}
	p.mu.Lock()
	p.drop()
	after, err := p.refresh(ctx, false)
	if err == nil {
		for _, f := range c.Files {
			p.notice(after, f.Path)
		}
	}
	p.mu.Unlock()
	if err != nil {
		return nil, err
	}
	if c.Staged {
		files := c.all()
		c.Files, c.notes = nil, nil
		for _, f := range files {
			old, err := before.contents(p, f.Path)
			if err != nil {
				return nil, err
			}
			now, err := after.contents(p, f.Path)
			if err != nil {
				return nil, err
			}
			c.add(fileChange(f.Path, old, now))
		}
	}
	c.compare(before.modules, after.modules)
	if c.Diags, err = after.affected(ctx, before, c); err != nil {
		c.Notes = append(c.Notes, "not checked: "+err.Error())
	}
	return c, nil
}

// step goes one staged edit back or forth; false when there is none, and the disk is next.
func (p *Project) step(back bool, c *Change) (bool, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	s := &p.stage
	var n *stage
	switch {
	case back && s.cursor > 0:
		s.cursor--
		n = s.steps[s.cursor]
	case !back && s.cursor < len(s.steps):
		n = s.steps[s.cursor]
		s.cursor++
	case len(s.now().files) > 0:
		return false, &Error{Code: NotFound, Text: "no more of the staged edits can be undone or redone one by one", Hint: "save or discard them first"}
	default:
		return false, nil
	}
	c.Label, c.Staged, c.Entry = n.label, true, n.id
	for _, name := range n.paths {
		c.add(FileChange{Path: name})
	}
	return true, nil
}

// stepOnDisk undoes or redoes a change on disk.
func (p *Project) stepOnDisk(ctx context.Context, back bool, c *Change) error {
	held, err := p.lock(ctx)
	if err != nil {
		return err
	}
	defer held.Release()
	var e journal.Entry
	if back {
		e, err = held.Undo()
	} else {
		e, err = held.Redo()
	}
	if err != nil {
		return journalError(err)
	}
	c.Label, c.Entry = e.Label, e.ID
	p.mu.Lock()
	defer p.mu.Unlock()
	var paths []string
	for _, f := range e.Changes {
		if own(f.Path) {
			continue
		}
		paths = append(paths, f.Path)
		from, to := f.Before, f.After
		if back {
			from, to = to, from
		}
		c.Files = append(c.Files, fileChange(f.Path, from, to))
		p.written[f.Path] = true
	}
	p.stage.forget(paths)
	return nil
}

// History lists the edits, newest first: what can be redone, then what can be undone, edits
// in memory before those on disk.
func (p *Project) History() ([]Entry, error) {
	p.mu.Lock()
	var out []Entry
	for i, n := range slices.Backward(p.stage.steps) {
		out = append(out, Entry{ID: n.id, Label: n.label, Time: n.time, Files: users(n.paths), Undone: i >= p.stage.cursor, Staged: true})
	}
	p.mu.Unlock()
	entries, err := p.journal.History()
	if err != nil {
		return nil, err
	}
	for _, e := range entries {
		row := Entry{ID: e.ID, Label: e.Label, Time: e.Time, Undone: e.Undone}
		for _, f := range e.Changes {
			if !own(f.Path) {
				row.Files = append(row.Files, f.Path)
			}
		}
		out = append(out, row)
	}
	return out, nil
}
