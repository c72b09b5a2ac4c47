package check

import (
	"cmp"
	"slices"

	"github.com/settgraph/sett/compiler/diag"
	"github.com/settgraph/sett/compiler/source"
	"github.com/settgraph/sett/compiler/syntax"
)

// unhandled refuses fallible calls that are not handled, and handling where nothing can be
// raised.
func (c *checker) unhandled(sums []*summary) {
	for _, sum := range sums {
		h := handling{c: c, sum: sum, phase: after(sum.f, diag.PhaseErrors)}
		for _, at := range sum.sites {
			h.site(at)
		}
	}
}

type handling struct {
	c     *checker
	sum   *summary
	phase diag.Phase
}

func (h *handling) report(code diag.Code, at source.Span, format string, args ...any) *diag.Diagnostic {
	return h.c.report(h.phase, code, h.sum.f.File, at, format, args...)
}

func (h *handling) site(at site) {
	_, bang := at.wrap.(*syntax.PropagateExpr)
	if bang && at.spawned {
		h.report(diag.PassInSpawn, at.wrap.Span(), "error propagation (!) is not allowed in spawn arguments; evaluate before spawn")
		return
	}
	switch at.kind {
	case noCall:
		if bang {
			h.report(diag.HandlesNoCall, at.wrap.Span(), "! can only be applied to function calls")
		} else {
			h.report(diag.HandlesNoCall, at.wrap.Span(), "catch can only be applied to function calls")
		}
	case bareCall, propagated, caught:
		to, ok := h.c.calleeOf(h.sum, at.node)
		if !ok {
			return
		}
		errs := to.errors()
		switch {
		case at.kind == bareCall && len(errs) > 0:
			h.because(h.report(diag.Unhandled, at.node.Span(), "call to fallible %s '%s' must be handled with ! or catch", to.noun, to.name), errs)
		case at.kind == propagated && len(errs) == 0:
			h.report(diag.NothingToPass, at.wrap.Span(), "'!' applied to infallible %s '%s'", to.noun, to.name)
		case at.kind == caught && len(errs) == 0:
			h.report(diag.NothingToCatch, at.wrap.Span(), "catch applied to infallible %s '%s'", to.noun, to.name)
		case at.kind == caught:
			h.covered(at.wrap.(*syntax.CatchExpr), errs)
		}
	}
}

// because names some of the errors that a call can raise.
func (h *handling) because(d *diag.Diagnostic, errs []*ErrorDecl) {
	const most = 4
	text := ""
	for i, e := range errs {
		if i == most {
			text += ", ..."
			break
		}
		if i > 0 {
			text += ", "
		}
		text += e.Name
	}
	d.Note(nil, source.Span{}, "it can raise %s", text)
}

// covered checks that typed handlers leave no error of the call out.
func (h *handling) covered(catch *syntax.CatchExpr, errs []*ErrorDecl) {
	if catch.Default != nil {
		return
	}
	var handled []*ErrorDecl
	for _, hd := range catch.Handlers {
		e := h.sum.f.Info.Errs[hd]
		if hd.Type == nil || e == nil {
			return
		}
		handled = append(handled, e)
	}
	missing := slices.DeleteFunc(slices.Clone(errs), func(e *ErrorDecl) bool { return handles(handled, e) })
	slices.SortStableFunc(missing, func(a, b *ErrorDecl) int { return cmp.Compare(predeclared(a), predeclared(b)) })
	const most = 3 // a task of unknown origin can raise every error there is
	for i, e := range missing {
		d := h.report(diag.HandlersMissing, catch.Span(), "the call can raise '%s', which no catch handler covers; add `catch err: %s { ... }` or a wildcard `catch err { ... }`", e.Name, e.Name)
		if i == most-1 && len(missing) > most {
			h.because(d, missing[most:])
			return
		}
	}
}

// predeclared is 0 for errors that the program declares and 1 for others.
func predeclared(e *ErrorDecl) int {
	if e.Decl == nil {
		return 1
	}
	return 0
}

// handles says whether one of the errors of typed handlers is e. A predeclared error that
// the program declares again is still what the runtime raises under that name.
func handles(handled []*ErrorDecl, e *ErrorDecl) bool {
	for _, h := range handled {
		if h == e || e.Decl == nil && h.Name == e.Name {
			return true
		}
	}
	return false
}
