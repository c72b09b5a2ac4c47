package gogen_test

import (
	"fmt"
	"math/rand"
	"strings"
	"testing"
)

// constGen writes expressions twice: with literals, which lowering folds, and with calls of
// identity functions around the literals, which it cannot fold.
type constGen struct {
	r      *rand.Rand
	inText bool // in an interpolated string, where quotes would have to be escaped
}

type pair struct{ folded, run string }

func (g *constGen) lit(kind, text string) pair { return pair{text, kind + "_(" + text + ")"} }

func (g *constGen) both(format string, ps ...pair) pair {
	folded, run := make([]any, len(ps)), make([]any, len(ps))
	for i, p := range ps {
		folded[i], run[i] = p.folded, p.run
	}
	return pair{fmt.Sprintf(format, folded...), fmt.Sprintf(format, run...)}
}

func (g *constGen) pick(texts ...string) string { return texts[g.r.Intn(len(texts))] }

func (g *constGen) int(d int) pair {
	if d == 0 {
		return g.lit("i", g.pick("0", "1", "2", "7", "63", "64", "65", "255", "9223372036854775807", "4611686018427387904", "(-1)", "(-9223372036854775808)"))
	}
	switch g.r.Intn(8) {
	case 0:
		return g.both("(%s as int)", g.float(d-1))
	case 1:
		return g.both("(%s as int)", g.bool(d-1))
	case 2:
		return g.both("(%s as byte as int)", g.int(d-1))
	case 3:
		return g.both("-(%s)", g.int(d-1))
	case 4:
		return g.both("~(%s)", g.int(d-1))
	case 5:
		return g.both(g.pick("min", "max")+"(%s, %s)", g.int(d-1), g.int(d-1))
	case 6: // by something other than zero
		return g.both("(%s "+g.pick("/", "%%")+" (%s | 1))", g.int(d-1), g.int(d-1))
	}
	return g.both("(%s "+g.pick("+", "-", "*", "&", "|", "^", "<<", ">>")+" %s)", g.int(d-1), g.int(d-1))
}

func (g *constGen) float(d int) pair {
	if d == 0 {
		return g.lit("f", g.pick("0.0", "1.5", "0.1", "0.2", "0.3", "1e300", "1e400", "3.0", "(-2.5)", "(-0.0)", "1e-320"))
	}
	switch g.r.Intn(4) {
	case 0:
		return g.both("(%s as float)", g.int(d-1))
	case 1:
		return g.both("-(%s)", g.float(d-1))
	case 2:
		return g.both("(%s %% %s)", g.float(d-1), g.float(d-1))
	}
	return g.both("(%s "+g.pick("+", "-", "*", "/")+" %s)", g.float(d-1), g.float(d-1))
}

func (g *constGen) bool(d int) pair {
	if d == 0 {
		return g.lit("b", g.pick("true", "false"))
	}
	switch g.r.Intn(7) {
	case 0:
		return g.both("(%s as bool)", g.int(d-1))
	case 1:
		return g.both("(!%s)", g.bool(d-1))
	case 2:
		return g.both("(%s "+g.pick("<", "<=", ">", ">=", "==", "!=")+" %s)", g.int(d-1), g.int(d-1))
	case 3:
		return g.both("(%s "+g.pick("<", "<=", ">", ">=", "==", "!=")+" %s)", g.float(d-1), g.float(d-1))
	case 4:
		if !g.inText {
			return g.both("(%s "+g.pick("==", "!=")+" %s)", g.string(d-1), g.string(d-1))
		}
	}
	return g.both("(%s "+g.pick("&&", "||", "==", "!=")+" %s)", g.bool(d-1), g.bool(d-1))
}

func (g *constGen) string(d int) pair {
	if d == 0 {
		return g.lit("s", g.pick(`""`, `"a"`, `"é "`, `"{{"`))
	}
	switch g.r.Intn(3) {
	case 0:
		if g.inText {
			break
		}
		g.inText = true
		p := g.both(`f"<{%s}{%s}{%s}>"`, g.int(d-1), g.bool(0), g.float(0))
		g.inText = false
		return p
	case 1:
		return g.both("%s.trim()", g.string(0))
	}
	return g.both("(%s + %s)", g.string(d-1), g.string(d-1))
}

// TestFolding compares what constants fold to with what the same operations give at run time.
func TestFolding(t *testing.T) {
	g := &constGen{r: rand.New(rand.NewSource(1))}
	var b strings.Builder
	b.WriteString("fn i_(x: int) int { return x }\nfn f_(x: float) float { return x }\nfn b_(x: bool) bool { return x }\nfn s_(x: string) string { return x }\nfn main() {\n")
	var texts []string
	for i := range 1200 {
		p := []func(int) pair{g.int, g.float, g.bool, g.string}[i%4](1 + g.r.Intn(4))
		texts = append(texts, p.folded)
		fmt.Fprintf(&b, "print(%s)\nprint(%s)\n", p.folded, p.run)
	}
	b.WriteString("}\n")
	lines := strings.Split(strings.TrimSuffix(output(t, b.String()), "\n"), "\n")
	if len(lines) != 2*len(texts) {
		t.Fatalf("%d lines for %d expressions", len(lines), len(texts))
	}
	for i, text := range texts {
		if folded, run := lines[2*i], lines[2*i+1]; folded != run {
			t.Errorf("%s folds to %s, and is %s at run time", text, folded, run)
		}
	}
}
