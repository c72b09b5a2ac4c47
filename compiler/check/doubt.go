package check

import (
	"strings"

	"github.com/settgraph/sett/compiler/diag"
	"github.com/settgraph/sett/compiler/source"
	"github.com/settgraph/sett/compiler/syntax"
)

// doubt is what mistakes of syntax leave uncertain: what is found there may only be their
// consequence, and is not reported.
type doubt struct {
	everything bool                           // a declaration is missing or incomplete, so that names may be unknown
	bodies     map[*source.File][]source.Span // bodies of which something could not be read
}

// doubts looks at which bodies the syntax errors so far are in.
func doubts(c *checker) doubt {
	out := doubt{bodies: map[*source.File][]source.Span{}}
	wrong := map[*source.File][]int32{}
	for _, d := range c.diags.Sorted() {
		if d.File != nil && (d.Phase == diag.PhaseLex || d.Phase == diag.PhaseSyntax) {
			wrong[d.File] = append(wrong[d.File], d.Span.Start)
		}
	}
	if len(wrong) == 0 {
		return out
	}
	for _, m := range c.prog.Project.Modules {
		for _, f := range m.Files {
			if at := wrong[f.Src]; at != nil {
				bodies, outside := damaged(f, at)
				out.bodies[f.Src] = bodies
				out.everything = out.everything || outside
			}
		}
	}
	return out
}

// damaged gives the bodies of a file that errors are in, or right after, and whether some
// error is in none.
func damaged(f *syntax.File, at []int32) (bodies []source.Span, outside bool) {
	found := map[int32]bool{}
	body := func(b *syntax.Block) {
		if b == nil {
			return
		}
		hit := false
		for _, i := range at {
			if b.At.Start < i && (i < b.At.End || strings.TrimSpace(f.Src.Text[b.At.End:i]) == "") {
				found[i], hit = true, true
			}
		}
		if hit {
			bodies = append(bodies, b.At)
		}
	}
	syntax.Walk(f, func(n syntax.Node) bool {
		switch n := n.(type) {
		case *syntax.FuncDecl:
			body(n.Body)
			return false
		case *syntax.TestDecl:
			body(n.Body)
			return false
		}
		return true
	})
	for _, i := range at {
		outside = outside || !found[i]
	}
	return bodies, outside
}

// covers says whether what a phase finds at a place is in doubt.
func (d *doubt) covers(phase diag.Phase, file *source.File, at source.Span) bool {
	if phase < diag.PhaseBodies || file == nil {
		return false
	}
	if d.everything {
		return true
	}
	for _, b := range d.bodies[file] {
		if b.Start <= at.Start && at.Start <= b.End {
			return true
		}
	}
	return false
}
