package sdk_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/settgraph/sett/query"
	"github.com/settgraph/sett/sdk"
)

// many is a project of n packages, a folder each.
func many(n int) string {
	var b strings.Builder
	b.WriteString("-- go.mod --\nmodule example.com/many\n\ngo 1.24\n")
	for i := range n {
		fmt.Fprintf(&b, "-- p%03d/p.go --\npackage p%03d\n\nfunc Name() string { return \"\" }\n", i, i)
	}
	return b.String()
}

// TestManyChanges asks every kind of question right after so much has changed that the index
// is made anew of what was there and what was read.
func TestManyChanges(t *testing.T) {
	const n = 70
	for _, verb := range []string{"type", "def", "local", "refs"} {
		dir := project(t, many(n))
		p := open(t, dir, sdk.Options{})
		uses(t, p, "p000.Name")
		for i := range n {
			write(t, dir, fmt.Sprintf("p%03d/p.go", i), fmt.Sprintf("package p%03d\n\nfunc Name() int { x := 1; return x }\n", i))
		}
		var err error
		switch verb {
		case "type":
			var res *query.TypeResult
			res, err = p.Type(t.Context(), query.TypeArgs{Symbol: "p005/p.go:3:6"})
			if err == nil && (len(res.Answers) != 1 || !strings.Contains(res.Answers[0].Sig, "int")) {
				t.Errorf("the type is %+v", res.Answers)
			}
		case "def":
			_, err = p.Definition(t.Context(), query.DefArgs{Symbol: "p005/p.go:3:6"})
		case "local":
			_, err = p.Refs(t.Context(), query.RefsArgs{Selector: query.Selector{Symbol: "p005/p.go:3:19"}})
		case "refs":
			_, err = p.Refs(t.Context(), query.RefsArgs{Selector: query.Selector{Symbol: "p005.Name"}})
		}
		if err != nil {
			t.Errorf("%s: %v", verb, err)
		}
	}
}

// TestSnapshotOutlivesIndexes reads a snapshot that was given out before the index was
// changed a little, which lays something over it, and then made anew.
func TestSnapshotOutlivesIndexes(t *testing.T) {
	const n = 70
	dir := project(t, many(n))
	p := open(t, dir, sdk.Options{})
	uses(t, p, "p000.Name")
	snap, _, err := p.Snapshot(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	write(t, dir, "p000/p.go", "package p000\n\nfunc Name() int { return 1 }\n")
	uses(t, p, "p000.Name")
	for i := range n {
		write(t, dir, fmt.Sprintf("p%03d/p.go", i), fmt.Sprintf("package p%03d\n\nfunc Name() int { return 2 }\n", i))
	}
	uses(t, p, "p000.Name")
	if got := text(t, snap); !strings.Contains(got, "p069") || snap.Err() != nil {
		t.Errorf("the snapshot is not what it was: %v", snap.Err())
	}
}

// TestCheckPartOfCycle checks one package of an import cycle at a time.
func TestCheckPartOfCycle(t *testing.T) {
	dir := project(t, "-- go.mod --\nmodule example.com/ring\n\ngo 1.24\n"+
		"-- a/a.go --\npackage a\n\nimport _ \"example.com/ring/b\"\n"+
		"-- b/b.go --\npackage b\n\nimport _ \"example.com/ring/c\"\n"+
		"-- c/c.go --\npackage c\n\nimport _ \"example.com/ring/a\"\n")
	p := open(t, dir, sdk.Options{})
	for _, target := range []string{"a", "b", "c", "."} {
		res, err := p.Check(t.Context(), sdk.CheckOptions{Targets: []string{target}})
		if err != nil || res.Errors != 1 || !strings.Contains(res.Diagnostics[0].Message, "import cycle not allowed") {
			t.Errorf("%s: %+v, %v; want the cycle once", target, res, err)
		}
	}
}
