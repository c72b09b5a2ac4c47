package format

import (
	"fmt"
	"io"
	"strings"

	"github.com/settgraph/sett/query/report"
)

// GitHub prints the findings of a *report.Check, *report.Build or *report.Test as the workflow
// commands that GitHub shows beside the code, the worst first, since it shows only ten of
// each severity, and a last line for the log that counts them. Others give [ErrForm].
func GitHub(w io.Writer, res any) error {
	ds, head, err := findingsOf(res, "github")
	if err != nil {
		return err
	}
	var b strings.Builder
	for _, d := range worstFirst(ds) {
		b.WriteString(annotation(&d) + "\n")
	}
	b.WriteString(head + "\n")
	_, err = io.WriteString(w, b.String())
	return err
}

// findingsOf returns what is wrong, failed tests as errors, and the first line of the answer.
func findingsOf(res any, name string) ([]report.Diagnostic, string, error) {
	switch r := res.(type) {
	case *report.Check:
		return r.Diagnostics, checkHead(r), nil
	case *report.Build:
		ds := r.Diagnostics
		if !r.OK && len(ds) == 0 {
			ds = []report.Diagnostic{{Severity: report.Error, Source: "build", Code: "failed", Message: failed("the build failed", r.Steps)}}
		}
		return ds, buildHead(r), nil
	case *report.Test:
		ds := []report.Diagnostic{}
		for _, f := range brokenFirst(r.Failures) {
			ds = append(ds, failureFinding(&f))
		}
		if !r.OK && len(ds) == 0 {
			ds = append(ds, report.Diagnostic{Severity: report.Error, Source: "test", Code: "failed", Message: failed("the test run failed", r.Steps)})
		}
		return ds, testHead(r), nil
	}
	return nil, "", fmt.Errorf("%s of %T: %w", name, res, ErrForm)
}

// failed tells of a failure that nothing but the commands' output explains.
func failed(what string, steps []report.Step) string {
	return strings.TrimRight(what+"\n"+stepLines(steps, true), "\n")
}

// failureFinding makes a finding of a failed test.
func failureFinding(f *report.Failure) report.Diagnostic {
	name := f.Name
	if name == "" {
		name = f.Suite
	}
	d := report.Diagnostic{File: f.File, Line: f.Line, Col: f.Col, Severity: report.Error, Source: "test", Code: f.Kind}
	if strings.HasPrefix(d.File, "/") {
		d.File, d.Line, d.Col = "", 0, 0 // outside the project nothing can be shown
	}
	text := map[string]string{report.Broken: " could not run", report.Timeout: " timed out", report.Panic: " panicked", report.Raced: " has a data race"}[f.Kind]
	if text == "" {
		text = " failed"
	}
	parts := []string{name + text}
	if f.Message != "" {
		parts = append(parts, f.Message)
	}
	if f.Expected != "" || f.Got != "" {
		parts = append(parts, strings.TrimRight(block("expected: ", f.Expected, 1000)+block("got: ", f.Got, 1000), "\n"))
	}
	d.Message = strings.Join(parts, "\n")
	return d
}

// annotation is one workflow command.
func annotation(d *report.Diagnostic) string {
	command := map[string]string{report.Error: "error", report.Warning: "warning"}[d.Severity]
	if command == "" {
		command = "notice"
	}
	var props []string
	add := func(name string, value any) {
		props = append(props, name+"="+property.Replace(fmt.Sprint(value)))
	}
	if d.File != "" {
		add("file", strings.ToValidUTF8(d.File, "\uFFFD"))
		if d.Line > 0 {
			add("line", d.Line)
			if d.Col > 0 {
				add("col", d.Col)
			}
			if d.EndLine >= d.Line {
				add("endLine", d.EndLine)
				if d.EndLine == d.Line && d.EndCol > d.Col && d.Col > 0 {
					add("endColumn", d.EndCol-1) // theirs is the last column of it
				}
			}
		}
	}
	title := d.Source
	if d.Code != "" {
		title = strings.TrimSpace(title + " " + d.Code)
	}
	if title != "" {
		add("title", title)
	}
	message := d.Message
	for _, r := range d.Related {
		message += "\n" + strings.TrimPrefix(spot3(r.File, r.Line, r.Col)+": "+r.Message, "(external): ")
	}
	if d.Help != "" {
		message += "\nhelp: " + d.Help
	}
	s := "::" + command
	if len(props) > 0 {
		s += " " + strings.Join(props, ",")
	}
	return s + "::" + data.Replace(strings.Join(linesOf(message), "\n"))
}

// What the runner of workflows decodes in messages and in the values before them.
var (
	data     = strings.NewReplacer("%", "%25", "\r", "%0D", "\n", "%0A")
	property = strings.NewReplacer("%", "%25", "\r", "%0D", "\n", "%0A", ":", "%3A", ",", "%2C")
)
