//go:build slow

package refactor_test

// How much of the laws is tried: each n-th program of the corpus, and so many random ones.
const (
	stride    = 1
	sequences = 300
	broken    = 8000
	runs      = 400
	generated = 8
)
