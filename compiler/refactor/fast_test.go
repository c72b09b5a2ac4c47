//go:build !slow

package refactor_test

// How much of the laws is tried: each n-th program of the corpus, and so many random ones.
const (
	stride    = 16
	sequences = 15
	broken    = 300
	runs      = 20
	generated = 2
)
