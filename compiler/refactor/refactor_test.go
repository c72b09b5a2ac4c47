package refactor_test

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"

	"github.com/settgraph/sett/compiler/diag"
	"github.com/settgraph/sett/compiler/refactor"
	"github.com/settgraph/sett/compiler/workspace"
	"github.com/settgraph/sett/compiler/xref"
)

// build makes the state of a project whose files are only in memory.
func build(t testing.TB, files map[string]string) *workspace.State {
	t.Helper()
	s, err := workspace.Build(context.Background(), workspace.Input{
		Root:  t.TempDir(),
		Files: slices.Sorted(maps.Keys(files)),
		Read:  func(path string) ([]byte, error) { return []byte(files[path]), nil },
	}, nil)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// texts are the texts of all modules.
func texts(s *workspace.State) map[string]string {
	out := map[string]string{}
	for _, m := range s.Modules() {
		out[m.Path] = m.File.Src.Text
	}
	return out
}

// carryOut is the state that a plan leads to.
func carryOut(t testing.TB, s *workspace.State, p *refactor.Plan) *workspace.State {
	t.Helper()
	now, err := p.Texts(s)
	if err != nil {
		t.Fatal(err)
	}
	raw := map[string][]byte{}
	for path, text := range now {
		raw[path] = []byte(text)
	}
	next, err := s.With(context.Background(), raw, slices.Concat(p.Remove, slices.Collect(maps.Keys(p.Rename))))
	if err != nil {
		t.Fatal(err)
	}
	return next
}

func errorsOf(t testing.TB, s *workspace.State) []string {
	t.Helper()
	c, err := s.Checked(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	var out []string
	for _, d := range c.Diags("") {
		if d.Severity == diag.Error {
			out = append(out, d.Message)
		}
	}
	return out
}

// scenario is one case of an archive: what is asked, the files before, and what comes of it.
type scenario struct {
	name    string
	op      []string
	src     string
	in, out map[string]string
	plan    string
	err     string
	broken  bool // the project has errors before, or may have them after
}

var kinds = func() map[string]xref.Kind {
	out := map[string]xref.Kind{}
	for k := xref.Module; k <= xref.Param; k++ {
		out[k.String()] = k
	}
	return out
}()

// key reads "path kind name"; "" is no key.
func key(t testing.TB, line string) xref.Key {
	t.Helper()
	f := strings.SplitN(line, " ", 3)
	if len(f) != 3 {
		t.Fatalf("%q is no key", line)
	}
	k, ok := kinds[f[1]]
	if !ok {
		t.Fatalf("%q is no kind", f[1])
	}
	return xref.Key{File: f[0], Kind: k, Qual: f[2]}
}

// ask does what a scenario says.
func ask(t testing.TB, s *workspace.State, op []string, src string) (*refactor.Plan, error) {
	t.Helper()
	ctx := context.Background()
	var at refactor.Position
	var args []string
	for _, line := range op[1:] {
		if k, ok := strings.CutPrefix(line, "before "); ok {
			at.Before = key(t, k)
		} else if k, ok := strings.CutPrefix(line, "after "); ok {
			at.After = key(t, k)
		} else {
			args = append(args, line)
		}
	}
	arg := func(i int) string {
		if i >= len(args) {
			return ""
		}
		return args[i]
	}
	switch op[0] {
	case "add":
		return refactor.Add(ctx, s, arg(0), src, at)
	case "replace":
		return refactor.Replace(ctx, s, key(t, arg(0)), src)
	case "rename":
		return refactor.Rename(ctx, s, key(t, arg(0)), arg(1), refactor.RenameOptions{File: arg(2) == "file"})
	case "delete":
		return refactor.Delete(ctx, s, key(t, arg(0)))
	case "move":
		return refactor.Move(ctx, s, key(t, arg(0)), arg(1), at)
	case "method":
		return refactor.AddMethod(ctx, s, key(t, arg(0)), src, at)
	case "field":
		return refactor.AddField(ctx, s, key(t, arg(0)), arg(1), arg(2), refactor.FieldOptions{Injected: arg(3) == "injected", At: at})
	case "variant":
		return refactor.AddVariant(ctx, s, key(t, arg(0)), src, at)
	case "create":
		return refactor.CreateModule(ctx, s, arg(0), src)
	case "rename-module":
		return refactor.RenameModule(ctx, s, arg(0), arg(1))
	case "delete-module":
		return refactor.DeleteModule(ctx, s, arg(0))
	}
	t.Fatalf("%q is no operation", op[0])
	return nil, nil
}

// show prints what a plan says beside its texts.
func show(s *workspace.State, p *refactor.Plan) string {
	var out strings.Builder
	for _, k := range slices.SortedFunc(maps.Keys(p.Moved), func(a, b xref.Key) int { return cmp.Compare(a.String(), b.String()) }) {
		fmt.Fprintf(&out, "moved %s -> %s\n", k, p.Moved[k])
	}
	for _, k := range p.Added {
		fmt.Fprintf(&out, "added %s\n", k)
	}
	for _, k := range p.Removed {
		fmt.Fprintf(&out, "removed %s\n", k)
	}
	if p.Updated > 0 {
		fmt.Fprintf(&out, "updated %d\n", p.Updated)
	}
	for _, site := range p.Dangling {
		line, col := s.Module(site.File).File.Src.Position(site.At.Start)
		fmt.Fprintf(&out, "dangling %s:%d:%d %s %s\n", site.File, line, col, site.Use, site.Target.Qual)
	}
	for _, n := range p.Notes {
		fmt.Fprintf(&out, "note %s\n", n)
	}
	return out.String()
}

func TestScenarios(t *testing.T) {
	paths, err := filepath.Glob("testdata/*.txtar")
	if err != nil {
		t.Fatal(err)
	}
	count := 0
	for _, path := range paths {
		ar, err := txtar.ParseFile(path)
		if err != nil {
			t.Fatal(err)
		}
		cases := scenarios(t, ar)
		for _, c := range cases {
			count++
			t.Run(strings.TrimSuffix(filepath.Base(path), ".txtar")+"/"+c.name, func(t *testing.T) { c.run(t) })
		}
		if os.Getenv("UPDATE") != "" {
			if err := os.WriteFile(path, txtar.Format(rewrite(ar, cases)), 0o644); err != nil {
				t.Fatal(err)
			}
		}
	}
	if count < 100 {
		t.Errorf("there are %d scenarios, want at least 100", count)
	}
}

// scenarios reads the cases of an archive: NAME/ask, NAME/src, NAME/in/FILE, NAME/out/FILE for
// every file that is different afterwards (empty: it is gone), NAME/plan, NAME/error.
func scenarios(t *testing.T, ar *txtar.Archive) []*scenario {
	var out []*scenario
	for _, f := range ar.Files {
		name, rest, _ := strings.Cut(f.Name, "/")
		if len(out) == 0 || out[len(out)-1].name != name {
			out = append(out, &scenario{name: name, in: map[string]string{}, out: map[string]string{}})
		}
		c := out[len(out)-1]
		data := string(f.Data)
		switch dir, file, _ := strings.Cut(rest, "/"); dir {
		case "ask":
			c.op = strings.Split(strings.TrimSpace(data), "\n")
		case "src":
			c.src = data
		case "in":
			c.in[file] = data
		case "out":
			c.out[file] = data
		case "plan":
			c.plan = data
		case "error":
			c.err = strings.TrimSpace(data)
		case "broken":
			c.broken = true
		default:
			t.Fatalf("%s: no such section", f.Name)
		}
	}
	return out
}

// rewrite puts into the archive what comes of its cases now.
func rewrite(ar *txtar.Archive, cases []*scenario) *txtar.Archive {
	out := &txtar.Archive{Comment: ar.Comment}
	for _, c := range cases {
		for _, f := range ar.Files {
			name, rest, _ := strings.Cut(f.Name, "/")
			dir, _, _ := strings.Cut(rest, "/")
			if name == c.name && dir != "out" && dir != "plan" && dir != "error" {
				out.Files = append(out.Files, f)
			}
		}
		for _, p := range slices.Sorted(maps.Keys(c.out)) {
			out.Files = append(out.Files, txtar.File{Name: c.name + "/out/" + p, Data: []byte(c.out[p])})
		}
		if c.plan != "" {
			out.Files = append(out.Files, txtar.File{Name: c.name + "/plan", Data: []byte(c.plan)})
		}
		if c.err != "" {
			out.Files = append(out.Files, txtar.File{Name: c.name + "/error", Data: []byte(c.err + "\n")})
		}
	}
	return out
}

func (c *scenario) run(t *testing.T) {
	s := build(t, c.in)
	before := errorsOf(t, s)
	if len(before) > 0 && !c.broken {
		t.Fatalf("the project has errors to begin with: %q", before)
	}
	p, err := ask(t, s, c.op, c.src)
	got := scenario{out: map[string]string{}}
	if err != nil {
		e, ok := err.(*refactor.Error)
		if !ok {
			t.Fatalf("%v is no *Error", err)
		}
		got.err = e.Code + ": " + e.Error()
	} else {
		next := carryOut(t, s, p)
		now := texts(next)
		for path, text := range now {
			if text != c.in[path] {
				got.out[path] = text
			}
		}
		for path := range c.in {
			if _, ok := now[path]; !ok {
				got.out[path] = ""
			}
		}
		got.plan = show(s, p)
		if errs := errorsOf(t, next); len(errs) > 0 && !c.broken {
			t.Errorf("the project has errors afterwards: %q", errs)
		}
	}
	if os.Getenv("UPDATE") != "" {
		c.out, c.plan, c.err = got.out, got.plan, got.err
		return
	}
	if got.err != c.err {
		t.Errorf("error %q, want %q", got.err, c.err)
	}
	if got.plan != c.plan {
		t.Errorf("plan:\n%s\nwant:\n%s", got.plan, c.plan)
	}
	for _, path := range slices.Sorted(maps.Keys(merged(got.out, c.out))) {
		if got.out[path] != c.out[path] {
			t.Errorf("%s:\n%s\nwant:\n%s", path, strconv.Quote(got.out[path]), strconv.Quote(c.out[path]))
		}
	}
}

func merged(a, b map[string]string) map[string]string {
	out := maps.Clone(a)
	maps.Copy(out, b)
	return out
}
