package refactor

import (
	"context"
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/settgraph/sett/compiler/diag"
	"github.com/settgraph/sett/compiler/source"
	"github.com/settgraph/sett/compiler/syntax"
	"github.com/settgraph/sett/compiler/workspace"
	"github.com/settgraph/sett/compiler/xref"
)

// Move takes a top-level declaration with its comments to another module, or to another
// place in its own. What it uses stays what it is, and what uses it finds it: imports and
// qualifiers are added, changed and dropped as that takes. A declaration that other modules
// use afterwards becomes pub. It is refused when no import can connect the two modules, and
// when the declaration uses what is private where it was.
func Move(ctx context.Context, s *workspace.State, target xref.Key, toPath string, at Position) (*Plan, error) {
	t, m, err := lookup(s, target)
	if err != nil {
		return nil, err
	}
	if t.Parent != nil {
		return nil, refuse(Invalid, "%s is a member: only whole declarations move", describe(target))
	}
	checked, err := s.Checked(ctx)
	if err != nil {
		return nil, err
	}
	d := newDraft(ctx, s)
	to := s.Module(toPath)
	mv := &move{draft: d, checked: checked, t: t, from: m, old: d.space(m.Path)}
	switch {
	case to != nil:
		if err := editable(to); err != nil {
			return nil, err
		}
		mv.path, mv.file = to.Path, to.File
	default:
		if mv.path, err = newPath(s, toPath); err != nil {
			return nil, err
		}
		mv.file = emptyFile(mv.path)
		d.create[mv.path] = true
	}
	mv.now = d.space(mv.path)
	if to == m {
		return mv.within(at)
	}
	return mv.run(to, at)
}

// move is a move in the making.
type move struct {
	*draft
	checked  *workspace.Checked
	t        *xref.Decl
	from     *workspace.Module
	path     string // of the module that it goes to
	file     *syntax.File
	old, now *space

	inner   []Edit              // of the moved text
	imports map[string][]string // lines to add, by path
	touched map[string]bool     // modules whose imports may have lost their use
	pub     bool
}

// within moves a declaration inside of its module.
func (mv *move) within(at Position) (*Plan, error) {
	if at.Before == mv.t.Key || at.After == mv.t.Key {
		return nil, refuse(Invalid, "a declaration cannot go before or after itself")
	}
	anchors, err := mv.anchors(mv.from, at)
	if err != nil {
		return nil, err
	}
	if a := anchors[0]; a.end && mv.from.Decls[len(mv.from.Decls)-1] == mv.t {
		return nil, refuse(Invalid, "%s is at the end already", describe(mv.t.Key))
	}
	cut := removal(mv.from.File, mv.t)
	mv.edit(mv.path, cut.At, cut.New)
	a := anchors[0]
	if a.end { // behind the last other declaration, not behind what is cut
		a.end = false
		last := mv.from.Decls[len(mv.from.Decls)-1]
		a.at = last.WithDoc
		if g := groupOf(mv.from.File, last); g != nil {
			a.at = g.Span()
		}
	}
	if a.before && cut.At.Start <= a.at.Start && a.at.Start < cut.At.End || !a.before && cut.At.Start < a.at.End && a.at.End < cut.At.End {
		return nil, refuse(Invalid, "%s is there already", describe(mv.t.Key))
	}
	if n := mv.nextTo(a); n {
		return nil, refuse(Invalid, "%s is there already", describe(mv.t.Key))
	}
	mv.insert(mv.file, mv.path, a, mv.text(a.indent), mv.t)
	return mv.finish()
}

// nextTo says whether the anchor is at the declaration itself.
func (mv *move) nextTo(a anchor) bool {
	text := mv.from.File.Src.Text
	if a.before {
		return overSpace(text, mv.t.WithDoc.End) == a.at.Start
	}
	return overSpace(text, a.at.End) == mv.t.WithDoc.Start
}

// text is the moved text with its rewritten names, laid out for the file it comes into.
func (mv *move) text(indent string) string {
	f, at := mv.from.File, mv.t.WithDoc
	if len(mv.inner) > 0 {
		slices.SortFunc(mv.inner, func(a, b Edit) int { return int(a.At.Start) - int(b.At.Start) })
		text, _ := apply(f.Src.Text, mv.inner)
		at.End += int32(len(text) - len(f.Src.Text))
		f = syntax.Parse(source.NewFile("", "", text), &diag.List{})
	}
	return fit(f, at, layout{eol: lineEnd(mv.file.Src.Text), indent: indent})
}

func (mv *move) run(to *workspace.Module, at Position) (*Plan, error) {
	mv.imports, mv.touched = map[string][]string{}, map[string]bool{}
	if err := mv.allowed(); err != nil {
		return nil, err
	}
	if err := mv.now.free(mv.t.Kind, mv.t.Name, mv.path, mv.t); err != nil {
		return nil, err
	}
	apart := !mv.old.same(mv.now)
	mv.touched[mv.from.Path] = true
	if err := mv.needs(apart); err != nil {
		return nil, err
	}
	if apart {
		if err := mv.users(); err != nil {
			return nil, err
		}
	}
	if mv.pub && !mv.t.Pub && mv.t.Kind != xref.Extern {
		start := mv.t.Full.Start
		mv.inner = append(mv.inner, Edit{source.Span{Start: start, End: start}, "pub "})
		mv.note(fmt.Sprintf("'%s' is pub now, as other modules use it", mv.t.Name))
	}
	if err := mv.splice(to, at); err != nil {
		return nil, err
	}
	if _, err := mv.finish(); err != nil {
		return nil, err
	}
	v := &verification{d: mv.draft, before: mv.checked, modules: true, old: []region{{mv.from.Path, mv.t.WithDoc}}}
	if err := v.run(); err != nil {
		return nil, err
	}
	if err := mv.sameUses(v.state, v.after); err != nil {
		return nil, err
	}
	return mv.plan, nil
}

// splice cuts the text, puts it where it goes, and edits imports.
func (mv *move) splice(to *workspace.Module, at Position) error {
	cut := removal(mv.from.File, mv.t)
	mv.edit(mv.from.Path, cut.At, cut.New)
	for _, p := range sortedKeys(mv.imports) {
		mv.addImports(p, mv.imports[p])
	}
	if to == nil {
		if at != (Position{}) {
			return refuse(NotFound, "there is no module '%s', so that nothing in it has a position", mv.path)
		}
		mv.insert(mv.file, mv.path, anchor{end: true}, mv.text(""), mv.t)
	} else {
		anchors, err := mv.anchors(to, at)
		if err != nil {
			return err
		}
		mv.insert(mv.file, mv.path, anchors[0], mv.text(anchors[0].indent), mv.t)
	}
	mv.dropImports()
	return nil
}

// allowed refuses moves that make no sense whatever the names are.
func (mv *move) allowed() error {
	apart := !mv.old.same(mv.now)
	switch {
	case mv.t.Kind == xref.App && apart:
		return refuse(Invalid, "the app is where the program starts: it cannot move to another module")
	case mv.t.Kind == xref.Function && mv.t.Name == "main" && apart:
		return refuse(Invalid, "main is where the program starts: it cannot move to another module")
	case mv.t.Kind == xref.Test && apart && groupOf(mv.from.File, mv.t) != nil:
		return refuse(Invalid, "a test of a group stays with its group")
	case mv.t.Kind == xref.Test && testsOf(mv.file) != nil, groupOf(mv.from.File, mv.t) != nil:
		return refuse(Invalid, "tests in a group and tests outside of one do not mix")
	}
	return nil
}

// needs sees to it that what the declaration uses is there in the other module.
func (mv *move) needs(apart bool) error {
	f := mv.from.File
	for _, site := range mv.checked.Sites(mv.from.Path) {
		if !inside(mv.t.WithDoc, site.At) {
			continue
		}
		switch {
		case site.Use == xref.ModuleRef:
			if err := mv.needsImport(site); err != nil {
				return err
			}
		case !apart || !topLevel(site.Target) || site.Target == mv.t.Key || site.Ambient:
		case mv.old.has(site.Target.File) && qualifierOf(f, site.At) == nil:
			if err := mv.needsOld(site); err != nil {
				return err
			}
		}
	}
	return nil
}

// needsImport lets a qualified name in the moved text work in the other module.
func (mv *move) needsImport(site xref.Site) error {
	f := mv.from.File
	text := f.Src.Text[site.At.Start:site.At.End]
	if mv.now.has(site.Target.File) || mv.now.name != "" && mv.now.name == site.Target.File {
		mv.inner = append(mv.inner, Edit{At: source.Span{Start: site.At.Start, End: afterDot(f, site.At.End)}})
		return nil // it is at home there
	}
	has := mv.bindingOf(mv.now, site.Target.File, mv.path)
	if has != nil {
		if name := has.Binding().Name; name != text {
			mv.inner = append(mv.inner, Edit{site.At, name})
		}
		if importNamed(mv.file, has.Binding().Name) == nil {
			mv.addImport(mv.path, dotted(has), has.Binding().Name)
		}
		return nil
	}
	imp := mv.bindingOf(mv.old, site.Target.File, mv.from.Path)
	if imp == nil {
		return nil
	}
	p := dotted(imp)
	if !mv.old.same(mv.now) && imp.Path[0].Name != "std" && !mv.external(site.Target.File) {
		var ok bool
		if p, ok = mv.now.importPath(&space{name: site.Target.File}); !ok {
			return refuse(Conflict, "'%s' cannot import '%s', which %s uses", mv.path, site.Target.File, describe(mv.t.Key)).at(f.Src, site.At.Start)
		}
	}
	if err := mv.now.freeBinding(text, p); err != nil {
		return err
	}
	mv.addImport(mv.path, p, text)
	return nil
}

// needsOld qualifies a name of the old module in the moved text.
func (mv *move) needsOld(site xref.Site) error {
	f := mv.from.File
	decl := mv.s.Decl(site.Target)
	if decl == nil {
		return nil
	}
	if !decl.Pub && decl.Kind != xref.Extern {
		return refuse(Conflict, "%s uses %s, which is private to '%s'", describe(mv.t.Key), describe(site.Target), mv.from.Path).
			at(f.Src, site.At.Start).hint("make it pub, or move it too")
	}
	if err := mv.qualifiable(site); err != nil {
		return err
	}
	name, err := mv.reach(mv.now, mv.path, mv.old, describe(mv.t.Key)+" uses "+describe(site.Target))
	if err != nil {
		return err
	}
	mv.inner = append(mv.inner, Edit{source.Span{Start: site.At.Start, End: site.At.Start}, name + "."})
	mv.plan.Updated++
	return nil
}

// users rewrites what uses the declaration.
func (mv *move) users() error {
	for _, site := range mv.checked.UsesOf(mv.t.Key) {
		m := mv.s.Module(site.File)
		if m == nil || site.File == mv.from.Path && inside(mv.t.WithDoc, site.At) {
			continue
		}
		sp := mv.space(site.File)
		q := qualifierOf(m.File, site.At)
		if sp.same(mv.now) {
			if q != nil {
				mv.edit(site.File, source.Span{Start: q.Start, End: site.At.Start}, "")
				mv.touched[site.File] = true
				mv.plan.Updated++
			}
			continue
		}
		if err := mv.qualifiable(site); err != nil {
			return err
		}
		name, err := mv.reach(sp, site.File, mv.now, fmt.Sprintf("'%s' uses %s", site.File, describe(mv.t.Key)))
		if err != nil {
			return err
		}
		mv.pub = true
		mv.plan.Updated++
		if q == nil {
			mv.write(site.File, source.Span{Start: site.At.Start, End: site.At.Start}, name+".")
			continue
		}
		mv.touched[site.File] = true
		mv.write(site.File, *q, name)
	}
	return nil
}

// reach is the name under which a file can use another namespace, with an import that is
// added when it is missing.
func (mv *move) reach(sp *space, from string, to *space, why string) (string, error) {
	names := []string{to.name}
	for _, m := range to.modules {
		names = append(names, m.Path)
	}
	for _, target := range names {
		if imp := mv.bindingOf(sp, target, from); target != "" && imp != nil {
			name := imp.Binding().Name
			if importNamed(mv.fileOf(from), name) == nil {
				mv.addImport(from, dotted(imp), name)
			}
			return name, nil
		}
	}
	goal := to
	if goal.name == "" && goal.same(mv.now) && goal.loose() {
		goal = &space{name: mv.path} // nothing imports it yet
	}
	p, ok := sp.importPath(goal)
	if !ok {
		where := "the program's own files"
		if to.name != "" {
			where = "'" + to.name + "'"
		}
		return "", refuse(Conflict, "%s, and '%s' cannot import %s", why, from, where)
	}
	name := p[strings.LastIndexByte(p, '.')+1:]
	if err := sp.freeBinding(name, p); err != nil {
		return "", err
	}
	mv.addImport(from, p, name)
	return name, nil
}

func (mv *move) fileOf(p string) *syntax.File {
	if p == mv.path {
		return mv.file
	}
	return mv.draft.file(p)
}

func (mv *move) addImport(to, p, name string) {
	if line := importLine(p, name); !slices.Contains(mv.imports[to], line) {
		mv.imports[to] = append(mv.imports[to], line)
	}
}

// qualifiable refuses sites where the language lets no module be named.
func (mv *move) qualifiable(site xref.Site) error {
	what := ""
	switch site.Use {
	case xref.Impl:
		what = "the traits of a class are named without a module"
	case xref.Bound:
		what = "the bounds of type parameters are named without a module"
	case xref.Static:
		what = "static calls name a trait without a module"
	case xref.Uses, xref.Override:
		what = "ambient classes and lifecycles are named without a module"
	case xref.Inject:
		if n := nodeAt[*syntax.AmbientLine](mv.s, site); n {
			what = "ambient classes are named without a module"
		}
	case xref.Call:
		if call := callAt(mv.s, site); call != nil && len(call.TypeArgs) > 0 {
			what = "a call with type arguments names no module"
		}
	}
	if what == "" {
		return nil
	}
	return refuse(Conflict, "%s would be of another module, but %s", describe(site.Target), what).at(mv.s.Module(site.File).File.Src, site.At.Start)
}

func nodeAt[T syntax.Node](s *workspace.State, site xref.Site) bool {
	for _, n := range syntax.At(s.Module(site.File).File, site.At.Start) {
		if _, ok := n.(T); ok {
			return true
		}
	}
	return false
}

func callAt(s *workspace.State, site xref.Site) *syntax.CallExpr {
	for _, n := range syntax.At(s.Module(site.File).File, site.At.Start) {
		if c, ok := n.(*syntax.CallExpr); ok && c.Name.Span() == site.At {
			return c
		}
	}
	return nil
}

// dropImports takes away imports that only the move left without a use.
func (mv *move) dropImports() {
	for _, p := range sortedKeys(mv.touched) {
		f := mv.draft.file(p)
		edits := mv.edits[p]
		for _, imp := range f.Imports {
			if imp.Binding() == nil {
				continue
			}
			used, left := 0, 0
			for _, at := range qualifiers(f, imp.Binding().Name) {
				used++
				if !covered(edits, at) {
					left++
				}
			}
			if used == 0 || left > 0 || slices.Contains(mv.imports[p], importLine(dotted(imp), imp.Binding().Name)) {
				continue
			}
			if mv.holds(p, imp) {
				mv.noteKept(p, imp)
				continue
			}
			mv.dropImport(p, imp)
		}
	}
}

// covered says whether an edit rewrites a place.
func covered(edits []change, at source.Span) bool {
	return slices.ContainsFunc(edits, func(c change) bool { return c.At.Start <= at.Start && at.End <= c.At.End })
}

// holds says whether an import has another effect than its name: other files of the
// namespace use it, or it is what makes a file beside this one a module of its own.
func (mv *move) holds(p string, imp *syntax.Import) bool {
	name := imp.Binding().Name
	for _, m := range mv.space(p).modules {
		if m.Path != p && importNamed(m.File, name) == nil && len(qualifiers(m.File, name)) > 0 {
			return true
		}
	}
	target := ""
	for _, site := range mv.checked.Sites(p) {
		if site.Use == xref.Import && inside(imp.Span(), site.At) {
			target = site.Target.File
		}
	}
	if target == "" || mv.external(target) || path.Dir(target) != path.Dir(p) || mv.s.Module(target) == nil {
		return false
	}
	for _, site := range mv.checked.UsesOf(xref.Key{File: target}) {
		if site.Use == xref.Import && (site.File != p || !inside(imp.Span(), site.At)) {
			return false
		}
	}
	return true
}

// sameUses makes sure that the moved text uses what it used.
func (mv *move) sameUses(after *workspace.State, checked *workspace.Checked) error {
	was := mv.targets(mv.checked, mv.from.Path, mv.t.Full, mv.plan.Moved)
	key := mv.t.Key
	if k, ok := mv.plan.Moved[key]; ok {
		key = k
	}
	decl := after.Decl(key)
	if decl == nil {
		return refuse(Conflict, "%s would get lost", describe(mv.t.Key))
	}
	now := mv.targets(checked, key.File, decl.Full, nil)
	if !slices.Equal(was, now) {
		return refuse(Conflict, "names in %s would mean something else in '%s'", describe(mv.t.Key), mv.path)
	}
	return nil
}

// targets is what the names in a span mean, in order, without those of modules.
func (mv *move) targets(checked *workspace.Checked, path string, at source.Span, moved map[xref.Key]xref.Key) []xref.Key {
	var out []xref.Key
	for _, site := range checked.Sites(path) {
		if site.Use == xref.ModuleRef || !inside(at, site.At) {
			continue
		}
		k := site.Target
		if now, ok := moved[k]; ok {
			k = now
		}
		out = append(out, k)
	}
	return out
}

func inside(outer, at source.Span) bool { return outer.Start <= at.Start && at.End <= outer.End }

func topLevel(k xref.Key) bool {
	switch k.Kind {
	case xref.Function, xref.Class, xref.Enum, xref.Trait, xref.Error, xref.Extern:
		return true
	}
	return false
}

// qualifierOf is the module before a name, or nil when there is none.
func qualifierOf(f *syntax.File, at source.Span) *source.Span {
	for i, t := range f.Tokens {
		if t.At.Start < at.Start {
			continue
		}
		if t.At.Start == at.Start && i >= 2 && f.Tokens[i-1].Kind == syntax.DOT && f.Tokens[i-2].Kind == syntax.IDENT {
			return &f.Tokens[i-2].At
		}
		break
	}
	return qualifierInText(f.Src.Text, at)
}

// qualifierInText is for names in interpolated strings, which are no tokens of the file.
func qualifierInText(text string, at source.Span) *source.Span {
	end := at.Start
	if end == 0 || text[end-1] != '.' {
		return nil
	}
	end--
	start := end
	for start > 0 && isWord(text[start-1]) {
		start--
	}
	if start == end {
		return nil
	}
	return &source.Span{Start: start, End: end}
}

func isWord(c byte) bool {
	return c == '_' || '0' <= c && c <= '9' || 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z'
}

// afterDot is the offset behind the dot that comes after an offset.
func afterDot(f *syntax.File, at int32) int32 {
	return at + int32(strings.IndexByte(f.Src.Text[at:], '.')) + 1
}
