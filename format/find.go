package format

import (
	"fmt"
	"strings"

	"github.com/settgraph/sett/query"
)

// findLines prints
//
//	2 definitions
//	def NewHead tsdb/head.go:284 function
func findLines(r *query.FindResult) string {
	head := plural(r.Total, "definition")
	if r.Total > len(r.Hits) {
		head = fmt.Sprintf("showing %d/%d definitions (--limit for more)", len(r.Hits), r.Total)
	}
	text := func(sigs bool) func() string {
		return func() string {
			var b strings.Builder
			b.WriteString(head + "\n")
			for _, h := range r.Hits {
				fmt.Fprintf(&b, "def %s %s %s", h.Name, at(h.File, h.Line), h.Kind)
				if sigs && h.Sig != "" {
					b.WriteString(" " + h.Sig)
				}
				b.WriteByte('\n')
			}
			return b.String()
		}
	}
	rest := func(n int) string {
		return fmt.Sprintf("+%d: --budget %d, or --path and --kind", n, roundUp(Tokens(text(r.Sigs)())))
	}
	return fit(r.Tokens(), rest, text(r.Sigs), text(false))
}

// roundUp gives a budget that surely allows what is estimated at n.
func roundUp(n int) int { return (n + n/8 + 100) / 100 * 100 }

func findTable(r *query.FindResult) table {
	t := table{head: []string{"name", "kind", "file", "line", "signature"}}
	for _, h := range r.Hits {
		t.add(h.Name, h.Kind, h.File, h.Line, h.Sig)
	}
	return t
}
