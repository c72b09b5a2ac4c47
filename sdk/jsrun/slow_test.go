//go:build slow

package jsrun

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/settgraph/sett/query/report"
	"github.com/settgraph/sett/sdk/child"
	"golang.org/x/tools/txtar"
)

// unpack writes an archive into a folder.
func unpack(t *testing.T, dir, archive string) {
	t.Helper()
	for _, f := range txtar.Parse([]byte(archive)).Files {
		at := filepath.Join(dir, filepath.FromSlash(f.Name))
		if err := os.MkdirAll(filepath.Dir(at), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(at, f.Data, 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

// installed makes a project of ours with what it depends on.
func installedProject(t *testing.T, runner string) string {
	t.Helper()
	data, err := os.ReadFile(filepath.Join("testdata", "projects", runner+".txtar"))
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	unpack(t, dir, string(data))
	if runner == "node" {
		return dir
	}
	cmd := exec.Command("npm", "install", "--no-audit", "--no-fund")
	cmd.Dir = dir
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Skipf("NOT TESTED: npm cannot install %s: %v\n%s", runner, err, out)
	}
	return dir
}

func mustTest(t *testing.T, o Options) *report.Test {
	t.Helper()
	res, err := Test(context.Background(), o)
	if err != nil {
		t.Fatal(err)
	}
	return res
}

// setScripts gives a project other scripts.
func setScripts(t *testing.T, dir string, pairs ...string) {
	t.Helper()
	file := filepath.Join(dir, "package.json")
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	var scripts []string
	for i := 0; i < len(pairs); i += 2 {
		scripts = append(scripts, strconv.Quote(pairs[i])+": "+strconv.Quote(pairs[i+1]))
	}
	text := regexp.MustCompile(`"scripts": \{[^}]*\}`).ReplaceAllLiteralString(string(data), `"scripts": { `+strings.Join(scripts, ", ")+` }`)
	if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}

// A peer is a runner, and what it is to be like.
type peer struct {
	name, direct string // the command without the package manager
	printed      string // what it prints of its own counts, with the groups failed, skipped, todo, passed
	apart        int    // failures of ours that it counts apart: hooks, files, errors that no test caught
	less         int    // what it counts as failed and we do not: tests that have failed parts
	pass         string
	ext          string
}

var peers = []peer{
	{name: "vitest", direct: "vitest run", apart: 2, pass: "test/pass.test.ts", ext: "ts",
		printed: `Tests +(?P<failed>\d+) failed \| (?P<passed>\d+) passed \| (?P<skipped>\d+) skipped \| (?P<todo>\d+) todo`},
	{name: "jest", direct: "jest", pass: "test/pass.test.ts", ext: "ts",
		printed: `Tests: +(?P<failed>\d+) failed, (?P<skipped>\d+) skipped, (?P<todo>\d+) todo, (?P<passed>\d+) passed`},
	{name: "mocha", direct: "mocha --require tsx test/*.test.*", pass: "test/pass.test.js", ext: "js",
		printed: `(?s)(?P<passed>\d+) passing.*?(?P<skipped>\d+) pending.*?(?P<failed>\d+) failing`},
	{name: "node", direct: "node --test test/", pass: "test/pass.test.js", ext: "js", apart: 1, less: 1,
		printed: `(?s)pass (?P<passed>\d+).*?fail (?P<failed>\d+).*?cancelled (?P<cancelled>\d+).*?skipped (?P<skipped>\d+).*?todo (?P<todo>\d+)`},
}

// hanging are tests of which the second never ends.
var hanging = map[string]string{
	"vitest": "import { test } from 'vitest';\ntest('quick', () => {});\ntest('hangs', () => new Promise(() => {}), 1e8);\n",
	"jest":   "test('quick', () => {});\ntest('hangs', () => new Promise(() => {}), 1e8);\n",
	"mocha":  "it('quick', () => {});\nit('hangs', () => { setInterval(() => {}, 1000); return new Promise(() => {}); }).timeout(1e8);\n",
	"node":   "const test = require('node:test');\ntest('quick', () => {});\ntest('hangs', () => new Promise(() => { setInterval(() => {}, 1000); }));\n",
}

// crashing are tests of which the second ends the process.
var crashing = map[string]string{
	"mocha": "it('quick', () => {});\nit('ends all', () => process.exit(3));\n",
	"jest":  "test('quick', () => {});\ntest('ends all', () => process.kill(process.pid, 'SIGKILL'));\n",
}

func TestRunners(t *testing.T) {
	for _, p := range peers {
		t.Run(p.name, func(t *testing.T) {
			dir := installedProject(t, p.name)
			t.Run("counts", func(t *testing.T) { p.counts(t, dir) })
			t.Run("selection", func(t *testing.T) { p.selection(t, dir) })
			t.Run("scripts", func(t *testing.T) { p.scripts(t, dir) })
			t.Run("hangs", func(t *testing.T) { p.hangs(t, dir) })
			t.Run("crashes", func(t *testing.T) { p.crashes(t, dir) })
			t.Run("nothing", func(t *testing.T) { p.nothing(t, dir) })
		})
	}
}

// TestRecord runs our projects and, with UPDATE=1, writes what the reporters tell of them into
// testdata/events, which TestEvents reads.
func TestRecord(t *testing.T) {
	for _, p := range peers {
		t.Run(p.name, func(t *testing.T) {
			dir := realPath(installedProject(t, p.name))
			o := Options{Root: dir}
			project, err := Detect(dir)
			if err != nil {
				t.Fatal(err)
			}
			j := job{pkg: &project.Packages[0]}
			h, err := newHook(o, j, p.name == "node", true)
			if err != nil {
				t.Fatal(err)
			}
			defer h.close()
			c, _ := project.command(o, j, h)
			c.Dir, c.Env = dir, project.environment("CI=1", "NODE_OPTIONS="+h.option)
			res, err := child.Run(context.Background(), c)
			if err != nil {
				t.Fatal(err)
			}
			events, err := os.ReadFile(h.file("events"))
			if err != nil {
				t.Fatal(err)
			}
			text := strings.ReplaceAll(string(events), dir, "/project")
			text = regexp.MustCompile(`"pid":\d+`).ReplaceAllString(text, `"pid":1`)
			text = regexp.MustCompile(`"ms":[\d.]+`).ReplaceAllString(text, `"ms":1`)
			if strings.Count(text, "\n") < 20 {
				t.Errorf("it told only\n%s", text)
			}
			if os.Getenv("UPDATE") == "1" {
				a := &txtar.Archive{Comment: []byte("code " + strconv.Itoa(res.Code) + "\n"), Files: []txtar.File{{Name: "events", Data: []byte(text)}}}
				if err := os.WriteFile(filepath.Join("testdata", "events", p.name+".txtar"), txtar.Format(a), 0o644); err != nil {
					t.Fatal(err)
				}
			}
		})
	}
}

// counts compares with what the runner itself prints.
func (p peer) counts(t *testing.T, dir string) {
	var events int
	res := mustTest(t, Options{Root: dir, Progress: func(report.Event) { events++ }})
	if events == 0 {
		t.Error("nothing was told while it ran")
	}
	log, err := os.ReadFile(filepath.Join(dir, filepath.FromSlash(res.Steps[0].Log)))
	if err != nil {
		t.Fatal(err)
	}
	re := regexp.MustCompile(p.printed)
	text := regexp.MustCompile(`\x1b\[[0-9;]*m`).ReplaceAllString(string(log), "")
	m := re.FindStringSubmatch(text)
	if m == nil {
		t.Fatalf("the runner prints no counts:\n%s", text)
	}
	said := map[string]int{}
	for i, name := range re.SubexpNames() {
		said[name] = number(m[i])
	}
	broken := 0
	if p.name == "node" {
		broken = res.Broken // node counts a file that cannot be loaded as a failed test
	}
	if res.Passed != said["passed"] {
		t.Errorf("passed: %d, the runner says %d", res.Passed, said["passed"])
	}
	if got, want := res.Failed+broken+res.NotRun-p.apart, said["failed"]+said["cancelled"]-p.less; got != want {
		t.Errorf("failed: %d, the runner says %d", got, want)
	}
	// vitest counts tests of a failed hook as skipped, as we do
	if res.Skipped != said["skipped"]+said["todo"] {
		t.Errorf("skipped: %d, the runner says %d and %d to do", res.Skipped, said["skipped"], said["todo"])
	}
	if res.OK {
		t.Error("it is OK")
	}
}

func (p peer) selection(t *testing.T, dir string) {
	res := mustTest(t, Options{Root: dir, Files: []string{p.pass}})
	if !res.OK || res.Passed < 2 || res.Failed+res.Broken+res.Skipped != 0 || res.Suites != 1 {
		t.Errorf("one file: %+v", res)
	}
	math := "test/math.test." + map[bool]string{true: "js", false: "ts"}[p.name == "node"]
	res = mustTest(t, Options{Root: dir, Files: []string{math}, Name: "math > adds wrongly"})
	if res.Passed != 0 || res.Failed != 1 || res.Skipped != 0 || res.Failures[0].Name != "math > adds wrongly" {
		t.Errorf("one test: %+v", res)
	}
	res = mustTest(t, Options{Root: dir, Targets: []string{"test"}, Name: "^one$"})
	if res.Passed != 1 {
		t.Errorf("a folder: %+v", res)
	}
}

// scripts runs one file by all kinds of scripts.
func (p peer) scripts(t *testing.T, dir string) {
	for _, scripts := range [][]string{
		{"test", "node -e 0 && " + p.direct},
		{"test", "npm run inner", "inner", p.direct + " && node -e 0"},
		{"test", "NODE_OPTIONS=--max-old-space-size=2000 " + p.direct},
		{"pretest", "node -e 0", "test", "node -e 0; NODE_OPTIONS='--max-old-space-size=2000 --no-warnings' " + p.direct},
		{"test", "npm run inner", "inner", "NODE_OPTIONS=\"--no-warnings\" " + p.direct},
	} {
		setScripts(t, dir, scripts...)
		res := mustTest(t, Options{Root: dir, Files: []string{p.pass}})
		if !res.OK || res.Passed < 2 {
			t.Errorf("%q: %+v", scripts, res)
		}
	}
	if p.name != "node" && p.name != "mocha" {
		one := mustTest(t, Options{Root: dir, Files: []string{p.pass}})
		setScripts(t, dir, "test", p.direct+" test/math.test.ts && "+p.direct+" --coverage test/pass && exit 3")
		res := mustTest(t, Options{Root: dir, Files: []string{p.pass}})
		if res.Passed != one.Passed || res.Failed+res.Broken != 0 || res.Steps[0].Code != 3 {
			t.Errorf("several runners: %+v", res)
		}
		res = mustTest(t, Options{Root: dir})
		if len(res.Notes) != 1 || !strings.Contains(res.Notes[0], "starts 2 test runners, and ended in number 1") {
			t.Errorf("several runners, the first of which fails: %q", res.Notes)
		}
		unpack(t, dir, `-- part/package.json --
{"name": "part", "scripts": {"test": "no-such-program `+p.name+`"}}
-- part/at.test.ts --
import { expect, test } from '`+map[string]string{"jest": "@jest/globals", "vitest": "vitest"}[p.name]+`';
test('in a part', () => { expect(1).toBe(1); });
`)
		setScripts(t, dir, "test", p.direct)
		res = mustTest(t, Options{Root: dir, Targets: []string{"part"}})
		if !res.OK || res.Passed != 1 || len(res.Notes) != 1 || !strings.Contains(res.Notes[0], "was run for it") {
			t.Errorf("a part that cannot start its runner: %+v", res)
		}
		if err := os.RemoveAll(filepath.Join(dir, "part")); err != nil {
			t.Fatal(err)
		}
	}
	if p.name != "node" {
		setScripts(t, dir)
		res := mustTest(t, Options{Root: dir, Files: []string{p.pass}})
		if !res.OK || res.Passed < 2 {
			t.Errorf("no script: %+v", res)
		}
	}
	setScripts(t, dir, "test", p.direct)
}

func (p peer) hangs(t *testing.T, dir string) {
	file := "test/hang.test." + p.ext
	unpack(t, dir, "-- "+file+" --\n"+hanging[p.name])
	defer os.Remove(filepath.Join(dir, filepath.FromSlash(file)))
	began := time.Now()
	res := mustTest(t, Options{Root: dir, Files: []string{p.pass, file}, Timeout: 9 * time.Second})
	if took := time.Since(began); took > 20*time.Second {
		t.Errorf("it took %v", took)
	}
	if res.OK || res.Passed < 1 || len(res.Failures) != 1 {
		t.Fatalf("%+v", res)
	}
	f := res.Failures[0]
	if f.Kind != report.Timeout || f.Name != "hangs" || f.Suite != file {
		t.Errorf("%+v", f)
	}
}

func (p peer) crashes(t *testing.T, dir string) {
	text := crashing[p.name]
	if text == "" {
		t.Skip("a process of its own for every file: in the counts")
	}
	file := "test/crash.test." + p.ext
	unpack(t, dir, "-- "+file+" --\n"+text)
	defer os.Remove(filepath.Join(dir, filepath.FromSlash(file)))
	res := mustTest(t, Options{Root: dir, Files: []string{file}})
	if res.OK || len(res.Failures) != 1 || res.Failures[0].Kind != report.Panic || res.Failures[0].Name != "ends all" {
		t.Errorf("%+v", res)
	}
}

func (p peer) nothing(t *testing.T, dir string) {
	if err := os.RemoveAll(filepath.Join(dir, "test")); err != nil {
		t.Fatal(err)
	}
	if err := os.Mkdir(filepath.Join(dir, "test"), 0o755); err != nil {
		t.Fatal(err)
	}
	res := mustTest(t, Options{Root: dir})
	if res.Passed+res.Failed+res.Skipped != 0 || len(res.Notes) == 0 && len(res.Failures) == 0 {
		t.Errorf("%+v", res)
	}
}
