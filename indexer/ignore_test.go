package indexer

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"golang.org/x/tools/txtar"
)

// gitIgnored asks git which of the paths it ignores in a folder.
func gitIgnored(t *testing.T, dir string, paths []string) map[string]bool {
	t.Helper()
	var in bytes.Buffer
	for _, p := range paths {
		in.WriteString(p)
		in.WriteByte(0)
	}
	cmd := exec.Command("git", "check-ignore", "--no-index", "-z", "--stdin")
	cmd.Dir = dir
	cmd.Stdin = &in
	cmd.Env = append(os.Environ(), "GIT_CONFIG_GLOBAL="+os.DevNull, "GIT_CONFIG_SYSTEM="+os.DevNull, "HOME="+dir, "XDG_CONFIG_HOME="+dir)
	out, err := cmd.Output()
	if err != nil && len(out) > 0 {
		t.Fatalf("git check-ignore: %v", err)
	}
	m := map[string]bool{}
	for _, p := range strings.Split(string(out), "\x00") {
		m[p] = true
	}
	return m
}

func gitInit(t *testing.T) string {
	t.Helper()
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip("there is no git to compare with")
	}
	dir := t.TempDir()
	cmd := exec.Command("git", "init", "-q", dir)
	cmd.Env = append(os.Environ(), "GIT_CONFIG_GLOBAL="+os.DevNull, "GIT_CONFIG_SYSTEM="+os.DevNull)
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("git init: %v\n%s", err, out)
	}
	return dir
}

func writeTree(t testing.TB, dir string, files map[string]string) {
	t.Helper()
	for name, text := range files {
		p := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(p), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(p, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
}

// Each scenario is a tree with ignore files. What the scan takes is what git does not
// ignore.
func TestIgnoreAsGitDoes(t *testing.T) {
	scenarios, err := filepath.Glob("testdata/ignore/*.txtar")
	if err != nil {
		t.Fatal(err)
	}
	if len(scenarios) < 8 {
		t.Fatalf("found %d scenarios, want 8 or more", len(scenarios))
	}
	for _, file := range scenarios {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".txtar"), func(t *testing.T) {
			ar, err := txtar.ParseFile(file)
			if err != nil {
				t.Fatal(err)
			}
			dir := gitInit(t)
			files := map[string]string{}
			var paths []string
			for _, f := range ar.Files {
				// ~ stands for a space at the end of a line, which editors remove.
				files[f.Name] = strings.ReplaceAll(string(f.Data), "~", " ")
				paths = append(paths, f.Name)
			}
			writeTree(t, dir, files)
			bad := gitIgnored(t, dir, paths)
			var want []string
			for _, p := range paths {
				if !bad[p] && !strings.HasPrefix(p, ".git/") {
					want = append(want, p)
				}
			}
			slices.Sort(want)
			if len(bad) < 2 || len(want) < 2 {
				t.Fatalf("git ignores %d and keeps %d of the files: not much of a test", len(bad)-1, len(want))
			}
			if got := scanned(t, dir); !slices.Equal(got, want) {
				t.Errorf("the scan takes\n\t%q\ngit keeps\n\t%q", got, want)
			}
		})
	}
}

// scanned returns the paths that a scan takes, with a language to which all is source.
func scanned(t testing.TB, dir string) []string {
	t.Helper()
	s, err := ScanFiles(t.Context(), Options{Root: dir, Languages: everything()}, nil)
	if err != nil {
		t.Fatal(err)
	}
	var paths []string
	for _, f := range s.Files {
		paths = append(paths, f.Path)
	}
	return paths
}

// Random patterns over a small alphabet hit the corners of the matcher.
func TestPatternsAsGitDoes(t *testing.T) {
	r := rand.New(rand.NewPCG(4, 2))
	pieces := []string{"a", "b", "ab", "/", "/", "*", "**", "?", "[ab]", "[!a]", "[^b]", "[a-b]", "[]a]", "[[:alpha:]]", "[a/]", `\a`, `\*`, "!", " ", "#", ".", "[", "]", "-", "é", "**/", "/**", `\ `}
	names := []string{"a", "b", "ab", "aab", "*", "é", "a b", "]", "a.b", "!a", "#b", "[", "-"}
	var paths []string
	for range 120 {
		var elems []string
		for range 1 + r.IntN(4) {
			elems = append(elems, names[r.IntN(len(names))])
		}
		paths = append(paths, strings.Join(elems, "/"))
	}
	slices.Sort(paths)
	paths = slices.Compact(paths)
	dir := gitInit(t)
	rounds, hits := 250, 0
	if testing.Short() {
		rounds = 30
	}
	for range rounds {
		var lines []string
		for range 1 + r.IntN(3) {
			var b strings.Builder
			for range 1 + r.IntN(5) {
				b.WriteString(pieces[r.IntN(len(pieces))])
			}
			lines = append(lines, b.String())
		}
		text := strings.Join(lines, "\n") + "\n"
		writeTree(t, dir, map[string]string{".gitignore": text})
		want := gitIgnored(t, dir, paths)
		list := parseIgnore("", []byte(text))
		for _, p := range paths {
			got := false
			elems := strings.Split(p, "/")
			for i := range elems {
				// The paths do not exist; git takes all but the last element for folders.
				if v := list.match(strings.Join(elems[:i+1], "/"), i < len(elems)-1); v == ignored {
					got = true
					break
				}
			}
			if got != want[p] {
				t.Errorf("patterns %q: path %q: ignored %v, with git %v", lines, p, got, want[p])
			}
			if want[p] {
				hits++
			}
		}
		if t.Failed() {
			break
		}
	}
	if hits < rounds {
		t.Errorf("only %d matches in %d rounds: not much of a test", hits, rounds)
	}
}

func TestPatternIsNeverSlow(t *testing.T) {
	for _, pat := range []string{strings.Repeat("*a", 60) + "b", strings.Repeat("**/a/", 60) + "b", "x/" + strings.Repeat("*[ab]", 60) + "c"} {
		p, ok := parsePattern(pat)
		if !ok {
			t.Fatalf("no pattern: %s", pat)
		}
		start := time.Now()
		p.matches(strings.Repeat("a", 3000))
		p.matches(strings.Repeat("a/", 1500))
		if took := time.Since(start); took > time.Second {
			t.Errorf("%s took %v", pat, took)
		}
	}
}

func FuzzParseIgnore(f *testing.F) {
	f.Add("*.go\n!/a/**/b\\ \n[[:alpha:]-]x", "a/b/c.go")
	f.Fuzz(func(t *testing.T, text, p string) {
		list := parseIgnore("", []byte(text))
		list.match(p, false)
		list.leadsTo(p)
	})
}

func ExampleConfigError() {
	_, err := ParseConfig([]byte("[index]\ninclude = []\nexlude = [\"gen\"]\n"))
	fmt.Println(err)
	// Output: sett.toml:3: unknown key index.exlude
}
