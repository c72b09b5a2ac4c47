package workspace

import (
	"cmp"
	"context"
	"crypto/sha256"
	"slices"
	"sync"

	"github.com/settgraph/sett/compiler/check"
	"github.com/settgraph/sett/compiler/diag"
	"github.com/settgraph/sett/compiler/syntax"
	"github.com/settgraph/sett/compiler/xref"
)

// Checked is what the compiler says about a State. It is immutable and safe for concurrent
// use.
type Checked struct {
	state   *State
	results []*result // parallel to the state's programs
	diags   []*diag.Diagnostic
	byFile  map[string][]*diag.Diagnostic

	files  func() map[string]*fileResult // merged over the programs
	index  func() *siteIndex
	facts  func() *xref.Facts
	hashes sync.Map // path -> [16]byte
	owners sync.Map // path -> map[xref.Key][]xref.Site
}

// Checked checks the programs that have to be, and is the same for every call. When the
// context ends, so does the call, with its error; another may go on.
func (s *State) Checked(ctx context.Context) (*Checked, error) {
	if c := s.checked.Load(); c != nil {
		return c, nil
	}
	select {
	case <-s.turn:
	case <-ctx.Done():
		return nil, ctx.Err()
	}
	defer func() { s.turn <- struct{}{} }()
	if c := s.checked.Load(); c != nil {
		return c, nil
	}
	c, err := s.check(ctx)
	if err != nil {
		return nil, err
	}
	s.checked.Store(c)
	return c, nil
}

// Diags is what is wrong with a file, or with everything for "": what several programs say is
// there once. First is what decides, as [diag.List.Sorted] has it. The files of the
// diagnostics have names from the root.
func (c *Checked) Diags(path string) []*diag.Diagnostic {
	if path == "" {
		return slices.Clone(c.diags)
	}
	return slices.Clone(c.byFile[path])
}

// Errors is the number of errors in the project.
func (c *Checked) Errors() int {
	n := 0
	for _, d := range c.diags {
		if d.Severity == diag.Error {
			n++
		}
	}
	return n
}

// Sites are the uses in a file, in the order of the text. The slice is shared: it must not be
// changed.
func (c *Checked) Sites(path string) []xref.Site {
	if f := c.files()[path]; f != nil {
		return f.sites
	}
	return nil
}

// UsesOf is every use of a declaration in the project, in order of file and position. The
// slice is shared.
func (c *Checked) UsesOf(k xref.Key) []xref.Site { return c.index().of(k) }

// UsedBy is every use inside a declaration, those in its members included, in the order of
// the text. The slice is shared.
func (c *Checked) UsedBy(k xref.Key) []xref.Site { return c.usedBy(k.File)[k] }

// Facts is what the programs say about declarations, together. It is shared.
func (c *Checked) Facts() *xref.Facts { return c.facts() }

// InterfaceHash identifies what other modules can see of a file: its declarations without
// the bodies of functions, but with those that are copied into their users (generic ones and
// default methods), its imports, and the errors that its functions can raise. Of a file with
// errors it identifies the whole text. It is the same on every machine; zero when there is no
// such module.
func (c *Checked) InterfaceHash(path string) [16]byte {
	m := c.state.byPath[path]
	if m == nil {
		return [16]byte{}
	}
	if h, ok := c.hashes.Load(path); ok {
		return h.([16]byte)
	}
	h := sha256.New()
	if hasError(c.byFile[path]) || m.Err != nil {
		h.Write([]byte("text"))
		h.Write(m.Raw)
	} else {
		sum := m.visible().sum
		h.Write(sum[:])
		if f := c.files()[path]; f != nil {
			f.facts.writeErrors(h)
		}
	}
	out := [16]byte(h.Sum(nil)[:16])
	c.hashes.Store(path, out)
	return out
}

func hasError(diags []*diag.Diagnostic) bool {
	return slices.ContainsFunc(diags, func(d *diag.Diagnostic) bool { return d.Severity == diag.Error })
}

// siteIndex finds sites from what they use: one list after the other.
type siteIndex struct {
	at    map[xref.Key]int32 // which list
	ends  []int32
	sites []xref.Site
}

func (x *siteIndex) of(k xref.Key) []xref.Site {
	list, ok := x.at[k]
	if !ok {
		return nil
	}
	start := int32(0)
	if list > 0 {
		start = x.ends[list-1]
	}
	return x.sites[start:x.ends[list]:x.ends[list]]
}

// compareSites is the order of the text over all files.
func compareSites(a, b xref.Site) int {
	return cmp.Or(
		cmp.Compare(a.File, b.File), cmp.Compare(a.At.Start, b.At.Start), cmp.Compare(a.At.End, b.At.End), cmp.Compare(a.Use, b.Use),
		compareKeys(a.Target, b.Target), cmp.Compare(a.Full.Start, b.Full.Start), cmp.Compare(a.Full.End, b.Full.End),
	)
}

func compareKeys(a, b xref.Key) int {
	return cmp.Or(cmp.Compare(a.File, b.File), cmp.Compare(a.Kind, b.Kind), cmp.Compare(a.Qual, b.Qual))
}

// Program checks the program of a group and gives everything that the checker found out, which
// a [Checked] does not keep. decls gives the declarations of its files. It is another one for
// every call; equal keys ([State.Key]) say that it would come out the same. It is nil when the
// group is none of the state's.
func (s *State) Program(g *Group) (p *check.Program, decls func(*syntax.File) []*xref.Decl) {
	i := slices.Index(s.groups, g)
	if i < 0 {
		return nil, nil
	}
	known := s.byPath
	return check.Check(s.programs[i].loaded(s).copy()), func(f *syntax.File) []*xref.Decl {
		if m := known[f.Src.Name]; m != nil && m.File == f {
			return m.Decls
		}
		return xref.Decls(f)
	}
}

// Key identifies the program of a group with all its texts.
func (s *State) Key(g *Group) [32]byte {
	if i := slices.Index(s.groups, g); i >= 0 {
		return s.programs[i].loaded(s).key
	}
	return [32]byte{}
}

// DiagsOf is what the programs of some groups say, each thing once, in the order of
// [Checked.Diags].
func (c *Checked) DiagsOf(keep func(*Group) bool) []*diag.Diagnostic {
	var some []*result
	for i, g := range c.state.groups {
		if keep(g) {
			some = append(some, c.results[i])
		}
	}
	return mergeDiags(some)
}
