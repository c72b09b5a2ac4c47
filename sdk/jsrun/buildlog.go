package jsrun

import (
	"regexp"
	"slices"
	"strings"

	"github.com/settgraph/sett/query/report"
	"github.com/settgraph/sett/sdk/child"
)

// The ways in which build tools name a place, each with what it says of columns: those from 0
// have one added.
var (
	tscLine     = regexp.MustCompile(`^(?:\[tsl\] )?(?:(?:ERROR|WARNING) in )?(\S[^()]*?)\((\d+),(\d+)\)(?:: (error|warning) (TS\d+): (.*))?$`)
	tscPretty   = regexp.MustCompile(`^(\S[^:]*(?::\\[^:]*)?):(\d+):(\d+) - (error|warning) (TS\d+): (.*)$`)
	tsCode      = regexp.MustCompile(`^\s*(TS\d+): (.*)$`)
	esbuildHead = regexp.MustCompile(`^\s*(?:✘|▲|X|!) \[(ERROR|WARNING)\] (.*)$`)
	esbuildAt   = regexp.MustCompile(`^\s+(\S[^:]*):(\d+):(\d+):$`)
	esbuildLine = regexp.MustCompile(`^\s*(\S[^:]*):(\d+):(\d+): (ERROR|WARNING|error|warning): (.*)$`)
	rollupLine  = regexp.MustCompile(`^(?:\[!\] )?(?:\(?[\w-]+\)? )?(?:\w*Error: )?(\S+\.\w+) \((\d+):(\d+)\): (.*)$`)
	rollupBare  = regexp.MustCompile(`^(\S+\.\w+) \((\d+):(\d+)\)$`)
	resolveLine = regexp.MustCompile(`(?:Could not resolve|failed to resolve import) "[^"]*" from "([^"]+)"`)
	viteFile    = regexp.MustCompile(`^\s*[Ff]ile: ([^\s:]+(?::\\[^\s:]*)?)(?::(\d+):(\d+))?`)
	webpackHead = regexp.MustCompile(`^(ERROR|WARNING) in (\S+)(?: (\d+):(\d+)(?:-\d+(?::\d+)?)?)?$`)
	swcAt       = regexp.MustCompile(`^\s*(?:,-|╭─)\[(.+?):(\d+):(\d+)\]\s*$`)
	swcMessage  = regexp.MustCompile(`^\s*(?:x|×|\*) (.*)$`)
	babelLine   = regexp.MustCompile(`(?:SyntaxError|Error): (\S+\.\w+): (.*) \((\d+):(\d+)\)$`)
	nextAt      = regexp.MustCompile(`^(\./\S+\.\w+):(\d+):(\d+)$`)
)

// findings are the errors and warnings in what a build tool printed, in its order. Local makes
// paths from the root of those that are printed.
func findings(local func(string) string, text string) []report.Diagnostic {
	lines := strings.Split(text, "\n")
	for i := range lines {
		lines[i] = child.Clean(lines[i])
	}
	p := buildParser{local: local, lines: lines}
	for p.at = 0; p.at < len(lines); p.at++ {
		p.line(lines[p.at])
	}
	return p.found
}

// A buildParser goes through the lines of a log.
type buildParser struct {
	local func(string) string
	lines []string
	at    int
	found []report.Diagnostic
}

func (p *buildParser) add(source, severity, file, line, col string, base int, code, message string) {
	d := report.Diagnostic{Source: source, Severity: report.Error, Code: code, Message: strings.TrimSpace(message), Line: number(line)}
	if strings.EqualFold(severity, "warning") {
		d.Severity = report.Warning
	}
	if file != "" {
		d.File = p.local(file)
	}
	if d.Line > 0 {
		d.Col = number(col) + 1 - base
	}
	if d.Message == "" {
		return
	}
	same := func(o report.Diagnostic) bool {
		return o.File == d.File && o.Line == d.Line && o.Col == d.Col && o.Code == d.Code && o.Message == d.Message
	}
	if slices.ContainsFunc(p.found, same) {
		return // tools say things twice, in a line and in a block
	}
	p.found = append(p.found, d)
}

// peek is the nth line from here, "" after the end.
func (p *buildParser) peek(n int) string {
	if p.at+n < len(p.lines) {
		return p.lines[p.at+n]
	}
	return ""
}

func (p *buildParser) line(l string) {
	if m := tscPretty.FindStringSubmatch(l); m != nil {
		p.add("tsc", m[4], m[1], m[2], m[3], 1, m[5], m[6]+p.more())
		return
	}
	if m := tscLine.FindStringSubmatch(l); m != nil {
		if m[5] != "" {
			p.add("tsc", m[4], m[1], m[2], m[3], 1, m[5], m[6]+p.more())
		} else if c := tsCode.FindStringSubmatch(p.peek(1)); c != nil {
			severity := report.Error
			if strings.Contains(l, "WARNING in") {
				severity = report.Warning
			}
			p.at++
			p.add("tsc", severity, m[1], m[2], m[3], 1, c[1], c[2])
		}
		return
	}
	if m := esbuildHead.FindStringSubmatch(l); m != nil {
		for n := 1; n <= 3; n++ {
			if a := esbuildAt.FindStringSubmatch(p.peek(n)); a != nil {
				p.at += n
				p.add("esbuild", m[1], a[1], a[2], a[3], 0, "", m[2])
				return
			}
		}
		p.add("esbuild", m[1], "", "", "", 1, "", m[2])
		return
	}
	if m := esbuildLine.FindStringSubmatch(l); m != nil {
		p.add("esbuild", m[4], m[1], m[2], m[3], 0, "", m[5])
		return
	}
	if m := webpackHead.FindStringSubmatch(l); m != nil {
		p.webpack(m)
		return
	}
	if m := swcAt.FindStringSubmatch(l); m != nil {
		p.swc(m)
		return
	}
	if m := babelLine.FindStringSubmatch(l); m != nil {
		p.add("babel", report.Error, m[1], m[3], m[4], 0, "", m[2])
		return
	}
	if m := rollupLine.FindStringSubmatch(l); m != nil && !strings.HasPrefix(l, " ") {
		p.add("rollup", report.Error, m[1], m[2], m[3], 0, "", m[4])
		return
	}
	if m := resolveLine.FindStringSubmatch(l); m != nil {
		p.resolve(l, m[1])
		return
	}
	if m := nextAt.FindStringSubmatch(l); m != nil && strings.TrimSpace(p.peek(1)) != "" {
		p.add("next", report.Error, m[1], m[2], m[3], 1, "", p.peek(1))
	}
}

// more are the indented lines that continue a message of tsc.
func (p *buildParser) more() string {
	var b strings.Builder
	for strings.HasPrefix(p.peek(1), "  ") && strings.TrimSpace(p.peek(1)) != "" && !esbuildAt.MatchString(p.peek(1)) {
		p.at++
		b.WriteString("\n" + p.lines[p.at])
	}
	return b.String()
}

// webpack reads the block of an error: its place and below it what is wrong.
func (p *buildParser) webpack(m []string) {
	next := p.peek(1)
	switch {
	case strings.HasPrefix(p.peek(2), "[tsl]") || strings.HasPrefix(next, "[tsl]"), tsCode.MatchString(next):
		return // the lines below have it in full
	case strings.TrimSpace(next) == "":
		return
	}
	file := m[2]
	if strings.HasPrefix(file, "./node_modules/") || !strings.ContainsAny(file, "./") {
		file = ""
	}
	if at := rollupBare.FindStringSubmatch(next); at != nil && file == "" {
		file = at[1]
	}
	p.add("webpack", m[1], file, m[3], m[4], 0, "", next)
}

// swc reads the block of an error: the message above its place, the column by the mark below.
func (p *buildParser) swc(m []string) {
	message := ""
	for n := 1; n <= 4 && p.at-n >= 0 && message == ""; n++ {
		if w := swcMessage.FindStringSubmatch(p.lines[p.at-n]); w != nil {
			message = w[1]
		}
	}
	line, col, base := m[2], m[3], 1
	for n := 1; n <= 8; n++ {
		l := p.peek(n)
		bar := strings.IndexAny(l, ":·")
		mark := strings.Index(l, "^")
		if mark > bar && bar >= 0 && strings.TrimSpace(l[:bar]) == "" {
			col = itoa(len([]rune(l[bar:mark])) - 1)
			if num := strings.TrimSpace(strings.SplitN(strings.ReplaceAll(p.peek(n-1), "│", "|"), "|", 2)[0]); number(num) > 0 {
				line = num
			}
			break
		}
	}
	p.add("swc", report.Error, m[1], line, col, base, "", message)
}

// resolve is about an import that leads nowhere; vite names the place below.
func (p *buildParser) resolve(l, file string) {
	line, col := "", ""
	for n := 1; n <= 3; n++ {
		if m := viteFile.FindStringSubmatch(p.peek(n)); m != nil {
			file, line, col = m[1], m[2], m[3]
			break
		}
	}
	message := l[strings.LastIndex(l, "Error: ")+1:]
	if i := strings.Index(l, "Error: "); i >= 0 {
		message = l[i+len("Error: "):]
	}
	p.add("rollup", report.Error, file, line, col, 0, "", message)
}
