package sdk_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"math/rand"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/tools/txtar"

	"github.com/settgraph/sett/graph"
	"github.com/settgraph/sett/query"
	"github.com/settgraph/sett/sdk"
)

const sample = `
-- go.mod --
module example.com/shop

go 1.24
-- cart/cart.go --
package cart

import "example.com/shop/money"

// Cart holds items.
type Cart struct{ items []Item }

// Item is one line.
type Item struct {
	Name  string
	Price money.Amount
}

func (c *Cart) Add(i Item) { c.items = append(c.items, i) }

func (c *Cart) Total() money.Amount {
	var t money.Amount
	for _, i := range c.items {
		t = t.Plus(i.Price)
	}
	return t
}
-- cart/cart_test.go --
package cart

import "testing"

func TestTotal(t *testing.T) {
	var c Cart
	c.Add(Item{Name: "a", Price: 3})
	if c.Total() != 3 {
		t.Fatal("total")
	}
}
-- money/money.go --
package money

// Amount counts cents.
type Amount int64

func (a Amount) Plus(b Amount) Amount { return a + b }

func (a Amount) String() string { return format(int64(a)) }

func format(n int64) string { return string(rune('0' + n%10)) }
-- main.go --
package main

import (
	"fmt"

	"example.com/shop/cart"
)

type totaler interface{ String() string }

func show(t totaler) { fmt.Println(t.String()) }

func main() {
	var c cart.Cart
	c.Add(cart.Item{Name: "x", Price: 1})
	show(c.Total())
}
-- web/src/price.ts --
export interface Price { cents: number }
export function add(a: Price, b: Price): Price { return { cents: a.cents + b.cents } }
-- web/src/index.ts --
export * from "./price"
import { add } from "./price"
export const twice = (p: { cents: number }) => add(p, p)
-- web/src/app.tsx --
import { twice, type Price } from "./index"
export function App(props: { price: Price }) { return twice(props.price).cents }
-- web/tsconfig.json --
{ "compilerOptions": { "jsx": "preserve" } }
`

// project writes the files of an archive into a new folder.
func project(t testing.TB, archive string) string {
	t.Helper()
	dir := t.TempDir()
	for _, f := range txtar.Parse([]byte(archive)).Files {
		write(t, dir, f.Name, string(f.Data))
	}
	return dir
}

func write(t testing.TB, dir, name, text string) {
	t.Helper()
	path := filepath.Join(dir, filepath.FromSlash(name))
	if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
}

func open(t testing.TB, dir string, o sdk.Options) *sdk.Project {
	t.Helper()
	p, err := sdk.Open(dir, o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := p.Close(); err != nil {
			t.Error(err)
		}
	})
	return p
}

// dump returns the graph as text, after checking its invariants.
func dump(t testing.TB, p *sdk.Project) string {
	t.Helper()
	s, _, err := p.Snapshot(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	return text(t, s)
}

func text(t testing.TB, s *graph.Snapshot) string {
	t.Helper()
	for _, problem := range s.Check() {
		t.Error("check:", problem)
	}
	var b bytes.Buffer
	if err := s.WriteText(&b); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// cold indexes a copy of the folder from nothing.
func cold(t testing.TB, dir string) string {
	t.Helper()
	to := t.TempDir()
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		rel, err := filepath.Rel(dir, path)
		if err != nil {
			return err
		}
		if d.IsDir() {
			if d.Name() == ".sett" {
				return filepath.SkipDir
			}
			return os.MkdirAll(filepath.Join(to, rel), 0o777)
		}
		b, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		return os.WriteFile(filepath.Join(to, rel), b, 0o666)
	})
	if err != nil {
		t.Fatal(err)
	}
	return dump(t, open(t, to, sdk.Options{ReadOnly: true}))
}

func uses(t testing.TB, p *sdk.Project, symbol string) int {
	t.Helper()
	r, err := p.Refs(context.Background(), query.RefsArgs{Selector: query.Selector{Symbol: symbol}})
	if err != nil {
		t.Fatal(err)
	}
	return len(r.Answers)
}

func TestAnswersFollowTheFiles(t *testing.T) {
	dir := project(t, sample)
	p := open(t, dir, sdk.Options{})
	if n := uses(t, p, "Cart.Add"); n != 1 {
		t.Fatalf("%d answers about Cart.Add", n)
	}
	steps := []struct {
		what string
		do   func()
	}{
		{"a body", func() { edit(t, dir, "money/money.go", "return a + b", "return b + a") }},
		{"a signature that others see", func() { edit(t, dir, "money/money.go", "Plus(b Amount)", "Plus(b, _ Amount)") }},
		{"a new file", func() {
			write(t, dir, "cart/more.go", "package cart\n\nfunc Empty(c *Cart) bool { return len(c.items) == 0 }\n")
		}},
		{"a rename", func() {
			if err := os.Rename(filepath.Join(dir, "cart/more.go"), filepath.Join(dir, "cart/extra.go")); err != nil {
				t.Fatal(err)
			}
		}},
		{"a deleted file", func() {
			if err := os.Remove(filepath.Join(dir, "money/money.go")); err != nil {
				t.Fatal(err)
			}
		}},
		{"a broken file", func() {
			write(t, dir, "money/money.go", "package money\n\ntype Amount int64\n\nfunc (a Amount) Plus(b Amount) Amount {")
		}},
		{"a method that satisfies an interface", func() {
			write(t, dir, "money/money.go", "package money\n\ntype Amount int64\n\nfunc (a Amount) Plus(b Amount) Amount { return a }\n\nfunc (a Amount) String() string { return \"\" }\n")
		}},
		{"TypeScript that others infer from", func() { edit(t, dir, "web/src/index.ts", "add(p, p)", "({ cents: 1, rate: 2 })") }},
		{"a barrel", func() { edit(t, dir, "web/src/index.ts", `export * from "./price"`, "") }},
		{"an ignored folder", func() { write(t, dir, ".gitignore", "web/\n") }},
		{"the module's name", func() { edit(t, dir, "go.mod", "example.com/shop", "example.com/market") }},
	}
	for _, s := range steps {
		s.do()
		if diff := cmp.Diff(cold(t, dir), dump(t, p)); diff != "" {
			t.Fatalf("after %s (-cold +answer):\n%s", s.what, diff)
		}
		if diff := cmp.Diff(cold(t, dir), dump(t, open(t, dir, sdk.Options{}))); diff != "" {
			t.Fatalf("after %s, asked by another process (-cold +answer):\n%s", s.what, diff)
		}
	}
	// What questions stored piece by piece, indexing joins into what a first index gives.
	if _, err := p.Index(context.Background(), sdk.IndexOptions{}); err != nil {
		t.Fatal(err)
	}
	again, err := p.Index(context.Background(), sdk.IndexOptions{Force: true})
	if err != nil {
		t.Fatal(err)
	}
	first := open(t, dir, sdk.Options{})
	r, err := first.Index(context.Background(), sdk.IndexOptions{})
	if err != nil {
		t.Fatal(err)
	}
	if r.Generation != again.Generation || r.Extracted != 0 {
		t.Errorf("the same files gave generation %s, then %s reading %d units", again.Generation, r.Generation, r.Extracted)
	}
}

func edit(t testing.TB, dir, name, old, new string) {
	t.Helper()
	b, err := os.ReadFile(filepath.Join(dir, name))
	if err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(string(b), old) {
		t.Fatalf("%s does not contain %q", name, old)
	}
	write(t, dir, name, strings.ReplaceAll(string(b), old, new))
}

// TestRandomEdits changes files at random and asks after each step; every answer must be
// what an index made from nothing gives.
func TestRandomEdits(t *testing.T) {
	steps := 40
	if testing.Short() {
		steps = 12
	}
	randomEdits(t, 1, steps)
}

func randomEdits(t *testing.T, seed int64, steps int) {
	dir := project(t, sample)
	p := open(t, dir, sdk.Options{})
	r := rand.New(rand.NewSource(seed))
	files := []string{"cart/cart.go", "cart/cart_test.go", "money/money.go", "main.go", "web/src/price.ts", "web/src/index.ts", "web/src/app.tsx"}
	originals := map[string]string{}
	for _, f := range txtar.Parse([]byte(sample)).Files {
		originals[f.Name] = string(f.Data)
	}
	for step := range steps {
		name := files[r.Intn(len(files))]
		path := filepath.Join(dir, filepath.FromSlash(name))
		b, err := os.ReadFile(path)
		switch lines := strings.SplitAfter(string(b), "\n"); {
		case err != nil || r.Intn(5) == 0:
			write(t, dir, name, originals[name])
		case r.Intn(8) == 0:
			if err := os.Remove(path); err != nil {
				t.Fatal(err)
			}
		case r.Intn(3) == 0: // a line less
			i := r.Intn(len(lines))
			write(t, dir, name, strings.Join(lines[:i], "")+strings.Join(lines[i+1:], "")+" ")
		case r.Intn(2) == 0: // a line twice
			i := r.Intn(len(lines))
			write(t, dir, name, strings.Join(lines[:i+1], "")+strings.Join(lines[i:], "")+"\n")
		default:
			extra := fmt.Sprintf("\nfunc F%d() {}\n", step)
			if !strings.HasSuffix(name, ".go") {
				extra = fmt.Sprintf("\nexport function f%d(n: number) { return n }\n", step)
			}
			write(t, dir, name, string(b)+extra)
		}
		if diff := cmp.Diff(cold(t, dir), dump(t, p)); diff != "" {
			t.Fatalf("seed %d step %d, after changing %s (-cold +answer):\n%s", seed, step, name, diff)
		}
	}
}

func TestManyAskAtOnce(t *testing.T) {
	dir := project(t, sample)
	var wg sync.WaitGroup
	for range 4 {
		p := open(t, dir, sdk.Options{})
		for range 4 {
			wg.Go(func() {
				for range 10 {
					if n := uses(t, p, "Cart.Add"); n != 1 {
						t.Errorf("%d answers about Cart.Add", n)
					}
				}
			})
		}
	}
	wg.Go(func() {
		for i := range 20 {
			write(t, dir, "cart/new.go", fmt.Sprintf("package cart\n\nfunc F%d() {}\n", i))
		}
	})
	wg.Wait()
}

func TestDamagedStoreIsRebuilt(t *testing.T) {
	dir := project(t, sample)
	p := open(t, dir, sdk.Options{})
	if _, err := p.Index(context.Background(), sdk.IndexOptions{}); err != nil {
		t.Fatal(err)
	}
	want := dump(t, p)
	damaged := 0
	err := filepath.WalkDir(filepath.Join(dir, ".sett", "gen"), func(path string, d fs.DirEntry, err error) error {
		if err == nil && !d.IsDir() {
			damaged++
			err = os.Truncate(path, 10)
		}
		return err
	})
	if err != nil || damaged == 0 {
		t.Fatalf("damaged %d files: %v", damaged, err)
	}
	q := open(t, dir, sdk.Options{})
	s, fresh, err := q.Snapshot(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	if fresh.Unusable == nil || !fresh.Indexed || !strings.Contains(fresh.Note(), "rebuilt") {
		t.Errorf("a damaged index was not said to be rebuilt: %+v", fresh)
	}
	if diff := cmp.Diff(want, text(t, s)); diff != "" {
		t.Error(diff)
	}
}

func TestReadOnlyWritesNothing(t *testing.T) {
	dir := project(t, sample)
	p := open(t, dir, sdk.Options{ReadOnly: true})
	dump(t, p)
	edit(t, dir, "main.go", "show(c.Total())", "show(c.Total()); show(c.Total())")
	dump(t, p)
	if _, err := os.Stat(filepath.Join(dir, ".sett")); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("a project open for reading has an index: %v", err)
	}
	if _, err := p.Index(context.Background(), sdk.IndexOptions{}); err == nil {
		t.Error("a project open for reading can be indexed")
	}
}

func TestCheck(t *testing.T) {
	dir := project(t, sample)
	p := open(t, dir, sdk.Options{})
	check := func() *sdk.IndexCheck {
		t.Helper()
		r, err := p.CheckIndex(context.Background())
		if err != nil {
			t.Fatal(err)
		}
		return r
	}
	if r := check(); !r.Missing || r.UpToDate {
		t.Errorf("before indexing: %+v", r)
	}
	if _, err := p.Index(context.Background(), sdk.IndexOptions{}); err != nil {
		t.Fatal(err)
	}
	if r := check(); !r.UpToDate {
		t.Errorf("after indexing: %+v", r)
	}
	edit(t, dir, "main.go", "fmt.Println", "fmt.Print")
	write(t, dir, "b.go", "package main\n")
	if err := os.Remove(filepath.Join(dir, "web/src/app.tsx")); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(&sdk.IndexCheck{Changed: []string{"+b.go", "~main.go", "-web/src/app.tsx"}}, check()); diff != "" {
		t.Error(diff)
	}
}

func TestFindRoot(t *testing.T) {
	dir := project(t, "-- go.mod --\nmodule m\n-- sub/package.json --\n{}\n-- sub/src/a.ts --\n-- plain/x --\n")
	dir, err := filepath.EvalSymlinks(dir)
	if err != nil {
		t.Fatal(err)
	}
	for from, want := range map[string]string{"sub/src": "sub", "plain": "", "": ""} {
		root, _, err := sdk.FindRoot(filepath.Join(dir, from))
		if err != nil || root != filepath.Join(dir, want) {
			t.Errorf("from %q: root %s, %v", from, root, err)
		}
	}
	if err := os.Mkdir(filepath.Join(dir, ".git"), 0o777); err != nil {
		t.Fatal(err)
	}
	if root, marker, _ := sdk.FindRoot(filepath.Join(dir, "sub/src")); root != dir || marker != ".git" {
		t.Errorf("in a repository: root %s by %s", root, marker)
	}
	if _, err := sdk.Open(filepath.Join(dir, "nowhere"), sdk.Options{}); err == nil {
		t.Error("a folder that does not exist can be opened")
	}
}
