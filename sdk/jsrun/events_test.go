package jsrun

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/settgraph/sett/query/report"
	"golang.org/x/tools/txtar"
)

// recorded reads what a reporter told, and what is to come of it.
func recorded(t testing.TB, file string) (a *txtar.Archive, r *run, code int) {
	t.Helper()
	a, err := txtar.ParseFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := fmt.Sscanf(string(a.Comment), "code %d", &code); err != nil {
		t.Fatalf("%s: the first line is no exit code: %v", file, err)
	}
	return a, newRun("/project", ""), code
}

func recordings(t testing.TB) []string {
	t.Helper()
	files, err := filepath.Glob(filepath.Join("testdata", "events", "*.txtar"))
	if err != nil || len(files) < 4 {
		t.Fatalf("%d recordings: %v", len(files), err)
	}
	return files
}

func TestEvents(t *testing.T) {
	for _, file := range recordings(t) {
		t.Run(filepath.Base(file), func(t *testing.T) {
			a, r, code := recorded(t, file)
			for line := range strings.Lines(string(a.Files[0].Data)) {
				r.feed([]byte(line))
			}
			res := r.finish(ending{code: code, after: time.Second})
			data, err := json.MarshalIndent(res, "", "  ")
			if err != nil {
				t.Fatal(err)
			}
			got := string(data) + "\n"
			if os.Getenv("UPDATE") == "1" {
				a.Files = append(a.Files[:1], txtar.File{Name: "want", Data: []byte(got)})
				if err := os.WriteFile(file, txtar.Format(a), 0o644); err != nil {
					t.Fatal(err)
				}
				return
			}
			if len(a.Files) != 2 {
				t.Fatal("it has no section want")
			}
			if diff := cmp.Diff(string(a.Files[1].Data), got); diff != "" {
				t.Errorf("(-want +got)\n%s", diff)
			}
		})
	}
}

// Whatever line a run stops at, what was told until then counts, and the tests that were
// running are the ones that time was up for.
func TestEventsCutShort(t *testing.T) {
	for _, file := range recordings(t) {
		t.Run(filepath.Base(file), func(t *testing.T) {
			a, _, _ := recorded(t, file)
			lines := strings.SplitAfter(string(a.Files[0].Data), "\n")
			before := 0
			for n := range lines {
				r := newRun("/project", "")
				for _, line := range lines[:n] {
					r.feed([]byte(line))
				}
				res := r.finish(ending{code: 143, timedOut: true, after: time.Second})
				if res.OK || len(res.Failures) == 0 {
					t.Fatalf("after %d lines it is OK: %+v", n, res)
				}
				if res.Failed+res.Broken != len(res.Failures) {
					t.Fatalf("after %d lines: %d failed, %d broken, %d failures", n, res.Failed, res.Broken, len(res.Failures))
				}
				if now := res.Passed; now < before {
					t.Fatalf("after %d lines: %d passed, one line before %d", n, now, before)
				} else {
					before = now
				}
				late := 0
				for _, f := range res.Failures {
					if f.Kind == report.Timeout {
						late++
					}
				}
				if late == 0 {
					t.Fatalf("after %d lines nothing says that time was up: %+v", n, res.Failures)
				}
			}
		})
	}
}

func TestEndings(t *testing.T) {
	const start = `{"e":"run","runner":"mocha","cwd":"/project"}`
	const begun = start + "\n" + `{"e":"total","n":2}` + "\n" + `{"e":"begin","file":"/project/a.js","name":["a","b"]}`
	broken := "Error [ERR_X]: Cannot find module './gone'\nRequire stack:\n    at Function.x (node:internal/modules:1:2)\n    at Object.<anonymous> (/project/test/a.js:3:7)"
	for _, tt := range []struct {
		name, events string
		end          ending
		want         []report.Failure
	}{
		{"a file that cannot be loaded", start, ending{code: 1, tail: strings.Split(broken, "\n")},
			[]report.Failure{{Suite: "test/a.js", Kind: report.Broken, File: "test/a.js", Line: 3, Col: 7, Message: "Cannot find module './gone'"}}},
		{"no tests", start, ending{code: 1, tail: []string{"Error: No test files found"}}, nil},
		{"a crash", begun, ending{code: 3, tail: []string{"bye"}},
			[]report.Failure{{Name: "a > b", Suite: "a.js", Kind: report.Panic, Message: "the test runner ended with exit code 3", Output: []string{"bye"}}}},
		{"a signal", begun, ending{code: 137, signal: "killed"},
			[]report.Failure{{Name: "a > b", Suite: "a.js", Kind: report.Panic, Message: "the test runner was ended by the signal killed"}}},
		{"time was up", begun, ending{code: 143, timedOut: true, after: 1500 * time.Millisecond},
			[]report.Failure{{Name: "a > b", Suite: "a.js", File: "a.js", Kind: report.Timeout, Message: "it was still running after 1.5s"}}},
		{"nothing began", "", ending{code: 143, timedOut: true, after: time.Second},
			[]report.Failure{{Kind: report.Timeout, Message: "it was still running after 1s"}}},
		{"kept alive", begun + "\n" + `{"e":"test","file":"/project/a.js","name":["a","b"],"state":"pass"}` + "\n" + `{"e":"end"}`, ending{code: 143, timedOut: true, after: time.Second},
			[]report.Failure{{Kind: report.Timeout, Message: "all tests ended, but the process was still there after 1s: something that a test started keeps it alive"}}},
		{"given up", begun, ending{code: 143, canceled: true}, nil},
	} {
		t.Run(tt.name, func(t *testing.T) {
			r := newRun("/project", "")
			for line := range strings.Lines(tt.events) {
				r.feed([]byte(line))
			}
			res := r.finish(tt.end)
			if res.OK {
				t.Error("it is OK")
			}
			if diff := cmp.Diff(tt.want, res.Failures); diff != "" {
				t.Errorf("(-want +got)\n%s", diff)
			}
		})
	}
}

func FuzzEvents(f *testing.F) {
	for _, file := range recordings(f) {
		a, _, _ := recorded(f, file)
		f.Add(a.Files[0].Data)
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		for _, late := range []bool{false, true} {
			r := newRun("/project", "a")
			for line := range strings.Lines(string(data)) {
				r.feed([]byte(line))
			}
			res := r.finish(ending{code: 1, timedOut: late, tail: strings.Split(string(data), "\n")})
			if res.OK || res.Failed+res.Broken != len(res.Failures) || res.Passed < 0 {
				t.Errorf("%+v", res)
			}
		}
	})
}
