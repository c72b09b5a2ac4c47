// Package gorun runs the go command for tests, builds and vet, reads what it prints as it
// comes, and gives it as reports.
package gorun

import (
	"context"
	"time"

	"github.com/settgraph/sett/query/report"
	"github.com/settgraph/sett/sdk/child"
)

// Options say what is run. All paths are slash-separated and from the root, unless absolute.
type Options struct {
	Root     string   // absolute: the project's root
	Targets  []string // folders (with all below) or .go files (their packages); "" or none: all modules below the root
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

// Test runs tests with go test. What goes wrong with the tests, and with loading and building
// them, is in the report; an error means that nothing could be run.
func Test(ctx context.Context, o Options) (*report.Test, error) {
	t := &report.Test{}
	res, c, err := o.simple(ctx, "test")
	if err != nil {
		return nil, err
	}
	t.OK = res.Code == 0
	t.Steps = append(t.Steps, res.Step("go", ".", c, o.Root))
	return t, nil
}

// Build builds packages with go build.
func Build(ctx context.Context, o Options) (*report.Build, error) {
	b := &report.Build{}
	res, c, err := o.simple(ctx, "build")
	if err != nil {
		return nil, err
	}
	b.OK = res.Code == 0
	b.Steps = append(b.Steps, res.Step("go", ".", c, o.Root))
	return b, nil
}

// Vet gives what go vet finds, and in words what kept it from looking at everything.
func Vet(ctx context.Context, o Options) ([]report.Diagnostic, []string, error) {
	res, _, err := o.simple(ctx, "vet")
	if err != nil {
		return nil, nil, err
	}
	return nil, child.Lines(res.Tail, 20), nil
}

func (o Options) simple(ctx context.Context, verb string) (*child.Result, child.Command, error) {
	c := child.Command{Dir: o.Root, Args: []string{"go", verb, "./..."}, Timeout: o.Timeout}
	res, err := child.Run(ctx, c)
	return res, c, err
}
