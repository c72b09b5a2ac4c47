package graph

import (
	"fmt"
	"slices"
	"sort"
	"strings"
)

// A Problem is a broken invariant: a fault of this program or a damaged store.
type Problem struct {
	What  string // which invariant
	Where string // which record
}

func (p Problem) String() string { return p.Where + ": " + p.What }

// Check walks the whole graph and returns every broken invariant, at most 100.
func (s *Snapshot) Check() []Problem {
	c := &checker{s: s}
	c.files()
	for id := range NodeID(s.NumNodes()) {
		c.node(id)
	}
	c.edges()
	c.names()
	s.Notes() // reads the pages that nothing else does
	s.loadDerived()
	s.MissingNames(func(name string, us []Unresolved) bool {
		for i, u := range us {
			if int(u.File) >= len(s.Files()) || i > 0 && compareMissing(us[i-1], u) >= 0 {
				c.problem("missing "+name, "a site is out of order or of no file")
			}
		}
		return true
	})
	if err := s.Err(); err != nil {
		c.problem("store", "%v", err)
	}
	return c.problems
}

type checker struct {
	s        *Snapshot
	problems []Problem
}

func (c *checker) problem(where, format string, args ...any) {
	if len(c.problems) < 100 {
		c.problems = append(c.problems, Problem{What: fmt.Sprintf(format, args...), Where: where})
	}
}

func (c *checker) files() {
	for i, f := range c.s.Files() {
		if f.Node == NoNode {
			if c.s.over == nil {
				c.problem(f.Path, "the file has no node")
			}
			continue
		}
		if int(f.ID) != i {
			c.problem(f.Path, "its id is %d, its place %d", f.ID, i)
		}
		if n := c.s.Node(f.Node); n == nil || n.Kind != KindFile || n.Module != f.Path {
			c.problem(f.Path, "its node is another declaration")
		}
		if g, ok := c.s.FileByPath(f.Path); !ok || g.ID != f.ID {
			c.problem(f.Path, "it is not found by its path")
		}
		last := uint32(0)
		for j, id := range c.s.InFile(f.ID) {
			n := c.s.Node(id)
			off := declOff(n, f.ID)
			if n == nil || off == ^uint32(0) || j > 0 && off < last {
				c.problem(f.Path, "node %d is listed but not declared there in this order", id)
			}
			last = off
		}
	}
}

func (c *checker) node(id NodeID) {
	n := c.s.Node(id)
	if n == nil {
		if c.s.over == nil {
			c.problem(fmt.Sprint("node ", id), "there is no such node")
		}
		return
	}
	where := fmt.Sprintf("node %d %s", id, n.Symbol)
	if n.External != (len(n.Decls) == 0) || n.External != (n.Flags&FlagExternal != 0) {
		c.problem(where, "external and declared at %d places", len(n.Decls))
	}
	if n.Kind == KindUnknown && !n.External || n.Kind >= kindCount {
		c.problem(where, "kind %d", n.Kind)
	}
	if !slices.Contains(c.s.Named(n.Name), id) {
		c.problem(where, "it is not found by its name %q", n.Name)
	}
	for _, d := range n.Decls {
		if d.Name.Line == 0 || d.Name.Col == 0 || d.Full.Line == 0 || d.Full.EndLine < d.Full.Line || d.Full.End < d.Full.Off {
			c.problem(where, "declared at an impossible place %+v", d.Full)
		}
		if f := c.s.File(d.File); d.Full.EndLine > f.Lines+1 || d.Full.End > f.Size {
			c.problem(where, "declared past the end of %s", f.Path)
		}
		if !slices.Contains(c.s.InFile(d.File), id) {
			c.problem(where, "it is not listed in %s", c.s.File(d.File).Path)
		}
	}
	if n.Parent != NoNode {
		if p := c.s.Node(n.Parent); p == nil {
			if c.s.over == nil {
				c.problem(where, "its parent %d does not exist", n.Parent)
			}
		} else if !slices.Contains(c.s.Children(n.Parent), id) {
			c.problem(where, "its parent %s does not list it", p.Symbol)
		}
	}
	for _, k := range c.s.Children(id) {
		if kid := c.s.Node(k); kid == nil || kid.Parent != id {
			c.problem(where, "it lists node %d, which has another parent", k)
		}
	}
}

// edges compares the two directions as multisets.
func (c *checker) edges() {
	type key struct {
		Edge
	}
	balance := map[key]int{}
	for id := range NodeID(c.s.NumNodes()) {
		if c.s.Node(id) == nil {
			continue
		}
		for dir, es := range [2][]Edge{c.s.Out(id), c.s.In(id)} {
			for i, e := range es {
				if e.Kind == EdgeUnknown || e.Kind >= edgeKindCount || e.Line == 0 || c.s.Node(e.From) == nil || c.s.Node(e.To) == nil {
					c.problem(fmt.Sprintf("edge %d -%s-> %d", e.From, e.Kind, e.To), "a kind, place or end is missing")
				}
				if i > 0 && e.Flags&EdgeDerived == 0 && edgeLess(&e, &es[i-1]) {
					c.problem(fmt.Sprintf("edge %d -%s-> %d", e.From, e.Kind, e.To), "out of order")
				}
				balance[key{e}] += 1 - 2*dir
			}
		}
	}
	for k, n := range balance {
		if n != 0 {
			c.problem(fmt.Sprintf("edge %d -%s-> %d at %d:%d", k.From, k.Kind, k.To, k.Line, k.Col), "out and in differ by %d", n)
		}
	}
	sort.Slice(c.problems, func(i, j int) bool { return c.problems[i].String() < c.problems[j].String() })
}

func (c *checker) names() {
	prev := ""
	c.s.Names("", func(name string, ids []NodeID) bool {
		if prev != "" && name <= prev {
			c.problem("name "+name, "out of order")
		}
		prev = name
		for _, id := range ids {
			if n := c.s.Node(id); n == nil || n.Name != name {
				c.problem("name "+name, "it leads to node %d", id)
			}
		}
		return true
	})
}

// String prints a symbol for debugging.
func (y Symbol) String() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s %s %s", y.Lang, y.Kind, y.Module)
	if y.Qual != "" {
		fmt.Fprintf(&b, "#%s", y.Qual)
	}
	if y.External {
		b.WriteString(" external")
	}
	return b.String()
}
