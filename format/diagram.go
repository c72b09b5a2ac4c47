package format

import (
	"fmt"
	"io"
	"strings"
)

// A diagram is an answer as a graph: nodes with labels, edges dashed when dynamic.
type diagram struct {
	nodes []diagramNode
	edges []diagramEdge
}

type diagramNode struct{ id, label string }

type diagramEdge struct {
	from, to string
	dashed   bool
}

func (d *diagram) node(id, label string) { d.nodes = append(d.nodes, diagramNode{id, label}) }

func (d *diagram) edge(from, to string, dashed bool) {
	d.edges = append(d.edges, diagramEdge{from, to, dashed})
}

func diagramOf(res any, name string) (diagram, error) {
	f, ok := formOf(res)
	if !ok || f.graph == nil {
		return diagram{}, fmt.Errorf("%s of %s: %w", name, f.kind, ErrForm)
	}
	return f.graph(), nil
}

// Dot prints an answer that is a graph for Graphviz. Others give [ErrForm].
func Dot(w io.Writer, res any) error {
	d, err := diagramOf(res, "dot")
	if err != nil {
		return err
	}
	var b strings.Builder
	b.WriteString("digraph sett {\n\trankdir=LR;\n\tnode [shape=box];\n")
	quote := func(s string) string {
		return `"` + strings.NewReplacer(`\`, `\\`, `"`, `\"`, "\n", `\n`).Replace(s) + `"`
	}
	for _, n := range d.nodes {
		fmt.Fprintf(&b, "\t%s [label=%s];\n", n.id, quote(n.label))
	}
	for _, e := range d.edges {
		fmt.Fprintf(&b, "\t%s -> %s%s;\n", e.from, e.to, flag(e.dashed, " [style=dashed]"))
	}
	b.WriteString("}\n")
	_, err = io.WriteString(w, b.String())
	return err
}

// Mermaid prints an answer that is a graph for Mermaid. Others give [ErrForm].
func Mermaid(w io.Writer, res any) error {
	d, err := diagramOf(res, "mermaid")
	if err != nil {
		return err
	}
	var b strings.Builder
	b.WriteString("flowchart LR\n")
	quote := func(s string) string {
		return strings.NewReplacer(`"`, "#quot;", "<", "#lt;", ">", "#gt;", "\n", "<br/>").Replace(s)
	}
	for _, n := range d.nodes {
		fmt.Fprintf(&b, "  %s[\"%s\"]\n", n.id, quote(n.label))
	}
	for _, e := range d.edges {
		arrow := "-->"
		if e.dashed {
			arrow = "-.->"
		}
		fmt.Fprintf(&b, "  %s %s %s\n", e.from, arrow, e.to)
	}
	_, err = io.WriteString(w, b.String())
	return err
}
