//go:build slow

package gorun

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/settgraph/sett/query/report"
)

// TestRealProjects compares the counts of reports with those of the lines that go test -v
// prints, for the projects that SETT_GO_PROJECTS lists: FOLDER or FOLDER:TARGET, one a word.
// Each is tested as it is and with every "==" of one file made a "!=", in a copy.
func TestRealProjects(t *testing.T) {
	projects := strings.Fields(os.Getenv("SETT_GO_PROJECTS"))
	if len(projects) == 0 {
		t.Skip("SETT_GO_PROJECTS lists no Go projects")
	}
	for _, project := range projects {
		from, target, _ := strings.Cut(project, ":")
		t.Run(filepath.Base(from)+"/"+target, func(t *testing.T) {
			root := t.TempDir()
			if out, err := exec.Command("cp", "-r", from+"/.", root).CombinedOutput(); err != nil {
				t.Fatalf("copying: %v, %s", err, out)
			}
			if out, err := exec.Command("chmod", "-R", "u+w", root).CombinedOutput(); err != nil {
				t.Fatalf("%v, %s", err, out)
			}
			o := Options{Root: root}
			if target != "" {
				o.Targets = []string{target}
			}
			compare(t, o)
			if file := damage(t, filepath.Join(root, filepath.FromSlash(target))); file != "" {
				t.Logf("damaged %s", file)
				r := compare(t, o)
				for _, f := range r.Failures {
					t.Logf("%s %s %s at %s:%d: %.100q expected %.40q got %.40q, %d lines", f.Kind, f.Suite, f.Name, f.File, f.Line, f.Message, f.Expected, f.Got, len(f.Output))
				}
			}
		})
	}
}

// damage changes a file so that it still compiles.
func damage(t *testing.T, dir string) string {
	t.Helper()
	files, _ := filepath.Glob(filepath.Join(dir, "*.go"))
	best, most := "", 0
	for _, f := range files {
		text, err := os.ReadFile(f)
		if n := bytes.Count(text, []byte("== nil")); err == nil && !strings.HasSuffix(f, "_test.go") && n > most {
			best, most = f, n
		}
	}
	if best == "" {
		return ""
	}
	text, err := os.ReadFile(best)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(best, bytes.ReplaceAll(text, []byte("== nil"), []byte("!= nil")), 0o644); err != nil {
		t.Fatal(err)
	}
	return best
}

var verdict = regexp.MustCompile(`(?m)^ *--- (PASS|FAIL|SKIP): (\S+) \(`)

func compare(t *testing.T, o Options) *report.Test {
	t.Helper()
	r, err := Test(t.Context(), o)
	if err != nil {
		t.Fatal(err)
	}
	pattern := "./..."
	if len(o.Targets) > 0 {
		pattern = "./" + o.Targets[0] + "/..."
	}
	cmd := exec.Command("go", "test", "-v", pattern)
	cmd.Dir = o.Root
	out, _ := cmd.Output() // how it ends is part of what it prints
	passed, skipped, failed := 0, 0, map[string]bool{}
	for _, m := range verdict.FindAllSubmatch(out, -1) {
		switch name := string(m[2]); string(m[1]) {
		case "PASS":
			passed++
		case "SKIP":
			skipped++
		case "FAIL":
			failed[name] = true
		}
	}
	t.Logf("report: ok %v, %d passed, %d failed, %d skipped, %d not run, %d suites, %d broken in %s; go test -v: %d passed, %d failed with parents, %d skipped",
		r.OK, r.Passed, r.Failed, r.Skipped, r.NotRun, r.Suites, r.Broken, r.Took, passed, len(failed), skipped)
	if r.Passed != passed || r.Skipped != skipped {
		t.Errorf("%d passed and %d skipped; go test -v has %d and %d", r.Passed, r.Skipped, passed, skipped)
	}
	for _, f := range r.Failures {
		if f.Kind == report.Failed && f.Name != "" && !failed[f.Name] {
			t.Errorf("%s did not fail", f.Name)
		}
		delete(failed, f.Name)
		for name := f.Name; strings.Contains(name, "/"); {
			name = name[:strings.LastIndexByte(name, '/')]
			delete(failed, name)
		}
	}
	for name := range failed {
		t.Errorf("nothing says that %s failed", name)
	}
	return r
}
