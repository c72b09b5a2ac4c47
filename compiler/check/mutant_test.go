package check

import (
	"fmt"
	"math/rand"
	"os"
	"path/filepath"
	"runtime/debug"
	"strconv"
	"strings"
	"testing"
	"time"

	"golang.org/x/tools/txtar"

	"github.com/settgraph/sett/compiler/load"
	"github.com/settgraph/sett/compiler/plutotest"
)

// TestMutants checks programs that are nearly right: those of the corpus with some tokens
// left out, doubled, exchanged or replaced. Whatever they are, checking ends and does not
// panic, places are inside of the text, and what is accepted is well typed. MUTANTS says how many of each program.
func TestMutants(t *testing.T) {
	each := 3
	if n, err := strconv.Atoi(os.Getenv("MUTANTS")); err == nil {
		each = n
	}
	texts := corpusTexts(t)
	if len(texts) < 1000 {
		t.Fatalf("only %d texts", len(texts))
	}
	var words []string
	for _, text := range texts {
		for _, w := range plutotest.Tokens(text) {
			if len(words) < 20000 && strings.TrimSpace(w) != "" {
				words = append(words, w)
			}
		}
	}
	r := rand.New(rand.NewSource(1))
	for i, text := range texts {
		for range each {
			mutant := plutotest.Mutate(r, plutotest.Tokens(text), words)
			if err := survives(mutant, i%7 == 0); err != nil {
				t.Fatalf("%v\n%s", err, mutant)
			}
		}
	}
}

// corpusTexts is the text of every file of the corpus.
func corpusTexts(t testing.TB) []string {
	t.Helper()
	paths, err := filepath.Glob(filepath.Join("testdata", "*", "*.txtar"))
	if err != nil {
		t.Fatal(err)
	}
	var out []string
	for _, path := range paths {
		ar, err := txtar.ParseFile(path)
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range ar.Files {
			if strings.HasSuffix(f.Name, ".pluto") {
				_, text, _ := readExpectation(string(f.Data))
				out = append(out, text)
			}
		}
	}
	return out
}

// survives checks a text, and says when that goes wrong.
func survives(text string, test bool) (err error) {
	defer func() {
		if r := recover(); r != nil {
			err = fmt.Errorf("panic: %v\n%s", r, debug.Stack())
		}
	}()
	slow := time.AfterFunc(20*time.Second, func() { panic("checking does not end:\n" + text) })
	defer slow.Stop()
	p := Check(load.LoadText("main.pluto", text, load.Options{Test: test, Offline: true}))
	for _, d := range p.Diags.Sorted() {
		if d.File != nil && d.File.Name == "main.pluto" && (d.Span.Start < 0 || d.Span.Start > d.Span.End || int(d.Span.End) > len(text)) {
			return fmt.Errorf("%s: at %v, outside of the text", d.Message, d.Span)
		}
		if d.Code == "" || !strings.Contains(d.Message, " ") {
			return fmt.Errorf("a diagnostic without code or text: %+v", d)
		}
	}
	if p.Diags.Errors() > 0 {
		return nil
	}
	return illTyped(p)
}
