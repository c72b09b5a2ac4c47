package format

import (
	"fmt"
	"strings"

	"github.com/settgraph/sett/query"
)

// pathLines prints
//
//	main reaches NewHead in 2 calls · 1 shortest chain
//	main -> run cmd/main.go:12 -> NewHead tsdb/db.go:90
//
// where each place is that of the call.
func pathLines(r *query.PathResult) string {
	what, step := "calls", "call"
	if r.Any {
		what, step = "uses", "step"
	}
	if len(r.Chains) == 0 {
		s := fmt.Sprintf("no chain of %s from %s to %s (it reaches %s)", what, r.From.Name, r.To.Name, plural(r.Searched, "declaration"))
		switch {
		case r.Back:
			s += fmt.Sprintf("; %s reaches %s", r.To.Name, r.From.Name)
		case !r.Any:
			s += ": --any follows other uses"
		}
		return s
	}
	var b strings.Builder
	fmt.Fprintf(&b, "%s reaches %s in %s · %d%s shortest chain%s\n", r.From.Name, r.To.Name,
		plural(len(r.Chains[0].Links)-1, step), r.Total, flag(r.Capped, "+"), flag(r.Total != 1, "s"))
	for _, c := range r.Chains {
		b.WriteString(chain(&c) + "\n")
	}
	rest := func(n int) string { return "+" + plural(n, "chain") + ": --budget or --limit\n" }
	if n := r.Total - len(r.Chains); n > 0 {
		fmt.Fprintf(&b, "+%s: --limit %d\n", plural(n, "chain"), r.Total)
	}
	return fit(r.Tokens(), rest, b.String)
}

func chain(c *query.Chain) string {
	var b strings.Builder
	file := ""
	for i := range c.Links {
		l := &c.Links[i]
		switch {
		case i == 0:
			b.WriteString(l.Name)
			continue
		case l.Dynamic:
			b.WriteString(" ~> ")
		default:
			b.WriteString(" -> ")
		}
		b.WriteString(l.Name)
		switch {
		case l.Dynamic: // the site is a declaration
		case l.SiteFile == file:
			fmt.Fprintf(&b, " :%d", l.SiteLine)
		default:
			b.WriteString(" " + at(l.SiteFile, l.SiteLine))
			file = l.SiteFile
		}
		if l.Use != "calls" && !l.Dynamic {
			b.WriteString(" " + l.Use)
		}
	}
	return b.String()
}

func pathTable(r *query.PathResult) table {
	t := table{head: []string{"chain", "step", "name", "kind", "use", "site", "line", "mark"}}
	for i, c := range r.Chains {
		for j, l := range c.Links {
			t.add(i+1, j, l.Name, l.Kind, l.Use, l.SiteFile, l.SiteLine, flag(l.Dynamic, "~"))
		}
	}
	return t
}

func pathGraph(r *query.PathResult) diagram {
	var d diagram
	ids := map[string]string{}
	seen := map[[2]string]bool{}
	id := func(l *query.Link) string {
		key := l.Name + "\n" + at(l.File, l.Line)
		if _, ok := ids[key]; !ok {
			ids[key] = fmt.Sprintf("n%d", len(ids))
			d.node(ids[key], key)
		}
		return ids[key]
	}
	for i := range r.Chains {
		links := r.Chains[i].Links
		for j := range links {
			to := id(&links[j])
			if j == 0 {
				continue
			}
			if e := [2]string{id(&links[j-1]), to}; !seen[e] {
				seen[e] = true
				d.edge(e[0], e[1], links[j].Dynamic)
			}
		}
	}
	return d
}
