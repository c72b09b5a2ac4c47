package pluto_test

import (
	"context"
	"os"
	"path/filepath"
	"testing"

	"github.com/settgraph/sett/query"
	"github.com/settgraph/sett/sdk"
	"github.com/settgraph/sett/sdk/pluto"
	"github.com/settgraph/sett/sdk/pluto/journal"
)

// TestHalfAnEdit asks the graph about a project whose editor died between two files.
func TestHalfAnEdit(t *testing.T) {
	for _, door := range []string{"ask", "index", "whole"} {
		root := t.TempDir()
		before := map[string]string{"main.pluto": "import lib\n\nfn main() {\n    print(lib.one())\n}\n", "lib.pluto": "pub fn one() int {\n    return 1\n}\n"}
		after := map[string]string{"main.pluto": "import lib\n\nfn main() {\n    print(lib.two())\n}\n", "lib.pluto": "pub fn two() int {\n    return 1\n}\n"}
		var changes []journal.Change
		for name, text := range before {
			write(t, root, name, text)
			changes = append(changes, journal.Change{Path: name, Before: []byte(text), After: []byte(after[name])})
		}
		dieIn(root, append(changes, journal.Change{Path: "z"}))
		write(t, root, "lib.pluto", after["lib.pluto"])

		p, err := sdk.Open(root, sdk.Options{})
		if err != nil {
			t.Fatal(err)
		}
		defer p.Close()
		switch door {
		case "ask":
			refs(t, p)
		case "index":
			if _, err := p.Index(ctx, sdk.IndexOptions{}); err != nil {
				t.Fatal(err)
			}
			if r, err := p.CheckIndex(ctx); err != nil || !r.UpToDate {
				t.Errorf("the index is not of the files: %+v, %v", r, err)
			}
			refs(t, p)
		case "whole":
			n := 0
			err := pluto.Whole(ctx, root, false, func() error {
				if n++; n == 1 { // an edit while this reads
					if _, err := open(t, root, pluto.Options{}).Undo(ctx); err != nil {
						t.Error(err)
					}
				}
				return nil
			})
			if err != nil || n != 2 {
				t.Errorf("read %d times, want 2: %v", n, err)
			}
			continue
		}
		for name, want := range after {
			if data, err := os.ReadFile(filepath.Join(root, name)); err != nil || string(data) != want {
				t.Errorf("%s: %s is %q, %v; want %q", door, name, data, err, want)
			}
		}
	}
}

// dieIn begins a change of files and dies before it replaces the first.
func dieIn(root string, changes []journal.Change) {
	calls := 0
	j := journal.Open(root, journal.Options{Merge: map[string]func(disk, from, to []byte) []byte{"z": func(_, _, _ []byte) []byte {
		if calls++; calls == 2 {
			panic("dead")
		}
		return nil
	}}})
	defer func() { _ = recover() }()
	held, err := j.Lock(context.Background())
	if err != nil {
		return
	}
	defer held.Release()
	_, _ = held.Commit("", nil, changes)
}

// refs wants to find the use of the function under its new name.
func refs(t *testing.T, p *sdk.Project) {
	t.Helper()
	r, err := p.Refs(ctx, query.RefsArgs{Selector: query.Selector{Symbol: "lib.two"}})
	if err != nil || len(r.Answers) != 1 || r.Answers[0].Total != 1 {
		t.Errorf("uses of lib.two: %+v, %v; want 1", r, err)
	}
}
