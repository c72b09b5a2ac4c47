package format

import (
	"fmt"
	"slices"
	"strings"

	"github.com/settgraph/sett/query"
)

// impactLines prints
//
//	NewHead function tsdb/head.go:284 · 12 direct, 85 in all, 31 files, 9 packages
//	d1 12 in 3 files
//	tsdb/db.go DB.open:812 DB.reload:845
//	d2 33 in 9 files, d3 40 in 19: --budget 900
//	risk high: 40 tests reach it, nothing unresolved has this name
//	tests: go test ./tsdb ./storage
func impactLines(r *query.ImpactResult) string {
	var b strings.Builder
	used := 0
	for i := range r.Answers {
		text := impactAnswer(&r.Answers[i], share(r.Tokens(), used, len(r.Answers)-i))
		used += Tokens(text)
		b.WriteString(text)
	}
	return b.String()
}

func impactAnswer(x *query.Impact, budget int) string {
	v := impactView{x}
	foot := v.foot(budget / 2)
	head := v.head() + "\n"
	left := budget - Tokens(head) - Tokens(foot)
	// All names only when they are few: who needs those farther off asks for them.
	all := v.levels(len(x.Levels), v.names)
	room := left
	if budget <= query.DefaultBudget {
		room = max(left/3, 40)
	}
	if Tokens(all) <= room {
		return head + all + foot
	}
	need := max(roundUp(Tokens(all)+Tokens(head)+2*Tokens(foot)), query.DefaultBudget+100)
	hint := fmt.Sprintf(": --budget %d", need)
	rest := func(n int) string { return "+" + plural(n, "line") + hint + "\n" }
	body := fit(left, rest,
		func() string { return v.levels(1, v.names) + v.beyond(1, hint) },
		func() string { return v.levels(1, v.three) + v.beyond(1, hint) },
		func() string { return v.levels(1, v.count) + v.beyond(1, hint) },
		func() string { return v.beyond(0, hint) + v.folders() },
	)
	return head + body + foot
}

type impactView struct{ *query.Impact }

func (v impactView) head() string {
	s := subject(&v.Symbol) + " · "
	switch {
	case v.Total == 0 && v.Tests.Count > 0:
		s += "no dependents outside tests"
	case v.Total == 0:
		s += "no dependents"
	case v.Limit > 0 && v.Limit < v.Total:
		s += fmt.Sprintf("showing %d/%d dependents", v.Limit, v.Total)
	case v.Direct == v.Total:
		s += fmt.Sprintf("%d direct, %s, %s", v.Direct, plural(v.Files, "file"), plural(len(v.Packages), "package"))
	default:
		s += fmt.Sprintf("%d direct, %d in all, %s, %s", v.Direct, v.Total, plural(v.Files, "file"), plural(len(v.Packages), "package"))
	}
	if v.Depth > 0 {
		s += fmt.Sprintf(", to depth %d", v.Depth)
	}
	if v.Dynamic > 0 {
		s += fmt.Sprintf(" · %d dynamic ~", v.Dynamic)
	}
	return s
}

// foot is the last lines: the risk with its evidence, and how to test.
func (v impactView) foot(budget int) string {
	var why []string
	if v.Tests.Count > 0 {
		why = append(why, plural(v.Tests.Count, "test")+flag(v.Tests.Count == 1, " reaches it")+flag(v.Tests.Count > 1, " reach it"))
	} else {
		why = append(why, "no test reaches it")
	}
	if v.Dynamic > 0 {
		why = append(why, fmt.Sprintf("%d only dynamically", v.Dynamic))
	}
	if v.Unresolved > 0 {
		why = append(why, fmt.Sprintf("unresolved sites named %s: %d", last(v.Symbol.Name), v.Unresolved))
	} else if v.Total == 0 || v.Risk == "low" {
		why = append(why, "nothing unresolved has this name")
	}
	if v.Total == 0 && v.Symbol.Exported {
		why = append(why, "exported: others may use it")
	}
	s := "risk " + v.Risk + ": " + strings.Join(why, ", ") + "\n"
	for _, c := range v.Tests.Commands {
		s += "tests: " + command(c, budget/len(v.Tests.Commands)) + "\n"
	}
	return s
}

// command cuts a long list of packages to the folders that hold them.
func command(c string, budget int) string {
	if Tokens(c) <= budget {
		return c
	}
	words := strings.Fields(c)
	if strings.HasPrefix(c, "go test ") {
		return "go test " + strings.Join(wider(words[2:], max(budget-4, 8)), " ")
	}
	if strings.HasPrefix(c, "(cd ") && len(words) > 5 {
		return strings.Join(words[:5], " ") + " ./...)"
	}
	var dirs []string // test runners take folders too
	for _, w := range words {
		d := orFile(folder(w), w)
		if !slices.ContainsFunc(dirs, func(have string) bool { return strings.HasPrefix(d, have) }) {
			dirs = append(slices.DeleteFunc(dirs, func(have string) bool { return strings.HasPrefix(have, d) }), d)
		}
	}
	if s := strings.Join(dirs, " "); Tokens(s) <= budget && !strings.Contains(c, "'") {
		return s
	}
	cut := words
	for len(cut) > 1 && Tokens(strings.Join(cut, " ")) > budget {
		cut = cut[:len(cut)-1]
	}
	return fmt.Sprintf("%s +%d files", strings.Join(cut, " "), len(words)-len(cut))
}

func orFile(dir, file string) string {
	if dir == "" {
		return file
	}
	return dir
}

// wider takes packages together, ./a/b and ./a/c as ./a/..., until they fit.
func wider(packages []string, budget int) []string {
	for depth := 8; depth > 0; depth-- {
		var out []string
		seen := map[string]bool{}
		for _, p := range packages {
			parts := strings.Split(p, "/")
			if len(parts) > depth+1 || depth < 8 && len(parts) == depth+1 && hasBelow(packages, p) {
				p = strings.Join(parts[:min(depth+1, len(parts))], "/") + "/..."
			}
			if !seen[p] {
				seen[p] = true
				out = append(out, p)
			}
		}
		if Tokens(strings.Join(out, " ")) <= budget {
			return out
		}
	}
	return []string{"./..."}
}

func hasBelow(packages []string, p string) bool {
	for _, q := range packages {
		if strings.HasPrefix(q, p+"/") {
			return true
		}
	}
	return false
}

// levels prints the first n distances, each file with one of the functions below.
func (v impactView) levels(n int, print func(*query.FileUsers) string) string {
	var b strings.Builder
	for i := range v.Levels[:min(n, len(v.Levels))] {
		l := &v.Levels[i]
		if len(l.Files) == 0 {
			continue
		}
		if len(l.Files) == 1 {
			fmt.Fprintf(&b, "d%d ", l.Distance)
		} else {
			fmt.Fprintf(&b, "d%d %d in %d files\n", l.Distance, l.Count, len(l.Files))
		}
		for j := range l.Files {
			b.WriteString(print(&l.Files[j]) + "\n")
		}
	}
	return b.String()
}

// beyond counts the distances after the first n.
func (v impactView) beyond(n int, hint string) string {
	const most = 4
	var parts []string
	more, far := 0, 0
	for i := min(n, len(v.Levels)); i < len(v.Levels); i++ {
		l := &v.Levels[i]
		switch {
		case l.Count == 0:
		case len(parts) == most:
			more += l.Count
			far = l.Distance
		default:
			parts = append(parts, fmt.Sprintf("d%d %d in %d files", l.Distance, l.Count, len(l.Files)))
		}
	}
	if more > 0 {
		parts = append(parts, fmt.Sprintf("to d%d %d", far, more))
	}
	if len(parts) == 0 {
		return ""
	}
	for i := 1; i < len(parts); i++ {
		parts[i] = strings.TrimSuffix(parts[i], " files")
	}
	return strings.Replace(strings.Join(parts, ", "), "in 1 files", "in 1 file", 1) + hint + "\n"
}

func (v impactView) names(f *query.FileUsers) string { return v.some(f, len(f.Users)) }

func (v impactView) three(f *query.FileUsers) string {
	if len(f.Users) <= 4 {
		return v.names(f)
	}
	return v.some(f, 3)
}

func (v impactView) some(f *query.FileUsers, n int) string {
	if len(f.Users) < f.Count && n == len(f.Users) && n > 3 {
		n = 3
	}
	if len(f.Users) == 0 {
		return v.count(f)
	}
	s := f.File
	for _, u := range f.Users[:min(n, len(f.Users))] {
		switch {
		case u.Kind == "file" || u.Kind == "package":
			s += " (top level)"
		default:
			s += " " + flag(u.Dynamic, "~") + u.Name + ":" + fmt.Sprint(u.Line)
		}
	}
	if rest := f.Count - min(n, len(f.Users)); rest > 0 {
		s += fmt.Sprintf(" +%d", rest)
	}
	return s
}

func (v impactView) count(f *query.FileUsers) string { return fmt.Sprintf("%s %d", f.File, f.Count) }

// folders counts the direct dependents by folder.
func (v impactView) folders() string {
	if len(v.Levels) == 0 {
		return ""
	}
	var b strings.Builder
	var groups []query.FileSites
	for _, f := range v.Levels[0].Files {
		groups = append(groups, query.FileSites{File: f.File, Sites: make([]query.Site, f.Count)})
	}
	folderCounts(&b, "", groups)
	return b.String()
}

func impactTable(r *query.ImpactResult) table {
	t := table{head: []string{"symbol", "distance", "dependent", "kind", "file", "line", "mark"}}
	for _, x := range r.Answers {
		for _, l := range x.Levels {
			for _, f := range l.Files {
				for _, u := range f.Users {
					t.add(x.Symbol.Name, l.Distance, u.Name, u.Kind, f.File, u.Line, flag(u.Dynamic, "~"))
				}
				if n := f.Count - len(f.Users); n > 0 {
					t.add(x.Symbol.Name, l.Distance, fmt.Sprintf("+%d", n), "", f.File, "", "")
				}
			}
		}
	}
	return t
}

func impactGraph(r *query.ImpactResult) diagram {
	var d diagram
	for i, x := range r.Answers {
		id := func(n int) string { return fmt.Sprintf("n%d_%d", i, n) }
		d.node(id(0), x.Symbol.Name)
		for _, l := range x.Levels {
			for _, f := range l.Files {
				for _, u := range f.Users {
					d.node(id(u.ID), u.Name+"\n"+at(u.File, u.Line))
					d.edge(id(u.ID), id(u.Via), u.Dynamic)
				}
			}
		}
	}
	return d
}
