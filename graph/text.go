package graph

import (
	"bufio"
	"fmt"
	"io"
	"slices"
	"strings"
)

// WriteText prints the whole graph in lines that do not depend on ids: two graphs of the
// same facts print the same, however they were joined. It is for tests and for
// `sett debug graph`.
//
//	file tsdb/head.go go 120 lines
//	  go struct example.com/tsdb#Head 12:6 exported : type Head struct
//	    calls go function fmt#Println external at tsdb/head.go:14:2
//	missing Foo tsdb/head.go:20:1 package not found
func (s *Snapshot) WriteText(w io.Writer) error {
	b := bufio.NewWriter(w)
	var lines []string
	for _, f := range s.Files() {
		if f.Node == NoNode {
			continue
		}
		lines = append(lines, fmt.Sprintf("file %s %s %s %d lines %d bytes %x%s", f.Path, f.Lang, f.Unit, f.Lines, f.Size, f.Hash,
			words(map[string]bool{"test": f.Test, "generated": f.Generated, "broken": f.Broken})))
	}
	flush(b, &lines)
	for id := range NodeID(s.NumNodes()) {
		n := s.Node(id)
		if n == nil || n.External && len(s.In(id)) == 0 {
			continue
		}
		var t strings.Builder
		fmt.Fprintf(&t, "%s%s", n.Symbol, n.Flags)
		if p := s.Node(n.Parent); n.Parent != NoNode && p != nil {
			fmt.Fprintf(&t, "\n  in %s", p.Symbol)
		}
		var decls []string
		for i, d := range n.Decls {
			first := ""
			if i == 0 {
				first = " first"
			}
			id := ""
			if d.UUID != [16]byte{} {
				id = fmt.Sprintf(" id %x", d.UUID)
			}
			decls = append(decls, fmt.Sprintf("\n  at %s:%d:%d full %d:%d-%d bytes %d-%d%s%s%s : %s // %s", s.File(d.File).Path, d.Name.Line, d.Name.Col,
				d.Full.Line, d.Full.Col, d.Full.EndLine, d.Full.Off, d.Full.End, d.Flags, first, id, d.Sig, d.Doc))
		}
		slices.Sort(decls)
		t.WriteString(strings.Join(decls, ""))
		var uses []string
		for _, e := range s.Out(id) {
			uses = append(uses, fmt.Sprintf("\n  %s %s at %s:%d:%d+%d%s", e.Kind, s.Node(e.To).Symbol, s.File(e.File).Path, e.Line, e.Col, s.SiteLen(e),
				words(map[string]bool{"dynamic": e.Flags&EdgeDynamic != 0, "type-only": e.Flags&EdgeTypeOnly != 0,
					"test": e.Flags&EdgeTest != 0, "derived": e.Flags&EdgeDerived != 0})))
		}
		slices.Sort(uses)
		t.WriteString(strings.Join(uses, ""))
		lines = append(lines, t.String())
	}
	flush(b, &lines)
	s.MissingNames(func(name string, us []Unresolved) bool {
		for _, u := range us {
			lines = append(lines, fmt.Sprintf("missing %s %s:%d:%d %s", name, s.File(u.File).Path, u.Line, u.Col, u.Reason))
		}
		return true
	})
	flush(b, &lines)
	if err := s.Err(); err != nil {
		return err
	}
	return b.Flush()
}

func flush(b *bufio.Writer, lines *[]string) {
	slices.Sort(*lines)
	for _, l := range *lines {
		fmt.Fprintln(b, l)
	}
	*lines = (*lines)[:0]
}

func words(set map[string]bool) string {
	var b strings.Builder
	for _, k := range sortedKeys(set) {
		if set[k] {
			b.WriteByte(' ')
			b.WriteString(k)
		}
	}
	return b.String()
}

// String lists the flags, each after a space.
func (f Flags) String() string {
	var b strings.Builder
	for i, name := range []string{"exported", "test", "generated", "external", "entry", "deprecated", "abstract", "default", "embedded"} {
		if f&(1<<i) != 0 {
			b.WriteByte(' ')
			b.WriteString(name)
		}
	}
	return b.String()
}
