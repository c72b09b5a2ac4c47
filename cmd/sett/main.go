// Sett indexes a repository into a graph of its declarations and answers questions
// about it, on the command line and over MCP.
package main

import (
	"context"
	"os"

	"github.com/settgraph/sett/cmd/internal/cli"
)

func main() {
	os.Exit(cli.Main(context.Background(), os.Args[1:], os.Stdin, os.Stdout, os.Stderr))
}
