package xref

import (
	"strconv"
	"strings"

	"github.com/settgraph/sett/compiler/source"
	"github.com/settgraph/sett/compiler/syntax"
)

// Decls lists the declarations of a file in the order of the text, from its tree alone. What
// has no name, because it could not be read, is not among them.
func Decls(f *syntax.File) []*Decl {
	if f == nil || f.Src == nil {
		return nil
	}
	l := &lister{file: f, name: f.Src.Name, seen: map[Key]int{}}
	for _, d := range f.Decls {
		l.top(d)
	}
	return l.out
}

// lister makes the declarations of one file.
type lister struct {
	file *syntax.File
	name string
	seen map[Key]int // how many declarations have a key, before numbers are put to it
	out  []*Decl
}

func (l *lister) top(d syntax.Decl) {
	switch d := d.(type) {
	case *syntax.FuncDecl:
		l.fn(nil, Function, d)
	case *syntax.ClassDecl:
		c := l.add(nil, Class, d.Name, d)
		c.Pub = d.Pub
		l.params(c, Field, d.Deps)
		for _, m := range c.Members {
			m.Dep = true
		}
		l.members(c, d.Members)
	case *syntax.TraitDecl:
		t := l.add(nil, Trait, d.Name, d)
		t.Pub = d.Pub
		for _, m := range d.Methods {
			l.fn(t, Method, m)
		}
	case *syntax.EnumDecl:
		e := l.add(nil, Enum, d.Name, d)
		e.Pub = d.Pub
		for _, v := range d.Variants {
			l.params(l.add(e, Variant, v.Name, v), Field, v.Fields)
		}
	case *syntax.ErrorDecl:
		e := l.add(nil, Error, d.Name, d)
		e.Pub = d.Pub
		l.params(e, Field, d.Fields)
	case *syntax.ExternDecl:
		e := l.add(nil, Extern, d.Name, d)
		e.Pub = d.Pub
		l.params(e, Param, d.Params)
	case *syntax.AppDecl:
		a := l.add(nil, App, d.Name, d)
		l.params(a, Field, d.Deps)
		for _, m := range a.Members {
			m.Dep = true
		}
		l.members(a, d.Members)
	case *syntax.TestDecl:
		l.test(d)
	case *syntax.TestsDecl:
		for _, t := range d.Tests {
			l.test(t)
		}
	}
}

func (l *lister) members(of *Decl, nodes []syntax.Node) {
	for _, n := range nodes {
		switch n := n.(type) {
		case *syntax.Param:
			l.add(of, Field, n.Name, n)
		case *syntax.FuncDecl:
			l.fn(of, Method, n)
		}
	}
}

func (l *lister) fn(of *Decl, kind Kind, d *syntax.FuncDecl) {
	f := l.add(of, kind, d.Name, d)
	f.Pub = d.Pub
	l.params(f, Param, d.Params)
}

func (l *lister) params(of *Decl, kind Kind, params []*syntax.Param) {
	for _, p := range params {
		l.add(of, kind, p.Name, p)
	}
}

func (l *lister) test(d *syntax.TestDecl) {
	if d.NameAt.Start == d.NameAt.End {
		return
	}
	t := l.decl(nil, Test, d.Name, d)
	t.NameAt = d.NameAt
	l.out = append(l.out, t)
}

// add makes a declaration and puts it where it belongs. One without a name is made for its
// members to have a parent, but is part of nothing, and so are they.
func (l *lister) add(of *Decl, kind Kind, name *syntax.Ident, n syntax.Node) *Decl {
	if name == nil || name.Name == "" || of != nil && of.Name == "" {
		return &Decl{}
	}
	d := l.decl(of, kind, name.Name, n)
	d.NameAt = name.Span()
	if of == nil {
		l.out = append(l.out, d)
	} else {
		of.Members = append(of.Members, d)
	}
	return d
}

func (l *lister) decl(of *Decl, kind Kind, name string, n syntax.Node) *Decl {
	key := Key{File: l.name, Kind: kind, Qual: name}
	if of != nil {
		key.Qual = of.Qual + "." + name
	}
	l.seen[key]++
	if times := l.seen[key]; times > 1 {
		key.Qual += "#" + strconv.Itoa(times)
	}
	d := &Decl{Key: key, Name: name, Parent: of, File: l.file, Node: n, Full: n.Span()}
	d.WithDoc = withDoc(l.file, d.Full)
	return d
}

// WithDoc widens the span of a node as the WithDoc of a [Decl] is wider than its Full.
func WithDoc(f *syntax.File, at source.Span) source.Span { return withDoc(f, at) }

// withDoc widens the span of a declaration by the comments that belong to it: those that
// have the lines directly above it for themselves, and the one that ends its last line,
// maybe after a comma.
func withDoc(f *syntax.File, at source.Span) source.Span {
	text := f.Src.Text
	if at.Start < 0 || at.Start > at.End || int(at.End) > len(text) {
		return at
	}
	first := int32(0) // of the first line, behind a byte order mark
	if strings.HasPrefix(text, "\ufeff") {
		first = int32(len("\ufeff"))
	}
	for start := lineStart(text, at.Start); start > first && blank(text[start:at.Start]); {
		above := max(first, lineStart(text, start-1))
		line := text[above : start-1]
		indent := len(line) - len(strings.TrimLeft(line, " \t"))
		if !strings.HasPrefix(line[indent:], "//") || inString(f, above+int32(indent)) {
			break
		}
		at.Start, start = above+int32(indent), above
	}
	rest := text[at.End:]
	if end := strings.IndexByte(rest, '\n'); end >= 0 {
		rest = rest[:end]
	}
	rest = strings.TrimSuffix(rest, "\r")
	after := strings.TrimPrefix(strings.TrimLeft(rest, " \t"), ",")
	if strings.HasPrefix(strings.TrimLeft(after, " \t"), "//") {
		at.End += int32(len(strings.TrimRight(rest, " \t")))
	}
	return at
}

func lineStart(text string, i int32) int32 {
	return int32(strings.LastIndexByte(text[:i], '\n') + 1)
}

func blank(s string) bool { return strings.Trim(s, " \t") == "" }

// inString says whether an offset is inside of a token that is no comment: what looks like a
// comment there is part of a string with several lines.
func inString(f *syntax.File, offset int32) bool {
	lo, hi := 0, len(f.Tokens)
	for lo < hi {
		if mid := (lo + hi) / 2; f.Tokens[mid].At.End <= offset {
			lo = mid + 1
		} else {
			hi = mid
		}
	}
	return lo < len(f.Tokens) && f.Tokens[lo].At.Start <= offset && f.Tokens[lo].Kind != syntax.COMMENT
}
