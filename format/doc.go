// Package format turns the answers of package query into text: lines for people and
// agents, JSON, tables, and graphs for Graphviz and Mermaid. It sees answers and never
// the graph.
//
// Start at format.go, where the table of forms is; each answer has a file of its own.
// What lines look like is the same everywhere: the first line answers the question,
// sites are grouped by file, and a budget of tokens, not a limit, shapes the rest, in
// steps from all to counts (fit.go), with a last line that says how to get what is missing.
package format
