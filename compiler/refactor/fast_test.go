//go:build !slow

package refactor_test

// How much of the laws is tried: each n-th program of the corpus, and so many sequences.
const (
	stride    = 12
	sequences = 15
)
