package format

import (
	"fmt"
	"slices"
	"strings"

	"github.com/settgraph/sett/query"
)

// symbolsLines prints
//
//	tsdb/head.go · 41 declarations, 4210 lines
//	60 type Head struct
//	 62 chunkRange atomic.Int64
//	imports context, fmt
func symbolsLines(r *query.SymbolsResult) string {
	head := symbolsHead(r) + "\n"
	var more func() string // how to see what a shorter text leaves out
	text := func(brief bool, print func(*strings.Builder, *query.FileOutline)) func() string {
		return func() string {
			var b strings.Builder
			b.WriteString(head)
			for i := range r.Files {
				f := &r.Files[i]
				if r.Folder {
					b.WriteString(f.File + flag(f.Broken, " (broken)") + "\n")
				}
				print(&b, f)
				if n := len(f.Imports); n > 0 && brief {
					b.WriteString("imports " + plural(n, "module") + "\n")
				} else if n > 0 {
					b.WriteString("imports " + strings.Join(f.Imports, ", ") + "\n")
				}
			}
			if brief {
				b.WriteString(more() + "\n")
			}
			return b.String()
		}
	}
	full := text(false, signatures)
	more = func() string {
		return fmt.Sprintf("+signatures: --budget %d%s", roundUp(Tokens(full())), flag(r.Folder, ", or a path below"))
	}
	rest := func(n int) string {
		return fmt.Sprintf("+%s: --budget %d%s", plural(n, "line"), roundUp(Tokens(full())), flag(r.Folder, ", or a path below"))
	}
	texts := []func() string{full, text(true, withoutFields), text(true, membersByName), text(true, names)}
	if r.Folder {
		texts = append(texts, func() string {
			var b strings.Builder
			b.WriteString(head)
			for _, f := range r.Files {
				fmt.Fprintf(&b, "%s %d\n", f.File, len(f.Symbols))
			}
			b.WriteString(more() + "\n")
			return b.String()
		})
	}
	return fit(r.Tokens(), rest, texts...)
}

func symbolsHead(r *query.SymbolsResult) string {
	s := r.Path + " · "
	if r.Of != "" {
		s = r.Of + " " + s
	}
	switch {
	case r.Total == 0 && r.Hidden > 0:
		s += fmt.Sprintf("nothing exported, %s in %s: --all", plural(r.Hidden, "declaration"), plural(r.Seen, "file"))
	case r.Total == 0:
		s += "no declarations in " + plural(r.Seen, "file")
	case r.Shown < r.Total:
		s += fmt.Sprintf("showing %d/%d declarations (--limit for more)", r.Shown, r.Total)
	default:
		s += plural(r.Total, "declaration")
		if r.Folder {
			s += " in " + plural(len(r.Files), "file")
		}
	}
	if r.Total > 0 && r.Hidden > 0 {
		s += fmt.Sprintf(", %d not shown: --all", r.Hidden)
	}
	if !r.Folder && r.Of == "" && len(r.Files) == 1 {
		s += ", " + plural(r.Files[0].Lines, "line") + flag(r.Files[0].Broken, ", broken")
	}
	return s
}

func signatures(b *strings.Builder, f *query.FileOutline) {
	for i := range f.Symbols {
		outline(b, &f.Symbols[i], 0, true)
	}
}

func withoutFields(b *strings.Builder, f *query.FileOutline) {
	for i := range f.Symbols {
		outline(b, &f.Symbols[i], 0, false)
	}
}

func outline(b *strings.Builder, s *query.Symbol, depth int, fields bool) {
	fmt.Fprintf(b, "%s%d ", strings.Repeat(" ", depth), s.Line)
	if s.Sig == "" {
		b.WriteString(s.Kind + " " + s.Name)
	} else {
		b.WriteString(shorten(s.Sig, 60))
	}
	left := 0
	for i := range s.Members {
		if k := s.Members[i].Kind; !fields && (k == "field" || k == "variant") {
			left++
		}
	}
	if left > 0 {
		fmt.Fprintf(b, " (%d fields)", left)
	}
	b.WriteByte('\n')
	for i := range s.Members {
		if k := s.Members[i].Kind; fields || k != "field" && k != "variant" {
			outline(b, &s.Members[i], depth+1, fields)
		}
	}
}

// membersByName prints top-level declarations with signatures, and the names of the members
// of each on one line.
func membersByName(b *strings.Builder, f *query.FileOutline) {
	for i := range f.Symbols {
		s := f.Symbols[i]
		members := s.Members
		s.Members = nil
		outline(b, &s, 0, false)
		var parts []string
		for _, m := range members {
			if m.Kind != "field" && m.Kind != "variant" {
				parts = append(parts, fmt.Sprintf("%s:%d", m.Name, m.Line))
			}
		}
		if n := len(members) - len(parts); n > 0 {
			parts = append(parts, fmt.Sprintf("(%s)", plural(n, "field")))
		}
		if len(parts) > 0 {
			b.WriteString(" " + strings.Join(parts, " ") + "\n")
		}
	}
}

// names prints the top-level names alone, on one line a file.
func names(b *strings.Builder, f *query.FileOutline) {
	var parts []string
	for _, s := range f.Symbols {
		parts = append(parts, fmt.Sprintf("%s:%d", s.Name, s.Line))
	}
	b.WriteString(strings.Join(parts, " ") + "\n")
}

func symbolsTable(r *query.SymbolsResult) table {
	t := table{head: []string{"file", "line", "name", "kind", "signature"}}
	var add func(file, in string, s *query.Symbol)
	add = func(file, in string, s *query.Symbol) {
		name := s.Name
		if in != "" {
			name = in + "." + name
		}
		t.add(file, s.Line, name, s.Kind, s.Sig)
		for i := range s.Members {
			add(file, name, &s.Members[i])
		}
	}
	for _, f := range r.Files {
		for i := range f.Symbols {
			add(f.File, "", &f.Symbols[i])
		}
	}
	return t
}

// Symbols002 prints an outline in the form of list_symbols in the manual of cot's server:
// grouped by kind, each declaration in one line with its members.
func Symbols002(r *query.SymbolsResult) string {
	type kindGroup struct {
		title string
		kinds []string
	}
	groups := []kindGroup{
		{"Functions", []string{"function", "method", "component"}},
		{"Structs", []string{"struct", "class"}},
		{"Interfaces", []string{"interface", "trait"}},
		{"Enums", []string{"enum"}},
		{"Types", []string{"type"}},
		{"Errors", []string{"error"}},
		{"Apps", []string{"app"}},
		{"Constants", []string{"const"}},
		{"Variables", []string{"variable"}},
		{"Tests", []string{"test"}},
	}
	lines := make([][]string, len(groups)+1)
	imports := []string{}
	for i := range r.Files {
		f := &r.Files[i]
		where := func(line int) string {
			if r.Folder {
				return fmt.Sprintf(" (%s)", at(f.File, line))
			}
			return fmt.Sprintf(" (line %d)", line)
		}
		var add func(s *query.Symbol, in string)
		add = func(s *query.Symbol, in string) {
			g := slices.IndexFunc(groups, func(g kindGroup) bool { return slices.Contains(g.kinds, s.Kind) })
			if g < 0 {
				g = len(groups)
			}
			lines[g] = append(lines[g], symbol002(s, in)+where(s.Line))
			for i := range s.Members {
				if m := &s.Members[i]; m.Kind != "field" && m.Kind != "variant" {
					add(m, s.Name+".")
				}
			}
		}
		for i := range f.Symbols {
			add(&f.Symbols[i], "")
		}
		for i, m := range f.Imports {
			if i < len(f.ImportLines) {
				m += where(f.ImportLines[i])
			}
			imports = append(imports, m)
		}
	}
	var b strings.Builder
	group := func(title string, lines []string) {
		if len(lines) > 0 {
			b.WriteString(flag(b.Len() > 0, "\n") + title + ":\n  " + strings.Join(lines, "\n  ") + "\n")
		}
	}
	for i, g := range groups {
		group(g.title, lines[i])
	}
	group("Others", lines[len(groups)])
	group("Imports", imports)
	if b.Len() == 0 {
		return "No symbols in " + r.Path + "\n"
	}
	return b.String()
}

// symbol002 is a declaration as that manual writes it: a function without its keyword, a
// type with its fields.
func symbol002(s *query.Symbol, in string) string {
	sig := oneLine(s.Sig)
	switch {
	case sig == "":
		sig = in + s.Name
	case s.Kind == "function" || s.Kind == "method" || s.Kind == "component":
		for _, word := range []string{"export ", "default ", "pub ", "async ", "function ", "func ", "fn "} {
			sig = strings.TrimPrefix(sig, word)
		}
		if in != "" && !strings.HasPrefix(sig, "(") {
			sig = in + sig
		}
	}
	var fields []string
	for i := range s.Members {
		if m := &s.Members[i]; m.Kind == "field" || m.Kind == "variant" {
			if m.Sig == "" {
				fields = append(fields, m.Name)
			} else {
				fields = append(fields, oneLine(m.Sig))
			}
		}
	}
	if len(fields) == 0 {
		return sig
	}
	return s.Name + " { " + strings.Join(fields, ", ") + " }"
}
