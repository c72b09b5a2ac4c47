package jsrun

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/settgraph/sett/query/report"
	"golang.org/x/tools/txtar"
)

// project writes an archive into a new folder.
func project(t *testing.T, archive string) string {
	t.Helper()
	dir := t.TempDir()
	for _, f := range txtar.Parse([]byte("-- .git/x --\n" + archive)).Files {
		at := filepath.Join(dir, filepath.FromSlash(f.Name))
		if err := os.MkdirAll(filepath.Dir(at), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(at, f.Data, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

func TestManager(t *testing.T) {
	for _, tt := range []struct {
		name, files, dir, want, why string
		berry                       bool
	}{
		{"nothing", "", ".", "npm", "", false},
		{"npm", "-- package-lock.json --\n", ".", "npm", "package-lock.json", false},
		{"pnpm", "-- pnpm-lock.yaml --\n-- package-lock.json --\n", ".", "pnpm", "pnpm-lock.yaml", false},
		{"yarn", "-- yarn.lock --\n", ".", "yarn", "yarn.lock", false},
		{"berry", "-- yarn.lock --\n-- .yarnrc.yml --\n", ".", "yarn", "yarn.lock", true},
		{"bun", "-- bun.lock --\n", ".", "bun", "bun.lock", false},
		{"bun of old", "-- bun.lockb --\n", ".", "bun", "bun.lockb", false},
		{"the field wins", "-- package.json --\n{\"packageManager\": \"yarn@4.1.0+sha\"}\n-- pnpm-lock.yaml --\n", ".", "yarn", "package.json", true},
		{"the root of a workspace", "-- package.json --\n{\"packageManager\": \"yarn@1.22.0\"}\n-- a/b/package.json --\n{}\n", "a/b", "yarn", "package.json", false},
		{"above the root", "-- pnpm-lock.yaml --\n-- a/b/package.json --\n{}\n", "a/b", "pnpm", "pnpm-lock.yaml", false},
		{"unknown", "-- package.json --\n{\"packageManager\": \"other@1\"}\n-- yarn.lock --\n", ".", "yarn", "yarn.lock", false},
	} {
		t.Run(tt.name, func(t *testing.T) {
			m := manager(project(t, tt.files), tt.dir)
			if m.Name != tt.want || m.Why != tt.why || m.Berry != tt.berry {
				t.Errorf("%+v", m)
			}
			if m.Missing && m.Command[0] != "npm" && m.Command[0] != m.Name {
				t.Errorf("%+v", m)
			}
		})
	}
}

const workspace = `-- package.json --
{"name": "root", "workspaces": ["packages/*"], "scripts": {"build": "x"}}
-- packages/a/package.json --
{"name": "a", "scripts": {"test": "vitest", "build": "tsc"}, "dependencies": {"b": "*"}}
-- packages/a/src/x.test.ts --
-- packages/b/package.json --
{"name": "b", "scripts": {"test": "echo no test specified", "build": "tsc"}, "devDependencies": {"jest": "1"}}
-- packages/b/deep/y.test.ts --
-- packages/c/package.json --
{"name": "c"}
-- packages/c/z.ts --
-- packages/a/node_modules/d/package.json --
{"name": "d", "scripts": {"test": "x"}}
-- tools/e/package.json --
{"name": "e", "scripts": {"test": "node --test", "build": 1}}
`

func TestPlan(t *testing.T) {
	dir := project(t, workspace)
	p, err := Detect(dir)
	if err != nil {
		t.Fatal(err)
	}
	if !p.Workspaces {
		t.Error("it has no workspaces")
	}
	for _, tt := range []struct {
		targets, files, want string
		err                  string
	}{
		{"", "", "packages/a; packages/b; tools/e", ""},
		{".", "", "packages/a; packages/b; tools/e", ""},
		{"packages", "", "packages/a; packages/b", ""},
		{"packages/a", "", "packages/a", ""},
		{"packages/a/src packages/b/deep/y.test.ts", "", "packages/a: packages/a/src; packages/b: packages/b/deep/y.test.ts (files)", ""},
		{"packages/a packages/a/src", "", "packages/a", ""},
		{"", "packages/a/src/x.test.ts", "packages/a: packages/a/src/x.test.ts (files)", ""},
		{"packages/c/z.ts", "", "", "no package.json with a test script is responsible"},
		{"nowhere", "", "", "there is no nowhere"},
	} {
		jobs, err := p.plan(dir, strings.Fields(tt.targets), strings.Fields(tt.files))
		if tt.err != "" || err != nil {
			if err == nil || tt.err == "" || !strings.Contains(err.Error(), tt.err) {
				t.Errorf("%s: %v", tt.targets, err)
			}
			continue
		}
		var got []string
		for _, j := range jobs {
			s := j.pkg.Dir
			if len(j.places) > 0 {
				s += ": " + strings.Join(j.places, " ")
				if j.files {
					s += " (files)"
				}
			}
			got = append(got, s)
		}
		if s := strings.Join(got, "; "); s != tt.want {
			t.Errorf("%q %q:\n got %s\nwant %s", tt.targets, tt.files, s, tt.want)
		}
	}
	for _, tt := range []struct{ targets, want string }{
		{"", "."}, {"packages", "packages/b packages/a"}, {"packages/a/src", "packages/a"}, {"packages/c/z.ts", "."},
	} {
		var got []string
		for _, pkg := range p.builds(strings.Fields(tt.targets)) {
			got = append(got, pkg.Dir)
		}
		if s := strings.Join(got, " "); s != tt.want {
			t.Errorf("builds of %q: %s, want %s", tt.targets, s, tt.want)
		}
	}
}

func TestStarting(t *testing.T) {
	loop := texts{"test": "npm run s0"}
	for i := range 40 {
		next := " npm run s" + itoa(i+1)
		loop["s"+itoa(i)] = "npm run test &&" + next + " &&" + next
	}
	for _, tt := range []struct {
		scripts texts
		runner  string
		want    int
	}{
		{texts{"test": "vitest"}, "vitest", 1},
		{texts{"test": "cross-env TZ=a npm run tz && cross-env TZ=b npm run tz && jest --coverage", "tz": "date && jest test/tz"}, "jest", 3},
		{texts{"test": "run-s test:*", "test:unit": "mocha unit", "test:types": "tsc", "test:e2e": "mocha e2e"}, "mocha", 2},
		{texts{"test": "npm run test"}, "", 0},
		{loop, "", 0},
	} {
		p := &Package{Scripts: tt.scripts}
		if got := p.starting("test"); got != tt.want {
			t.Errorf("%q starts %d, want %d", tt.scripts["test"], got, tt.want)
		}
		if got := runnerOf(p); got != tt.runner {
			t.Errorf("%q starts %q, want %q", tt.scripts["test"], got, tt.runner)
		}
	}
}

func TestNotReady(t *testing.T) {
	ctx := context.Background()
	if _, err := Test(ctx, Options{Root: project(t, "")}); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("no package.json: %v", err)
	}
	if _, err := Test(ctx, Options{Root: project(t, "-- package.json --\n{\n")}); err == nil {
		t.Error("a package.json that is none: no error")
	}
	dir := project(t, "-- package.json --\n{\"name\": \"x\", \"scripts\": {\"test\": \"vitest\", \"build\": \"tsc\"}, \"devDependencies\": {\"vitest\": \"3\"}}\n-- package-lock.json --\n")
	const want = "the dependencies of x are not installed: run `npm install`"
	if _, err := Test(ctx, Options{Root: dir}); err == nil || err.Error() != want {
		t.Errorf("got %v", err)
	}
	if _, err := Build(ctx, Options{Root: dir}); err == nil || err.Error() != want {
		t.Errorf("got %v", err)
	}
	none := project(t, "-- package.json --\n{\"name\": \"x\", \"dependencies\": 3}\n")
	b, err := Build(ctx, Options{Root: none})
	if diff := cmp.Diff(&report.Build{OK: true, What: "nothing", Notes: []string{"no package.json has a build script: nothing ran"}}, b); err != nil || diff != "" {
		t.Errorf("%v %s", err, diff)
	}
	res, err := Test(ctx, Options{Root: none})
	if err != nil || !res.OK || len(res.Notes) != 1 {
		t.Errorf("%+v %v", res, err)
	}
}

func FuzzPackage(f *testing.F) {
	f.Add([]byte(`{"name": 1, "scripts": {"test": ["x"]}, "workspaces": {"packages": ["a"]}, "packageManager": {}}`))
	f.Fuzz(func(t *testing.T, data []byte) {
		dir := t.TempDir()
		if err := os.WriteFile(filepath.Join(dir, "package.json"), data, 0o644); err != nil {
			t.Fatal(err)
		}
		if p, err := readPackage(dir, "."); err == nil {
			runnerOf(p)
			artifacts(dir, p, time.Now())
		}
	})
}
