package format

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"
	"text/tabwriter"
	"unicode"

	"github.com/settgraph/sett/query"
	"github.com/settgraph/sett/query/report"
)

// Version is the version of the JSON envelope. It changes when a field is renamed,
// removed, or means something else.
const Version = 1

// Style is how lines and tables look beyond what they say.
type Style struct {
	Color bool // escape codes of a terminal
}

// ErrForm is reported for an answer that has no such form: a list as a graph.
var ErrForm = errors.New("this answer has no such form")

// A form is how one kind of answer is printed.
type form struct {
	kind  string // in the JSON envelope
	lines func() string
	table func() table
	graph func() diagram // nil when the answer is no graph
}

// formOf is THE table of forms. The numbers of tokens that an answer may take come with
// the answer.
func formOf(res any) (form, bool) {
	switch r := res.(type) {
	case *query.FindResult:
		return form{"find", func() string { return findLines(r) }, func() table { return findTable(r) }, nil}, true
	case *query.RefsResult:
		return form{"refs", func() string { return refsLines(r) }, func() table { return refsTable(r) }, nil}, true
	case *query.ImpactResult:
		return form{"impact", func() string { return impactLines(r) }, func() table { return impactTable(r) },
			func() diagram { return impactGraph(r) }}, true
	case *query.CallGraphResult:
		return form{"callgraph", func() string { return callGraphLines(r) }, func() table { return callGraphTable(r) },
			func() diagram { return callGraphGraph(r) }}, true
	case *query.ContextResult:
		return form{"context", func() string { return contextLines(r) }, func() table { return contextTable(r) }, nil}, true
	case *query.CircularResult:
		return form{"circular", func() string { return circularLines(r) }, func() table { return circularTable(r) },
			func() diagram { return circularGraph(r) }}, true
	case *query.SymbolsResult:
		return form{"symbols", func() string { return symbolsLines(r) }, func() table { return symbolsTable(r) }, nil}, true
	case *query.SourceResult:
		return form{"source", func() string { return sourceLines(r) }, func() table { return sourceTable(r) }, nil}, true
	case *query.TypeResult:
		return form{"type", func() string { return typeLines(r) }, func() table { return typeTable(r) }, nil}, true
	case *query.DefResult:
		return form{"def", func() string { return defLines(r) }, func() table { return defTable(r) }, nil}, true
	case *query.PathResult:
		return form{"path", func() string { return pathLines(r) }, func() table { return pathTable(r) },
			func() diagram { return pathGraph(r) }}, true
	case *query.DeadCodeResult:
		return form{"deadcode", func() string { return deadCodeLines(r) }, func() table { return deadCodeTable(r) }, nil}, true
	case *report.Check:
		return form{"check", func() string { return checkLines(r) }, func() table { return checkTable(r) }, nil}, true
	case *report.Build:
		return form{"build", func() string { return buildLines(r) }, func() table { return buildTable(r) }, nil}, true
	case *report.Test:
		return form{"test", func() string { return testLines(r) }, func() table { return testTable(r) }, nil}, true
	case *query.StatsResult:
		return form{"stats", func() string { return statsLines(r) }, func() table { return statsTable(r) }, nil}, true
	}
	return form{}, false
}

// Lines prints the answer for reading, in at most about as many tokens as it was asked
// to take.
func Lines(w io.Writer, res any, style Style) error {
	f, ok := formOf(res)
	if !ok {
		return fmt.Errorf("lines of %T: %w", res, ErrForm)
	}
	text := strings.TrimRight(f.lines(), "\n") + "\n"
	if style.Color {
		text = colored(text)
	}
	_, err := io.WriteString(w, text)
	return err
}

// JSON prints the whole answer in a versioned envelope, on one line.
func JSON(w io.Writer, res any) error {
	f, ok := formOf(res)
	if !ok {
		return fmt.Errorf("json of %T: %w", res, ErrForm)
	}
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(struct {
		Sett   int    `json:"sett"`
		Kind   string `json:"kind"`
		Result any    `json:"result"`
	}{Version, f.kind, res}); err != nil {
		return fmt.Errorf("encoding the answer: %w", err)
	}
	_, err := w.Write(b.Bytes())
	return err
}

// A table is a head and rows of cells.
type table struct {
	head []string
	rows [][]string
}

func (t *table) add(cells ...any) {
	row := make([]string, len(cells))
	for i, c := range cells {
		row[i] = strings.Map(func(r rune) rune {
			if unicode.IsControl(r) {
				return ' '
			}
			return r
		}, fmt.Sprint(c))
	}
	t.rows = append(t.rows, row)
}

// Table prints the whole answer in aligned columns under their names.
func Table(w io.Writer, res any, style Style) error {
	f, ok := formOf(res)
	if !ok {
		return fmt.Errorf("table of %T: %w", res, ErrForm)
	}
	t := f.table()
	var b bytes.Buffer
	tw := tabwriter.NewWriter(&b, 0, 8, 2, ' ', 0)
	fmt.Fprintln(tw, strings.ToUpper(strings.Join(t.head, "\t")))
	for _, row := range t.rows {
		fmt.Fprintln(tw, strings.Join(row, "\t"))
	}
	if err := tw.Flush(); err != nil {
		return fmt.Errorf("aligning the table: %w", err)
	}
	var out strings.Builder
	for i, line := range strings.Split(strings.TrimRight(b.String(), "\n"), "\n") {
		line = strings.TrimRight(line, " ")
		if style.Color && i == 0 {
			line = bold(line)
		}
		out.WriteString(line + "\n")
	}
	_, err := io.WriteString(w, out.String())
	return err
}

// colored marks the first line, which is the answer, and dims what was guessed.
func colored(text string) string {
	lines := strings.Split(strings.TrimSuffix(text, "\n"), "\n")
	for i, l := range lines {
		switch {
		case i == 0:
			lines[i] = bold(l)
		case strings.HasPrefix(strings.TrimLeft(l, " "), "~"), strings.HasPrefix(l, "+"):
			lines[i] = "\x1b[2m" + l + "\x1b[0m"
		}
	}
	return strings.Join(lines, "\n") + "\n"
}

func bold(s string) string { return "\x1b[1m" + s + "\x1b[0m" }
