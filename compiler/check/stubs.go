package check

// Stand-ins until the neighbours' halves are here. Whoever writes one deletes it here.

func (c *checker) body(f *Func)                                             {} // B
func (c *checker) clause(f *Func, cl *Class, ct *Contract, kind clauseKind) {} // B; f or cl is nil
func (c *checker) missingReturn(f *Func)                                    {} // B: reports at c.phase when a path of f's body does not return; A calls it for generic declarations
