package ts

import (
	"context"
	"fmt"
	"math/rand"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/settgraph/sett/graph"
	"github.com/settgraph/sett/indexer/lang"
	"github.com/zeebo/xxh3"
	"golang.org/x/tools/txtar"
)

// lookAt asks for the first place where the word stands in the file.
func lookAt(t *testing.T, l lang.Looker, in *lang.Input, files map[string]string, file, word string) *graph.Place {
	t.Helper()
	off := strings.Index(files[file], word)
	line := strings.Count(files[file][:off], "\n")
	col := off - strings.LastIndexByte(files[file][:off], '\n')
	p, err := l.Look(context.Background(), in, file, graph.Pos{Line: uint32(line + 1), Col: uint32(col)})
	if err != nil {
		t.Fatal(err)
	}
	if p == nil {
		t.Fatalf("nothing at %s of %s", word, file)
	}
	return p
}

// edit changes a file of an input.
func edit(in *lang.Input, files map[string]string, file, text string) {
	files[file] = text
	for _, list := range [][]lang.File{in.Files, in.Configs} {
		if i := slices.IndexFunc(list, func(f lang.File) bool { return f.Path == file }); i >= 0 {
			list[i].Hash, list[i].Size = xxh3.HashString(text), int64(len(text))
			if isSource(file) {
				list[i].Summary = summarize(file, []byte(text))
			}
		}
	}
}

// TestLookFollowsEdits shows that a warm looker answers as a new one after every kind of change.
func TestLookFollowsEdits(t *testing.T) {
	files := map[string]string{
		"tsconfig.json": `{"compilerOptions": {"strict": true, "target": "es2022", "module": "esnext", "moduleResolution": "bundler", "resolveJsonModule": true, "types": []}}`,
		"a.ts":          "export const one = 1;",
		"b.ts":          "import { one } from './a';\nimport d from './d.json';\nlet maybe: number | undefined;\nexport const got = one, port = d.port; maybe;",
		"d.json":        `{"port": 1}`,
	}
	in := inputOf(t, t.TempDir(), files, 2)
	l := newLooker()
	defer l.Close()
	expect := func(word, want string) {
		t.Helper()
		if p := lookAt(t, l, in, files, "b.ts", word); p.Type != want {
			t.Errorf("%s is of type %s, want %s", word, p.Type, want)
		}
	}
	expect("got", "1")
	expect("port =", "number")
	edit(in, files, "a.ts", "export const one = 'text';")
	expect("got", `"text"`)
	edit(in, files, "a.ts", "import './b';\nexport const one = true;")
	expect("got", "true")
	edit(in, files, "a.ts", "export const one = 3;")
	edit(in, files, "b.ts", "\n"+files["b.ts"])
	expect("got", "3")
	files["d.json"] = `{"port": "http"}`
	expect("port =", "string")
	expect("maybe", "number | undefined")
	edit(in, files, "tsconfig.json", strings.Replace(files["tsconfig.json"], "true", "false", 1))
	expect("maybe", "number")
	in2 := inputOf(t, in.Root, map[string]string{"b.ts": files["b.ts"], "tsconfig.json": files["tsconfig.json"]}, 2)
	if p := lookAt(t, l, in2, files, "b.ts", "got"); p.Type != "any" {
		t.Errorf("what a removed file declared is still of type %s", p.Type)
	}
}

// TestLookGuestsKeepToThemselves shows that a file outside the configuration that declares
// what all would see changes nothing for those of the configuration.
func TestLookGuestsKeepToThemselves(t *testing.T) {
	files := map[string]string{
		"tsconfig.json":  `{"compilerOptions": {"noLib": true, "types": [], "paths": {"pkg": ["./src/pkg.ts"]}}, "include": ["src"]}`,
		"src/pkg.ts":     "export const one = 1;",
		"src/use.ts":     "import { one } from 'pkg';\nexport const got = one;",
		"types/more.ts":  "declare module 'pkg' { export const two: 2; }\ndeclare const everywhere: 3;",
		"src/unknown.ts": "export const guess = everywhere;",
		"other/guest.ts": "import { got } from '../src/use';\nexport const mine = got;",
	}
	in := inputOf(t, t.TempDir(), files, 2)
	l := newLooker()
	defer l.Close()
	for range 2 {
		for _, want := range [][3]string{{"other/guest.ts", "mine", "1"}, {"types/more.ts", "everywhere", "3"}, {"src/use.ts", "got", "1"}, {"src/unknown.ts", "guess", "any"}} {
			if p := lookAt(t, l, in, files, want[0], want[1]); p.Type != want[2] {
				t.Errorf("%s of %s is of type %s, want %s", want[1], want[0], p.Type, want[2])
			}
		}
	}
}

// TestLookForgets shows that neither edits nor many programs pile up.
func TestLookForgets(t *testing.T) {
	files := map[string]string{}
	for i := range 12 {
		files[fmt.Sprintf("p%d/tsconfig.json", i)] = `{"compilerOptions": {"noLib": true, "types": []}}`
		files[fmt.Sprintf("p%d/a.ts", i)] = "export const one = 1;"
	}
	in := inputOf(t, t.TempDir(), files, 2)
	l := newLooker().(*looker)
	defer l.Close()
	for i := range 12 {
		file := fmt.Sprintf("p%d/a.ts", i)
		lookAt(t, l, in, files, file, "one")
		edit(in, files, file, files[file]+";")
		lookAt(t, l, in, files, file, "one")
	}
	if n := len(l.s.programs); n > maxLookPrograms {
		t.Errorf("%d programs are kept", n)
	}
	if n := len(l.s.parsed); n > maxLookPrograms {
		t.Errorf("%d parsed files are kept of %d programs of one file", n, maxLookPrograms)
	}
	if l.s.in != nil {
		t.Error("the input of the last question is kept")
	}
}

// TestLookTogether asks from many goroutines, some of which give up.
func TestLookTogether(t *testing.T) {
	ar, err := txtar.ParseFile("testdata/look/names.txtar")
	if err != nil {
		t.Fatal(err)
	}
	in, files := lookScenario(t, ar)
	l := newLooker()
	defer l.Close()
	want := map[spot]string{}
	for file, text := range files {
		for _, s := range asked(file, text) {
			p, err := l.Look(context.Background(), in, s.file, s.at)
			if err != nil {
				t.Fatal(err)
			}
			want[s] = shown(s, p)
		}
	}
	var wg sync.WaitGroup
	for range 8 {
		wg.Go(func() {
			for s, w := range want {
				p, err := l.Look(context.Background(), in, s.file, s.at)
				if err != nil || shown(s, p) != w {
					t.Errorf("%v: %v, %s", s, err, shown(s, p))
					return
				}
			}
		})
	}
	wg.Go(func() {
		ctx, cancel := context.WithCancel(context.Background())
		cancel()
		for s := range want {
			l.Look(ctx, in, s.file, s.at)
		}
	})
	wg.Wait()
}

// TestLookAnywhere damages files in many ways and asks everywhere.
func TestLookAnywhere(t *testing.T) {
	names, _ := filepath.Glob("testdata/look/*.txtar")
	r := rand.New(rand.NewSource(1))
	looks := 0
	for _, name := range names {
		ar, err := txtar.ParseFile(name)
		if err != nil {
			t.Fatal(err)
		}
		in, files := lookScenario(t, ar)
		l := newLooker()
		for range 60 {
			f := in.Files[r.Intn(len(in.Files))].Path
			intact := files[f]
			edit(in, files, f, garble(r, intact))
			for range 12 {
				at := graph.Pos{Line: uint32(r.Intn(strings.Count(files[f], "\n") + 3)), Col: uint32(r.Intn(90))}
				looks++
				if _, err := l.Look(context.Background(), in, f, at); err != nil {
					t.Errorf("%v\n%s", err, files[f])
				}
			}
			edit(in, files, f, intact)
		}
		l.Close()
	}
	if looks < 1000 {
		t.Errorf("only %d looks", looks)
	}
	runtime.GC()
}

// garble cuts, doubles or garbles a piece of text.
func garble(r *rand.Rand, s string) string {
	for range 1 + r.Intn(3) {
		if len(s) < 4 {
			return s
		}
		i := r.Intn(len(s))
		j := min(len(s), i+1+r.Intn(30))
		switch r.Intn(4) {
		case 0:
			s = s[:i] + s[j:]
		case 1:
			s = s[:j] + s[i:j] + s[j:]
		case 2:
			s = s[:i] + string("{}()[]<>`'\"/*=.,;:@#\x00\xff"[r.Intn(22)]) + s[i:]
		case 3:
			s = s[:i]
		}
	}
	return s
}

// TestLookDirective asks inside a comment that refers to a file, where no mark can stand.
func TestLookDirective(t *testing.T) {
	files := map[string]string{"a.ts": "/// <reference path=\"./b.ts\" />\nlet x: Global;", "b.ts": "interface Global {}"}
	in := inputOf(t, t.TempDir(), files, 1)
	l := newLooker()
	defer l.Close()
	p := lookAt(t, l, in, files, "a.ts", "b.ts")
	if p.Kind != "module" || len(p.Defs) != 1 || p.Defs[0].File != "b.ts" {
		t.Errorf("got %+v", p)
	}
}

// TestLookAsset asks for an import of what is no source.
func TestLookAsset(t *testing.T) {
	files := map[string]string{"src/a.ts": "import './look.css';", "src/b.ts": "import './none.css';", "src/look.css": "a { }", "css.d.ts": "declare module '*.css';"}
	in := inputOf(t, t.TempDir(), files, 1)
	l := newLooker()
	defer l.Close()
	for file, want := range map[string][]string{"src/a.ts": {"src/look.css", "css.d.ts"}, "src/b.ts": {"css.d.ts"}} {
		var got []string
		for _, d := range lookAt(t, l, in, files, file, "'").Defs {
			got = append(got, d.File)
		}
		if !slices.Equal(got, want) {
			t.Errorf("the import of %s leads to %v, want %v", file, got, want)
		}
	}
}
