package format_test

import (
	"bytes"
	"encoding/json"
	"os"
	"path"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"

	"github.com/settgraph/sett/format"
	"github.com/settgraph/sett/query"
	"github.com/settgraph/sett/query/report"
)

// reported is the input of a case: one of the reports, and how many tokens lines may take.
type reported struct {
	Budget int               `json:"budget"`
	Check  *report.Check     `json:"check"`
	Build  *report.Build     `json:"build"`
	Test   *report.Test      `json:"test"`
	Type   *query.TypeResult `json:"type"`
	Def    *query.DefResult  `json:"def"`
	Many   int               `json:"many"` // repeat the first diagnostic or failure so often
}

func (r *reported) value(t *testing.T) any {
	t.Helper()
	switch {
	case r.Check != nil:
		r.Check.Budget = r.Budget
		r.Check.Diagnostics = repeat(r.Check.Diagnostics, r.Many, again)
		return r.Check
	case r.Build != nil:
		r.Build.Budget = r.Budget
		r.Build.Diagnostics = repeat(r.Build.Diagnostics, r.Many, again)
		return r.Build
	case r.Test != nil:
		r.Test.Budget = r.Budget
		r.Test.Failures = repeat(r.Test.Failures, r.Many, func(f report.Failure, i int) report.Failure {
			f.Name += string(rune('A' + i%26))
			f.Line += i
			return f
		})
		return r.Test
	case r.Type != nil:
		r.Type.Budget = r.Budget
		return r.Type
	case r.Def != nil:
		r.Def.Budget = r.Budget
		return r.Def
	}
	t.Fatal("a case without a report")
	return nil
}

func again(d report.Diagnostic, i int) report.Diagnostic {
	d.Line += i
	d.File = strings.Replace(d.File, "*", string(rune('a'+i%7)), 1)
	return d
}

func repeat[T any](xs []T, n int, change func(T, int) T) []T {
	if n == 0 {
		return xs
	}
	var out []T
	for i := range n {
		out = append(out, change(xs[0], i))
	}
	return append(out, xs[1:]...)
}

// Each case of testdata/reports/*.txtar is a folder: in.json is the report, and every
// other file is what a form prints of it. UPDATE=1 rewrites those.
func TestReports(t *testing.T) {
	files, err := filepath.Glob("testdata/reports/*.txtar")
	if err != nil || len(files) < 5 {
		t.Fatalf("%d files of cases, %v", len(files), err)
	}
	cases := 0
	for _, file := range files {
		ar, err := txtar.ParseFile(file)
		if err != nil {
			t.Fatal(err)
		}
		var in []byte
		for i := range ar.Files {
			f := &ar.Files[i]
			if path.Base(f.Name) == "in.json" {
				in = f.Data
				continue
			}
			cases++
			t.Run(strings.TrimSuffix(filepath.Base(file), ".txtar")+"/"+f.Name, func(t *testing.T) {
				var r reported
				if err := json.Unmarshal(in, &r); err != nil {
					t.Fatal(err)
				}
				got := printed(t, r.value(t), path.Base(f.Name))
				if os.Getenv("UPDATE") != "" {
					f.Data = []byte(got)
				} else if got != string(f.Data) {
					t.Errorf("got:\n%swant:\n%s", got, f.Data)
				}
			})
		}
		if os.Getenv("UPDATE") != "" {
			if err := os.WriteFile(file, txtar.Format(ar), 0o644); err != nil {
				t.Fatal(err)
			}
		}
	}
	if cases < 60 {
		t.Errorf("only %d cases", cases)
	}
}

func printed(t *testing.T, v any, form string) string {
	t.Helper()
	var b bytes.Buffer
	var err error
	switch form {
	case "lines":
		err = format.Lines(&b, v, format.Style{})
	case "json":
		err = format.JSON(&b, v)
	case "table":
		err = format.Table(&b, v, format.Style{})
	case "github":
		err = format.GitHub(&b, v)
	case "sarif":
		if err = format.Sarif(&b, v, "1.2.3"); err == nil {
			for _, problem := range sarifProblems(b.Bytes()) {
				t.Error(problem)
			}
		}
	case "002":
		switch v := v.(type) {
		case *report.Check:
			b.WriteString(format.Check002(v))
		case *report.Build:
			b.WriteString(format.Build002(v))
		case *report.Test:
			b.WriteString(format.Tests002(v))
		case *query.TypeResult:
			b.WriteString(format.Type002(v))
		case *query.DefResult:
			b.WriteString(format.Definition002(v))
		}
	default:
		t.Fatalf("no form %q", form)
	}
	if err != nil {
		t.Fatal(err)
	}
	return b.String()
}
