package ts

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/settgraph/sett/indexer/lang"
	"github.com/settgraph/sett/query/report"
	"github.com/zeebo/xxh3"
)

// diskInput makes the input of a project on disk. Texts in over lie over it.
func diskInput(t testing.TB, root string, over map[string]string) *lang.Input {
	t.Helper()
	files := readTree(t, root)
	for p, text := range over {
		files[p] = text
	}
	in := inputOf(t, root, files, 2)
	in.Units = nil
	in.ReadFile = func(p string) ([]byte, error) {
		if s, ok := files[p]; ok {
			return []byte(s), nil
		}
		return os.ReadFile(filepath.Join(root, filepath.FromSlash(p)))
	}
	return in
}

// edited is the input with another text for one file.
func edited(in *lang.Input, p, text string) *lang.Input {
	out := *in
	out.Files = slices.Clone(in.Files)
	for i, f := range out.Files {
		if f.Path == p {
			out.Files[i] = fileOf(p, text)
		}
	}
	out.ReadFile = func(q string) ([]byte, error) {
		if p == q {
			return []byte(text), nil
		}
		return in.ReadFile(q)
	}
	return &out
}

func fileOf(p, text string) lang.File {
	return lang.File{Path: p, Size: int64(len(text)), Hash: xxh3.HashString(text), Summary: summarize(p, []byte(text))}
}

// checkAll checks with a new checker.
func checkAll(t testing.TB, in *lang.Input, s lang.Scope) *lang.Checked {
	t.Helper()
	c := newChecker()
	defer c.Close()
	return checkWith(t, c, in, s)
}

func checkWith(t testing.TB, c lang.Checker, in *lang.Input, s lang.Scope) *lang.Checked {
	t.Helper()
	out, err := c.Check(context.Background(), in, s)
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// printed writes findings as tsc prints them, one entry each, sorted, with $ROOT for the root.
func printed(root string, ds []report.Diagnostic) []string {
	list := []string{}
	for _, d := range ds {
		at := ""
		if d.File != "" {
			at = fmt.Sprintf("%s(%d,%d): ", d.File, d.Line, d.Col)
		}
		list = append(list, strings.ReplaceAll(fmt.Sprintf("%s%s %s: %s", at, d.Severity, d.Code, d.Message), root, "$ROOT"))
	}
	slices.Sort(list)
	return list
}

// entries splits what tsc printed.
func entries(root, out string) []string {
	list := []string{}
	for line := range strings.SplitSeq(strings.ReplaceAll(out, "\r", ""), "\n") {
		switch {
		case line == "":
		case strings.HasPrefix(line, " ") && len(list) > 0:
			list[len(list)-1] += "\n" + strings.ReplaceAll(line, root, "$ROOT")
		default:
			list = append(list, strings.ReplaceAll(line, root, "$ROOT"))
		}
	}
	slices.Sort(list)
	return slices.Compact(list)
}
