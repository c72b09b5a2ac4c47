package ts

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/settgraph/sett/indexer/lang"
)

// TestChosenConfigs checks which tsconfig.json of a repository count. Every file with the
// ending .ts has an error, so that the files with findings are those that were checked.
func TestChosenConfigs(t *testing.T) {
	const all, src = `{}`, `{"include":["src"]}`
	for _, c := range []struct {
		name  string
		files map[string]string // an empty package.json or tsconfig.json is {}
		want  string
		note  string
	}{
		{"no package.json", map[string]string{"tsconfig.json": src, "src/a.ts": "", "b/tsconfig.json": all, "b/b.ts": ""}, "b/b.ts src/a.ts", ""},
		{"the root's script checks", map[string]string{
			"package.json": `{"scripts":{"check":"tsc --incremental --noEmit"},"workspaces":["packages/*"]}`, "tsconfig.json": `{"include":["packages/*/src"]}`,
			"packages/a/src/a.ts": "", "packages/a/package.json": "{}", "internal/tsconfig.json": all, "internal/b.ts": "",
			"packages/b/package.json": "{}", "packages/b/tsconfig.json": all, "packages/b/b.ts": "",
		}, "packages/a/src/a.ts", "no script of a package.json checks internal/tsconfig.json, packages/b/tsconfig.json: not checked (2 files)"},
		{"each package checks itself", map[string]string{
			"package.json": `{"scripts":{"typecheck":"pnpm -r typecheck"}}`, "pnpm-workspace.yaml": "packages:\n  # ours\n  - 'packages/*'\n  - \"!packages/old\"\n\nonlyBuilt:\n  - x\n",
			"tsconfig.json": `{"include":["packages","samples","tool.ts"]}`, "tool.ts": "",
			"packages/a/package.json": `{"scripts":{"typecheck":"tsc --noEmit"}}`, "packages/a/tsconfig.json": src, "packages/a/src/a.ts": "", "packages/a/more.ts": "",
			"packages/b/package.json": `{"private":true}`, "packages/b/tsconfig.json": all, "packages/b/b.ts": "",
			"packages/c/package.json": `{}`, "packages/c/tsconfig.json": all, "packages/c/c.ts": "",
			"packages/old/package.json": `{"scripts":{"x":"tsc"}}`, "packages/old/tsconfig.json": all, "packages/old/o.ts": "",
			"packages/d/package.json": `{}`, "packages/d/d.ts": "",
		}, "packages/a/src/a.ts packages/c/c.ts packages/d/d.ts tool.ts", "no script of a package.json checks packages/b/tsconfig.json, packages/old/tsconfig.json, tsconfig.json: not checked (3 files)"},
		{"what scripts say", map[string]string{
			"package.json": `{"scripts":{
				"a":"NODE_OPTIONS=x npx tsc -p one && cd two && ../node_modules/.bin/tsgo --noEmit","b":"tsc --noCheck -p three","c":"tsc -b --clean",
				"d":"tsc --build ./four/tsconfig.test.json | grep x","e":"tsc x.ts","f":"echo tsc-like -p five","bench":"tsc -p six","g":"vue-tsc --project 'seven/tsconfig'","h":"(tsc -p packages/p)","i":"next build"}}`,
			"one/tsconfig.json": all, "one/a.ts": "", "two/tsconfig.json": all, "two/a.ts": "", "three/tsconfig.json": all, "three/a.ts": "",
			"four/tsconfig.test.json": all, "four/a.ts": "", "five/tsconfig.json": all, "five/a.ts": "", "six/tsconfig.json": all, "six/a.ts": "",
			"seven/tsconfig.json": all, "seven/a.ts": "", "packages/p/package.json": all, "packages/p/tsconfig.json": all, "packages/p/a.ts": "",
		}, "four/a.ts one/a.ts seven/a.ts two/a.ts", "no script of a package.json checks 4 tsconfig.json: not checked (4 files): five/tsconfig.json, packages/p/tsconfig.json, six/tsconfig.json, ..."},
		{"samples", map[string]string{
			"package.json": all, "tsconfig.json": src, "src/a.ts": "", "test/tsconfig.json": `{"include":["*.ts"]}`, "test/t.ts": "", "test/fixtures/x/tsconfig.json": all, "test/fixtures/x/f.ts": "",
			"examples/e/package.json": `{"scripts":{"build":"tsc"}}`, "examples/e/tsconfig.json": all, "examples/e/e.ts": "",
		}, "src/a.ts test/t.ts", ""},
		{"nothing else", map[string]string{"package.json": all, "examples/e/tsconfig.json": all, "examples/e/e.ts": ""}, "examples/e/e.ts", ""},
		{"references count", map[string]string{
			"package.json": `{"scripts":{"build":"tsc -b"}}`, "tsconfig.json": `{"files":[],"references":[{"path":"./a"}]}`,
			"a/tsconfig.json": `{"compilerOptions":{"composite":true}}`, "a/a.ts": "", "b/tsconfig.json": all, "b/b.ts": "",
		}, "a/a.ts", "no script of a package.json checks b/tsconfig.json: not checked (1 file)"},
		{"private packages below no package", map[string]string{
			"web/package.json": `{"private":true,"scripts":{"build":"vite build"}}`, "web/tsconfig.json": all, "web/w.ts": "",
		}, "web/w.ts", ""},
		{"words that are not words", map[string]string{
			"package.json": `{"scripts":{"a":1},"workspaces":7,"private":"yes"}`, "tsconfig.json": all, "a.ts": "",
		}, "a.ts", ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			root := realRoot(t)
			for name, text := range c.files {
				switch {
				case strings.HasSuffix(name, ".ts"):
					text = "export const wrong: string = 1;\n"
				case strings.Contains(name, "tsconfig") && !strings.Contains(text, "compilerOptions"):
					text = strings.Replace(text, "{", `{"compilerOptions":{"lib":["es5"],"types":[]},`, 1)
					text = strings.Replace(text, ",}", "}", 1)
				}
				p := filepath.Join(root, filepath.FromSlash(name))
				if err := os.MkdirAll(filepath.Dir(p), 0o755); err != nil {
					t.Fatal(err)
				}
				if err := os.WriteFile(p, []byte(text), 0o644); err != nil {
					t.Fatal(err)
				}
			}
			in := diskInput(t, root, nil)
			out := checkAll(t, in, lang.Scope{})
			var got []string
			for _, d := range out.Findings {
				if d.Code != "TS2322" {
					t.Errorf("%s: %s %s", d.File, d.Code, d.Message)
				}
				got = append(got, d.File)
			}
			slices.Sort(got)
			if s := strings.Join(got, " "); s != c.want {
				t.Errorf("checked %s\nwanted  %s", s, c.want)
			}
			if c.note != "" && !slices.Contains(out.Notes, c.note) {
				t.Errorf("notes %q, wanted %q", out.Notes, c.note)
			}
			// A file that is named is checked wherever it lies.
			for _, f := range in.Files {
				if n := len(checkAll(t, in, lang.Scope{Files: []string{f.Path}}).Findings); n != 1 {
					t.Errorf("%d findings in %s when it is named", n, f.Path)
				}
			}
		})
	}
}
