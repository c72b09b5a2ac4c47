package check

import "github.com/settgraph/sett/compiler/diag"

// afterBodies runs the passes that need the facts about all bodies, in the order in which
// the language says that their findings count. Bodies that could not be checked have no facts; every pass
// passes over what it does not know.
func (c *checker) afterBodies() {
	c.traitClauses()
	sum := c.summarize()
	c.captures(sum)
	c.escapes(sum)
	c.selfMutations()
	c.errorSets(sum)
	c.unhandled(sum)
	c.unused()
}

// isInstance says whether a function is an instance of something generic: what is wrong
// with it comes after what is wrong with plain code.
func isInstance(f *Func) bool {
	return f.Generic != nil || f.Class != nil && f.Class.Generic != nil
}

// after is the phase that a pass over f reports under.
func after(f *Func, plain diag.Phase) diag.Phase {
	if isInstance(f) {
		return diag.PhaseGenerics
	}
	return plain
}
