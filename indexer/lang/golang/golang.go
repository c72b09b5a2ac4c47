// Package golang is the Go front end. It resolves every name with go/types in one
// process: no go command, no network, and a dependency that is missing costs only what
// could be seen through it.
//
// The life of a run: [Language].Extract reads the modules and the files' summaries
// (modules.go, repo.go), chooses for each directory the build configurations that show
// each file once (config.go), reads what other packages declare, as far as somebody
// asks for it (demand.go, shake.go), type-checks packages in dependency order
// (check.go), and writes down declarations (declare.go), uses (walk.go) and method
// sets (methods.go).
package golang

import (
	"path"
	"strings"

	"github.com/settgraph/sett/indexer/lang"
	"github.com/settgraph/sett/indexer/lang/golang/typecheck"
)

// Language returns the Go front end.
func Language() lang.Language {
	return lang.Language{
		Name:      langName,
		Version:   3,
		Source:    isSource,
		Config:    isConfig,
		Summarize: summarize,
		Units:     units,
		Extract:   extract,
		Locals:    findLocal,
		Looker:    newLooker,
		Outside:   outside,
		Checker:   typecheck.New,
	}
}

const langName = "go"

func isSource(name string) bool { return strings.HasSuffix(name, ".go") }

func isConfig(name string) bool {
	switch path.Base(name) {
	case "go.mod", "go.work":
		return true
	case "modules.txt":
		return path.Base(path.Dir(name)) == "vendor"
	}
	return false
}
