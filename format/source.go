package format

import (
	"fmt"
	"strings"

	"github.com/settgraph/sett/query"
)

// sourceLines prints the text under a line that says where it is from:
//
//	NewHead function tsdb/head.go:280-350
//	// NewHead opens the head block in dir.
//	func NewHead(...
func sourceLines(r *query.SourceResult) string {
	var b strings.Builder
	used, left := 0, 0
	for _, a := range r.Answers {
		left += len(a.Texts)
	}
	for _, a := range r.Answers {
		for _, t := range a.Texts {
			head := fmt.Sprintf("%s %s %s-%d\n", a.Symbol.Name, a.Symbol.Kind, at(t.File, t.Line), t.EndLine)
			if a.Symbol.Namesakes > 0 {
				head = strings.TrimSuffix(head, "\n") + fmt.Sprintf(" (%d more named so)\n", a.Symbol.Namesakes)
			}
			text := strings.TrimRight(t.Text, "\n") + "\n"
			room := share(r.Tokens(), used, left) - Tokens(head)
			need := used + Tokens(head) + Tokens(text)
			out := head + cutLines(text, room, func(n int) string {
				return fmt.Sprintf("+%s: --budget %d, or read %s-%d\n", plural(n, "line"), roundUp(need), at(t.File, t.EndLine-n+1), t.EndLine)
			})
			used += Tokens(out)
			left--
			b.WriteString(out)
		}
	}
	return b.String()
}

func sourceTable(r *query.SourceResult) table {
	t := table{head: []string{"symbol", "kind", "file", "line", "end"}}
	for _, a := range r.Answers {
		for _, x := range a.Texts {
			t.add(a.Symbol.Name, a.Symbol.Kind, x.File, x.Line, x.EndLine)
		}
	}
	return t
}
