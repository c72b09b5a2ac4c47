package gogen_test

import (
	"fmt"
	"os"
	"strconv"
	"strings"
	"testing"

	"github.com/settgraph/sett/compiler/check"
	"github.com/settgraph/sett/compiler/compilertest"
	"github.com/settgraph/sett/compiler/internal/plutoeval"
	"github.com/settgraph/sett/compiler/internal/plutogen"
	"github.com/settgraph/sett/compiler/load"
)

// TestMeaning holds the law that lowering keeps the meaning of programs: random ones do what
// an evaluator says that walks their trees. PROGRAMS says how many, SEED where to begin.
func TestMeaning(t *testing.T) {
	n, first := meant, uint64(1)
	if k, err := strconv.Atoi(os.Getenv("PROGRAMS")); err == nil {
		n = k
	}
	if k, err := strconv.ParseUint(os.Getenv("SEED"), 10, 64); err == nil {
		first = k
	}
	t.Logf("seeds from %d to %d", first, first+uint64(n)-1)
	var cases []compilertest.Case
	var wants []plutoeval.Result
	unknown := map[string]int{}
	for seed := first; seed < first+uint64(n); seed++ {
		text := plutogen.Program(seed)
		p := check.Check(load.LoadText("main.pluto", text, load.Options{Standalone: true, Offline: true}))
		if p.Diags.Errors() > 0 {
			unknown["it is refused: "+p.Diags.Sorted()[0].Message]++
			continue
		}
		if !t.Run(fmt.Sprint("seed ", seed), func(t *testing.T) { isGo(t, text) }) {
			continue
		}
		want := plutoeval.Run(p)
		if want.Unknown != "" {
			unknown[want.Unknown]++
			continue
		}
		cases = append(cases, compilertest.Case{Name: fmt.Sprint("seed ", seed), Files: map[string]string{"main.pluto": text}})
		wants = append(wants, want)
	}
	t.Logf("%d of %d programs are run; of others nothing is known: %v", len(cases), n, unknown)
	if len(cases)*10 < n*8 {
		t.Errorf("only %d of %d programs are run", len(cases), n)
	}
	for i, got := range compilertest.Results(t, cases) {
		if problem := differs(got, wants[i]); problem != "" {
			t.Errorf("%s: %s\n%s", cases[i].Name, problem, numbered(cases[i].Files["main.pluto"]))
		}
	}
}

// differs says where a program does not do what it means.
func differs(got compilertest.Result, want plutoeval.Result) string {
	line, _, _ := strings.Cut(got.Stderr, "\n")
	switch {
	case got.Fault != "" || got.Refused != "":
		return got.Fault + got.Refused
	case got.Stdout != want.Stdout:
		return firstDifference(got.Stdout, want.Stdout) + "\nstderr: " + got.Stderr
	case !strings.HasPrefix(line, want.Stderr) || want.Stderr == "" && line != "":
		return fmt.Sprintf("stderr %q, want %q", got.Stderr, want.Stderr)
	case got.Exit != want.Code:
		return fmt.Sprintf("exit code %d, want %d", got.Exit, want.Code)
	}
	return ""
}

func firstDifference(got, want string) string {
	a, b := strings.Split(got, "\n"), strings.Split(want, "\n")
	for i := range min(len(a), len(b)) {
		if a[i] != b[i] {
			return fmt.Sprintf("line %d of the output is\n%s\nwant\n%s\nbefore that\n%s", i+1, a[i], b[i], strings.Join(a[max(0, i-5):i], "\n"))
		}
	}
	return fmt.Sprintf("%d lines of output, want %d; at the end\n%s", len(a), len(b), strings.Join(a[max(0, len(a)-5):], "\n"))
}

func numbered(text string) string {
	lines := strings.Split(text, "\n")
	for i := range lines {
		lines[i] = fmt.Sprintf("%4d %s", i+1, lines[i])
	}
	return strings.Join(lines, "\n")
}
