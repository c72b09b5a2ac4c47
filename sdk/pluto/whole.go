package pluto

import (
	"context"

	"github.com/settgraph/sett/compiler/identity"
	"github.com/settgraph/sett/sdk/pluto/journal"
)

// openJournal gives the journal of a project.
func openJournal(root string) *journal.Journal {
	return journal.Open(root, journal.Options{Merge: map[string]func(disk, from, to []byte) []byte{idsFile: identity.Merge}})
}

// Whole is for those who read the files of a project without opening it. It runs a function
// that reads them, again when an edit was made meanwhile: what the last run read is all of an
// edit or nothing of it. An edit whose process died is first brought to its end, unless the
// project is only for reading. When edits do not cease the ninth reading has to do.
func Whole(ctx context.Context, root string, readOnly bool, read func() error) error {
	j := openJournal(root)
	for try := 0; ; try++ {
		before := settle(ctx, j, readOnly)
		if err := read(); try == 8 || ctx.Err() != nil || settle(ctx, j, readOnly) == before {
			return err
		}
	}
}

// settle waits until nobody is in the middle of an edit, and gives the state then.
func settle(ctx context.Context, j *journal.Journal, readOnly bool) string {
	state, pending := j.State()
	if !pending || readOnly {
		return state
	}
	// Without the lock, in a folder that cannot be written say, things are as they are.
	if held, err := j.Lock(ctx); err == nil {
		held.Release()
	}
	state, _ = j.State()
	return state
}
