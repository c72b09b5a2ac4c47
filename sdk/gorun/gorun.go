// Package gorun runs the go command for tests, builds and vet, reads what it prints as it
// comes, and gives it as reports.
package gorun
