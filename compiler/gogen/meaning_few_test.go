//go:build !slow

package gogen_test

// meant is how many programs TestMeaning and TestMeaningOfMutants run.
const meant = 50
