package child

import (
	"bytes"
	"path/filepath"
	"regexp"
	"strings"

	"github.com/settgraph/sett/query/report"
)

// tailLines is how many last lines a step has.
const tailLines = 20

// escapes are the colours and movements of terminals.
var escapes = regexp.MustCompile("\x1b\\[[0-9;?]*[ -/]*[@-~]|\x1b\\][^\x07\x1b]*(\x07|\x1b\\\\)|\x1b[@-Z\\\\-_]")

// Step is the run as a step of a report: the tool that ran, the folder it ran in (from the
// root), the command as a shell would take it. It has the last lines only if the run failed;
// who knows more about the failure drops them.
func (r *Result) Step(tool, dir string, c Command, root string) report.Step {
	s := report.Step{
		Tool: tool, Command: c.Shell(), Dir: filepath.ToSlash(dir), Code: r.Code, Took: r.Took,
		TimedOut: r.TimedOut, Canceled: r.Canceled, Bytes: r.Bytes, Log: From(root, c.Log),
	}
	if s.Dir == "" {
		s.Dir = "."
	}
	if r.Code != 0 {
		s.Tail = Lines(r.Tail, tailLines)
	}
	return s
}

// From is the path from the root, with slashes; one outside stays absolute, "" stays "".
func From(root, path string) string {
	if rel, err := filepath.Rel(root, path); path != "" && err == nil && filepath.IsLocal(rel) {
		return filepath.ToSlash(rel)
	}
	return filepath.ToSlash(path)
}

// Lines are the last lines of a text, at most n: what a terminal would show of them, as valid
// UTF-8, without empty lines at the end.
func Lines(text []byte, n int) []string {
	text = bytes.TrimRight(text, " \t\r\n")
	if len(text) == 0 {
		return nil
	}
	all := strings.Split(string(text), "\n")
	all = all[max(0, len(all)-n):]
	for i, line := range all {
		all[i] = Clean(line)
	}
	return all
}

// Clean is what a terminal shows of a line: without colours, and only what comes after the
// last carriage return. What is not UTF-8 is replaced, a long line is cut.
func Clean(line string) string {
	line = strings.TrimRight(line, " \t\r")
	line = line[strings.LastIndexByte(line, '\r')+1:]
	if strings.IndexByte(line, 0x1b) >= 0 {
		line = escapes.ReplaceAllString(line, "")
	}
	const most = 1000
	if len(line) > most {
		line = strings.ToValidUTF8(line[:most], "") + "..."
	}
	return strings.Map(func(r rune) rune {
		if r < ' ' && r != '\t' || r == 0x7f {
			return -1
		}
		return r
	}, strings.ToValidUTF8(line, "\uFFFD"))
}

// Shell is the command as a shell would take it, with what its environment has of its own.
func (c Command) Shell() string {
	var b strings.Builder
	for _, e := range c.Env {
		name, value, _ := strings.Cut(e, "=")
		b.WriteString(name + "=" + quote(value) + " ")
	}
	for i, a := range c.Args {
		if i > 0 {
			b.WriteByte(' ')
		}
		b.WriteString(quote(a))
	}
	return b.String()
}

// plain are words that a shell takes as they are.
var plain = regexp.MustCompile(`^[\w@%+=:,./^-]+$`)

func quote(word string) string {
	if plain.MatchString(word) {
		return word
	}
	return "'" + strings.ReplaceAll(word, "'", `'\''`) + "'"
}
