package compiler

import (
	"bytes"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/settgraph/sett/compiler/build"
	"github.com/settgraph/sett/compiler/load"
)

// testing of tests: a file, and where its cache is.
type suite struct {
	t     *testing.T
	file  string
	cache string
}

func newSuite(t *testing.T, text string) *suite {
	s := &suite{t, filepath.Join(t.TempDir(), "main.pluto"), t.TempDir()}
	s.write(text)
	return s
}

func (s *suite) write(text string) {
	s.t.Helper()
	if err := os.WriteFile(s.file, []byte(text), 0o666); err != nil {
		s.t.Fatal(err)
	}
	// as if it had been written long ago, and each time at another time
	old := time.Now().Add(-time.Hour).Add(time.Duration(time.Now().Nanosecond()))
	if err := os.Chtimes(s.file, old, old); err != nil {
		s.t.Fatal(err)
	}
}

// run runs the tests and gives the outcomes, and what was printed first.
func (s *suite) run(o TestOptions) (outcomes, first string) {
	s.t.Helper()
	p := Check(s.file, load.Options{Test: true, Base: filepath.Dir(s.file)})
	if p.Diags.Errors() > 0 {
		s.t.Fatal(lines(p))
	}
	o.Build = build.Options{CacheDir: s.cache}
	var out bytes.Buffer
	r, err := Test(s.t.Context(), p, o, Process{Out: &out, Err: &out})
	if err != nil {
		s.t.Fatal(err)
	}
	var words []string
	for _, test := range r.Tests {
		words = append(words, string(test.Outcome))
	}
	first, _, _ = strings.Cut(out.String(), "\n")
	return strings.Join(words, " "), first
}

const twoTests = `fn one() int {
    return 1
}
test "a" {
    expect(one()).to_equal(1)
}
test "b" {
    expect(one()).to_equal(1)
}
`

// TestCache runs a test again when, and only when, it could do something else.
func TestCache(t *testing.T) {
	s := newSuite(t, twoTests)
	step := func(what string, o TestOptions, outcomes, first string) {
		t.Helper()
		if got, line := s.run(o); got != outcomes || line != first {
			t.Errorf("%s: %q, %q; want %q, %q", what, got, line, outcomes, first)
		}
	}
	const all = "All 2 tests unchanged, skipping execution"
	step("first", TestOptions{}, "passed passed", "test a ... ok")
	step("again", TestOptions{}, "unchanged unchanged", all)
	step("without a cache", TestOptions{NoCache: true}, "passed passed", "test a ... ok")
	step("with a seed", TestOptions{Seed: "1"}, "passed passed", "test a ... ok")
	step("filtered", TestOptions{Filter: regexp.MustCompile("^a$")}, "unchanged not_run", "All 1 tests unchanged, skipping execution")

	s.write(strings.Replace(twoTests, "expect(one()).to_equal(1)\n}\ntest", "expect(one()).to_equal(2)\n}\ntest", 1))
	step("one test changed", TestOptions{}, "failed unchanged", "Running 1 of 2 tests (1 skipped, unchanged)")
	step("the failed one again", TestOptions{}, "failed unchanged", "Running 1 of 2 tests (1 skipped, unchanged)")

	s.write(strings.Replace(twoTests, "return 1", "return 2", 1))
	step("the function changed", TestOptions{}, "failed failed", "test a ... FAIL (line 5): expected 2 to equal 1")

	s.write(twoTests)
	step("as it was at first", TestOptions{}, "passed passed", "test a ... ok")
	s.write(twoTests)
	step("written anew", TestOptions{}, "passed passed", "test a ... ok")
	step("left alone", TestOptions{}, "unchanged unchanged", all)
}

// TestNoCache runs what can see the world, or has no fixed order, each time.
func TestNoCache(t *testing.T) {
	for name, text := range map[string]string{
		"environment": "import std.env\ntest \"x\" {\n    expect(env.exists(\"PATH\")).to_be_true()\n}\n",
		"files":       "import std.fs\ntest \"x\" {\n    expect(fs.exists(\"/\")).to_be_true()\n}\n",
		"random":      "tests[scheduler: Random] {\n    test \"x\" {\n        expect(1).to_equal(1)\n    }\n}\n",
	} {
		s := newSuite(t, text)
		for range 2 {
			if got, _ := s.run(TestOptions{}); got != "passed" {
				t.Errorf("%s: %q", name, got)
			}
		}
	}
}

// TestResults goes on after a test that ends the process.
func TestResults(t *testing.T) {
	s := newSuite(t, `fn deep(n: int) int {
    return deep(n + 1) + 1
}
test "before" {
    print("printed")
}
test "deep" {
    expect(deep(0)).to_equal(0)
}
test "wrong" {
    expect("a").to_equal("b")
}
test "after" {
    expect(1).to_equal(1)
}
`)
	p := Check(s.file, load.Options{Test: true, Base: filepath.Dir(s.file)})
	r, err := Test(t.Context(), p, TestOptions{Results: true, NoCache: true, Timeout: 20 * time.Second, Build: build.Options{CacheDir: s.cache}}, Process{})
	if err != nil {
		t.Fatal(err)
	}
	want := []TestResult{
		{Name: "before", Line: 4, Outcome: Passed, Output: "printed\n"},
		{Name: "deep", Line: 7, Outcome: Failed, Message: "the test ended the process"},
		{Name: "wrong", Line: 10, Outcome: Failed, Message: `FAIL (line 11): expected "a" to equal "b"`},
		{Name: "after", Line: 13, Outcome: Passed},
	}
	for i, got := range r.Tests {
		if got.Took = 0; got != want[i] {
			t.Errorf("got %+v, want %+v", got, want[i])
		}
	}
	if r.Count(Passed) != 2 || r.Count(Failed) != 2 {
		t.Errorf("%d passed, %d failed", r.Count(Passed), r.Count(Failed))
	}
	fast := TestOptions{FailFast: true, Results: true, NoCache: true, Build: build.Options{CacheDir: s.cache}}
	if r, err = Test(t.Context(), p, fast, Process{}); err != nil || r.Count(NotRun) != 2 || r.Count(Failed) != 1 {
		t.Errorf("with FailFast: %+v, %v", r, err)
	}
}
