package format

import (
	"fmt"
	"strings"

	"github.com/settgraph/sett/query"
)

// statsLines prints
//
//	1520 files, 242000 lines · go 1500 files 240000 lines, ts 20 files 2000 lines
//	declarations 40123: function 12000, method 9000
//	uses 300000: calls 120000
//	unresolved 12: package not found 12
func statsLines(r *query.StatsResult) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s, %s", plural(total(r.Files), "file"), plural(total(r.Lines), "line"))
	if len(r.Files) > 1 {
		var parts []string
		for _, lang := range byCount(r.Files) {
			parts = append(parts, fmt.Sprintf("%s %s %s", lang, plural(r.Files[lang], "file"), plural(r.Lines[lang], "line")))
		}
		b.WriteString(" · " + strings.Join(parts, ", "))
	} else if len(r.Files) == 1 {
		b.WriteString(" · " + byCount(r.Files)[0])
	}
	if r.Broken > 0 {
		fmt.Fprintf(&b, " · %d broken", r.Broken)
	}
	b.WriteByte('\n')
	if n := total(r.Declarations); n > 0 {
		fmt.Fprintf(&b, "declarations %d: %s\n", n, counts(r.Declarations))
	}
	if n := total(r.Edges); n > 0 {
		fmt.Fprintf(&b, "uses %d: %s; %d external declarations\n", n, counts(r.Edges), r.Externals)
	}
	if n := total(r.Unresolved); n > 0 {
		fmt.Fprintf(&b, "unresolved %d: %s\n", n, counts(r.Unresolved))
	} else if total(r.Files) > 0 {
		b.WriteString("nothing unresolved\n")
	}
	return b.String()
}

func total(m map[string]int) int {
	n := 0
	for _, x := range m {
		n += x
	}
	return n
}

func statsTable(r *query.StatsResult) table {
	t := table{head: []string{"what", "of", "count"}}
	add := func(what string, m map[string]int) {
		for _, k := range byCount(m) {
			t.add(what, k, m[k])
		}
	}
	add("files", r.Files)
	add("lines", r.Lines)
	add("declarations", r.Declarations)
	add("uses", r.Edges)
	add("unresolved", r.Unresolved)
	t.add("broken files", "", r.Broken)
	t.add("external declarations", "", r.Externals)
	return t
}
