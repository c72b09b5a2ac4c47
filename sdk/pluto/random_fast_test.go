//go:build !slow

package pluto_test

// So many sequences of so many steps are played, and so many programs are run.
const (
	sequences = 12
	steps     = 15
	ran       = 3
)
