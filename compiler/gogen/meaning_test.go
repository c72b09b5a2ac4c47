package gogen_test

import (
	"fmt"
	"math/rand"
	"os"
	"regexp"
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
	n, first := amount(t, meant)
	t.Logf("seeds from %d to %d", first, first+n-1)
	var cases []compilertest.Case
	for seed := first; seed < first+n; seed++ {
		text := plutogen.Program(uint64(seed))
		cases = append(cases, compilertest.Case{Name: fmt.Sprint("seed ", seed), Files: map[string]string{"main.pluto": text}})
	}
	if ran := compare(t, cases); ran*10 < n*8 {
		t.Errorf("only %d of %d programs are run", ran, n)
	}
}

// TestMeaningOfMutants holds the law for the texts at hand with some tokens exchanged, as far
// as they are accepted and have no tasks, whose order the evaluator does not know.
func TestMeaningOfMutants(t *testing.T) {
	n, seed := amount(t, meant)
	texts := plutoTexts(t)
	r := rand.New(rand.NewSource(int64(seed)))
	var cases []compilertest.Case
	for tries := 0; len(cases) < n; tries++ {
		text := texts[r.Intn(len(texts))]
		if tries%4 > 0 { // some stay as they are
			text = mutate(r, text, texts)
		}
		if tries > 50*n {
			t.Fatalf("only %d of %d mutants can be run", len(cases), tries)
		}
		if strings.Contains(text, "main(") && !tasks.MatchString(text) && check.Check(loadText(text)).Diags.Errors() == 0 {
			cases = append(cases, compilertest.Case{Name: fmt.Sprint("mutant ", len(cases)), Files: map[string]string{"main.pluto": text}})
		}
	}
	if ran := compare(t, cases); ran*10 < n*6 {
		t.Errorf("only %d of %d programs are run", ran, n)
	}
}

var tasks = regexp.MustCompile(`\b(spawn|chan|select|time_ns|gc_heap_size|import|extern)\b`)

// amount says how many programs a test looks at, and which is the first.
func amount(t *testing.T, n int) (count, first int) {
	t.Helper()
	first = 1
	for name, to := range map[string]*int{"PROGRAMS": &n, "SEED": &first} {
		if k, err := strconv.Atoi(os.Getenv(name)); err == nil {
			*to = k
		}
	}
	return n, first
}

func loadText(text string) *load.Project {
	return load.LoadText("main.pluto", text, load.Options{Standalone: true, Offline: true})
}

// compare runs programs and says of how many it could see that they do what they mean.
func compare(t *testing.T, all []compilertest.Case) int {
	t.Helper()
	var cases []compilertest.Case
	var wants []plutoeval.Result
	unknown := map[string]int{}
	for _, c := range all {
		text := c.Files["main.pluto"]
		p := check.Check(loadText(text))
		if p.Diags.Errors() > 0 {
			unknown["it is refused: "+p.Diags.Sorted()[0].Message]++
			continue
		}
		if !t.Run(c.Name, func(t *testing.T) { isGo(t, text) }) {
			continue
		}
		want := plutoeval.Run(p)
		if want.Unknown != "" {
			unknown[want.Unknown]++
			continue
		}
		cases = append(cases, c)
		wants = append(wants, want)
	}
	t.Logf("%d of %d programs are run; of others nothing is known: %v", len(cases), len(all), unknown)
	for i, got := range compilertest.Results(t, cases) {
		if problem := differs(got, wants[i]); problem != "" {
			t.Errorf("%s: %s\n%s", cases[i].Name, problem, numbered(cases[i].Files["main.pluto"]))
		}
	}
	return len(cases)
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
