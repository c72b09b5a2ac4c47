package gogen_test

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"

	"github.com/settgraph/sett/compiler/build"
	"github.com/settgraph/sett/compiler/check"
	"github.com/settgraph/sett/compiler/gogen"
	"github.com/settgraph/sett/compiler/load"
)

// TestAcceptedBuilds holds the law: what the checker accepts, Go builds. It lowers every
// function of every accepted program of the checker's corpus.
func TestAcceptedBuilds(t *testing.T) {
	paths, err := filepath.Glob("../check/testdata/*/*.txtar")
	if err != nil {
		t.Fatal(err)
	}
	programs := map[string]build.Files{}
	for _, path := range paths {
		archive, err := txtar.ParseFile(path)
		if err != nil {
			t.Fatal(err)
		}
		base := filepath.Base(filepath.Dir(path)) + "/" + strings.TrimSuffix(filepath.Base(path), ".txtar")
		if strings.HasPrefix(filepath.Base(path), "project-") {
			continue
		}
		for _, f := range archive.Files {
			name := base + "/" + f.Name
			text := string(f.Data)
			test := strings.Contains(text, "// mode: test")
			p := check.Check(load.LoadText("main.pluto", text, load.Options{Test: test, Standalone: true}))
			if p.Diags.Errors() > 0 {
				continue
			}
			out, err := gogen.GenerateAll(p)
			if err != nil {
				t.Errorf("%s: %v", name, err)
			} else if out == nil {
				t.Logf("%s: %s", name, p.Diags.Sorted()[0].Message)
			} else {
				programs[name] = build.Files(out.Files)
			}
		}
	}
	if len(programs) < 200 {
		t.Errorf("found %d accepted programs", len(programs))
	}
	program, refused, err := build.Batch(context.Background(), programs, build.Options{CacheDir: os.Getenv("SETT_CACHE")})
	for name, text := range refused {
		t.Errorf("%s: Go refuses it:\n%s\n%s", name, text, programs[name]["main.go"])
	}
	if err != nil {
		t.Fatal(err)
	}
	program.Close()
}
