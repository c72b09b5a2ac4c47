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
		s := "no cycles" + throughPath(r.Path) + fmt.Sprintf(" among %d %s", r.Nodes, r.What)
		if r.Go && r.Level != "declaration" {
			s += " (Go forbids import cycles; --level declaration finds recursion)"
		}
		return s
	}
	head := plural(r.Total, "cycle") + throughPath(r.Path) + fmt.Sprintf(" among %d %s", r.Nodes, r.What)
	if len(r.Cycles) < r.Total {
		head = fmt.Sprintf("showing %d/%d cycles among %d %s", len(r.Cycles), r.Total, r.Nodes, r.What)
	}
	if r.Weak > 0 {
		head += fmt.Sprintf(" (%d not at run time)", r.Weak)
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

func throughPath(p string) string {
	if p == "" {
		return ""
	}
	return " through " + p
}

// cycle prints one cycle, with the line at which each member uses the next. What all
// paths begin with comes first.
func cycle(c *query.Cycle, level string, most int) string {
	common := folder(c.Path[0].File)
	for _, s := range c.Path {
		for !strings.HasPrefix(s.File, common) {
			common = folder(strings.TrimSuffix(common, "/"))
		}
	}
	if level != "declaration" {
		for _, s := range c.Path {
			if s.Name != s.File && len(s.Name) < len(common) { // a folder itself
				common = folder(s.Name)
			}
		}
	}
	var parts []string
	file := ""
	for i, s := range c.Path {
		if i == most-1 && len(c.Path) > most {
			parts = append(parts, fmt.Sprintf("(%d more)", len(c.Path)-i))
			break
		}
		place := at(strings.TrimPrefix(s.File, common), s.Line)
		switch {
		case level == "declaration" && s.File == file:
			place = fmt.Sprintf("%s:%d", s.Name, s.Line)
		case level == "declaration":
			place = s.Name + " " + place
		}
		file = s.File
		parts = append(parts, place)
	}
	first := c.Path[0].Name
	if level != "declaration" {
		first = strings.TrimPrefix(first, common)
	}
	out := strings.Join(parts, " -> ") + " -> " + first
	if common != "" {
		out = common + ": " + out
	}
	if c.Size > len(c.Path) {
		out += fmt.Sprintf(" (%d in the group)", c.Size)
	}
	return out + flag(c.Weak != "", " "+c.Weak)
}

func circularTable(r *query.CircularResult) table {
	t := table{head: []string{"cycle", "step", "name", "file", "line", "group", "mark"}}
	for i, c := range r.Cycles {
		for j, s := range c.Path {
			t.add(i+1, j+1, s.Name, s.File, s.Line, c.Size, c.Weak)
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
			d.edge(id(j), id(j+1), c.Weak != "")
		}
	}
	return d
}
