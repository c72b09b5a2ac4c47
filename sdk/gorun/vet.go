package gorun

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/settgraph/sett/query/report"
)

// major is the last part of the path of a module that has changed incompatibly.
var major = regexp.MustCompile(`^v[0-9]+$`)

// Vet gives what go vet finds, as warnings with the name of the analyzer as code. What keeps
// it from looking at a package, like an error of types, is in the notes: whoever checks types
// knows those better.
func Vet(ctx context.Context, o Options) ([]report.Diagnostic, []string, error) {
	r, err := o.newRunner(ctx)
	if err != nil {
		return nil, nil, err
	}
	defer r.close()
	var all []report.Diagnostic
	for i, m := range r.modules {
		r.tell(report.Event{Phase: "go vet " + strings.Join(m.patterns, " "), Done: i, Total: len(r.modules)})
		found, stop, err := r.vet(m)
		if err != nil {
			return nil, nil, err
		}
		all = append(all, found...)
		if stop {
			break
		}
	}
	return report.Sort(all), r.notes, nil
}

// vetMax is how much of what go vet prints is read.
const vetMax = 64 << 20

// vet runs go vet for a module. It says whether the run is at its end.
func (r *runner) vet(m *module) ([]report.Diagnostic, bool, error) {
	c := r.command(m, "vet", []string{"-json"}, slices.Concat(r.o.Args, m.patterns)...)
	var printed bytes.Buffer
	take := func(line []byte) {
		if printed.Len() < vetMax {
			printed.Write(line)
			printed.WriteByte('\n')
		}
	}
	c.Stdout, c.Stderr = take, take
	res, err := r.quietly(c)
	if err != nil {
		return nil, false, err
	}
	all, loose, failed := r.where.vetted(m.dir, printed.Bytes())
	switch {
	case res.TimedOut:
		r.note("go vet was ended because its time was up; it may not have found everything")
		return all, true, nil
	case res.Canceled:
		return all, true, nil
	}
	if f := r.where.compileErrors(m.dir, loose); len(f.diagnostics) > 0 && (res.Code != 0 || failed > 0) {
		r.note("go vet did not look at everything: " + say(first(f.diagnostics)))
	} else if failed > 0 {
		r.note("go vet could not look at " + count(failed, "package", "packages"))
	} else if res.Code != 0 && len(all) == 0 {
		r.note("go vet failed without a word it is known by")
	}
	return all, false, nil
}

// A finding is what an analyzer says about a place.
type finding struct {
	Posn, End, Message string
	SuggestedFixes     []struct{ Message string } `json:"suggested_fixes"`
	Related            []struct{ Posn, Message string }
}

// vetted reads what go vet -json prints: an object for each package, by package and analyzer,
// among headings and the words of the go command, which come back as loose lines. Failed is
// how often an analyzer could not do its work.
func (p *places) vetted(dir string, text []byte) (all []report.Diagnostic, loose []string, failed int) {
	for len(text) > 0 {
		if text[0] != '{' {
			line, rest, _ := bytes.Cut(text, []byte("\n"))
			loose = append(loose, string(line))
			text = rest
			continue
		}
		dec := json.NewDecoder(bytes.NewReader(text))
		var object map[string]map[string]json.RawMessage
		err := dec.Decode(&object)
		if err != nil {
			line, rest, _ := bytes.Cut(text, []byte("\n"))
			if !errors.Is(err, io.ErrUnexpectedEOF) {
				loose = append(loose, string(line))
			}
			text = rest
			continue
		}
		text = bytes.TrimLeft(text[dec.InputOffset():], "\r\n")
		for _, analyzers := range object {
			for name, raw := range analyzers {
				var findings []finding
				if json.Unmarshal(raw, &findings) != nil {
					failed++ // an error of the analyzer instead
					continue
				}
				for _, f := range findings {
					all = append(all, p.finding(dir, name, f))
				}
			}
		}
	}
	return report.Sort(all), loose, failed
}

func (p *places) finding(dir, analyzer string, f finding) report.Diagnostic {
	d := report.Diagnostic{Severity: report.Warning, Source: "vet", Code: analyzer, Message: f.Message}
	d.File, d.Line, d.Col = p.position(dir, f.Posn)
	if file, line, col := p.position(dir, f.End); file == d.File && line > 0 && (line > d.Line || col > d.Col) {
		d.EndLine, d.EndCol = line, col
	}
	if len(f.SuggestedFixes) > 0 {
		d.Help = f.SuggestedFixes[0].Message
	}
	for _, o := range f.Related {
		rel := report.Related{Message: o.Message}
		rel.File, rel.Line, rel.Col = p.position(dir, o.Posn)
		d.Related = append(d.Related, rel)
	}
	return d
}

// position reads file:line:col.
func (p *places) position(dir, posn string) (file string, line, col int) {
	if posn == "" || posn == "-" {
		return "", 0, 0
	}
	rest, last, ok := cutLast(posn)
	if !ok {
		return p.named(dir, posn), 0, 0
	}
	if before, l, ok := cutLast(rest); ok {
		file = p.named(dir, before)
		return file, l, p.column(file, l, last)
	}
	return p.named(dir, rest), last, 0
}

// cutLast cuts the number behind the last colon off.
func cutLast(s string) (string, int, bool) {
	i := strings.LastIndexByte(s, ':')
	if i <= 0 {
		return s, 0, false
	}
	n, err := strconv.Atoi(s[i+1:])
	return s[:i], n, err == nil
}
