//go:build slow

package typecheck_test

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"testing"
	"unicode/utf8"

	"golang.org/x/tools/txtar"
)

// TestGoCommand asks the real go command about the broken projects and compares with what
// the archives hold; UPDATE=1 writes that.
func TestGoCommand(t *testing.T) {
	eachBroken(t, func(t *testing.T, root string, want []string) {
		got := goSays(t, root)
		if os.Getenv("UPDATE") != "" {
			name := filepath.Join("testdata", filepath.Base(t.Name())+".txtar")
			a, err := txtar.ParseFile(name)
			if err != nil {
				t.Fatal(err)
			}
			a.Files = slices.DeleteFunc(a.Files, func(f txtar.File) bool { return f.Name == "want" })
			a.Files = append(a.Files, txtar.File{Name: "want", Data: []byte(strings.Join(got, "\n") + "\n")})
			if err := os.WriteFile(name, txtar.Format(a), 0o644); err != nil {
				t.Fatal(err)
			}
			return
		}
		if !slices.Equal(got, want) {
			t.Errorf("go says\n%s\nthe archive says\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
		}
	})
}

var noise = regexp.MustCompile(`(?m)^(#.*|FAIL.*|ok .*|\?.*|no required.*|go: updating.*|.*local import.*in non-local package)\n`)

// goSays is what the go command says of a project, as the compiler with -e, for packages
// and, where there are any, tests.
func goSays(t *testing.T, root string) []string {
	dirs := []string{root}
	if _, err := os.Stat(filepath.Join(root, "go.work")); err == nil {
		dirs, _ = filepath.Glob(filepath.Join(root, "*"))
	} else if subs, _ := filepath.Glob(filepath.Join(root, "*", "go.mod")); len(subs) > 0 {
		for _, s := range subs {
			dirs = append(dirs, filepath.Dir(s))
		}
	}
	var out []string
	for _, dir := range dirs {
		if info, err := os.Stat(dir); err != nil || !info.IsDir() {
			continue
		}
		runs := [][]string{{"build", "-gcflags=-e", "./..."}}
		if hasTests(root) {
			runs = append(runs, []string{"test", "-gcflags=-e", "-vet=off", "-run=^$", "./..."})
			// of a package with errors that others import, tests are only built when it is alone
			tests, _ := filepath.Glob(filepath.Join(dir, "*", "*_test.go"))
			for _, file := range tests {
				runs = append(runs, []string{"test", "-gcflags=-e", "-vet=off", "-run=^$", "./" + filepath.Base(filepath.Dir(file))})
			}
		}
		for _, args := range runs {
			cmd := exec.Command("go", args...)
			cmd.Dir = dir
			cmd.Env = append(os.Environ(), "PWD="+dir, "GOPROXY=off", "GOFLAGS=")
			b, _ := cmd.CombinedOutput()
			rel, _ := filepath.Rel(root, dir)
			text := noise.ReplaceAllString(string(b), "")
			text = regexp.MustCompile(`(?m)^(package .*\n\t)?(?:\./)?(\S+\.go:\d)`).ReplaceAllString(text, filepath.ToSlash(filepath.Join(rel, "x"))[:len(filepath.ToSlash(filepath.Join(rel, "x")))-1]+"$2")
			text = regexp.MustCompile(`(?m)(^|\t| at )\./`).ReplaceAllString(text, "$1")
			text = regexp.MustCompile(`(?m)^go: (errors parsing .*\n)?`).ReplaceAllString(text, "")
			text = strings.ReplaceAll(text, root+"/", "")
			text = strings.ReplaceAll(text, root, "ROOT")
			text = strings.ReplaceAll(text, runtime.GOROOT(), "GOROOT")
			out = append(out, paragraphs(text)...)
		}
	}
	for i, line := range out {
		out[i] = codePoints(root, line)
	}
	slices.Sort(out)
	return slices.Compact(out)
}

func hasTests(root string) bool {
	var b bytes.Buffer
	for _, pat := range []string{"*_test.go", "*/*_test.go"} {
		l, _ := filepath.Glob(filepath.Join(root, pat))
		b.WriteString(strings.Join(l, ""))
	}
	return b.Len() > 0
}

var position = regexp.MustCompile(`^(\S+\.go):(\d+):(\d+): `)

// codePoints turns the column of the go command, in bytes, into one in code points.
func codePoints(root, line string) string {
	m := position.FindStringSubmatch(line)
	if m == nil {
		return line
	}
	src, err := os.ReadFile(filepath.Join(root, m[1]))
	row, _ := strconv.Atoi(m[2])
	col, _ := strconv.Atoi(m[3])
	lines := strings.Split(string(src), "\n")
	if err != nil || row > len(lines) || col-1 > len(lines[row-1]) {
		return line
	}
	n := utf8.RuneCountInString(lines[row-1][:col-1]) + 1
	return m[1] + ":" + m[2] + ":" + strconv.Itoa(n) + ": " + line[len(m[0]):]
}
