//go:build slow

package pluto

// everyProgram takes all programs of the corpora for the laws of forms, not one in six.
const everyProgram = true
