package pluto

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/uuid"
	"golang.org/x/tools/txtar"

	"github.com/settgraph/sett/compiler/identity"
	"github.com/settgraph/sett/compiler/syntax"
	"github.com/settgraph/sett/compiler/xref"
)

// corpusTexts is the library and the programs of the compiler's tests, by name.
func corpusTexts(t *testing.T) map[string]string {
	t.Helper()
	texts := map[string]string{}
	paths, _ := filepath.Glob("../../stdlib/*/*.p*")
	for _, p := range paths {
		if e := filepath.Ext(p); e != ".pluto" && e != ".pt" {
			continue
		}
		data, err := os.ReadFile(p)
		if err != nil {
			t.Fatal(err)
		}
		texts[filepath.Base(p)] = string(data)
	}
	library := len(texts)
	for _, pattern := range []string{"../../compiler/testdata/*/*.txtar", "../../compiler/check/testdata/accept/*.txtar"} {
		paths, _ := filepath.Glob(pattern)
		for _, p := range paths {
			a, err := txtar.ParseFile(p)
			if err != nil {
				t.Fatal(err)
			}
			for _, f := range a.Files {
				if e := filepath.Ext(f.Name); e == ".pluto" || e == ".pt" {
					texts[filepath.Base(p)+"/"+f.Name] = string(f.Data)
				}
			}
		}
	}
	if library < 10 || len(texts) < 500 {
		t.Fatalf("only %d texts, %d of the library", len(texts), library)
	}
	return texts
}

func idsOf(name, text string) (*syntax.File, []*xref.Decl, map[xref.Key]uuid.UUID) {
	f, _ := parseText(name, text)
	decls := xref.Decls(f)
	draft := identity.Read(&identity.Module{Path: name, File: f, Decls: decls})
	return f, decls, identity.Assign([]*identity.Draft{draft}, nil).Of
}

// A view is the text with hints, and without them the text again, whatever its line ends.
func TestViewsAreTheText(t *testing.T) {
	lines := 0
	for name, text := range corpusTexts(t) {
		for _, form := range []string{text, strings.ReplaceAll(text, "\n", "\r\n"), byteOrderMark + text, strings.TrimRight(text, "\n")} {
			f, decls, ids := idsOf(name, form)
			for i, d := range decls { // some members whose id is their own
				for j, m := range d.Members {
					if (i+j)%2 == 0 {
						ids[m.Key] = uuid.NewSHA1(uuid.Nil, []byte(fmt.Sprint(m.Key)))
					}
				}
			}
			view := withHints(f, decls, ids, inView)
			vf, vdecls, vids := idsOf(name, view)
			if f.OK != vf.OK || !syntax.Equal(f, vf) {
				t.Fatalf("%s: another tree\n%s", name, view)
			}
			hints := hintsOf(vf, vdecls)
			lines += len(hints)
			stated := map[xref.Key]uuid.UUID{}
			for _, h := range hints {
				stated[h.of.Key] = h.id
			}
			for d := range xref.All(vdecls) {
				start := lineStart(view, d.Full.Start)
				if strings.Trim(view[start:d.Full.Start], " \t") != "" {
					continue
				}
				if _, ok := stated[d.Key]; !ok && d.Parent == nil {
					t.Errorf("%s: no hint for %v\n%s", name, d.Key, view)
				}
				if vids[d.Key] != ids[d.Key] && f.OK {
					t.Errorf("%s: %v has another id", name, d.Key)
				}
			}
			if got := withoutHints(vf, hints, func(hint) bool { return true }); got != form {
				t.Fatalf("%s: the view does not go back\n%q\n%q", name, form, got)
			}
			if again := withHints(vf, vdecls, ids, inView); again != view {
				t.Errorf("%s: more hints the second time", name)
			}
		}
	}
	if lines < 1000 {
		t.Errorf("only %d hints", lines)
	}
}

func TestMerge(t *testing.T) {
	const base = "// The file.\n\nimport std.fs\n\n// one\nfn a() int {\n    return 1\n}\n\nfn b() int {\n    return 2\n}\n\nclass C {\n    x: int\n}\n"
	edit := func(pairs ...string) string {
		return strings.NewReplacer(pairs...).Replace(base)
	}
	newFn := func(name string) string { return "fn " + name + "() {\n    print(\"" + name + "\")\n}\n" }
	cases := []struct{ name, mine, theirs, want string }{
		{"nothing", base, base, base},
		{"mine", edit("return 1", "return 7"), base, edit("return 1", "return 7")},
		{"theirs", base, edit("return 1", "return 7"), edit("return 1", "return 7")},
		{"different declarations", edit("return 1", "return 7"), edit("return 2", "return 8"), edit("return 1", "return 7", "return 2", "return 8")},
		{"the same change", edit("return 1", "return 7"), edit("return 1", "return 7"), edit("return 1", "return 7")},
		{"one declaration, two changes", edit("return 1", "return 7"), edit("return 1", "return 8"), "! fn a"},
		{"comments of a declaration", edit("// one", "// uno"), edit("return 2", "return 8"), edit("// one", "// uno", "return 2", "return 8")},
		{"removed there", edit("return 1", "return 7"), edit("fn b() int {\n    return 2\n}\n\n", ""), edit("return 1", "return 7", "fn b() int {\n    return 2\n}\n\n", "")},
		{"removed here", edit("fn b() int {\n    return 2\n}\n\n", ""), edit("return 1", "return 7"), edit("return 1", "return 7", "fn b() int {\n    return 2\n}\n\n", "")},
		{"removed here, changed there", edit("fn b() int {\n    return 2\n}\n\n", ""), edit("return 2", "return 8"), "! fn b"},
		{"changed here, removed there", edit("return 2", "return 8"), edit("fn b() int {\n    return 2\n}\n\n", ""), "! fn b"},
		{"removed on both sides", edit("fn b() int {\n    return 2\n}\n\n", ""), edit("fn b() int {\n    return 2\n}\n\n", ""), edit("fn b() int {\n    return 2\n}\n\n", "")},
		{"added there", edit("return 1", "return 7"), edit("class C", newFn("n")+"\nclass C"), edit("return 1", "return 7", "class C", newFn("n")+"\nclass C")},
		{"added at the end", edit("return 1", "return 7"), base + "\n" + newFn("n"), edit("return 1", "return 7") + "\n" + newFn("n")},
		{"added first", edit("return 2", "return 7"), edit("// one", newFn("n")+"\n// one"), edit("return 2", "return 7", "// one", newFn("n")+"\n// one")},
		{"several added", edit("return 1", "return 7"), base + "\n" + newFn("n") + "\n" + newFn("o"), edit("return 1", "return 7") + "\n" + newFn("n") + "\n" + newFn("o")},
		{"added on both sides", base + "\n" + newFn("n"), edit("class C", newFn("o")+"\nclass C"), edit("class C", newFn("o")+"\nclass C") + "\n" + newFn("n")},
		{"added twice the same", base + "\n" + newFn("n"), base + "\n" + newFn("n"), base + "\n" + newFn("n")},
		{"added twice differently", base + "\n" + newFn("n"), base + "\n" + strings.Replace(newFn("n"), "print", "say", 1), "! fn n"},
		{"loose comments there", edit("return 1", "return 7"), edit("// The file.", "// This file."), edit("return 1", "return 7", "// The file.", "// This file.")},
		{"loose comments here", edit("// The file.", "// This file."), edit("return 1", "return 7"), edit("return 1", "return 7", "// The file.", "// This file.")},
		{"loose comments on both sides", edit("// The file.", "// This file."), edit("// The file.", "// That file."), "! comments between declarations"},
		{"imports", edit("import std.fs\n", "import std.fs\nimport std.net\n"), edit("import std.fs\n", "import std.fs\nimport std.io\n"), edit("import std.fs\n", "import std.fs\nimport std.net\nimport std.io\n")},
		{"an import goes, one comes", edit("import std.fs\n", ""), edit("import std.fs\n", "import std.fs\nimport std.io\n"), edit("import std.fs\n", "", "// one", "import std.io\n\n// one")},
		{"a rename and another change", edit("fn a()", "fn z()"), edit("return 2", "return 8"), edit("fn a()", "fn z()", "return 2", "return 8")},
		{"a rename and a change of it", edit("fn a()", "fn z()"), edit("return 1", "return 8"), "! fn z"},
	}
	bf, bdecls, bids := idsOf("m.pluto", base)
	rec := newSide(bf, bdecls, bids).record("")
	// Ids go on with the names; `z` is what `a` was.
	of := func(text string) *side {
		f, decls, ids := idsOf("m.pluto", text)
		for k := range ids {
			if k.Qual == "z" {
				ids[k] = bids[xref.Key{File: k.File, Kind: k.Kind, Qual: "a"}]
			}
		}
		return newSide(f, decls, ids)
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			got, conflicts := merge(rec, of(c.mine), of(c.theirs))
			if len(conflicts) > 0 {
				got = "! " + strings.Join(conflicts, ", ")
			}
			if got != c.want {
				t.Errorf("got\n%s\nwant\n%s", got, c.want)
			}
		})
	}
}

// Whatever two sides do to different declarations of a program, both is in what they make
// together; what they do to the same is a conflict.
func TestMergeOfTheCorpus(t *testing.T) {
	merged, refused := 0, 0
	for name, text := range corpusTexts(t) {
		f, decls, ids := idsOf(name, text)
		if !f.OK || len(decls) < 3 || len(newSide(f, decls, ids).byID) != len(decls) {
			continue
		}
		rec := newSide(f, decls, ids).record("")
		change := func(what string, picks ...int) *side {
			var pieces []piece
			slices.Sort(picks)
			for _, i := range picks {
				at := decls[i].WithDoc
				at.End = at.Start
				pieces = append(pieces, piece{at, "// " + what + "\n"})
			}
			f, decls, ids := idsOf(name, splice(text, pieces))
			return newSide(f, decls, ids)
		}
		alone := func(i int) bool {
			return strings.TrimSpace(text[lineStart(text, decls[i].WithDoc.Start):decls[i].WithDoc.Start]) == ""
		}
		if !alone(0) || !alone(1) || !alone(2) {
			continue
		}
		got, conflicts := merge(rec, change("mine", 0, 2), change("theirs", 1))
		if want := change("x", 0, 1, 2).file.Src.Text; len(conflicts) > 0 || strings.NewReplacer("// mine", "// x", "// theirs", "// x").Replace(got) != want {
			t.Errorf("%s: %v\n%s", name, conflicts, got)
		}
		merged++
		if _, conflicts := merge(rec, change("mine", 0, 2), change("theirs", 1, 2)); len(conflicts) != 1 || conflicts[0] != title(decls[2]) {
			t.Errorf("%s: %v", name, conflicts)
		}
		refused++
	}
	if merged < 100 || refused < 100 {
		t.Errorf("%d merged, %d refused", merged, refused)
	}
}

func FuzzMerge(f *testing.F) {
	f.Add("fn a() {\n}\nfn b() {\n}\n", "fn a() {\n}\n", "// c\nfn a() {\n}\nfn b() {\n}\nfn c() {\n}\n")
	f.Add("import x\nfn a() {} fn b() {}", "import y\nfn a() {}\ntests[scheduler: Random] {\n    test \"t\" {\n    }\n}", "\ufefffn b() {}\r\nclass C {\n x: int }")
	f.Add("// @uuid: 9ec4d900-0aed-57d9-8080-cf5b5ba1b6dd\nfn a() {\n}", "// @uuid: 9ec4d900-0aed-57d9-8080-cf5b5ba1b6dd\nfn b() {\n}", "enum E {\n // @uuid: 9ec4d900-0aed-57d9-8080-cf5b5ba1b6dd\n A\n}")
	f.Fuzz(func(t *testing.T, a, b, c string) {
		side := func(text string) *side {
			f, decls, ids := idsOf("m.pluto", text)
			return newSide(f, decls, ids)
		}
		base := side(a)
		rec := base.record("")
		mine, theirs := side(b), side(c)
		got, conflicts := merge(rec, mine, theirs)
		if m, _ := parseText("m.pluto", got); len(conflicts) == 0 && !m.OK {
			t.Errorf("%q", got)
		}
		if got, conflicts := merge(rec, base, base); base.file.OK && (len(conflicts) > 0 || got != a) {
			t.Errorf("%q with itself: %v %q", a, conflicts, got)
		}
		for _, s := range []string{a, b, c} {
			f, decls, ids := idsOf("m.pluto", s)
			hints := hintsOf(f, decls)
			bare := withoutHints(f, hints, func(hint) bool { return true })
			view := withHints(f, decls, ids, inView)
			vf, vdecls, _ := idsOf("m.pluto", view)
			if got := withoutHints(vf, hintsOf(vf, vdecls), func(hint) bool { return true }); f.OK && vf.OK && got != bare {
				t.Errorf("%q\nhas the view %q\nand that says %q\nnot %q", s, view, got, bare)
			}
			if f.OK && !vf.OK {
				t.Errorf("%q\nhas the view %q", s, view)
			}
		}
	})
}
