// Package gorun runs the go command for tests, builds and vet, reads what it prints as it
// comes, and gives it as reports.
package gorun

import (
	"time"

	"github.com/settgraph/sett/query/report"
)

// Options say what is run. All paths are slash-separated and from the root, unless absolute.
type Options struct {
	Root     string   // absolute: the project's root
	Targets  []string // folders (with all below), test files (the tests that they declare) or other .go files (their packages); "" or none: all modules below the root
	Packages []string // folders of exact packages; they win over Targets

	Run   string   // of tests: a regular expression for -run; "" for all
	Race  bool     // with the race detector
	Short bool     // with -short
	Args  []string // more arguments for the go command

	Timeout time.Duration     // of the whole run; 0: none
	Overlay map[string][]byte // text laid over files
	Output  string            // of builds: where the binary goes; "": it is built and dropped
	Target  string            // of builds: "linux/arm64"; "" for this machine

	Progress func(report.Event) // told of how far the run is; may be nil
}
