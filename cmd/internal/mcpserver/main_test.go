package mcpserver_test

import (
	"context"
	"os"
	"testing"

	"github.com/settgraph/sett/cmd/internal/cli"
)

// TestMain lets the test binary be sett itself, for the tests that talk with a process of
// it: see dial.
func TestMain(m *testing.M) {
	if os.Getenv("SETT_TEST_AS_SETT") != "" {
		os.Exit(cli.Main(context.Background(), os.Args[1:], os.Stdin, os.Stdout, os.Stderr))
	}
	os.Exit(m.Run())
}
