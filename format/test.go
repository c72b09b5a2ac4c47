package format

import (
	"fmt"
	"slices"
	"strings"

	"github.com/settgraph/sett/query/report"
)

// testLines prints
//
//	125 passed, 2 failed, 3 skipped in 12 packages (4.2s)
//	FAIL TestHead/empty  tsdb/head_test.go:45
//	  expected: 3
//	  got: 4
//	log: .sett/logs/test-1.log
//
// what could not run at all first. The names are those that the runner takes back.
func testLines(r *report.Test) string {
	head := testHead(r) + "\n"
	tail := ""
	if !r.OK {
		tail = stepLines(r.Steps, len(r.Failures) == 0)
	}
	tail += noteLines(r.Notes)
	return head + failures(r, left(r.Budget, head+tail)) + tail
}

func testHead(r *report.Test) string {
	if r.Passed+r.Failed+r.Skipped+r.NotRun+r.Broken == 0 && len(r.Failures) == 0 {
		s := "no tests in " + r.What
		if len(r.Steps) == 0 && r.OK && r.Symbol != "" {
			return "no test reaches " + r.Symbol
		}
		if !r.OK {
			s = "test run failed: no tests ran in " + r.What
		}
		return s
	}
	var parts []string
	add := func(n int, words string) {
		if n > 0 {
			parts = append(parts, fmt.Sprintf("%d %s", n, words))
		}
	}
	parts = append(parts, fmt.Sprintf("%d passed", r.Passed))
	if r.Cached > 0 {
		parts[0] += fmt.Sprintf(" (%d cached)", r.Cached)
	}
	if r.Failed > 0 || r.OK || r.Broken == 0 {
		parts = append(parts, fmt.Sprintf("%d failed", r.Failed))
	}
	add(r.Skipped, "skipped")
	add(r.NotRun, "not run")
	unit := suiteWord(r)
	if r.Broken > 0 {
		parts = append(parts, plural(r.Broken, unit)+" broken")
	}
	s := strings.Join(parts, ", ")
	if r.Suites > 0 {
		s += " in " + plural(r.Suites, unit)
	}
	s += " (" + took(r.Took) + ")"
	switch end := ending(r.Steps); {
	case end != "":
		s += ", but the run " + end
	case !r.OK && r.Failed == 0 && r.Broken == 0:
		s += ", but the run failed"
	}
	return s
}

// suiteWord is what tests are counted in: Go has packages, everybody else files.
func suiteWord(r *report.Test) string {
	if len(r.Steps) > 0 && !slices.ContainsFunc(r.Steps, func(s report.Step) bool { return s.Tool != "go" }) {
		return "package"
	}
	if slices.ContainsFunc(r.Steps, func(s report.Step) bool { return s.Tool == "go" }) {
		return "suite"
	}
	return "file"
}

// brokenFirst returns the failures with what could not run in front: the rest may follow
// from it.
func brokenFirst(fs []report.Failure) []report.Failure {
	fs = slices.Clone(fs)
	slices.SortStableFunc(fs, func(a, b report.Failure) int {
		return flagOrder(a.Kind != report.Broken) - flagOrder(b.Kind != report.Broken)
	})
	return fs
}

func flagOrder(last bool) int {
	if last {
		return 1
	}
	return 0
}

// failures prints what failed within a budget: with all output, with less and less of it,
// only the first few with any, and at last only as many as there is room for.
func failures(r *report.Test, budget int) string {
	fs := brokenFirst(r.Failures)
	// The first most failures in detail, of the others the names.
	some := func(most, output, message int) func() string {
		return func() string {
			var b strings.Builder
			for i := range fs {
				if i >= most {
					output, message = 0, 0
				}
				b.WriteString(failure(&fs[i], output, message))
			}
			return b.String()
		}
	}
	text := func(output, message int) func() string { return some(len(fs), output, message) }
	if len(fs) == 0 {
		return ""
	}
	full := text(1000, 1000)
	if budget == unlimited {
		return full()
	}
	need := roundUp(Tokens(full()) + 100)
	rest := func(n int) string { return fmt.Sprintf("+%s: --budget %d\n", plural(n, "failure"), need) }
	return fit(budget, rest, full, text(12, 30), text(5, 12), text(2, 6), text(0, 3),
		some(5, 2, 6), some(3, 2, 6), some(1, 2, 6), some(1, 0, 3))
}

// failure prints one failure: at most so many lines of its output and of each of its
// values.
func failure(f *report.Failure, output, lines int) string {
	var b strings.Builder
	switch {
	case f.Kind == report.Broken && f.Name == "":
		b.WriteString("BROKEN " + f.Suite)
	case f.Name == "":
		b.WriteString("FAIL " + f.Suite)
	default:
		b.WriteString("FAIL " + f.Name)
	}
	switch {
	case f.File != "":
		b.WriteString("  " + spot3(f.File, f.Line, f.Col))
	case f.Name != "":
		b.WriteString("  " + f.Suite)
	}
	switch f.Kind {
	case report.Panic, report.Timeout, report.Raced:
		b.WriteString(" (" + f.Kind + ")")
	case report.Broken:
		b.WriteString(flag(f.Name != "", " (broken)"))
	}
	b.WriteByte('\n')
	if lines == 0 {
		return b.String()
	}
	message := f.Message
	if f.Expected != "" && f.Got != "" && strings.Contains(message, f.Expected) && strings.Contains(message, f.Got) {
		message = "" // it says the same once more
	}
	if message != "" {
		b.WriteString(block("", message, lines))
	}
	if f.Expected != "" || f.Got != "" {
		b.WriteString(block("expected: ", f.Expected, lines) + block("got: ", f.Got, lines))
	}
	for i, l := range f.Output {
		if i == output {
			if output > 0 {
				fmt.Fprintf(&b, "  +%s of output\n", plural(len(f.Output)-i, "line"))
			}
			break
		}
		b.WriteString("  " + shortLine(l) + "\n")
	}
	return b.String()
}

// block prints a text of one or more lines under a failure.
func block(label, text string, most int) string {
	lines := linesOf(text)
	cut := len(lines) - most
	lines = lines[:min(most, len(lines))]
	var b strings.Builder
	for i, l := range lines {
		if most < 1000 {
			l = shortLine(l)
		}
		switch {
		case i == 0:
			b.WriteString("  " + label + l + "\n")
		case label != "":
			b.WriteString("    " + l + "\n")
		default:
			b.WriteString("  " + l + "\n")
		}
	}
	if cut > 0 {
		fmt.Fprintf(&b, "    +%s\n", plural(cut, "line"))
	}
	return b.String()
}

func testTable(r *report.Test) table {
	t := table{head: []string{"result", "name", "suite", "file", "line", "message"}}
	for _, f := range brokenFirst(r.Failures) {
		message := f.Message
		if message == "" && f.Expected+f.Got != "" {
			message = "expected " + f.Expected + ", got " + f.Got
		}
		t.add(f.Kind, f.Name, f.Suite, f.File, number(f.Line), message)
	}
	for _, s := range r.Skips {
		t.add("skipped", s.Name, s.Suite, "", "", s.Reason)
	}
	return t
}

// Tests002 prints a test run in the form of run_tests in the manual of cot's server.
func Tests002(r *report.Test) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%d passed, %d failed", r.Passed, r.Failed)
	if r.Broken > 0 {
		fmt.Fprintf(&b, ", %d broken", r.Broken)
	}
	if r.Skipped > 0 {
		fmt.Fprintf(&b, ", %d skipped", r.Skipped)
	}
	b.WriteByte('\n')
	if r.OK && r.Passed > 0 {
		b.WriteString("\nAll tests passed.\n")
	}
	for _, f := range brokenFirst(r.Failures) {
		name := f.Name
		if name == "" {
			name = f.Suite
		}
		fmt.Fprintf(&b, "\nFAIL: %q", name)
		switch {
		case f.File != "" && f.Line > 0 && f.File != r.What:
			fmt.Fprintf(&b, " at line %d of %s", f.Line, f.File)
		case f.Line > 0: // the file is the one that was asked about
			fmt.Fprintf(&b, " at line %d", f.Line)
		}
		b.WriteByte('\n')
		if f.Expected != "" || f.Got != "" {
			b.WriteString(block("expected: ", f.Expected, 1000) + block("got: ", f.Got, 1000))
		} else if f.Message != "" {
			b.WriteString(block("", f.Message, 1000))
		}
	}
	if !r.OK {
		if steps := stepLines(r.Steps, len(r.Failures) == 0); steps != "" {
			b.WriteString("\n" + steps)
		}
	}
	return b.String() + noteLines(r.Notes)
}
