package format

import (
	"cmp"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"unicode"

	"github.com/settgraph/sett/query/report"
)

// checkLines prints
//
//	3 errors, 1 warning in 2 files
//	web/app.ts:12:5: error[TS2322]: Type 'string' is not assignable to type 'number'.
//	note: node_modules is missing: run npm install
//
// the worst first.
func checkLines(r *report.Check) string {
	head := checkHead(r)
	notes := noteLines(r.Notes)
	return head + "\n" + findings(r.Diagnostics, left(r.Budget, head+notes)) + notes
}

func checkHead(r *report.Check) string {
	ds := r.Diagnostics
	switch {
	case len(ds) == 0 && r.Files == 0:
		return "nothing to check in " + r.What
	case len(ds) == 0:
		return "no errors in " + r.What + flag(r.Files > 1, " ("+plural(r.Files, "file")+")")
	case report.Count(ds, report.Error) > 0:
		return tally(ds) + inFiles(ds)
	case len(perFile(ds)) > 1:
		return "no errors in " + r.What + ", " + tally(ds) + inFiles(ds)
	}
	return "no errors in " + r.What + ", " + tally(ds)
}

// tally counts findings by severity: 3 errors, 1 warning.
func tally(ds []report.Diagnostic) string {
	var parts []string
	var n [3]int
	for _, d := range ds {
		n[severityRank(d.Severity)]++
	}
	for i, word := range []string{"error", "warning", "remark"} {
		if n[i] > 0 {
			parts = append(parts, plural(n[i], word))
		}
	}
	return strings.Join(parts, ", ")
}

// inFiles says which file findings are in, or how many they are.
func inFiles(ds []report.Diagnostic) string {
	files := perFile(ds)
	delete(files, "")
	switch len(files) {
	case 0:
		return ""
	case 1:
		return " in " + byCount(files)[0]
	}
	return " in " + plural(len(files), "file")
}

// worstFirst returns the findings by severity, those of one severity in their order.
func worstFirst(ds []report.Diagnostic) []report.Diagnostic {
	ds = slices.Clone(ds)
	slices.SortStableFunc(ds, func(a, b report.Diagnostic) int {
		return cmp.Compare(severityRank(a.Severity), severityRank(b.Severity))
	})
	return ds
}

func severityRank(severity string) int {
	switch severity {
	case report.Error:
		return 0
	case report.Warning:
		return 1
	}
	return 2
}

// unlimited is a budget that nothing exceeds.
const unlimited = 1 << 40

// left is what remains of a budget, 0 for none, when some text is printed.
func left(budget int, text string) int {
	if budget <= 0 {
		return unlimited
	}
	return max(budget-Tokens(text), 40)
}

// findings prints diagnostics, the worst first, within a budget: first without what explains
// them, then only as many as there is room for.
func findings(ds []report.Diagnostic, budget int) string {
	ds = worstFirst(ds)
	full := func(explain bool) string {
		var b strings.Builder
		for i := range ds {
			b.WriteString(finding(&ds[i], explain))
		}
		return b.String()
	}
	all := full(true)
	need := Tokens(all)
	if need <= budget {
		return all
	}
	var b strings.Builder
	more := fmt.Sprintf(": --budget %d\n", roundUp(need+100))
	rest := func(ds []report.Diagnostic) string { return "+" + whereRest(ds) + more }
	used := Tokens("+details" + more)
	for i := range ds {
		text := finding(&ds[i], false)
		if i == 0 && Tokens(text) > budget {
			text = shorten(text, budget/2) + "\n" // even the first alone is too long
		}
		used += Tokens(text)
		if i > 0 && used+Tokens(rest(ds[i:])) > budget {
			return b.String() + rest(ds[i:])
		}
		b.WriteString(text)
	}
	return b.String() + "+details" + more
}

// whereRest says what is left out: 31 errors in 4 files (a.ts 20, b.ts 9, +2 files).
func whereRest(ds []report.Diagnostic) string {
	files := perFile(ds)
	s := tally(ds)
	if len(files) == 1 {
		return s + " in " + orProject(byCount(files)[0])
	}
	s += " in " + plural(len(files), "file")
	var parts []string
	for i, f := range byCount(files) {
		if i == 3 {
			parts = append(parts, "+"+plural(len(files)-i, "file"))
			break
		}
		parts = append(parts, fmt.Sprintf("%s %d", orProject(f), files[f]))
	}
	return s + " (" + strings.Join(parts, ", ") + ")"
}

func perFile(ds []report.Diagnostic) map[string]int {
	files := map[string]int{}
	for _, d := range ds {
		files[d.File]++
	}
	return files
}

func orProject(file string) string {
	if file == "" {
		return "(project)"
	}
	return file
}

// finding prints one diagnostic as compilers do, further lines of it indented.
func finding(d *report.Diagnostic, explain bool) string {
	var b strings.Builder
	if d.File != "" {
		b.WriteString(spot3(d.File, d.Line, d.Col) + ": ")
	}
	b.WriteString(d.Severity)
	if d.Code != "" {
		b.WriteString("[" + d.Code + "]")
	}
	b.WriteString(": " + indented(d.Message, "  ") + "\n")
	if !explain {
		return b.String()
	}
	for _, r := range d.Related {
		b.WriteString("  ")
		if r.File != "" {
			b.WriteString(spot3(r.File, r.Line, r.Col) + ": ")
		}
		b.WriteString(indented(r.Message, "    ") + "\n")
	}
	if d.Help != "" {
		b.WriteString("  help: " + indented(d.Help, "    ") + "\n")
	}
	return b.String()
}

// spot3 is file:line:col, as much of it as is known.
func spot3(file string, line, col int) string {
	if line == 0 || col == 0 {
		return at(file, line)
	}
	return fmt.Sprintf("%s:%d:%d", file, line, col)
}

// indented puts the lines behind the first below it.
func indented(text, indent string) string {
	lines := linesOf(text)
	for i := range lines {
		if i > 0 {
			lines[i] = indent + lines[i]
		}
	}
	return strings.Join(lines, "\n")
}

// linesOf splits a text of somebody else's into lines that a terminal shows as they are.
func linesOf(text string) []string {
	lines := strings.Split(strings.TrimRight(text, "\r\n \t"), "\n")
	for i, l := range lines {
		lines[i] = harmless(l)
	}
	return lines
}

// escapes are the commands to a terminal that colour what tools print.
var escapes = regexp.MustCompile(`\x1b\[[0-9;?]*[A-Za-z]`)

// harmless is a line without trailing blanks, and without what a terminal would obey.
func harmless(line string) string {
	line = strings.ToValidUTF8(escapes.ReplaceAllString(line, ""), "\uFFFD")
	line = strings.Map(func(r rune) rune {
		if unicode.IsControl(r) && r != '\t' {
			return -1
		}
		return r
	}, line)
	return strings.TrimRight(line, " \t")
}

// maxNotes is how many notes an answer of lines shows.
const maxNotes = 8

func noteLines(notes []string) string {
	var b strings.Builder
	for i, n := range notes {
		if i == maxNotes {
			fmt.Fprintf(&b, "+%s: --format json\n", plural(len(notes)-i, "note"))
			break
		}
		b.WriteString("note: " + shorten(n, 80) + "\n")
	}
	return b.String()
}

func checkTable(r *report.Check) table { return findingsTable(r.Diagnostics) }

func findingsTable(ds []report.Diagnostic) table {
	t := table{head: []string{"file", "line", "column", "severity", "code", "source", "message"}}
	for _, d := range worstFirst(ds) {
		t.add(orProject(d.File), number(d.Line), number(d.Col), d.Severity, d.Code, d.Source, d.Message)
	}
	return t
}

// number is a cell for a count that is not known when it is 0.
func number(n int) string {
	if n == 0 {
		return ""
	}
	return fmt.Sprint(n)
}

// Check002 prints a check in the form of check_file in the manual of cot's server.
func Check002(r *report.Check) string {
	clean := ""
	if report.Count(r.Diagnostics, report.Error) == 0 {
		clean = "No errors found in " + r.What + "\n"
	}
	return clean + findings002(r.Diagnostics) + noteLines(r.Notes)
}

func findings002(ds []report.Diagnostic) string {
	var b strings.Builder
	for _, d := range worstFirst(ds) {
		if d.File != "" {
			b.WriteString(spot3(d.File, d.Line, d.Col) + ": ")
		}
		b.WriteString(d.Severity)
		if d.Code != "" {
			b.WriteString(" " + d.Code)
		}
		b.WriteString(": " + indented(d.Message, "  ") + "\n")
	}
	return b.String()
}
