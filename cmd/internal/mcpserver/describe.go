package mcpserver

import "github.com/settgraph/sett/cmd/internal/params"

// describe says how tools/list describes a parameter, and whether it lists it at all.
// Every conversation pays for the list. So parameters whose names say enough, beside the
// tool's description, go without words, and what is rarely given is named once for all
// tools, in the instructions, or in the answers that it would change.
func describe(f *params.Field) (text string, listed bool) {
	switch f.Name {
	case "symbol":
		return "name, Type.Method, file:line or UUID", true
	case "path", "limit", "no_tests", "depth", "direction", "by", "level", "from", "to", "sig", "line", "column",
		"any", "transitive":
		return "", true
	case "format", "budget", "more", "unresolved", "project_path":
		return "", false
	}
	return f.Help, true
}
