package format

import (
	"fmt"
	"strings"

	"github.com/settgraph/sett/query"
)

// refsLines prints
//
//	NewHead function tsdb/head.go:284 · 96 refs in 31 files (88 in tests)
//	tsdb/db.go:812,845
func refsLines(r *query.RefsResult) string {
	var b strings.Builder
	used := 0
	for i := range r.Answers {
		text := strings.TrimRight(refsAnswer(&r.Answers[i], share(r.Tokens(), used, len(r.Answers)-i)), "\n")
		used += Tokens(text) + 1
		b.WriteString(text + "\n")
	}
	return b.String()
}

func refsAnswer(r *query.Refs, budget int) string {
	head := refsHead(r) + "\n"
	budget -= Tokens(head)
	v := refsView{r}
	if len(r.Missing) > 0 {
		missing := v.missing(budget / 2)
		budget -= Tokens(missing)
		return head + v.body(budget) + missing
	}
	return head + v.body(budget)
}

// refsHead is the first line.
func refsHead(r *query.Refs) string {
	s := subject(&r.Symbol) + " · "
	if r.Symbol.Local {
		return s + localUses(r)
	}
	if r.Total == 0 {
		s += "0 refs" + noRefs(r)
	} else {
		if r.Shown < r.Total && r.From < 0 {
			s += fmt.Sprintf("showing %d/%d refs", r.Shown, r.Total)
		} else {
			s += plural(r.Total, "ref")
		}
		s += " in " + plural(r.Files, "file")
		switch {
		case r.Tests == r.Total:
			s += flag(r.Total == 1, " (in a test)") + flag(r.Total > 1, " (all in tests)")
		case r.Tests > 0:
			s += fmt.Sprintf(" (%d in tests)", r.Tests)
		}
		if r.Filter != "" && r.Hidden > 0 {
			s += fmt.Sprintf(" (%s; %s)", r.Filter, plural(r.Hidden, "other"))
		}
	}
	if r.DynamicTotal > 0 {
		s += fmt.Sprintf(" · %d dynamic ~", r.DynamicTotal)
	}
	if r.Implementations > 0 {
		s += " · " + plural(r.Implementations, "implementation")
	}
	if r.Unresolved > 0 && r.Total > 0 {
		s += fmt.Sprintf(" · %d unresolved of this name", r.Unresolved)
	}
	return s
}

// localUses counts the uses of a local, all of which are in one file.
func localUses(r *query.Refs) string {
	s := plural(r.Total, "use")
	if r.Shown < r.Total && r.From < 0 {
		s = fmt.Sprintf("showing %d/%d uses", r.Shown, r.Total)
	}
	if r.Filter != "" && r.Hidden > 0 {
		s += fmt.Sprintf(" (%s; %s)", r.Filter, plural(r.Hidden, "other"))
	}
	return s
}

// noRefs says why there are none.
func noRefs(r *query.Refs) string {
	switch {
	case r.Hidden > 0:
		return fmt.Sprintf(" (%s; %s)", r.Filter, plural(r.Hidden, "other"))
	case r.Unresolved > 0:
		return fmt.Sprintf("; %s named %s: --unresolved", plural(r.Unresolved, "unresolved site")+flag(r.Unresolved == 1, " is")+flag(r.Unresolved != 1, " are"), last(r.Symbol.Name))
	case r.Symbol.Entry:
		return " (entry point: called from outside; nothing unresolved has this name)"
	case r.Implementations > 0 || r.DynamicTotal > 0:
		return " of its own"
	case r.Symbol.Exported:
		return " (exported, nothing unresolved has this name)"
	}
	return " (not exported, nothing unresolved has this name)"
}

func last(name string) string { return name[strings.LastIndexByte(name, '.')+1:] }

// refsView prints the sites of one answer in several grains.
type refsView struct{ *query.Refs }

// body prints the sites: all lines, then three of a file and a count, then a count a
// file, then a count a folder.
func (v refsView) body(budget int) string {
	if len(v.Groups)+len(v.Dynamic) == 0 {
		return ""
	}
	if v.From >= 0 {
		return v.page(budget)
	}
	hint := "lines: --more f0, or --path DIR\n"
	rest := func(n int) string { return fmt.Sprintf("+%d; %s", n, hint) }
	texts := []func() string{func() string { return v.grains(v.lines(v.all), v.lines(v.all), v.lines(v.all), v.lines(v.all)) }}
	all, three, count := v.lines(v.all), v.lines(v.three), v.lines(v.count)
	for _, g := range [][4]grain{
		{all, all, three, v.total},
		{all, three, three, v.total},
		{all, count, count, v.total},
		{three, count, count, v.total},
		{count, v.folders, v.folders, v.total},
		{v.folders, v.folders, v.total, v.total},
		{v.folders, v.total, v.total, v.total},
	} {
		texts = append(texts, func() string { return v.grains(g[0], g[1], g[2], g[3]) + hint })
	}
	return fit(budget, rest, texts...)
}

// A grain prints the sites of some files, more or less of them.
type grain func(mark string, groups []query.FileSites) string

// grains prints exact sites outside and in tests, and dynamic ones outside and in tests.
func (v refsView) grains(exact, tests, dynamic, dynamicTests grain) string {
	code, test := split(v.Groups)
	s := exact("", code) + tests("", test)
	if len(v.Dynamic) > 0 {
		code, test := split(v.Dynamic)
		s += fmt.Sprintf("~ through %s:\n", v.via()) + dynamic("~ ", code) + dynamicTests("~ ", test)
	}
	return s
}

// split parts files from test files, which come last.
func split(groups []query.FileSites) (code, tests []query.FileSites) {
	for i := range groups {
		if groups[i].Test {
			return groups[:i], groups[i:]
		}
	}
	return groups, nil
}

// page prints all lines of as many files as there is room for.
func (v refsView) page(budget int) string {
	var b strings.Builder
	used := 20 // the last line
	for i := range v.Groups {
		line := v.all(&v.Groups[i]) + "\n"
		used += Tokens(line)
		if used > budget && i > 0 {
			fmt.Fprintf(&b, "+%s: --more f%d, or --path DIR\n", plural(len(v.Groups)-i, "file"), v.From+i)
			return b.String()
		}
		if used > budget { // one file with more lines than there is room for
			line = cutLines(strings.ReplaceAll(line, ",", "\n"), budget, func(n int) string { return fmt.Sprintf("+%d", n) })
			line = strings.ReplaceAll(line, "\n", ",") + ": --budget, or --by function\n"
		}
		b.WriteString(line)
	}
	return b.String()
}

// lines makes a grain that prints a line for each file.
func (v refsView) lines(print func(*query.FileSites) string) grain {
	return func(mark string, groups []query.FileSites) string {
		var b strings.Builder
		for i := range groups {
			b.WriteString(mark + print(&groups[i]) + "\n")
		}
		return b.String()
	}
}

func (v refsView) folders(mark string, groups []query.FileSites) string {
	var b strings.Builder
	folderCounts(&b, mark, groups)
	return b.String()
}

// total prints one line for all files.
func (v refsView) total(mark string, groups []query.FileSites) string {
	if len(groups) == 0 {
		return ""
	}
	n := 0
	for i := range groups {
		n += len(groups[i].Sites)
	}
	return fmt.Sprintf("%s%s%d in %s\n", mark, flag(groups[0].Test, "tests "), n, plural(len(groups), "file"))
}

func (v refsView) via() string {
	const most = 3
	s := strings.Join(v.Via[:min(most, len(v.Via))], ", ")
	if n := len(v.Via) - most; n > 0 {
		s += fmt.Sprintf(" +%d", n)
	}
	return s
}

func (v refsView) all(g *query.FileSites) string { return g.File + ":" + v.sites(g.Sites) }

func (v refsView) three(g *query.FileSites) string {
	if len(g.Sites) <= 4 {
		return v.all(g)
	}
	return fmt.Sprintf("%s:%s +%d", g.File, v.sites(g.Sites[:3]), len(g.Sites)-3)
}

func (v refsView) count(g *query.FileSites) string {
	if len(g.Sites) == 1 {
		return v.all(g)
	}
	return fmt.Sprintf("%s %d", g.File, len(g.Sites))
}

func folderCounts(b *strings.Builder, mark string, groups []query.FileSites) {
	type sum struct{ sites, files int }
	sums := map[string]*sum{}
	var order []string
	for _, g := range groups {
		dir := folder(g.File)
		s := sums[dir]
		if s == nil {
			s = &sum{}
			sums[dir] = s
			order = append(order, dir)
		}
		s.sites += len(g.Sites)
		s.files++
	}
	for _, dir := range order {
		s := sums[dir]
		name := dir
		if name == "" {
			name = "./"
		}
		fmt.Fprintf(b, "%s%s %d in %s\n", mark, name, s.sites, plural(s.files, "file"))
	}
}

// sites prints line numbers with commas: a line that holds several once, with their
// number. With the enclosing declarations, a name stands before its lines.
func (v refsView) sites(sites []query.Site) string {
	var b strings.Builder
	by := ""
	for i := 0; i < len(sites); {
		s := sites[i]
		j := i + 1
		for j < len(sites) && sites[j].Line == s.Line && (!v.ByFunction || sites[j].By == s.By) {
			j++
		}
		switch {
		case v.ByFunction && (s.By != by || i == 0):
			by = s.By
			b.WriteString(flag(i > 0, " ") + by + ":")
		case i > 0:
			b.WriteByte(',')
		}
		fmt.Fprint(&b, s.Line)
		if j-i > 1 {
			fmt.Fprintf(&b, "x%d", j-i)
		}
		i = j
	}
	if v.ByFunction {
		return " " + b.String()
	}
	return b.String()
}

// missing prints the unresolved sites of the same name, with the reasons.
func (v refsView) missing(budget int) string {
	var b strings.Builder
	fmt.Fprintf(&b, "unresolved sites named %s:\n", last(v.Symbol.Name))
	for i := range v.Missing {
		g := &v.Missing[i]
		var lines []string
		for _, s := range g.Sites {
			lines = append(lines, fmt.Sprint(s.Line))
		}
		fmt.Fprintf(&b, "? %s:%s %s\n", g.File, strings.Join(lines, ","), g.Sites[0].Reason)
	}
	return cutLines(b.String(), budget, func(n int) string {
		return fmt.Sprintf("+%s: --budget %d\n", plural(n, "file"), roundUp(2*Tokens(b.String())))
	})
}

func refsTable(r *query.RefsResult) table {
	t := table{head: []string{"symbol", "file", "line", "col", "use", "mark"}}
	for _, a := range r.Answers {
		for _, g := range a.Groups {
			for _, s := range g.Sites {
				t.add(a.Symbol.Name, g.File, s.Line, s.Col, s.Kind, flag(g.Test, "test"))
			}
		}
		for _, g := range a.Dynamic {
			for _, s := range g.Sites {
				t.add(a.Symbol.Name, g.File, s.Line, s.Col, s.Kind, "~")
			}
		}
		for _, g := range a.Missing {
			for _, s := range g.Sites {
				t.add(a.Symbol.Name, g.File, s.Line, s.Col, s.Reason, "?")
			}
		}
	}
	return t
}
