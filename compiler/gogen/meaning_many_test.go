//go:build slow

package gogen_test

// meant is how many programs TestMeaning runs.
const meant = 5000
