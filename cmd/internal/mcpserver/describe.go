package mcpserver

import "github.com/settgraph/sett/cmd/internal/params"

// describe says how tools/list describes a parameter, and whether it lists it at all.
// Every conversation pays for the list, so parameters that many tools share and whose
// names say enough go without words, and those that are rarely given are named once for
// all tools, in the instructions.
func describe(f *params.Field) (text string, listed bool) {
	switch f.Name {
	case "symbol":
		return "name, Type.Method, file:line or UUID", true
	case "path", "limit", "no_tests", "depth", "direction":
		return "", true
	case "format", "budget", "project_path", "more":
		return "", false
	}
	return f.Help, true
}
