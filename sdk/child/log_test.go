package child

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/settgraph/sett/query/report"
)

func TestLogFile(t *testing.T) {
	root := t.TempDir()
	dir := filepath.Join(root, ".sett", "logs")
	first := LogFile(root, "test")
	if filepath.Dir(first) != dir || !strings.HasPrefix(filepath.Base(first), "test-") {
		t.Fatalf("the log is %s", first)
	}
	if text, err := os.ReadFile(filepath.Join(root, ".sett", ".gitignore")); err != nil || string(text) != "*\n" {
		t.Errorf(".gitignore: %q, %v", text, err)
	}
	old := time.Now().Add(-time.Hour)
	keepMe, keepLog := filepath.Join(dir, "notes.txt"), filepath.Join(dir, "server.log")
	for _, path := range []string{keepMe, keepLog} {
		if err := os.WriteFile(path, nil, 0o644); err != nil {
			t.Fatal(err)
		}
		if err := os.Chtimes(path, old, old); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Chtimes(first, old, old); err != nil {
		t.Fatal(err)
	}
	var wait sync.WaitGroup
	var mu sync.Mutex
	names := map[string]bool{}
	for range 40 {
		wait.Go(func() {
			path := LogFile(root, "build")
			mu.Lock()
			defer mu.Unlock()
			names[path] = true
		})
	}
	wait.Wait()
	if len(names) != 40 || names[""] {
		t.Errorf("%d logs of 40 have names of their own", len(names))
	}
	for path := range names {
		if err := os.Chtimes(path, old.Add(time.Minute), old.Add(time.Minute)); err != nil {
			t.Fatal(err)
		}
	}
	last := LogFile(root, "test")
	logs, _ := filepath.Glob(filepath.Join(dir, "*-*.log"))
	if len(logs) != 20 {
		t.Errorf("%d logs are kept", len(logs))
	}
	for path, want := range map[string]bool{first: false, last: true, keepMe: true, keepLog: true} {
		if _, err := os.Stat(path); (err == nil) != want {
			t.Errorf("%s: %v", path, err)
		}
	}
	if got := From(root, last); !strings.HasPrefix(got, ".sett/logs/test-") {
		t.Errorf("from the root it is %s", got)
	}
}

// TestLogFileElsewhere finds a place when the root has none.
func TestLogFileElsewhere(t *testing.T) {
	root := t.TempDir()
	if err := os.WriteFile(filepath.Join(root, ".sett"), nil, 0o644); err != nil { // where nobody can make a folder
		t.Fatal(err)
	}
	t.Setenv("TMPDIR", filepath.Join(root, "tmp"))
	path := LogFile(root, "test")
	if !strings.HasPrefix(path, filepath.Join(root, "tmp")) {
		t.Errorf("the log is %q", path)
	}
	t.Setenv("TMPDIR", filepath.Join(root, ".sett", "tmp"))
	if path := LogFile(root, "test"); path != "" {
		t.Errorf("the log is %q", path)
	}
}

func TestStep(t *testing.T) {
	c := Command{Dir: "/p/sub", Args: []string{"go", "test", "-run", "^(Test A|it's)$", "./..."}, Env: []string{"GOOS=linux"}, Log: "/p/.sett/logs/x.log"}
	r := &Result{Code: 1, Took: time.Second, Bytes: 7, Tail: []byte("one\n\x1b[31mred\x1b[0m\r\n10%\r20%\nbad \xff\n\n")}
	got := r.Step("go", "sub", c, "/p")
	want := report.Step{
		Tool: "go", Dir: "sub", Code: 1, Took: time.Second, Bytes: 7, Log: ".sett/logs/x.log",
		Command: `GOOS=linux go test -run '^(Test A|it'\''s)$' ./...`,
		Tail:    []string{"one", "red", "20%", "bad \uFFFD"},
	}
	if fmt.Sprintf("%+v", got) != fmt.Sprintf("%+v", want) {
		t.Errorf("got  %+v\nwant %+v", got, want)
	}
	r.Code, c.Log = 0, "/elsewhere/x.log"
	if s := r.Step("go", "", c, "/p"); s.Tail != nil || s.Log != "/elsewhere/x.log" || s.Dir != "." {
		t.Errorf("%+v", s)
	}
	if got := Lines([]byte(strings.Repeat("line\n", 50)), 3); len(got) != 3 {
		t.Errorf("%d lines", len(got))
	}
	if got := Clean(strings.Repeat("é", 5000)); len(got) > 1100 || strings.Contains(got, "\uFFFD") {
		t.Errorf("a long line has %d bytes", len(got))
	}
}

// TestLogFileLinked writes nothing where a link of the project leads.
func TestLogFileLinked(t *testing.T) {
	t.Setenv("TMPDIR", t.TempDir())
	for _, link := range []string{".sett", ".sett/logs"} {
		root, out := t.TempDir(), t.TempDir()
		at := filepath.Join(root, filepath.FromSlash(link))
		if err := os.MkdirAll(filepath.Dir(at), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.Symlink(out, at); err != nil {
			t.Skip("no links here: ", err)
		}
		if path := LogFile(root, "test"); !strings.HasPrefix(path, os.TempDir()) {
			t.Errorf("%s: the log is %q", link, path)
		}
		if entries, err := os.ReadDir(out); err != nil || len(entries) > 0 {
			t.Errorf("%s: %v, %v", link, entries, err)
		}
	}
}
