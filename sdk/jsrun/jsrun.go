// Package jsrun builds and tests the projects of a package.json: with the project's own
// scripts, run by the package manager that the project uses.
//
// Results do not come from reading what a runner prints for people. A file that every node
// process of the script loads first ([NODE_OPTIONS]) finds the test runner, wherever in the
// script it is started, and gives it one more reporter, ours, which writes an event a line.
// So the scripts run as their authors wrote them, nothing in the project changes, and what
// was known when a run is cut short is known here too.
//
// [NODE_OPTIONS]: https://nodejs.org/api/cli.html#node_optionsoptions
package jsrun

import (
	"time"

	"github.com/settgraph/sett/query/report"
)

// Options says what is built or tested, and how.
type Options struct {
	Root     string             // absolute: the project
	Targets  []string           // folders, or test files, from the root; none: the project
	Files    []string           // exact test files, from the root; they win over Targets
	Name     string             // a regular expression for the full names of tests ("math > adds"), as JavaScript takes it; "": all
	Args     []string           // given to the test runner, or to the build script, as they are
	Timeout  time.Duration      // for the whole run; 0: none
	Progress func(report.Event) // told how far it is; may be nil
}
