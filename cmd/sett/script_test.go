package main

import (
	"testing"

	"github.com/settgraph/sett/cmd/internal/cli"
	"github.com/settgraph/sett/cmd/internal/script"
)

func TestScripts(t *testing.T) {
	script.Run(t, "../../testdata/script/*.txtar", 12, cli.Main)
}
