package refactor

import (
	"context"
	"path"
	"slices"
	"strings"

	"github.com/settgraph/sett/compiler/source"
	"github.com/settgraph/sett/compiler/syntax"
	"github.com/settgraph/sett/compiler/workspace"
	"github.com/settgraph/sett/compiler/xref"
)

// Add puts declarations into a module, in the order and with the comments that the source
// has them in. Imports of the source are added to those of the module where they are
// missing. A module that does not exist is created.
func Add(ctx context.Context, s *workspace.State, path, src string, at Position) (*Plan, error) {
	g, err := declarations(src)
	if err != nil {
		return nil, err
	}
	d := newDraft(ctx, s)
	m := s.Module(path)
	if m == nil {
		return d.createWith(path, g, at)
	}
	if err := editable(m); err != nil {
		return nil, err
	}
	if err := d.checkNew(m.Path, g.decls); err != nil {
		return nil, err
	}
	names, err := d.mergeImports(m, g)
	if err != nil {
		return nil, err
	}
	if group := testsOf(m.File); group != nil && len(group.Tests) > 0 && onlyTests(g.file) && at == (Position{}) {
		at.After = m.Decls[slices.IndexFunc(m.Decls, func(t *xref.Decl) bool { return t.Node == group.Tests[len(group.Tests)-1] })].Key
	}
	anchors, err := d.anchors(m, at)
	if err != nil {
		return nil, err
	}
	text := g.text(layout{eol: lineEnd(m.File.Src.Text), indent: anchors[0].indent}, names)
	// What is broken at the end of a module may swallow what comes after it.
	for i, a := range anchors {
		try := newDraft(ctx, s)
		try.edits[m.Path] = slices.Clone(d.edits[m.Path])
		try.plan.Notes = slices.Clone(d.plan.Notes)
		try.insert(m.File, m.Path, a, text, nil)
		p, err := try.finish()
		if err == nil && len(p.Added) == len(g.decls) {
			return p, nil
		}
		if i == len(anchors)-1 {
			if err == nil {
				err = refuse(Conflict, "an error of syntax in '%s' would swallow what is added there", m.Path).hint("repair it first, or give another position")
			}
			return nil, err
		}
	}
	return nil, refuse(Conflict, "there is no place for it in '%s'", m.Path)
}

// createWith plans a new module.
func (d *draft) createWith(p string, g *given, at Position) (*Plan, error) {
	p, err := newPath(d.s, p)
	if err != nil {
		return nil, err
	}
	if at != (Position{}) {
		return nil, refuse(NotFound, "there is no module '%s', so that nothing in it has a position", p)
	}
	if err := d.checkNew(p, g.decls); err != nil {
		return nil, err
	}
	for _, imp := range g.file.Imports {
		if err := d.space(p).freeBinding(imp.Binding().Name, dotted(imp)); err != nil {
			return nil, err
		}
	}
	text := strings.TrimRight(g.file.Src.Text, " \t\r\n")
	if text != "" {
		text += lineEnd(text)
	}
	d.create[p] = true
	d.edit(p, source.Span{}, text)
	return d.finish()
}

// newPath is the path of a module that does not exist, with its extension.
func newPath(s *workspace.State, p string) (string, error) {
	p = strings.ReplaceAll(p, "\\", "/")
	clean := path.Clean(p)
	if p == "" || path.IsAbs(clean) || clean == ".." || strings.HasPrefix(clean, "../") || clean == "." {
		return "", refuse(Outside, "'%s' is not a path inside of the project", p)
	}
	switch path.Ext(clean) {
	case ".pluto", ".pt":
	case "":
		clean += ".pluto"
	default:
		return "", refuse(Invalid, "'%s' has another extension than .pluto and .pt", p)
	}
	base := path.Base(clean)
	if strings.HasPrefix(base, ".") {
		return "", refuse(Invalid, "'%s' is hidden: modules do not begin with a dot", p)
	}
	stem := strings.TrimSuffix(clean, path.Ext(clean))
	for _, m := range s.Modules() {
		if m.Name == stem {
			return "", refuse(Conflict, "there is a module '%s' already", m.Path)
		}
		if m.View == clean {
			return "", refuse(Conflict, "'%s' is the readable view of '%s'", clean, m.Path)
		}
	}
	return clean, nil
}

// editable refuses modules whose text is not known.
func editable(m *workspace.Module) error {
	if m.Err != nil {
		e := refuse(Conflict, "'%s' cannot be read: %v", m.Path, m.Err)
		e.Hint = m.Mend()
		return e
	}
	return nil
}

// text is the declarations as they are given, with the line ends of the file they come into
// and with names rewritten.
func (g *given) text(l layout, names []Edit) string {
	src := g.file.Src
	if len(names) > 0 {
		text, _ := apply(src.Text, names)
		shift := int32(len(text) - len(src.Text))
		if again, err := parseGiven(text); err == nil {
			body := source.Span{Start: g.body.Start, End: g.body.End + shift}
			return fit(again.file, body, l)
		}
	}
	head := ""
	if n := len(g.file.Imports); n > 0 { // comments before the imports
		first := g.file.Imports[0].Span().Start
		if head = fit(g.file, source.Span{End: lineStart(src.Text, first)}, l); head != "" {
			head += l.eol + l.eol + l.indent
		}
	}
	return head + fit(g.file, g.body, l)
}

func onlyTests(f *syntax.File) bool {
	return !slices.ContainsFunc(f.Decls, func(d syntax.Decl) bool { _, ok := d.(*syntax.TestDecl); return !ok })
}

func testsOf(f *syntax.File) *syntax.TestsDecl {
	for _, d := range f.Decls {
		if t, ok := d.(*syntax.TestsDecl); ok {
			return t
		}
	}
	return nil
}

// anchor is where a declaration is inserted: before or after a span, or at the end of the
// text.
type anchor struct {
	before bool
	at     source.Span // with comments
	end    bool
	indent string
}

// anchors are the places for a declaration, best first.
func (d *draft) anchors(m *workspace.Module, at Position) ([]anchor, error) {
	one := func(k xref.Key, before bool) ([]anchor, error) {
		sib := d.s.Decl(k)
		if sib == nil {
			return nil, missing(k)
		}
		if sib.File != m.File || sib.Parent != nil {
			return nil, refuse(Invalid, "%s is not a declaration of '%s' to be before or after", describe(k), m.Path)
		}
		return []anchor{{before: before, at: sib.WithDoc, indent: indentAt(m.File.Src.Text, sib.Full.Start)}}, nil
	}
	switch none := (xref.Key{}); {
	case at.Before != none && at.After != none:
		return nil, refuse(Invalid, "a position is before or after something, not both")
	case at.Before != none:
		return one(at.Before, true)
	case at.After != none:
		return one(at.After, false)
	}
	out := []anchor{{end: true}}
	if !m.File.OK {
		for _, sib := range slices.Backward(m.Decls) {
			out = append(out, anchor{before: true, at: sib.WithDoc}, anchor{at: sib.WithDoc})
		}
	}
	return out, nil
}

// insert puts a declaration, laid out for the file, at its place, with a blank line to each side.
func (d *draft) insert(f *syntax.File, path string, a anchor, text string, from *xref.Decl) {
	old := f.Src.Text
	eol := lineEnd(old)
	put := func(at source.Span, text string) { d.carry(path, at, text, from) }
	switch {
	case a.end:
		p := backOverSpace(old, int32(len(old)))
		if p == 0 || old[:p] == byteOrderMark {
			put(source.Span{Start: p, End: int32(len(old))}, text+eol)
			return
		}
		put(source.Span{Start: p, End: p}, eol+eol+text)
	case a.before:
		start := backOverBlanks(old, a.at.Start)
		prev := backOverSpace(old, start)
		lead := ""
		switch gap := ends(old[prev:start]); {
		case prev == 0 || old[:prev] == byteOrderMark || old[prev-1] == '{':
		case gap == 0: // on the line of its neighbour
			put(source.Span{Start: start, End: a.at.Start}, eol+eol+text+eol+eol)
			return
		case gap == 1:
			lead = eol
		}
		put(source.Span{Start: start, End: start}, lead+a.indent+text+eol+eol)
	default:
		stop := a.at.End
		next := overSpace(old, stop)
		lead, tail := eol+eol+a.indent, ""
		at := source.Span{Start: stop, End: stop}
		switch gap := ends(old[stop:next]); {
		case next == int32(len(old)) || old[next] == '}':
		case gap == 0:
			at.End, tail = next, eol+eol
		case gap == 1:
			tail = eol
		}
		put(at, lead+text+tail)
	}
}

// checkNew refuses declarations whose names are taken.
func (d *draft) checkNew(path string, decls []*xref.Decl) error {
	sp := d.space(path)
	for i, n := range decls {
		if err := checkName(n.Kind, n.Name); err != nil {
			return err
		}
		for _, other := range decls[:i] {
			if other.Name == n.Name && (other.Kind == xref.Test) == (n.Kind == xref.Test) {
				return refuse(Conflict, "the source declares '%s' twice", n.Name).at(n.File.Src, n.NameAt.Start)
			}
		}
		if err := sp.free(n.Kind, n.Name, path, nil); err != nil {
			return err
		}
		if n.Kind == xref.Test {
			continue
		}
		if err := sp.hides(n.Name); err != nil {
			return err
		}
	}
	return nil
}
