package typecheck

import "go/token"

// compilerPlace is where the compiler puts an error that go/types has at pos.
func (e *errs) compilerPlace(pos token.Pos, code, msg string) place { return e.place(pos) }
