package sdk_test

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/settgraph/sett/query"
	"github.com/settgraph/sett/sdk"
)

// Text laid over the files counts as the files as long as it lies there, in a project with
// and without an index, and never gets into the stored index.
func TestOverlay(t *testing.T) {
	for _, indexed := range []bool{false, true} {
		root := t.TempDir()
		write := func(name, text string) {
			t.Helper()
			if err := os.WriteFile(filepath.Join(root, name), []byte(text), 0o644); err != nil {
				t.Fatal(err)
			}
		}
		write("go.mod", "module example.com/m\n\ngo 1.24\n")
		write("a.go", "package m\n\nfunc A() int { return B() }\n\nfunc B() int { return 1 }\n")
		ctx := context.Background()
		open := func() *sdk.Project {
			p, err := sdk.Open(root, sdk.Options{})
			if err != nil {
				t.Fatal(err)
			}
			t.Cleanup(func() { p.Close() })
			return p
		}
		uses := func(p *sdk.Project, symbol string) int {
			t.Helper()
			r, err := p.Refs(ctx, query.RefsArgs{Selector: query.Selector{Symbol: symbol}})
			if err != nil {
				return -1
			}
			return r.Answers[0].Total
		}
		if indexed {
			p := open()
			if n := uses(p, "B"); n != 1 {
				t.Fatalf("B has %d uses", n)
			}
			p.Close()
		}
		p := open()
		p.Overlay(map[string][]byte{
			"a.go": []byte("package m\n\nfunc A() int { return B() + B() }\n\n// B is new.\nfunc B() int { return 2 }\n"),
			"c.go": []byte("package m\n\nfunc C() int { return B() }\n"),
		})
		if n := uses(p, "B"); n != 3 {
			t.Errorf("indexed %v: B has %d uses under the overlay, want 3", indexed, n)
		}
		src, err := p.Source(ctx, query.SourceArgs{Selector: query.Selector{Symbol: "B"}})
		if err != nil || !strings.Contains(src.Answers[0].Texts[0].Text, "B is new.") {
			t.Errorf("indexed %v: the source of B is %+v, %v", indexed, src, err)
		}
		if n := uses(open(), "B"); n != 1 {
			t.Errorf("indexed %v: another process sees %d uses of B, want 1", indexed, n)
		}
		p.Overlay(nil)
		if n := uses(p, "B"); n != 1 {
			t.Errorf("indexed %v: without the overlay B has %d uses, want 1", indexed, n)
		}
		if n := uses(p, "C"); n != -1 {
			t.Errorf("indexed %v: C is still there", indexed)
		}
		if n := uses(open(), "B"); n != 1 {
			t.Errorf("indexed %v: afterwards another process sees %d uses of B, want 1", indexed, n)
		}
	}
}
