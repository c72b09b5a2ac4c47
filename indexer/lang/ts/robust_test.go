package ts

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/settgraph/sett/graph"
	"github.com/settgraph/sett/indexer/lang"
)

// TestOddFiles extracts what a real tree may hold and a parser may stumble over.
func TestOddFiles(t *testing.T) {
	files := map[string]string{
		"empty.ts":    "",
		"bom.ts":      "\ufeffexport const bom = 1;\n",
		"crlf.ts":     "// one\r\nexport const crlf = 1;\r\n",
		"shebang.mjs": "#!/usr/bin/env node\nexport const tool = 1;\n",
		"utf8.ts":     "export const bad = '\xff\xfe'; export const after = bad;\n",
		"binary.js":   "\x00\x01\x02\x7fELF\x00" + strings.Repeat("\x00", 100),
		"huge.js":     strings.Repeat("var a = 1;\n", maxSource/10),
		"min.js":      "var x=" + strings.Repeat("1+", maxLine) + "1",
		`odd\name.ts`: "export const odd = 1;",
		"a b/ü #.ts":  "export const odd = 1;",
		"use2.ts":     "import { odd } from './a b/ü #';\nodd;\n",
		"only.d.ts":   "declare const only: number;\n",
		"use.ts":      "import { bom } from './bom';\nimport { crlf } from './crlf.js';\nimport { tool } from './shebang.mjs';\nimport { after } from './utf8';\nimport './empty';\nimport './binary.js';\nbom; crlf; tool; after; only;\n",
	}
	in := inputOf(t, t.TempDir(), files, 2)
	all := extractAll(t, in, in.Units)
	uses := map[string]bool{}
	f := all["ts:use.ts"]
	for _, e := range f.Edges {
		uses[f.Symbols[e.To].Qual] = true
	}
	for _, name := range []string{"bom", "crlf", "tool", "after", "only"} {
		if !uses[name] {
			t.Errorf("%s is not referred to", name)
		}
	}
	if len(f.Missing) > 0 {
		t.Errorf("missing: %v", f.Missing)
	}
	for _, name := range []string{"binary.js", "huge.js", "min.js"} {
		if len(all["ts:"+name].Notes) == 0 {
			t.Errorf("%s was skipped without a word", name)
		}
		if len(all["ts:"+name].Decls) != 1 {
			t.Errorf("%s has no node", name)
		}
	}
	for _, d := range all["ts:bom.ts"].Decls {
		if all["ts:bom.ts"].Symbols[d.Sym].Qual == "bom" && (d.Name != graph.Pos{Line: 1, Col: 14} || d.Full.Off != 3) {
			t.Errorf("after a byte order mark: name at %v, bytes from %d", d.Name, d.Full.Off)
		}
	}
}

// TestDeepNesting feeds nesting that no parser likes, each for a megabyte.
func TestDeepNesting(t *testing.T) {
	for _, unit := range []string{"(", "[", "{", "!", "- ", "a?", "x=>", "if(a)", "`${", "<a>", "A<", "new ", "typeof ", "a.b(", "a+", "a.", "class A extends ", "else ", "@a ", "/*", "type A=B|", "a,", "await ", "function f(){"} {
		files := map[string]string{"deep.tsx": strings.Repeat(unit, 200_000/len(unit)), "ok.ts": "export const ok = 1;"}
		in := inputOf(t, t.TempDir(), files, 1)
		if all := extractAll(t, in, in.Units); len(all) != 2 {
			t.Errorf("%q: %d units", unit, len(all))
		}
	}
}

// TestNodeModules resolves installed packages, through the links of a package manager,
// and never what a link outside the project shows.
func TestNodeModules(t *testing.T) {
	root := t.TempDir()
	outside := t.TempDir()
	write := func(dir, name, text string) {
		t.Helper()
		p := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(p), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(p, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	link := func(target, name string) {
		t.Helper()
		p := filepath.Join(root, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(p), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.Symlink(filepath.FromSlash(target), p); err != nil {
			t.Skip("no symbolic links here")
		}
	}
	write(root, "node_modules/plain/package.json", `{"name":"plain","types":"t.d.ts"}`)
	write(root, "node_modules/plain/t.d.ts", "export declare function plain(): { field: number };")
	write(root, "node_modules/@types/untyped/index.d.ts", "export declare const typed: number;")
	write(root, "node_modules/untyped/index.js", "exports.typed = 1;")
	write(root, "node_modules/js-only/index.js", "exports.run = 1;")
	write(root, "node_modules/.pnpm/linked@1/node_modules/linked/package.json", `{"name":"linked","types":"t.d.ts"}`)
	write(root, "node_modules/.pnpm/linked@1/node_modules/linked/t.d.ts", "export declare class Linked { method(): void }")
	link(".pnpm/linked@1/node_modules/linked", "node_modules/linked")
	link("../packages/own", "node_modules/own")
	write(outside, "secret/index.d.ts", "export declare const secret: number;")
	link(outside+"/secret", "node_modules/secret")

	files := map[string]string{
		"packages/own/package.json": `{"name":"own","main":"dist/x.js"}`,
		"packages/own/src/index.ts": "export function own(): void {}",
		"main.ts":                   "import { plain } from 'plain';\nimport { typed } from 'untyped';\nimport { run } from 'js-only';\nimport { Linked } from 'linked';\nimport { own } from 'own';\nimport { secret } from 'secret';\nplain().field; typed; run; new Linked().method(); own(); secret.x;\n",
	}
	in := inputOf(t, root, files, 2)
	got := notation(extractAll(t, in, in.Units))
	for _, want := range []string{
		"(file) -calls-> plain!plain", "(file) -reads-> untyped!typed", "(file) -refs-> js-only!run", "(file) -constructs-> linked!Linked",
		"(file) -calls-> linked!Linked.method", "(file) -calls-> packages/own/src/index.ts#own", "(file) -refs-> secret!secret",
	} {
		if !strings.Contains(got, want) {
			t.Errorf("no edge %s in\n%s", want, got)
		}
	}
	if n := strings.Count(got, "package not found"); n != 1 {
		t.Errorf("%d packages not found, want 1: what lies outside the project\n%s", n, got)
	}
}

// TestShape tells changes that others can see from those they cannot.
func TestShape(t *testing.T) {
	for _, c := range []struct {
		name, a, b string
		same       bool
	}{
		{"comment", "export const a = 1;", "// why\n/* so */\nexport const a = 1;", true},
		{"layout", "export function f(): void {}", "export function f(): void {\n}\n", true},
		{"body with a written type", "export function f(): number { return 1; }", "export function f(): number { return 2 + g(); }", true},
		{"body with an inferred type", "export function f() { return 1; }", "export function f() { return ''; }", false},
		{"value with a written type", "export const a: number = 1;", "export const a: number = 2;", true},
		{"value without", "export const a = 1;", "export const a = '';", false},
		{"return type", "export function f(): number { return 1; }", "export function f(): string { return 1; }", false},
		{"name", "export const a = 1;", "export const b = 1;", false},
		{"member", "export interface I { a: 1 }", "export interface I { a: 1; b: 2 }", false},
		{"string that looks like a comment", "export const a = 'http://x';", "export const a = 'http://y';", false},
		{"blank in a string", "export type A = 'a b';", "export type A = 'a  b';", false},
		{"after a regular expression", `export const a = /\\//, b = 1;`, `export const a = /\\//, b = '';`, false},
		{"import", "import { a } from './a'; export { a };", "import { a } from './b'; export { a };", false},
		{"global", "export {}; declare global { var a: 1 }", "export {}; declare global { var a: 2 }", false},
		{"method body", "export class C { m(): void { a(); } }", "export class C { m(): void { b(); } }", true},
		{"constructor of a script", "export class C { constructor() { this.a = 1; } }", "export class C { constructor() { this.b = 1; } }", false},
	} {
		a, b := summarize("x.ts", []byte(c.a)), summarize("x.ts", []byte(c.b))
		if (a.Shape == b.Shape) != c.same {
			t.Errorf("%s: same shape is %v, want %v", c.name, !c.same, c.same)
		}
	}
}

// TestConfigFiles wants what changes resolution, and no more: a change of one of these
// reads everything again.
func TestConfigFiles(t *testing.T) {
	for p, want := range map[string]bool{
		"package.json": true, "a/tsconfig.build.json": true, "jsconfig.json": true, "tsconfig/base.json": false,
		"node_modules/.package-lock.json": true, "node_modules/.modules.yaml": true, "node_modules/.yarn-state.yml": true, "node_modules/.yarn-integrity": true,
		"package-lock.json": true, "a/pnpm-lock.yaml": true, "yarn.lock": true, "bun.lock": true,
		"data.json": false, "my-yarn.lock": false, "pnpm-workspace.yaml": false, "README.md": false,
	} {
		if got := isConfig(p); got != want {
			t.Errorf("%s is a configuration: %v, want %v", p, got, want)
		}
	}
}

// TestUnitDependencies wants each way to depend on another file.
func TestUnitDependencies(t *testing.T) {
	files := map[string]string{
		"tsconfig.json":     `{"compilerOptions":{"paths":{"@/*":["./src/*"]}}}`,
		"src/a.ts":          "export const a = 1;",
		"src/b/index.ts":    "export const b = 1;",
		"src/c.js":          "exports.c = 1;",
		"src/global.d.ts":   "declare const G: number;",
		"src/loose.js":      "console.log(1);",
		"src/main.ts":       "import '@/a'; export * from './b'; type T = import('./t').T; import('./dyn.js');\n/// <reference path=\"./ref.d.ts\" />\n",
		"src/ref.d.ts":      "declare module 'amb' {}",
		"src/t.ts":          "export type T = 1;",
		"src/dyn.ts":        "export {};",
		"src/req.cjs":       "require('./c');",
		"pkg/package.json":  `{"name":"@x/pkg","exports":{"./*":{"import":"./dist/*.mjs","require":"./dist/*.cjs"}}}`,
		"pkg/src/thing.ts":  "export {};",
		"src/workspaces.ts": "import '@x/pkg/thing';",
	}
	in := inputOf(t, t.TempDir(), files, 1)
	deps := map[string]string{}
	for _, u := range in.Units {
		deps[u.Name] = strings.Join(u.Deps, " ")
	}
	for unit, want := range map[string]string{
		"ts:src/main.ts":       "ts:src/a.ts ts:src/b/index.ts ts:src/dyn.ts ts:src/global.d.ts ts:src/t.ts",
		"ts:src/req.cjs":       "ts:src/c.js ts:src/global.d.ts",
		"ts:src/workspaces.ts": "ts:pkg/src/thing.ts ts:src/global.d.ts",
		"ts:src/a.ts":          "ts:src/global.d.ts",
		"ts:src/global.d.ts":   "ts:src/ref.d.ts",
	} {
		if deps[unit] != want {
			t.Errorf("%s depends on\n%s, want\n%s", unit, deps[unit], want)
		}
	}
}

// FuzzSummarize wants no panic and a stable answer for any text.
func FuzzSummarize(f *testing.F) {
	for _, s := range []string{"", "export const a = 1", "\xff{", "`${`", "/** @type {", "import x from '", "a<b", "class { #", "\u2028//", "export default {", "declare module ''{}"} {
		f.Add("x.ts", []byte(s))
		f.Add("x.jsx", []byte(s))
	}
	f.Fuzz(func(t *testing.T, name string, src []byte) {
		if !isSource(name) {
			name = "x.tsx"
		}
		a, b := summarize(name, src), summarize(name, src)
		if a.Shape != b.Shape || len(a.Imports) != len(b.Imports) {
			t.Error("two summaries of one text differ")
		}
	})
}

// TestCrowd wants the globals of a few scripts to be shared, those of thousands not.
func TestCrowd(t *testing.T) {
	for _, c := range []struct{ scripts, uses int }{{10, 1}, {crowdSize + 1, 0}} {
		files := map[string]string{"tsconfig.json": `{"include":["app"]}`, "app/a.ts": "var shared = 1;", "app/b.ts": "shared;", "site/use.js": "first();", "site/first.js": "function first() {}"}
		for i := range c.scripts {
			files[fmt.Sprintf("site/s%d.js", i)] = "function same() {}"
		}
		in := inputOf(t, t.TempDir(), files, 2)
		some := slices.DeleteFunc(slices.Clone(in.Units), func(u lang.Unit) bool { return strings.Contains(u.Name, "/s") })
		got := strings.Count(notation(extractAll(t, in, some)), "-calls-> site/first.js#first")
		if got != c.uses {
			t.Errorf("%d scripts: %d uses across files, want %d", c.scripts, got, c.uses)
		}
		if edges := notation(extractAll(t, in, some)); !strings.Contains(edges, "-reads-> app/a.ts#shared") {
			t.Errorf("%d scripts: a script that a configuration includes is not seen", c.scripts)
		}
		deps := 0
		for _, u := range in.Units {
			deps += len(u.Deps)
		}
		if deps > 2*len(in.Units) {
			t.Errorf("%d dependencies of %d units", deps, len(in.Units))
		}
	}
}

// TestDeepJSON reads configurations that nest deeper than the stack of the compiler's parser.
func TestDeepJSON(t *testing.T) {
	deep := `{"compilerOptions":{"paths":` + strings.Repeat(`{"a":`, 2_000_000) + "1" + strings.Repeat("}", 2_000_000) + "}}"
	in := inputOf(t, t.TempDir(), map[string]string{
		"tsconfig.json": `{"extends": "./base.json"}`, "base.json": deep, "a.ts": "export const a: string = 1;\n",
		"own/tsconfig.json": deep, "own/package.json": "{}", "own/b.ts": "export const b: string = 1;\n",
	}, 2)
	all := extractAll(t, in, in.Units)
	if len(all) != 2 {
		t.Errorf("%d units were extracted", len(all))
	}
	c := newChecker()
	defer c.Close()
	res, err := c.Check(t.Context(), in, lang.Scope{})
	if err != nil {
		t.Fatal(err)
	}
	var found []string
	for _, d := range res.Findings {
		found = append(found, d.File)
	}
	for _, f := range []string{"a.ts", "base.json", "own/b.ts", "own/tsconfig.json"} {
		if !slices.Contains(found, f) {
			t.Errorf("nothing was found in %s: %+v", f, res)
		}
	}
}
