package gorun

import (
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/settgraph/sett/query/report"
	"github.com/settgraph/sett/sdk/child"
)

// found is what the go command said is wrong with a build.
type found struct {
	diagnostics []report.Diagnostic
	tooMany     bool // it stopped telling
}

var (
	at3       = regexp.MustCompile(`^(vet: )?((?:[A-Za-z]:[\\/])?[^:\s][^:]*\.\w+):(\d+)(?::(\d+))?(?:\.\d+-\d+\.\d+)?: (.*)$`)
	goPrefix  = regexp.MustCompile(`^(go|vet|go build|go vet): `)
	noise     = regexp.MustCompile(`^(go: (downloading|finding|extracting|warning:) |go: errors parsing go\.mod:$|FAIL\b|ok  \t|\?   \t|PASS$|exit status )`)
	vetHeader = regexp.MustCompile(`^# \[`)
)

// compileErrors reads what the go command prints about packages that it cannot load, compile
// or link, in the folder that it ran in.
func (p *places) compileErrors(dir string, lines []string) found {
	var f found
	source, heading := "go", ""
	var open *report.Diagnostic // the one that further lines belong to
	closed := func() {
		if open != nil && open.Message != "" {
			open.Message = strings.TrimRight(open.Message, "\n")
			f.diagnostics = append(f.diagnostics, *open)
		}
		open = nil
	}
	for _, raw := range lines {
		line := child.Clean(raw)
		switch {
		case strings.HasPrefix(line, "# "):
			closed()
			source = "go"
			heading, _, _ = strings.Cut(line[2:], " ")
			if vetHeader.MatchString(line) {
				source = "vet"
			}
			continue
		case strings.TrimSpace(line) == "":
			closed()
			continue
		case noise.MatchString(line):
			continue
		}
		indented := line[0] == '\t' || line[0] == ' '
		m := at3.FindStringSubmatch(strings.TrimSpace(line))
		switch {
		case m != nil && (m[5] == "too many errors" || strings.HasSuffix(m[5], ": too many errors")), strings.TrimSpace(line) == "too many errors":
			f.tooMany = true
		case m != nil && indented && open != nil:
			d := p.diagnostic(dir, m, source)
			open.Related = append(open.Related, report.Related{File: d.File, Line: d.Line, Col: d.Col, Message: d.Message})
		case m != nil:
			closed()
			d := p.diagnostic(dir, m, source)
			open = &d
		case indented && open != nil, open != nil && open.File == "":
			open.Message += "\n" + strings.TrimRight(line, " \t")
		default:
			closed()
			message := goPrefix.ReplaceAllString(line, "")
			if heading != "" && !strings.HasPrefix(message, "package ") { // the linker names no package
				message = heading + ": " + message
			}
			open = &report.Diagnostic{Severity: report.Error, Source: source, Message: message}
		}
	}
	closed()
	f.diagnostics = report.Sort(f.diagnostics)
	return f
}

// diagnostic is made from a match of at3.
func (p *places) diagnostic(dir string, m []string, source string) report.Diagnostic {
	d := report.Diagnostic{File: p.named(dir, m[2]), Severity: report.Error, Source: source, Message: m[5]}
	if m[1] != "" {
		d.Source = "vet"
	}
	d.Line, _ = strconv.Atoi(m[3])
	if col, err := strconv.Atoi(m[4]); err == nil {
		d.Col = p.column(d.File, d.Line, col)
	}
	return d
}

// say is a diagnostic in one line.
func say(d report.Diagnostic) string {
	text := strings.ReplaceAll(d.Message, "\n", " ")
	if d.File == "" {
		return text
	}
	place := d.File
	if d.Line > 0 {
		place += ":" + strconv.Itoa(d.Line)
		if d.Col > 0 {
			place += ":" + strconv.Itoa(d.Col)
		}
	}
	return place + ": " + text
}

// first is the diagnostic that tells most: one with a place, if there is one.
func first(ds []report.Diagnostic) report.Diagnostic {
	if i := slices.IndexFunc(ds, func(d report.Diagnostic) bool { return d.File != "" }); i >= 0 {
		return ds[i]
	}
	return ds[0]
}
