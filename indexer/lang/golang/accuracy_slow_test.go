//go:build slow

package golang_test

import (
	"os"
	"testing"
)

func TestAccuracyBadger(t *testing.T) {
	t.Parallel()
	checkAccuracy(t, copyModule(t, "github.com/dgraph-io/badger/v4"), 20000)
}

func TestAccuracyMCP(t *testing.T) {
	t.Parallel()
	checkAccuracy(t, copyModule(t, "github.com/mark3labs/mcp-go"), 20000)
}

func TestAccuracyTools(t *testing.T) {
	t.Parallel()
	checkAccuracy(t, copyModule(t, "golang.org/x/tools"), 20000)
}

func TestAccuracyPackages(t *testing.T) {
	for _, mod := range []string{
		"github.com/spf13/pflag", "github.com/google/go-cmp", "github.com/BurntSushi/toml", "github.com/klauspost/compress",
		"golang.org/x/sync", "golang.org/x/mod", "golang.org/x/sys",
	} {
		t.Run(mod, func(t *testing.T) { checkAccuracy(t, copyModule(t, mod), 500) })
	}
}

// TestAccuracyProject looks at a copy of the project that SETT_GO_PROJECT names.
func TestAccuracyProject(t *testing.T) {
	root := os.Getenv("SETT_GO_PROJECT")
	if root == "" {
		t.Skip("SETT_GO_PROJECT is not set")
	}
	checkAccuracy(t, copyFolder(t, root), 1000)
}
