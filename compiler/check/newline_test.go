package check

import (
	"strings"
	"testing"

	"github.com/settgraph/sett/compiler/diag"
	"github.com/settgraph/sett/compiler/load"
	"github.com/settgraph/sett/compiler/source"
	"github.com/settgraph/sett/compiler/syntax"
)

// TestNewlinesEndStatements joins two statements of accepted programs on one line: that is
// refused, unless the first ends in a block; then the program stays what it is.
func TestNewlinesEndStatements(t *testing.T) {
	joined, kept := 0, 0
	for _, c := range readCorpus(t, "accept") {
		if c.text == "" || c.expect.test {
			continue
		}
		file := syntax.Parse(source.NewFile("main.pluto", "", c.text), &diag.List{})
		for _, pair := range neighbours(file) {
			if r, ok := pair[0].(*syntax.ReturnStmt); ok && r.Value == nil {
				continue // it would return the next one
			}
			a, b := pair[0].Span(), pair[1].Span()
			between := c.text[a.End:b.Start]
			if strings.Contains(between, "//") || !strings.Contains(between, "\n") || strings.ContainsAny(c.text[b.Start:b.Start+1], "-[(<*&!") {
				continue
			}
			text := c.text[:a.End] + " " + c.text[b.Start:]
			p := Check(load.LoadText("main.pluto", text, load.Options{Offline: true}))
			switch {
			case endsInBlock(pair[0]):
				kept++
				if p.Diags.Errors() > 0 {
					t.Errorf("%s: refused: %v in\n%s", c.name, messages(p), text)
				}
			case p.Diags.Errors() == 0 || !strings.HasPrefix(p.Diags.Sorted()[0].Message, "Syntax error: "):
				t.Errorf("%s: no syntax error in\n%s", c.name, text)
			default:
				joined++
			}
		}
	}
	if joined < 500 || kept < 30 {
		t.Errorf("only %d and %d pairs of statements", joined, kept)
	}
}

// neighbours lists the pairs of statements that follow each other.
func neighbours(f *syntax.File) (out [][2]syntax.Stmt) {
	syntax.Walk(f, func(n syntax.Node) bool {
		if b, ok := n.(*syntax.Block); ok {
			for i := 1; i < len(b.Stmts); i++ {
				out = append(out, [2]syntax.Stmt{b.Stmts[i-1], b.Stmts[i]})
			}
		}
		return true
	})
	return out
}

func endsInBlock(s syntax.Stmt) bool {
	switch s.(type) {
	case *syntax.IfStmt, *syntax.WhileStmt, *syntax.ForStmt, *syntax.MatchStmt, *syntax.SelectStmt, *syntax.ScopeStmt:
		return true
	}
	return false
}
