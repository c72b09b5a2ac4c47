package golang_test

import (
	"cmp"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"

	"github.com/settgraph/sett/graph"
)

const scenarios = "../../../testdata/lang/go"

// TestScenarios extracts small projects and compares everything that was found with
// the section "want" of each: one line for each declaration, use and unbound name, in
// the order of the text, then who implements what. UPDATE=1 rewrites the sections.
//
// A folder GOROOT or MODCACHE in a scenario takes the place of the real one; without
// them there is neither. The text "CRLF" in a scenario's comment gives its files
// Windows line ends.
func TestScenarios(t *testing.T) {
	files, err := filepath.Glob(filepath.Join(scenarios, "*.txtar"))
	if err != nil {
		t.Fatal(err)
	}
	if len(files) < 25 {
		t.Fatalf("only %d scenarios in %s", len(files), scenarios)
	}
	for _, name := range files {
		t.Run(strings.TrimSuffix(filepath.Base(name), ".txtar"), func(t *testing.T) { scenario(t, name) })
	}
}

func scenario(t *testing.T, name string) {
	a, err := txtar.ParseFile(name)
	if err != nil {
		t.Fatal(err)
	}
	root := t.TempDir()
	t.Setenv("GOROOT", filepath.Join(root, "GOROOT"))
	t.Setenv("GOMODCACHE", filepath.Join(root, "MODCACHE"))
	files := map[string][]byte{}
	want, wanted := "", -1
	for i, f := range a.Files {
		if f.Name == "want" {
			want, wanted = string(f.Data), i
			continue
		}
		data := f.Data
		if strings.Contains(string(a.Comment), "CRLF") {
			data = []byte(strings.ReplaceAll(string(data), "\n", "\r\n"))
		}
		p := filepath.Join(root, filepath.FromSlash(f.Name))
		if err := os.MkdirAll(filepath.Dir(p), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(p, data, 0o644); err != nil {
			t.Fatal(err)
		}
		if first, _, _ := strings.Cut(f.Name, "/"); first != "GOROOT" && first != "MODCACHE" && first != "vendor" {
			files[f.Name] = data
		}
	}
	in := project(files)
	in.Root = root
	got := describe(extractAll(t, in, in.Units))
	sameAlone(t, in)
	if os.Getenv("UPDATE") != "" {
		if wanted < 0 {
			a.Files = append(a.Files, txtar.File{Name: "want"})
			wanted = len(a.Files) - 1
		}
		a.Files[wanted].Data = []byte(got)
		if err := os.WriteFile(name, txtar.Format(a), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	if want == "" {
		t.Fatal("the scenario expects nothing")
	}
	g, w := strings.Split(got, "\n"), strings.Split(want, "\n")
	for _, l := range g {
		if !slices.Contains(w, l) {
			t.Errorf("unexpected: %s", l)
		}
	}
	for _, l := range w {
		if !slices.Contains(g, l) {
			t.Errorf("missing:    %s", l)
		}
	}
}

// describe writes facts as text.
func describe(all map[string]*graph.Facts) string {
	type line struct {
		file string
		pos  graph.Pos
		text string
	}
	var out []line
	var units []string
	for name := range all {
		units = append(units, name)
	}
	slices.Sort(units)
	for _, unit := range units {
		f := all[unit]
		sym := func(i int) string {
			s := f.Symbols[i]
			name := s.Module
			if s.Qual != "" {
				name += " " + s.Qual
			}
			if s.External {
				name = s.Kind.String() + " " + name + " (external)"
			}
			return name
		}
		add := func(file int, pos graph.Pos, format string, args ...any) {
			path := ""
			if file >= 0 {
				path = f.Files[file].Path
			}
			out = append(out, line{path, pos, fmt.Sprintf(format, args...)})
		}
		for _, d := range f.Decls {
			s := f.Symbols[d.Sym]
			if s.Kind == graph.KindFile {
				continue
			}
			parent := ""
			if d.Parent >= 0 && f.Symbols[d.Parent].Kind != graph.KindPackage {
				parent = " in " + f.Symbols[d.Parent].Qual
			}
			add(d.File, d.Name, "%s %s%s%s | %s", s.Kind, sym(d.Sym), parent, flags(d.Flags), d.Sig)
		}
		for _, e := range f.Edges {
			mark := ""
			if e.Flags&graph.EdgeDynamic != 0 {
				mark = " ~"
			}
			add(e.File, e.Pos, "  %s: %s %s%s", sym(e.From), e.Kind, sym(e.To), mark)
		}
		for _, m := range f.Missing {
			add(m.File, m.Pos, "  missing %s: %s", m.Name, m.Reason)
		}
		for _, n := range f.Notes {
			add(n.File, n.Pos, "  note: %s", n.Text)
		}
	}
	slices.SortStableFunc(out, func(a, b line) int {
		return cmp.Or(cmp.Compare(a.file, b.file), cmp.Compare(a.pos.Line, b.pos.Line), cmp.Compare(a.pos.Col, b.pos.Col))
	})
	var b strings.Builder
	for _, l := range out {
		fmt.Fprintf(&b, "%s:%d:%d %s\n", l.file, l.pos.Line, l.pos.Col, l.text)
	}
	for _, l := range implementations(all) {
		fmt.Fprintln(&b, l)
	}
	return b.String()
}

func flags(f graph.Flags) string {
	var out string
	for _, x := range []struct {
		flag graph.Flags
		name string
	}{
		{graph.FlagExported, "exported"}, {graph.FlagTest, "test"}, {graph.FlagGenerated, "generated"}, {graph.FlagEntry, "entry"},
		{graph.FlagDeprecated, "deprecated"}, {graph.FlagAbstract, "abstract"}, {graph.FlagEmbedded, "embedded"},
	} {
		if f&x.flag != 0 {
			out += " " + x.name
		}
	}
	if out != "" {
		return " [" + out[1:] + "]"
	}
	return ""
}

// implementations compares method sets the way the graph does.
func implementations(all map[string]*graph.Facts) []string {
	type set struct {
		graph.MethodSet
		name string
	}
	var types, ifaces []set
	for _, f := range all {
		for _, m := range f.Types {
			s := set{m, strings.TrimSpace(f.Symbols[m.Sym].Module + " " + f.Symbols[m.Sym].Qual)}
			if m.Interface {
				ifaces = append(ifaces, s)
			} else {
				types = append(types, s)
			}
		}
	}
	var out []string
	for _, t := range types {
		for _, i := range ifaces {
			ok, pointer := true, false
			for _, want := range i.Methods {
				k, found := slices.BinarySearchFunc(t.Methods, want.ID, func(m graph.MethodSig, id string) int { return cmp.Compare(m.ID, id) })
				if !found || t.Methods[k].Finger != 0 && want.Finger != 0 && t.Methods[k].Finger != want.Finger {
					ok = false
					break
				}
				pointer = pointer || t.Methods[k].Pointer
			}
			if ok {
				star := ""
				if pointer {
					star = "*"
				}
				out = append(out, fmt.Sprintf("%s%s implements %s", star, t.name, i.name))
			}
		}
	}
	slices.Sort(out)
	return slices.Compact(out)
}
