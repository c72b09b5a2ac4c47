package ts

import (
	"cmp"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/microsoft/typescript-go/sett"
	"github.com/microsoft/typescript-go/sett/oracle"
	"github.com/settgraph/sett/graph"
	"github.com/settgraph/sett/indexer/lang"
)

// localsCases are files in which « stands before each occurrence of one local, the first
// of them its declaration.
var localsCases = []struct{ name, file, kind, sig, uses, src string }{
	{"parameter", "a.ts", "parameter", "n: number", "reads calls", "export function f(«n: number, n2: number) { return «n + g(n2) + «n(); }\nfunction g(n: number) { return n; }\n"},
	{"default", "a.ts", "parameter", "a = 1", "reads reads", "const a = 0;\nfunction f(«a = 1, b = «a) { return «a + b; }\nf(a);\n"},
	{"rest", "a.ts", "parameter", "...xs: string[]", "reads", "const f = (...«xs: string[]) => «xs.length;\n"},
	{"pattern in a parameter", "a.ts", "parameter", "{ a, b: { c } }: any", "reads", "function f({ a, b: { «c } }: any) { return a.c + «c + { c: 1 }.c; }\n"},
	{"local variable", "a.ts", "variable", "let x = 1", "reads writes writes reads reads", "const x = 0;\nfunction f() {\n  let «x = 1;\n  { let x = 2; x; }\n  «x; «x = 2; «x++;\n  return () => «x + ((x: number) => x)(«x);\n}\nx;\n"},
	{"hoisted", "a.js", "variable", "var v = 1", "writes writes reads", "function f() {\n  «v = 0;\n  if (1) { var «v = 1; }\n  var «v = 2;\n  return «v;\n}\n"},
	{"shorthand", "a.ts", "variable", "let a = 1", "reads writes reads", "function f(o: any) {\n  let «a = 1;\n  const p = { «a, b: { a: 2 } };\n  ({ «a } = o);\n  return p.a + «a;\n}\n"},
	{"destructured", "a.ts", "variable", "const a", "reads", "function f(o: { b: number }) {\n  const { b: «a } = o;\n  return «a + o.b;\n}\n"},
	{"loop", "a.ts", "variable", "const k", "reads", "function f(m: any) {\n  for (const «k of m) console.log(«k);\n  for (const k in m) console.log(k);\n}\n"},
	{"block of a module", "a.ts", "variable", "let t = 1", "reads", "export {};\n{ let «t = 1; «t; }\n{ let t = 2; t; }\n"},
	{"catch", "a.ts", "variable", "catch (e)", "reads", "function f(e: any) {\n  try { e(); } catch («e) { throw «e; }\n}\n"},
	{"type parameter", "a.ts", "type parameter", "T extends object", "typeref typeref typeref", "function f<«T extends object, U = «T>(a: «T, T: number): Array<«T> { T; return [a]; }\ntype T = 1;\n"},
	{"parameter and type parameter", "a.ts", "parameter", "T: number", "reads", "function f<T>(a: T, «T: number) { let b: T; return «T; }\n"},
	{"constant and type", "a.ts", "variable", "const P", "reads reads", "function f() {\n  const «P = g();\n  type P = typeof «P;\n  let x: P;\n  return «P;\n}\nfunction g() {}\n"},
	{"type parameter of a class", "a.ts", "type parameter", "T", "typeref typeref", "class C<«T> { v?: «T; m<U>(u: U, t: «T) { } }\ninterface I<T> { t: T }\n"},
	{"mapped and inferred", "a.ts", "type parameter", "K in keyof T", "typeref typeref", "type M<T> = { [«K in keyof T]: T[«K] extends infer V ? [«K, V] : never };\n"},
	{"infer", "a.ts", "type parameter", "V", "typeref", "type E<T> = T extends Array<infer «V> ? «V : never;\ntype V = 1;\n"},
	{"predicate", "a.ts", "parameter", "v: unknown", "refs reads", "function f(v: unknown): v is string { return true; }\nfunction g(«v: unknown): «v is string { return typeof «v === 'string'; }\n"},
	{"type query", "a.ts", "parameter", "v: number", "reads", "function g(«v: number, w: typeof «v) { }\n"},
	{"namespace import", "a.ts", "import", "import * as ns from './b'", "refs refs refs", "import * as «ns from './b';\n«ns.f(); let x: «ns.T;\nexport { «ns };\nfunction g(ns: any) { ns.f(); }\n"},
	{"named import", "a.ts", "import", "import d, { a as b } from 'nowhere'", "calls constructs typeref", "import d, { a as «b } from 'nowhere';\n«b(); new «b(); let x: «b; d.b;\n"},
	{"default import", "a.ts", "import", "import d from 'nowhere'", "refs", "import «d from 'nowhere';\nexport default «d;\n"},
	{"label", "a.ts", "label", "x:", "refs refs", "function f(x: any) {\n  «x: for (;;) {\n    for (;;) { if (x) continue «x; else break «x; }\n  }\n  x: { break x; }\n}\n"},
	{"JSX", "a.tsx", "parameter", "{ Item, label }: any", "constructs refs", "const V = ({ «Item, label }: any) => <«Item label={label}>Item</«Item>;\n"},
	{"doc comment", "a.ts", "parameter", "n: number", "refs reads", "/** @param «n how many */\nfunction f(«n: number) { return «n; }\n"},
	{"not ASCII", "a.ts", "variable", "const größe = \"日本\"", "reads", "function f() { const a = \"日本\"; const «größe = \"日本\"; return \"é\" + «größe; }\n"},
	{"broken", "a.ts", "parameter", "a: number", "reads", "function g() { if (\n}\nfunction f(«a: number) { return «a; }\n"},
}

func TestLocals(t *testing.T) {
	for _, c := range localsCases {
		t.Run(c.name, func(t *testing.T) {
			text, marks := unmark(c.src)
			in := inputOf(t, t.TempDir(), map[string]string{c.file: text, "b.ts": "export const f = 1; export type T = 1;"}, 1)
			want := slices.Clone(marks)
			for i, at := range marks {
				l, err := Language().Locals(t.Context(), in, c.file, at)
				if err != nil || l == nil {
					t.Fatalf("no local at %v: %v", at, err)
				}
				got := []graph.Pos{l.Decl.Pos}
				var uses []string
				for _, s := range l.Sites {
					got = append(got, s.Pos)
					uses = append(uses, s.Kind.String())
				}
				slices.SortFunc(got, func(a, b graph.Pos) int { return cmp.Or(cmp.Compare(a.Line, b.Line), cmp.Compare(a.Col, b.Col)) })
				if fmt.Sprint(got) != fmt.Sprint(want) || l.Kind != c.kind || l.Sig != c.sig {
					t.Errorf("at %v: %s %q at %v, want %s %q at %v", at, l.Kind, l.Sig, got, c.kind, c.sig, want)
				}
				if s := strings.Join(uses, " "); i == 0 && s != c.uses {
					t.Errorf("used as %s, want %s", s, c.uses)
				}
			}
		})
	}
}

// unmark returns the text without its marks, and where they were.
func unmark(marked string) (text string, at []graph.Pos) {
	pos := graph.Pos{Line: 1, Col: 1}
	var b strings.Builder
	for _, r := range marked {
		if r == '«' {
			at = append(at, pos)
			continue
		}
		b.WriteRune(r)
		pos.Col++
		if r == '\n' {
			pos = graph.Pos{Line: pos.Line + 1, Col: 1}
		}
	}
	return b.String(), at
}

// TestNoLocals asks where no local is.
func TestNoLocals(t *testing.T) {
	src := "export const a = 1;\nfunction f() { return a; }\nclass C { p = 1; m() { return this.p; } }\ninterface I { k: number }\n// a\nlet s = 'a';\nundefinedName;\n"
	in := inputOf(t, t.TempDir(), map[string]string{"a.ts": src}, 1)
	asked := 0
	for line, text := range strings.Split(src, "\n") {
		for col := range len(text) + 2 {
			asked++
			l, err := Language().Locals(t.Context(), in, "a.ts", graph.Pos{Line: uint32(line + 1), Col: uint32(col)})
			if err != nil || l != nil {
				t.Errorf("%d:%d: %v %v", line+1, col, l, err)
			}
		}
	}
	if asked < 100 {
		t.Errorf("asked only %d times", asked)
	}
}

// TestLocalsOfPieces cuts files anywhere: nothing may fail, and what is found is sound.
func TestLocalsOfPieces(t *testing.T) {
	found := 0
	for _, c := range localsCases {
		text, marks := unmark(c.src)
		for end := 0; end < len(text); end += 7 {
			in := &lang.Input{ReadFile: func(string) ([]byte, error) { return []byte(text[:end]), nil }}
			for _, at := range marks {
				l, err := findLocal(t.Context(), in, c.file, at)
				if err != nil {
					t.Fatal(err)
				}
				if l == nil {
					continue
				}
				found++
				if got := text[l.Decl.Off:l.Decl.End]; got != l.Name {
					t.Errorf("%s, %d bytes: %s is declared as %q", c.name, end, l.Name, got)
				}
			}
		}
	}
	if found < 200 {
		t.Errorf("found only %d", found)
	}
}

// TestLocalsAccuracy compares every local of every scenario, and of the project that
// LOCALS_PROJECT names, with the language service.
func TestLocalsAccuracy(t *testing.T) {
	n := 0
	for _, s := range scenarios(t) {
		if s.name != "broken" {
			n += compareLocals(t, s.name, inputOf(t, t.TempDir(), s.files, 2), 1)
		}
	}
	if n < 60 {
		t.Errorf("compared only %d locals", n)
	}
	if dir := os.Getenv("LOCALS_PROJECT"); dir != "" {
		t.Log(compareLocals(t, filepath.Base(dir), inputOf(t, dir, readTree(t, dir), 2), 50))
	}
}

// compareLocals asks about every nth local that a name of the project declares.
func compareLocals(t *testing.T, name string, in *lang.Input, every int) int {
	t.Helper()
	p := newProject(in)
	defer p.close()
	var roots []string
	for _, f := range in.Files {
		roots = append(roots, vroot+"/"+f.Path)
	}
	prog := p.program(roots, 2)
	service := oracle.New(prog)
	n, found := 0, 0
	for _, file := range in.Files {
		sf := prog.GetSourceFile(vroot + "/" + file.Path)
		if sf == nil {
			continue
		}
		f := &localFile{walker: walker{sf: sf, b: newBuilder("", sf.Text(), graph.FactFile{})}}
		table := buildTable(file.Path, sf)
		f.identifiers(func(id *tsgo.Node) {
			// The service follows imports, and takes a pattern for a use of the property.
			d := id.Parent
			if isLabel(id) || id.Text() == "this" || localKind(d) == "" || d.Name() != id || localKind(d) == "import" || d.Kind == tsgo.KindBindingElement && d.PropertyName() == nil && d.Parent.Kind == tsgo.KindObjectBindingPattern {
				return
			}
			if _, node := table.byNode[d]; node || tsgo.IsParameterPropertyDeclaration(d, d.Parent) {
				return
			}
			if n++; n%every != 0 {
				return
			}
			start, _ := nameRange(sf, id)
			refs := service.References(sf.FileName(), start)
			l, err := findLocal(t.Context(), in, file.Path, f.b.pos(start))
			if err != nil || l == nil {
				if len(refs) > 1 {
					t.Errorf("%s: %s:%v: no local %s (%v)", name, file.Path, f.b.pos(start), id.Text(), err)
				}
				return
			}
			found++
			want := map[graph.Pos]bool{}
			for _, r := range refs {
				if r.File == sf.FileName() {
					want[f.b.pos(r.Start)] = true
				}
			}
			got := []graph.Pos{l.Decl.Pos}
			for _, s := range l.Sites {
				got = append(got, s.Pos)
			}
			for _, at := range got {
				if !want[at] {
					t.Errorf("%s: %s:%v is no use of %s %s at %v", name, file.Path, at, l.Kind, l.Name, l.Decl.Pos)
				}
				delete(want, at)
			}
			for at := range want {
				t.Errorf("%s: %s:%v: missing use of %s %s at %v", name, file.Path, at, l.Kind, l.Name, l.Decl.Pos)
			}
		})
	}
	return found
}

// BenchmarkLocal asks about a name of a long file.
func BenchmarkLocal(b *testing.B) {
	file := os.Getenv("LOCALS_FILE")
	src, err := os.ReadFile(file)
	if err != nil {
		b.Skip("LOCALS_FILE names no file")
	}
	in := inputOf(b, b.TempDir(), map[string]string{"a.tsx": string(src)}, 1)
	for b.Loop() {
		for line := range uint32(5) {
			if _, err := findLocal(b.Context(), in, "a.tsx", graph.Pos{Line: 100 + line, Col: 10}); err != nil {
				b.Fatal(err)
			}
		}
	}
}
