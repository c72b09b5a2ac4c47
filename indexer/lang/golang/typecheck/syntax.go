package typecheck

import (
	"go/scanner"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/settgraph/sett/query/report"
)

var compilerLine = regexp.MustCompile(`^f(\d+)\.go:(\d+):(?:(\d+):)? (.*)$`)

var compilerFile = regexp.MustCompile(`\bf\d+\.go:`)

// syntaxFindings says what is wrong with files that cannot be parsed. The compiler's own
// parser, which ends before it needs any import, has the last word on where and what; when
// it is not there, or finds nothing, go/parser's stands.
func (s *session) syntaxFindings(p *pkg, list []*text) []report.Diagnostic {
	if p.foreign {
		return nil
	}
	if found := s.compilerSyntax(p, list); len(found) > 0 {
		return found
	}
	var found []report.Diagnostic
	for _, t := range list {
		if len(t.bad) > 0 {
			continue
		}
		last := 0
		for _, e := range t.syntax {
			// The lexer's position, whatever a line directive says.
			at := place{max(1, e.Pos.Line), max(1, e.Pos.Column)}
			if at.line == last {
				continue
			}
			last = at.line
			found = append(found, report.Diagnostic{File: t.rel, Line: at.line, Col: t.column(at), Severity: report.Error, Source: "go", Message: "syntax error: " + e.Msg})
		}
	}
	return found
}

func (s *session) compilerSyntax(p *pkg, list []*text) []report.Diagnostic {
	name := filepath.Join(s.c.tool.env.GOTOOLDIR, "compile")
	if s.c.tool.env.GOTOOLDIR == "" || !isFile(name) && !isFile(name+".exe") {
		return nil
	}
	dir, err := os.MkdirTemp("", "sett-syntax-")
	if err != nil {
		return nil
	}
	defer func() { _ = os.RemoveAll(dir) }()
	args := []string{"-e", "-p", "p", "-o", filepath.Join(dir, "p.a")} // it removes what it could not finish: never a device
	for i, t := range list {
		if len(t.bad) > 0 {
			continue
		}
		f := "f" + strconv.Itoa(i) + ".go"
		if os.WriteFile(filepath.Join(dir, f), t.src, 0o600) != nil {
			return nil
		}
		args = append(args, f)
	}
	out, _, err := execute(s.ctx, dir, nil, nil, name, args...)
	if !exited(err) {
		return nil
	}
	var found []report.Diagnostic
	for _, line := range strings.Split(string(out), "\n") {
		m := compilerLine.FindStringSubmatch(line)
		if m == nil {
			if rest, ok := strings.CutPrefix(line, "\t"); ok && len(found) > 0 {
				found[len(found)-1].Message += "\n\t" + rest
			}
			continue
		}
		i, _ := strconv.Atoi(m[1])
		row, _ := strconv.Atoi(m[2])
		col, _ := strconv.Atoi(m[3])
		if i >= len(list) || row == 0 || strings.HasPrefix(m[4], "could not import") {
			continue
		}
		t := list[i]
		words := compilerFile.ReplaceAllStringFunc(m[4], func(f string) string {
			if n, err := strconv.Atoi(f[1:strings.Index(f, ".")]); err == nil && n < len(list) {
				return list[n].rel + ":"
			}
			return f
		})
		found = append(found, report.Diagnostic{
			File: t.rel, Line: row, Col: t.column(place{row, max(1, col)}), Severity: report.Error, Source: "go", Message: words,
		})
	}
	if strings.Contains(string(out), ": syntax error") || !strings.Contains(string(out), "could not import") {
		return found
	}
	// It got past parsing: what follows is about what it cannot see.
	return slices.DeleteFunc(found, func(d report.Diagnostic) bool {
		if parserWords.MatchString(d.Message) {
			return false
		}
		return !slices.ContainsFunc(list, func(t *text) bool {
			return t.rel == d.File && slices.ContainsFunc(t.syntax, func(e *scanner.Error) bool { return e.Pos.Line == d.Line })
		})
	})
}

// parserWords are those that the compiler's parser has for what go/parser lets pass.
var parserWords = regexp.MustCompile(`^(misplaced (compiler|go:\w+) directive|usage: //go:|//go:\S+ (only|is) |go:embed |label \S+ (defined and not used|already defined|not defined)|(break|continue) (is not in|label not defined)|invalid (break|continue) label|goto \S+ jumps|fallthrough )`)

// directive matches the directives that have a place where they may be.
var directive = regexp.MustCompile(`(?m)^\s*//go:(embed|linkname|no|wasm|uintptr|norace|nosplit|notinheap|systemstack|yeswrite)`)

// parserFindings adds what the compiler's parser finds and go/parser does not, and lets it
// have the last word on labels and jumps.
func (e *errs) parserFindings(own []*text) {
	if !e.branch && !slices.ContainsFunc(own, func(t *text) bool { return directive.Match(t.src) }) {
		return
	}
	found := slices.DeleteFunc(e.s.compilerSyntax(e.p, own), func(d report.Diagnostic) bool { return !parserWords.MatchString(d.Message) })
	if len(found) == 0 {
		return
	}
	e.findings = slices.DeleteFunc(e.findings, func(d report.Diagnostic) bool { return isBranch(d.Code) })
	e.findings = append(e.findings, found...)
}
