package cli

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"
)

// screen collects what a verb prints while it runs.
type screen struct {
	mu   sync.Mutex
	text bytes.Buffer
	seen int
}

func (s *screen) Write(p []byte) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.text.Write(p)
}

// await waits until the phrase is printed after what was awaited before.
func (s *screen) await(t *testing.T, phrase string) {
	t.Helper()
	for began := time.Now(); time.Since(began) < 30*time.Second; time.Sleep(10 * time.Millisecond) {
		s.mu.Lock()
		at := strings.Index(s.text.String()[s.seen:], phrase)
		if at >= 0 {
			s.seen += at + len(phrase)
			s.mu.Unlock()
			return
		}
		s.mu.Unlock()
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	t.Fatalf("%q was not printed after\n%s\nbut\n%s", phrase, s.text.String()[:s.seen], s.text.String()[s.seen:])
}

// watching starts a watch in a folder with a main.pluto, and ends it with the test.
func watching(t *testing.T, text string, args ...string) (dir string, s *screen) {
	t.Helper()
	dir, s = t.TempDir(), &screen{}
	save(t, dir, "main.pluto", text)
	ctx, cancel := context.WithCancel(t.Context())
	code := make(chan int)
	go func() {
		code <- Main(ctx, append([]string{"watch"}, append(args, filepath.Join(dir, "main.pluto"))...), strings.NewReader(""), s, s)
	}()
	t.Cleanup(func() {
		cancel()
		if got := <-code; got != 0 {
			t.Errorf("exit code %d", got)
		}
	})
	return dir, s
}

// save writes a file as editors do: a new one that takes the place of the old.
func save(t *testing.T, dir, name, text string) {
	t.Helper()
	path := filepath.Join(dir, name)
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path+".tmp", []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	if err := os.Rename(path+".tmp", path); err != nil {
		t.Fatal(err)
	}
}

func TestWatchRun(t *testing.T) {
	dir, s := watching(t, "fn main() {\n    print(nope)\n}\n", "run", "--no-clear")
	s.await(t, "undefined variable 'nope'") // it does not end with a program that has errors

	save(t, dir, "main.pluto", "import std.time\nfn main() {\n    print(\"first\")\n    time.sleep(60000)\n}\n")
	s.await(t, "File changed, recompiling...\n"+strings.Repeat("=", 60)+"\n")
	s.await(t, "first\n")

	// a program that runs is ended
	save(t, dir, "main.pluto", "import util.text\nfn main() {\n    print(text.what())\n}\n")
	s.await(t, "File changed, recompiling...\n")
	s.await(t, "cannot find module path: '")

	// a new import is watched from now on
	save(t, dir, "util/text.pluto", "pub fn what() string {\n    return \"second\"\n}\n")
	s.await(t, "second\n")
	save(t, dir, "util/text.pluto", "pub fn what() string {\n    return \"third\"\n}\n")
	s.await(t, "third\n")

	save(t, dir, "main.pluto", "fn main() int {\n    return 3\n}\n")
	s.await(t, "the program ended with code 3")
}

func TestWatchTest(t *testing.T) {
	dir, s := watching(t, "test \"one\" {\n    expect(1).to_equal(2)\n}\n", "test")
	s.await(t, "expected 1 to equal 2")
	s.await(t, strings.Repeat("=", 25)+"\n✗ TESTS FAILED\n")
	save(t, dir, "main.pluto", "test \"one\" {\n    expect(1).to_equal(1)\n}\n")
	s.await(t, "\x1b[2J\x1b[HFile changed, recompiling tests...\n")
	s.await(t, "test one ... ok")
	s.await(t, "✓ TESTS PASSED\n")
}

func TestWatchMisuse(t *testing.T) {
	for _, tt := range []struct{ args, want string }{
		{"watch fly x", `cannot watch "fly"; one of run, test`},
		{"watch run nowhere.pluto", "there is no file or folder nowhere.pluto"},
		{"watch run . x", `unexpected argument "x"`},
	} {
		if _, stderr, code := run(t, strings.Fields(tt.args)...); code != exitMisuse || !strings.Contains(stderr, tt.want) {
			t.Errorf("%s: exit %d, %s", tt.args, code, stderr)
		}
	}
}
