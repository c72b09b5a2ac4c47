package format

import (
	"fmt"
	"strings"

	"github.com/settgraph/sett/query"
)

// deadCodeLines prints
//
//	3 unused of 3450 declarations · 2 only tests use
//	tsdb/head.go oldAppend:40 maxBytes:12
//	only tests use:
//	tsdb/db.go helper:90
func deadCodeLines(r *query.DeadCodeResult) string {
	head := fmt.Sprintf("%d unused of %s%s", r.Certain, plural(r.Looked, "declaration"), inPath(r.Path))
	if n := len(r.Dead); n < r.Total {
		head = fmt.Sprintf("showing %d/%d; ", n, r.Total) + head
	}
	for _, p := range []struct {
		n    int
		text string
	}{{r.TestOnly, "only tests use"}, {r.ByDead, "only dead code uses"}, {r.Maybe, "maybe ?"}} {
		if p.n > 0 {
			head += fmt.Sprintf(" · %d %s", p.n, p.text)
		}
	}
	if r.API > 0 {
		head += fmt.Sprintf(" · %d unused but exported: --exported", r.API)
	}
	head += "\n"
	text := func(most int) func() string {
		return func() string {
			var b strings.Builder
			b.WriteString(head)
			for _, why := range []struct{ why, title, mark string }{
				{query.DeadUnused, "", ""},
				{query.DeadByDead, "only dead code uses:", ""},
				{query.DeadTestOnly, "only tests use:", ""},
				{query.DeadMaybe, "maybe, because of unresolved names:", "? "},
			} {
				deadFiles(&b, r.Dead, why.why, why.title, why.mark, most)
			}
			return b.String()
		}
	}
	rest := func(n int) string {
		return fmt.Sprintf("+%s: --budget %d, or --path DIR", plural(n, "line"), roundUp(Tokens(text(1000)())))
	}
	return fit(r.Tokens(), rest, text(1000), text(3), text(0))
}

func inPath(p string) string {
	if p == "" {
		return ""
	}
	return " in " + p
}

// deadFiles prints those of one reason, each file once.
func deadFiles(b *strings.Builder, all []query.DeadSymbol, why, title, mark string, most int) {
	file, n, first := "", 0, true
	end := func() {
		if !first && n > most {
			fmt.Fprintf(b, " %s%d", flag(most > 0, "+"), n-most)
		}
		if !first {
			b.WriteByte('\n')
		}
	}
	for _, s := range all {
		if s.Why != why {
			continue
		}
		if first && title != "" {
			b.WriteString(title + "\n")
		}
		if first || s.File != file {
			end()
			file, n, first = s.File, 0, false
			b.WriteString(mark + file)
		}
		if n++; n <= most {
			fmt.Fprintf(b, " %s:%d", s.Name, s.Line)
		}
	}
	end()
}

func deadCodeTable(r *query.DeadCodeResult) table {
	t := table{head: []string{"name", "kind", "file", "line", "lines", "why"}}
	for _, s := range r.Dead {
		t.add(s.Name, s.Kind, s.File, s.Line, s.Lines, s.Why)
	}
	return t
}
