package ts

import (
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/settgraph/sett/indexer/lang"
)

// TestCheckerRemembers edits files of the broken projects at random, and checks that a warm
// checker finds what a new one does.
func TestCheckerRemembers(t *testing.T) { checkerRemembers(t, 4) }

// checkerRemembers takes one of so many projects: all take long, and are a slow test.
func checkerRemembers(t *testing.T, every int) {
	rnd := rand.New(rand.NewPCG(1, 2))
	edits := 0
	for i, b := range brokenProjects(t) {
		if i%every != 0 {
			continue
		}
		root := realRoot(t)
		b.lay(t, root)
		in := diskInput(t, root, nil)
		if len(in.Files) == 0 {
			continue
		}
		c := newChecker()
		checkWith(t, c, in, lang.Scope{})
		for range 3 {
			f := in.Files[rnd.IntN(len(in.Files))].Path
			src, err := in.ReadFile(f)
			if err != nil {
				t.Fatal(err)
			}
			in = edited(in, f, mutate(rnd, string(src)))
			warm, cold := checkWith(t, c, in, lang.Scope{}), checkAll(t, in, lang.Scope{})
			if d := diff(printed(root, cold.Findings), printed(root, warm.Findings)); len(d) > 0 {
				t.Errorf("%s after an edit of %s: - cold, + warm:\n%s", b.name, f, strings.Join(d, "\n"))
			}
			if fmt.Sprint(cold.Notes) != fmt.Sprint(warm.Notes) || cold.Files != warm.Files {
				t.Errorf("%s: %d files and notes %q when cold, %d and %q when warm", b.name, cold.Files, cold.Notes, warm.Files, warm.Notes)
			}
			edits++
		}
		c.Close()
	}
	if edits < 200/every {
		t.Errorf("%d edits", edits)
	}
}

// mutate changes a text as a slip of the hand does: a word or a line less, twice, or another.
func mutate(rnd *rand.Rand, src string) string {
	switch rnd.IntN(3) {
	case 0:
		list := strings.Split(src, "\n")
		i := rnd.IntN(len(list))
		return strings.Join(slices.Delete(list, i, i+1), "\n")
	case 1:
		list := strings.Split(src, "\n")
		i := rnd.IntN(len(list))
		return strings.Join(slices.Insert(list, i, list[rnd.IntN(len(list))]), "\n")
	}
	words := strings.SplitAfter(src, " ")
	i, j := rnd.IntN(len(words)), rnd.IntN(len(words))
	words[i], words[j] = words[j], words[i]
	return strings.Join(words, "")
}

// TestCheckerNotes checks what the reader is told besides the findings.
func TestCheckerNotes(t *testing.T) {
	for _, c := range []struct {
		name  string
		files map[string]string
		scope lang.Scope
		notes []string
		found []string
	}{
		{"nothing installed", map[string]string{
			"web/package.json": `{"dependencies":{"x":"1"}}`, "web/pnpm-lock.yaml": "", "web/tsconfig.json": `{"compilerOptions":{"lib":["es2022"]}}`,
			"web/a.ts": "import { y } from 'y';\nexport const z: string = y;\n", "web/b.ts": "export const b: string = 1;\n",
			"tools/tsconfig.json": `{"compilerOptions":{"lib":["es2022"]}}`, "tools/t.ts": "export const t: string = 1;\n",
		}, lang.Scope{}, nil, []string{
			"tools/t.ts(1,14): error TS2322: Type 'number' is not assignable to type 'string'.",
			"web/package.json(1,1): error not-installed: the dependencies are not installed: run `pnpm install` (left out, since they may follow from that: 2 errors)",
		}},
		{"nothing installed, and named", map[string]string{
			"package.json": `{"dependencies":{"x":"1"}}`, "pnpm-lock.yaml": "", "tsconfig.json": `{"compilerOptions":{"lib":["es2022"]}}`, "a.ts": "import 'x';\nimport { y } from 'y';\nexport const z = y;\n",
		}, lang.Scope{Files: []string{"a.ts"}}, []string{"node_modules is missing: run `pnpm install`"}, []string{
			"a.ts(1,8): error TS2882: Cannot find module or type declarations for side-effect import of 'x'.",
			"a.ts(2,19): error TS2307: Cannot find module 'y' or its corresponding type declarations.",
		}},
		{"in no tsconfig", map[string]string{"tsconfig.json": `{"include":["src"],"compilerOptions":{"lib":["es2022"]}}`, "src/a.ts": "export {};\n", "b.ts": "const x: string = 1;\n"},
			lang.Scope{Files: []string{"b.ts"}}, []string{"b.ts is in no tsconfig.json: checked with the options of tsconfig.json"},
			[]string{"b.ts(1,7): error TS2322: Type 'number' is not assignable to type 'string'."}},
		{"left out", map[string]string{"tsconfig.json": `{"include":["src"],"compilerOptions":{"lib":["es2022"]}}`, "src/a.ts": "export {};\n", "b.ts": "const x: string = 1;\n"},
			lang.Scope{}, []string{"b.ts is in no tsconfig.json: not checked"}, nil},
		{"no tsconfig", map[string]string{"a.ts": "const x: string = null;\nfunction f(a) { return a; }\n", "b.js": "const q = 1; q.foo; let y = ;\n"},
			lang.Scope{}, nil, []string{"a.ts(1,7): error TS2322: Type 'null' is not assignable to type 'string'.", "b.js(1,29): error TS1109: Expression expected."}},
		{"tests left out", map[string]string{"tsconfig.json": `{"compilerOptions":{"lib":["es2022"]}}`, "a.ts": "export {};\n", "a.test.ts": "const x: string = 1;\nexport {};\n"},
			lang.Scope{NoTests: true}, nil, nil},
		{"tests left out of what is named", map[string]string{"tsconfig.json": `{"compilerOptions":{"lib":["es2022"]}}`, "a.ts": "export {};\n", "a.test.ts": "const x: string = 1;\nexport {};\n"},
			lang.Scope{NoTests: true, Files: []string{"a.ts", "a.test.ts"}}, nil, nil},
		{"deep", map[string]string{"tsconfig.json": `{"compilerOptions":{"lib":["es2022"]}}`, "a.ts": strings.Repeat("(", 100000)},
			lang.Scope{}, []string{"a.ts: nested more than 2000 levels deep: not read"}, nil},
		{"monorepo", map[string]string{
			"tsconfig.json": `{"compilerOptions":{"lib":["es2022"],"types":[]}}`, "packages/a/tsconfig.json": `{"extends":"../../tsconfig.json","compilerOptions":{"strict":false}}`,
			"packages/a/a.ts": "export const a: string = null;\n", "rest.ts": "export const b: string = null;\n",
		}, lang.Scope{}, nil, []string{"rest.ts(1,14): error TS2322: Type 'null' is not assignable to type 'string'."}},
	} {
		t.Run(c.name, func(t *testing.T) {
			root := realRoot(t)
			for name, text := range c.files {
				p := filepath.Join(root, name)
				if err := os.MkdirAll(filepath.Dir(p), 0o755); err != nil {
					t.Fatal(err)
				}
				if err := os.WriteFile(p, []byte(text), 0o644); err != nil {
					t.Fatal(err)
				}
			}
			out := checkAll(t, diskInput(t, root, nil), c.scope)
			if d := diff(c.found, printed(root, out.Findings)); len(d) > 0 {
				t.Errorf("findings: - wanted, + got:\n%s", strings.Join(d, "\n"))
			}
			if d := diff(c.notes, out.Notes); len(d) > 0 {
				t.Errorf("notes: - wanted, + got:\n%s", strings.Join(d, "\n"))
			}
		})
	}
}

// FuzzCheck checks any text as TypeScript, JSX, JavaScript and configuration: nothing may
// panic, and places must lie in the text.
func FuzzCheck(f *testing.F) {
	f.Add("const a: number = 'x';", `{}`)
	f.Add("class A<T> extends B { @d m() { return <div/>; } }", `{"compilerOptions":{"paths":{"*":["x"]},"baseUrl":"."},"extends":["./tsconfig.json"],"references":[{"path":"."}]}`)
	f.Add("import a from '../../../../x'; export * from 'b:\\c'; /// <reference path='//x' />", `{"files":["\\\\x","a:b"],"include":["../**"]}`)
	f.Fuzz(func(t *testing.T, src, config string) {
		if len(src)+len(config) > 1<<16 {
			return
		}
		files := map[string]string{"a.ts": src, "b.tsx": src, "c.js": src, "tsconfig.json": config}
		in := inputOf(t, t.TempDir(), files, 2)
		for _, d := range checkAll(t, in, lang.Scope{}).Findings {
			text, known := files[d.File]
			if known && (d.Line < 1 || d.Line > strings.Count(text, "\n")+strings.Count(text, "\r")+strings.Count(text, "\u2028")+strings.Count(text, "\u2029")+1 || d.Col < 1) {
				t.Errorf("%s:%d:%d lies outside", d.File, d.Line, d.Col)
			}
		}
	})
}
