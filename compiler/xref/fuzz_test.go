package xref

import (
	"math/rand"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/settgraph/sett/compiler/diag"
	"github.com/settgraph/sett/compiler/internal/plutogen"
	"github.com/settgraph/sett/compiler/plutotest"
	"github.com/settgraph/sett/compiler/syntax"
)

// TestMutants lists sites and facts of programs that are nearly right: those of the corpora
// with some tokens left out, doubled, exchanged or replaced. Nothing panics, and what is
// found is where it says. MUTANTS says how many of each program, SEED where to begin.
func TestMutants(t *testing.T) {
	each, seed := 2, int64(1)
	if n, err := strconv.Atoi(os.Getenv("MUTANTS")); err == nil {
		each = n
	}
	if n, err := strconv.ParseInt(os.Getenv("SEED"), 10, 64); err == nil {
		seed = n
	}
	all := programs(t)
	r := rand.New(rand.NewSource(seed))
	var words []string
	for _, prog := range all {
		for _, text := range prog.files {
			for _, w := range plutotest.Tokens(text) {
				if len(words) < 20000 && strings.TrimSpace(w) != "" {
					words = append(words, w)
				}
			}
		}
	}
	for _, prog := range all {
		var names []string
		for name := range prog.files {
			names = append(names, name)
		}
		slices.Sort(names)
		for range each {
			name := names[r.Intn(len(names))]
			mutant := prog.with(map[string]string{name: plutotest.Mutate(r, plutotest.Tokens(prog.files[name]), words)})
			mutant.test = r.Intn(4) == 0
			survives(t, mutant)
		}
	}
}

// survives fails the test when something goes wrong with a program that may have errors.
func survives(t *testing.T, prog *program) {
	t.Helper()
	defer func() {
		if r := recover(); r != nil {
			t.Errorf("%s:\n%v", prog.name, prog.files)
			panic(r)
		}
	}()
	p := prog.check()
	sites, facts := Of(p)
	if problems := textProblems(p, sites); len(problems) > 0 {
		t.Errorf("%s:\n\t%s\n%v", prog.name, strings.Join(problems, "\n\t"), prog.files)
	}
	seen := map[Key]bool{}
	for _, file := range texts(p) {
		f := syntax.Parse(file, &diag.List{})
		for d := range All(Decls(f)) {
			switch {
			case seen[d.Key]:
				t.Errorf("%s: two declarations are %s", prog.name, d.Key)
			case d.Parent != nil && !strings.HasPrefix(d.Qual, d.Parent.Qual+"."):
				t.Errorf("%s: %s is in %s", prog.name, d.Key, d.Parent.Key)
			case d.Kind != Test && file.Text[d.NameAt.Start:d.NameAt.End] != d.Name:
				t.Errorf("%s: the name of %s is elsewhere", prog.name, d.Key)
			case d.Full.Start > d.NameAt.Start || d.Full.End < d.NameAt.End || d.WithDoc.Start > d.Full.Start || d.WithDoc.End < d.Full.End:
				t.Errorf("%s: %s is around nothing: %v %v %v", prog.name, d.Key, d.NameAt, d.Full, d.WithDoc)
			}
			seen[d.Key] = true
		}
	}
	for k, s := range facts.Signatures {
		if !seen[k] {
			t.Errorf("%s: a signature of nothing: %s", prog.name, k)
		}
		for _, e := range s.Errors {
			if s.Known && len(e.RaisedAt)+len(e.From) == 0 {
				t.Errorf("%s: %s raises %s for no reason\n%v", prog.name, k, e.Name, prog.files)
			}
		}
	}
}

// TestGenerated holds the law of sites and of renaming for programs that nobody wrote.
func TestGenerated(t *testing.T) {
	for seed := range uint64(6) {
		prog := &program{name: "seed " + strconv.FormatUint(seed, 10), files: map[string]string{"main.pluto": plutogen.Program(seed)}, entry: "main.pluto"}
		survives(t, prog)
		p := prog.check()
		if p.Diags.Errors() > 0 {
			continue
		}
		if problems := missing(p, Sites(p)); len(problems) > 0 {
			t.Errorf("%s:\n\t%s", prog.name, strings.Join(problems, "\n\t"))
		}
		r := newRenamer(p)
		for _, group := range r.groups() {
			if after := prog.with(r.rename(group, freshName(group[0]))).check(); after.Diags.Errors() > 0 {
				t.Errorf("%s: %s:\n%s", prog.name, group[0].Key, messages(after))
			}
		}
	}
}
