package format

import (
	"fmt"
	"strings"

	"github.com/settgraph/sett/query"
)

// circularLines prints
//
//	2 cycles among 461 files (1 type-only)
//	src/a.ts:3 -> src/b.ts:1 -> src/a.ts (of 14 files)
func circularLines(r *query.CircularResult) string {
	if r.Total == 0 {
		s := fmt.Sprintf("no cycles among %d %s", r.Nodes, r.What)
		if r.Go && r.Level != "declaration" {
			s += " (Go forbids import cycles; --level declaration finds recursion)"
		}
		return s
	}
	head := plural(r.Total, "cycle") + fmt.Sprintf(" among %d %s", r.Nodes, r.What)
	if len(r.Cycles) < r.Total {
		head = fmt.Sprintf("showing %d/%d cycles among %d %s", len(r.Cycles), r.Total, r.Nodes, r.What)
	}
	if r.TypeOnly > 0 {
		head += fmt.Sprintf(" (%d type-only)", r.TypeOnly)
	}
	text := func(most int) func() string {
		return func() string {
			var b strings.Builder
			b.WriteString(head + "\n")
			for i := range r.Cycles {
				b.WriteString(cycle(&r.Cycles[i], r.Level, most) + "\n")
			}
			return b.String()
		}
	}
	rest := func(n int) string {
		return fmt.Sprintf("+%s: --budget %d, or --path DIR", plural(n, "cycle"), roundUp(Tokens(text(6)())))
	}
	return fit(r.Tokens(), rest, text(12), text(6))
}

// cycle prints one cycle, with the line at which each member uses the next.
func cycle(c *query.Cycle, level string, most int) string {
	var parts []string
	for i, s := range c.Path {
		if i == most-1 && len(c.Path) > most {
			parts = append(parts, fmt.Sprintf("(%d more)", len(c.Path)-i))
			break
		}
		switch {
		case s.Name == s.File:
			parts = append(parts, at(s.File, s.Line))
		case level == "declaration":
			parts = append(parts, s.Name+" "+at(s.File, s.Line))
		default: // a folder: the file that imports is in it
			parts = append(parts, at(s.File, s.Line))
		}
	}
	first := c.Path[0].Name
	out := strings.Join(parts, " -> ") + " -> " + first
	if c.Size > len(c.Path) {
		out += fmt.Sprintf(" (%d in the group)", c.Size)
	}
	return out + flag(c.TypeOnly, " type-only")
}

func circularTable(r *query.CircularResult) table {
	t := table{head: []string{"cycle", "step", "name", "file", "line", "group", "mark"}}
	for i, c := range r.Cycles {
		for j, s := range c.Path {
			t.add(i+1, j+1, s.Name, s.File, s.Line, c.Size, flag(c.TypeOnly, "type-only"))
		}
	}
	return t
}

func circularGraph(r *query.CircularResult) diagram {
	var d diagram
	for i, c := range r.Cycles {
		id := func(n int) string { return fmt.Sprintf("n%d_%d", i, n%len(c.Path)) }
		for j, s := range c.Path {
			d.node(id(j), s.Name)
		}
		for j := range c.Path {
			d.edge(id(j), id(j+1), c.TypeOnly)
		}
	}
	return d
}
