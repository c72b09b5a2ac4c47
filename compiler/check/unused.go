package check

import (
	"sort"
	"strings"

	"github.com/settgraph/sett/compiler/diag"
	"github.com/settgraph/sett/compiler/source"
)

// unused warns of `let` variables that are never read. Of a function with an error in it
// nothing is said: its reads may not all have been seen.
func (c *checker) unused() {
	wrong := map[*source.File][]int32{}
	for _, d := range c.diags.Sorted() {
		if d.Severity == diag.Error && d.File != nil {
			wrong[d.File] = append(wrong[d.File], d.Span.Start)
		}
	}
	for _, at := range wrong {
		sort.Slice(at, func(i, j int) bool { return at[i] < at[j] })
	}
	for _, f := range c.prog.Funcs {
		if f.Info == nil || f.Decl == nil || hasAny(wrong[f.File], f.Decl.Span()) {
			continue
		}
		for at, v := range f.Info.Defs {
			if v.Kind == LetVar && !v.Read && !strings.HasPrefix(v.Name, "_") {
				c.report(diag.PhaseWarnings, diag.UnusedVariable, f.File, at.Span(), "unused variable '%s'", v.Name)
			}
		}
	}
}

// hasAny says whether one of the sorted offsets is in the span.
func hasAny(offsets []int32, in source.Span) bool {
	i := sort.Search(len(offsets), func(i int) bool { return offsets[i] >= in.Start })
	return i < len(offsets) && offsets[i] < in.End
}
