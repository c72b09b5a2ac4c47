package check

import "github.com/settgraph/sett/compiler/syntax"

// summary is what one walk over a body finds for the passes that follow.
type summary struct {
	f        *Func
	sites    []site
	tasks    map[*Var]syntax.Expr // the call of each `let t = spawn call`
	closures bool                 // a closure or spawn is in it
	scopes   bool                 // a scope block is in it
}

// site is a place where an error may arise or where one is handled.
type site struct {
	kind    siteKind
	node    syntax.Node // *CallExpr, *MethodExpr, *StaticExpr; *RaiseStmt; *SelectStmt; else what ! or catch was put on
	wrap    syntax.Expr // the *PropagateExpr or *CatchExpr around a call
	closure bool        // in a closure
	spawned bool        // among the arguments of a spawn
}

type siteKind uint8

const (
	bareCall     siteKind = iota // neither ! nor catch
	propagated                   // call()!
	caught                       // call() catch ...
	spawnedCall                  // the call that a spawn starts
	raised                       // raise E { }
	selectForced                 // a select without default
	noCall                       // ! or catch on something else
)

// summarize walks over every body.
func (c *checker) summarize() []*summary {
	out := make([]*summary, 0, len(c.prog.Funcs))
	for _, f := range c.prog.Funcs {
		if f.Info == nil || f.Decl == nil || f.Decl.Body == nil {
			continue
		}
		s := &summarizer{sum: &summary{f: f}}
		s.step = s.node
		s.node(f.Decl.Body)
		out = append(out, s.sum)
	}
	return out
}

type summarizer struct {
	sum      *summary
	closures int // around the current node
	spawns   int // whose arguments are around it
	step     func(syntax.Node)
}

func (s *summarizer) add(kind siteKind, n syntax.Node, wrap syntax.Expr) {
	s.sum.sites = append(s.sum.sites, site{kind, n, wrap, s.closures > 0, s.spawns > 0})
}

func (s *summarizer) node(n syntax.Node) {
	switch n := n.(type) {
	case *syntax.CallExpr, *syntax.MethodExpr, *syntax.StaticExpr:
		s.add(bareCall, n, nil)
	case *syntax.PropagateExpr:
		s.wrapped(propagated, n, n.X)
		return
	case *syntax.CatchExpr:
		s.wrapped(caught, n, n.X)
		for _, h := range n.Handlers {
			s.node(h)
		}
		if n.Default != nil {
			s.node(n.Default)
		}
		return
	case *syntax.RaiseStmt:
		s.add(raised, n, nil)
	case *syntax.SelectStmt:
		if !hasDefault(n) {
			s.add(selectForced, n, nil)
		}
	case *syntax.ScopeStmt:
		s.sum.scopes = true
	case *syntax.ClosureExpr:
		s.sum.closures = true
		s.closures++
		syntax.Children(n, s.step)
		s.closures--
		return
	case *syntax.SpawnExpr:
		s.sum.closures = true
		s.add(spawnedCall, n.Call, nil)
		s.spawns++
		syntax.Children(n.Call, s.step)
		s.spawns--
		return
	case *syntax.LetStmt:
		if sp, ok := unparen(n.Value).(*syntax.SpawnExpr); ok {
			if v := s.sum.f.Info.Defs[n.Name]; v != nil {
				if s.sum.tasks == nil {
					s.sum.tasks = map[*Var]syntax.Expr{}
				}
				s.sum.tasks[v] = sp.Call
			}
		}
	}
	syntax.Children(n, s.step)
}

// wrapped notes what ! or catch stands on, and goes on below it.
func (s *summarizer) wrapped(kind siteKind, wrap, x syntax.Expr) {
	x = unparen(x)
	if isCall(x) {
		s.add(kind, x, wrap)
		syntax.Children(x, s.step)
		return
	}
	if _, bad := x.(*syntax.BadExpr); !bad && x != nil {
		s.add(noCall, x, wrap)
		s.node(x)
	}
}

func isCall(e syntax.Expr) bool {
	switch e.(type) {
	case *syntax.CallExpr, *syntax.MethodExpr, *syntax.StaticExpr:
		return true
	}
	return false
}

// unparen strips parentheses.
func unparen(e syntax.Expr) syntax.Expr {
	for {
		p, ok := e.(*syntax.ParenExpr)
		if !ok {
			return e
		}
		e = p.X
	}
}

func hasDefault(s *syntax.SelectStmt) bool {
	for _, a := range s.Arms {
		if a.Kind == syntax.SelectDefault {
			return true
		}
	}
	return false
}
