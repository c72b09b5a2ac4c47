package match

import (
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"
	"golang.org/x/tools/txtar"

	"github.com/settgraph/sett/compiler/internal/plutogen"
	"github.com/settgraph/sett/compiler/syntax"
	"github.com/settgraph/sett/compiler/xref"
)

// corpus is the library and the programs of the compiler's tests.
func corpus(t *testing.T) map[string]string {
	t.Helper()
	texts := map[string]string{}
	for _, pattern := range []string{"../../stdlib/*/*.pt", "../../stdlib/*/*.pluto"} {
		paths, _ := filepath.Glob(pattern)
		for _, p := range paths {
			data, err := os.ReadFile(p)
			if err != nil {
				t.Fatal(err)
			}
			texts[p] = string(data)
		}
	}
	library := len(texts)
	for _, pattern := range []string{"../testdata/*/*.txtar", "../check/testdata/accept/*.txtar"} {
		paths, _ := filepath.Glob(pattern)
		for _, p := range paths {
			a, err := txtar.ParseFile(p)
			if err != nil {
				t.Fatal(err)
			}
			for _, f := range a.Files {
				if e := filepath.Ext(f.Name); e == ".pluto" || e == ".pt" {
					texts[p+"/"+f.Name] = string(f.Data)
				}
			}
		}
	}
	if library < 10 || len(texts) < 500 {
		t.Fatalf("only %d texts, %d of the library", len(texts), library)
	}
	return texts
}

func TestCorpusIsItself(t *testing.T) {
	for name, text := range corpus(t) {
		in := Input{Old: []File{file("a.pluto", text)}, New: []File{file("a.pluto", text)}}
		r := Match(in)
		check(t, in, r)
		if !r.Same() {
			t.Errorf("%s:\n%s", name, told(r))
		}
		formatted := syntax.Format(in.Old[0].File)
		in.New = []File{file("a.pluto", formatted)}
		for _, p := range Match(in).Pairs {
			for _, c := range p.Changes {
				if c.Aspect != Layout && c.Aspect != MemberModified && !strings.Contains(text, "//") {
					t.Errorf("%s: %v after formatting: %v", name, p.New.Key, c)
				}
			}
		}
	}
}

// Everything under another name is found again, whatever the order.
func TestCorpusRenamed(t *testing.T) {
	found, all := 0, 0
	for name, text := range corpus(t) {
		old := file("a.pluto", text)
		if !old.File.OK {
			continue
		}
		var names []string
		for _, d := range old.Decls {
			names = append(names, d.Name)
		}
		slices.Sort(names)
		if len(slices.Compact(names)) != len(old.Decls) {
			continue // names that two have are only in programs that are refused
		}
		var renamed strings.Builder
		at := int32(0)
		for _, d := range old.Decls {
			renamed.WriteString(text[at:d.NameAt.Start])
			if d.Kind == xref.Test {
				renamed.WriteString(`"new ` + text[d.NameAt.Start+1:d.NameAt.End])
			} else {
				renamed.WriteString("new_" + d.Name)
			}
			at = d.NameAt.End
		}
		renamed.WriteString(text[at:])
		in := Input{Old: []File{old}, New: []File{file("a.pluto", renamed.String())}}
		r := Match(in)
		check(t, in, r)
		for _, p := range r.Pairs {
			if p.New.Parent == nil && p.New.Name != "new_"+p.Old.Name && p.New.Name != "new "+p.Old.Name {
				// Of two that say the same either may go on as either.
				m := &matcher{tokens: map[*xref.Decl]*shape{}}
				if o, n := m.shape(p.Old), m.shape(p.New); !slices.Equal(o.two, n.two) {
					t.Errorf("%s: %s is now %s", name, p.Old.Qual, p.New.Qual)
				}
			}
		}
		for _, d := range old.Decls {
			m := &matcher{tokens: map[*xref.Decl]*shape{}}
			if d.Kind == xref.Extern || m.shape(d).body < enough {
				continue
			}
			all++
			if r.pairOf(d) != nil {
				found++
			}
		}
	}
	if t.Logf("%d of %d found again", found, all); found*100 < all*99 {
		t.Errorf("%d of %d found again", found, all)
	}
}

// One function of a file taken for another is worse than one that is lost: with a file's
// functions before and those of another after, hardly any are paired.
func TestUnrelated(t *testing.T) {
	texts := corpus(t)
	var names []string
	for name := range texts {
		if strings.HasPrefix(name, "../../stdlib") {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	pairs, all := 0, 0
	for i, a := range names {
		for _, b := range names[i+1:] {
			old, new := file("a.pluto", texts[a]), file("a.pluto", strings.ReplaceAll(texts[b], "fn ", "fn other_"))
			r := Match(Input{Old: []File{old}, New: []File{new}})
			all += min(len(old.Decls), len(new.Decls))
			for _, p := range r.Pairs {
				if p.New.Parent == nil && p.By != ByName {
					pairs++
					if testing.Verbose() {
						t.Logf("%s %s: %s (%s)\n%s\n%s", a, b, p.New.Name, p.By, text(p.Old, p.Old.Full), text(p.New, p.New.Full))
					}
				}
			}
		}
	}
	if pairs*100 > all {
		t.Errorf("%d of at most %d are paired", pairs, all)
	}
}

// Programs nobody wrote, edited: what was not touched stays who it is.
func TestEdited(t *testing.T) {
	kept := 0
	for seed := range uint64(150) {
		r := rand.New(rand.NewPCG(7, seed))
		old := file("a.pluto", plutogen.Program(seed))
		texts := make([]string, 0, len(old.Decls))
		want := map[xref.Key]bool{}
		for _, d := range old.Decls {
			s := text(d, d.WithDoc)
			switch r.IntN(6) {
			case 0:
				continue
			case 1:
				texts = append(texts, fmt.Sprintf("fn added_%d_%d(x: int) int {\n    return x + %d\n}\n", seed, len(texts), len(texts)))
			case 2:
				s = "// changed\n" + strings.Replace(s, "{", "{\n", 1)
			}
			want[d.Key] = true
			texts = append(texts, s)
		}
		r.Shuffle(len(texts), func(i, j int) { texts[i], texts[j] = texts[j], texts[i] })
		in := Input{Old: []File{old}, New: []File{file("a.pluto", strings.Join(texts, "\n\n"))}}
		res := Match(in)
		check(t, in, res)
		keys := res.Keys()
		for k := range want {
			if keys[k] != k {
				t.Errorf("seed %d: %v became %v", seed, k, keys[k])
			}
			kept++
		}
	}
	if kept < 500 {
		t.Errorf("only %d declarations", kept)
	}
}

// The result is of the texts, and of nothing else.
func TestDeterministic(t *testing.T) {
	for seed := range uint64(20) {
		a, b := plutogen.Program(seed), plutogen.Program(seed+1000)
		first := ""
		for range 5 {
			got := told(Match(input(a, b)))
			if first == "" {
				first = got
			}
			if got != first {
				t.Fatalf("seed %d:\n%s\nand\n%s", seed, first, got)
			}
		}
	}
}

// Ten thousand functions that are all renamed and changed take no more than a moment.
func TestLargeFiles(t *testing.T) {
	program := func(name, op string) string {
		var b strings.Builder
		for i := range 10000 {
			fmt.Fprintf(&b, "fn %s%d(x: int) int {\n    let y = x * %d\n    print(y)\n    return y %s x\n}\n\n", name, i, i, op)
		}
		return b.String()
	}
	old := file("a.pluto", program("f", "+"))
	for _, c := range []struct{ what, text string }{
		{"the same", program("f", "+")}, {"changed", program("f", "-")}, {"renamed", program("g", "+")}, {"both", program("g", "-")},
	} {
		in := Input{Old: []File{old}, New: []File{file("a.pluto", c.text)}}
		start := time.Now()
		r := Match(in)
		took := time.Since(start)
		t.Logf("%s: %v", c.what, took)
		if took > 10*time.Second {
			t.Errorf("%s takes %v", c.what, took)
		}
		for _, p := range r.Pairs {
			if p.New.Parent == nil && p.Old.Name[1:] != p.New.Name[1:] {
				t.Fatalf("%s: %s became %s", c.what, p.Old.Name, p.New.Name)
			}
		}
		if len(r.Pairs) != 20000 {
			t.Errorf("%s: %d pairs", c.what, len(r.Pairs))
		}
	}
}

func FuzzMatch(f *testing.F) {
	f.Add("fn a() {\n}\n", "fn b() {\n}\n")
	f.Add("class P {\n    x: int\n    fn f(self) {\n    }\n}\n", "// @uuid: 3c6b1f5e-8f63-4c0e-9b1c-111111111111\nclass Q {\n    y: int\n}\ntrait P {\n    fn f(self)\n}\n")
	f.Add("enum E {\n    A\n    B { x: int }\n}\ntest \"t\" {\n}\n", "enum E {\n    A { y: int }\n}\napp X {\n}\nfn f( {")
	f.Fuzz(func(t *testing.T, a, b string) {
		in := Input{Old: []File{file("a.pluto", a), file("b.pluto", b)}, New: []File{file("b.pluto", a), file("c.pluto", b)}, Hints: map[xref.Key]uuid.UUID{}}
		in.IDs = ids(in.Old...)
		hints := slices.Collect(func(yield func(uuid.UUID) bool) {
			for _, o := range in.Old {
				for d := range xref.All(o.Decls) {
					if !yield(id(d.Key)) {
						return
					}
				}
			}
		})
		for d := range xref.All(in.New[0].Decls) {
			if n := len(d.Qual) + len(b); len(hints) > 0 && n%3 == 0 {
				in.Hints[d.Key] = hints[n%len(hints)]
			}
		}
		check(t, in, Match(in))
	})
}
