package bench

import (
	"cmp"
	"context"
	"os"
	"path/filepath"
	"regexp"
	"testing"

	"github.com/settgraph/sett/sdk"
)

// BenchmarkCheck looks for errors: in the project with a new process, in a project that stays
// open after an edit of one file, and in that file with unsaved text alone.
func BenchmarkCheck(b *testing.B) {
	bin := command(b)
	each(b, func(b *testing.B, dir string) {
		p := indexed(b, dir)
		check := func(b *testing.B, o sdk.CheckOptions) {
			r, err := p.Check(context.Background(), o)
			if err != nil {
				b.Fatal(err)
			}
			b.ReportMetric(float64(r.Errors), "errors")
			b.ReportMetric(float64(r.Files), "files")
		}
		file := largest(b, dir)
		edits := editor{b: b, dir: dir}
		defer edits.undo()
		b.Run("process", func(b *testing.B) {
			measure(b, nil, func(int) usage { return child(b, dir, bin, "check") })
		})
		b.Run("processOfFile", func(b *testing.B) {
			measure(b, nil, func(int) usage { return child(b, dir, bin, "check", file) })
		})
		b.Run("again", func(b *testing.B) {
			check(b, sdk.CheckOptions{})
			measure(b, nil, func(int) usage { return self(func() { check(b, sdk.CheckOptions{}) }) })
		})
		b.Run("edited", func(b *testing.B) {
			check(b, sdk.CheckOptions{})
			measure(b, func(i int) { edits.edit(file, i) }, func(int) usage { return self(func() { check(b, sdk.CheckOptions{}) }) })
		})
		b.Run("fileWithContent", func(b *testing.B) {
			check(b, sdk.CheckOptions{Targets: []string{file}})
			var text []byte
			measure(b, func(i int) { text = edits.edit(file, i+1000); edits.undo() }, func(int) usage {
				return self(func() { check(b, sdk.CheckOptions{Targets: []string{file}, Text: map[string][]byte{file: text}}) })
			})
		})
	})
}

// tests are the names of test files.
var tests = regexp.MustCompile(`_test\.go$|\.(test|spec)\.tsx?$|__tests__/`)

// largest is the source file of a project with the most bytes that is no test.
func largest(b *testing.B, dir string) (file string) {
	most := int64(-1)
	for _, f := range sources(b, dir) {
		info, err := os.Stat(filepath.Join(dir, f))
		if err != nil {
			b.Fatal(err)
		}
		if size := info.Size(); size > most && !tests.MatchString(f) {
			file, most = f, size
		}
	}
	return file
}

// BenchmarkCheckPeers lets the languages' own tools look for errors in the same projects:
// the go command, with the cheapest check of vet after it, which type-checks the tests too,
// and gopls; or tsc and tsgo with the project's tsconfig.json.
func BenchmarkCheckPeers(b *testing.B) {
	each(b, func(b *testing.B, dir string) {
		file := largest(b, dir)
		edits := editor{b: b, dir: dir}
		defer edits.undo()
		once := func(name, bin string, args ...string) {
			b.Run(name, func(b *testing.B) { measure(b, nil, func(int) usage { return child(b, dir, bin, args...) }) })
		}
		edited := func(name, bin string, args ...string) {
			b.Run(name, func(b *testing.B) {
				measure(b, func(i int) { edits.edit(file, i) }, func(int) usage { return child(b, dir, bin, args...) })
			})
		}
		if isGo(file) {
			// The go command keeps what it has built: these are as after a first run.
			child(b, dir, "go", "vet", "-unusedresult", "./...")
			once("goBuildAgain", "go", "build", "./...")
			once("goVetAgain", "go", "vet", "-unusedresult", "./...")
			edited("goBuildEdited", "go", "build", "./...")
			edited("goVetEdited", "go", "vet", "-unusedresult", "./...")
			b.Run("goplsOfFile", func(b *testing.B) {
				gopls := peer(b, "SETT_GOPLS", "gopls")
				measure(b, nil, func(int) usage { return child(b, dir, gopls, "check", filepath.Join(dir, file)) })
			})
			return
		}
		b.Run("tsc", func(b *testing.B) {
			lib := os.Getenv("SETT_TYPESCRIPT")
			if lib == "" {
				b.Skip("NOT COMPARED: SETT_TYPESCRIPT names no typescript package")
			}
			node := cmp.Or(os.Getenv("SETT_NODE"), "node")
			measure(b, nil, func(int) usage { return child(b, dir, node, filepath.Join(lib, "lib", "tsc.js"), "--noEmit") })
		})
		b.Run("tsgo", func(b *testing.B) {
			tsgo := peer(b, "SETT_TSGO", "tsgo")
			measure(b, nil, func(int) usage { return child(b, dir, tsgo, "--noEmit") })
		})
	})
}
