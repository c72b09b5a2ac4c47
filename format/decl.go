package format

import (
	"fmt"
	"slices"
	"strings"

	"github.com/settgraph/sett/query"
)

// at is a place: tsdb/head.go:284.
func at(file string, line int) string {
	switch {
	case file == "":
		return "(external)"
	case line == 0:
		return file
	}
	return fmt.Sprintf("%s:%d", file, line)
}

// subject is the beginning of the first line: name, kind and where it is declared.
func subject(d *query.Decl) string {
	if d.Local {
		return local(d)
	}
	s := d.Name + " " + d.Kind
	switch d.Kind {
	case "file", "package":
		if d.External {
			s += " (external)"
		}
	default:
		s += " " + places(d.Places)
	}
	if d.Namesakes > 0 {
		s += fmt.Sprintf(" (%d more named so)", d.Namesakes)
	}
	return s
}

// local is the subject when only a part of one file knows it.
func local(d *query.Decl) string {
	s := d.Name + " "
	if d.Kind == "variable" || d.Kind == "constant" {
		s += "local "
	}
	s += d.Kind
	for _, p := range d.Places {
		s += fmt.Sprintf(" %s:%d", at(p.File, p.Line), p.Col)
	}
	if d.Within != "" {
		s += " in " + d.Within
	}
	return s
}

// maxPlaces is how many places of declaration are listed.
const maxPlaces = 4

// places lists where something is declared, each path once.
func places(ps []query.Place) string {
	if len(ps) == 0 {
		return "(external)"
	}
	var b strings.Builder
	file := ""
	for i, p := range ps {
		switch {
		case i == maxPlaces:
			fmt.Fprintf(&b, " +%d places", len(ps)-i)
			return b.String()
		case p.File == file:
			fmt.Fprintf(&b, ",%d", p.Line)
			continue
		case i > 0:
			b.WriteByte(' ')
		}
		file = p.File
		b.WriteString(at(p.File, p.Line))
	}
	return b.String()
}

// spot is a mention of a declaration: its name and place, without the path when it is
// that of the text around it.
func spot(r *query.Ref, around string) string {
	s := r.Name
	if r.Dynamic {
		s = "~" + s
	}
	switch {
	case r.External || r.File == "":
		return s
	case r.Kind == "file" || r.Kind == "package":
		return s
	case r.File == around:
		return fmt.Sprintf("%s:%d", s, r.Line)
	}
	return s + " " + at(r.File, r.Line)
}

// spots lists mentions, at most most of them.
func spots(rs []query.Ref, around string, most int) string {
	var parts []string
	for i := range rs[:min(most, len(rs))] {
		parts = append(parts, spot(&rs[i], around))
	}
	if n := len(rs) - most; n > 0 {
		parts = append(parts, fmt.Sprintf("+%d", n))
	}
	return strings.Join(parts, ", ")
}

// counts lists numbers by name, the largest first.
func counts(m map[string]int) string {
	var parts []string
	for _, k := range byCount(m) {
		parts = append(parts, fmt.Sprintf("%s %d", k, m[k]))
	}
	return strings.Join(parts, ", ")
}

func byCount(m map[string]int) []string {
	keys := make([]string, 0, len(m))
	for k := range m {
		keys = append(keys, k)
	}
	slices.Sort(keys)
	slices.SortStableFunc(keys, func(a, b string) int { return m[b] - m[a] })
	return keys
}

// folder is the folder of a path, with a slash at the end.
func folder(file string) string { return file[:strings.LastIndexByte(file, '/')+1] }

func flag(b bool, s string) string {
	if b {
		return s
	}
	return ""
}
