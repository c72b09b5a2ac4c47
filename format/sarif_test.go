package format_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"net/url"
	"slices"
	"strings"
	"testing"

	"github.com/settgraph/sett/format"
	"github.com/settgraph/sett/query/report"
)

// A sarifObject says which properties the schema of SARIF 2.1.0 knows of an object that we
// print, which of them it requires, and what their values must be. The schema allows no
// others.
type sarifObject map[string]sarifProperty

type sarifProperty struct {
	required bool
	check    func(v any) error
}

func need(check func(any) error) sarifProperty  { return sarifProperty{true, check} }
func maybe(check func(any) error) sarifProperty { return sarifProperty{false, check} }

func (o sarifObject) check(v any) error {
	m, ok := v.(map[string]any)
	if !ok {
		return fmt.Errorf("%v is no object", v)
	}
	for name, p := range o {
		if _, ok := m[name]; p.required && !ok {
			return fmt.Errorf("%s is missing", name)
		}
	}
	for name, x := range m {
		p, ok := o[name]
		if !ok {
			return fmt.Errorf("%s is not in the schema", name)
		}
		if err := p.check(x); err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
	}
	return nil
}

func listOf(check func(any) error) func(any) error {
	return func(v any) error {
		xs, ok := v.([]any)
		if !ok {
			return fmt.Errorf("%v is no array", v)
		}
		for i, x := range xs {
			if err := check(x); err != nil {
				return fmt.Errorf("%d: %w", i, err)
			}
		}
		return nil
	}
}

func oneOf(words ...string) func(any) error {
	return func(v any) error {
		if s, ok := v.(string); !ok || !slices.Contains(words, s) {
			return fmt.Errorf("%v is none of %v", v, words)
		}
		return nil
	}
}

func text(v any) error {
	if s, ok := v.(string); !ok || s == "" {
		return fmt.Errorf("%v is no text", v)
	}
	return nil
}

func atLeast(least float64) func(any) error {
	return func(v any) error {
		if n, ok := v.(float64); !ok || n < least || n != float64(int(n)) {
			return fmt.Errorf("%v is no integer from %v", v, least)
		}
		return nil
	}
}

func boolean(v any) error {
	if _, ok := v.(bool); !ok {
		return fmt.Errorf("%v is not true or false", v)
	}
	return nil
}

// reference is a URI reference: one path of one line, a relative one without a scheme.
func reference(v any) error {
	s, _ := v.(string)
	u, err := url.Parse(s)
	if err != nil || s == "" {
		return fmt.Errorf("%q is no URI: %v", s, err)
	}
	if strings.ContainsAny(s, " \\\n\"<>") || u.Fragment != "" || u.RawQuery != "" {
		return fmt.Errorf("%q is not escaped", s)
	}
	if u.Scheme != "" && u.Scheme != "file" && u.Scheme != "https" {
		return fmt.Errorf("%q has the scheme %s", s, u.Scheme)
	}
	return nil
}

func texts(v any) error {
	m, ok := v.(map[string]any)
	if !ok {
		return fmt.Errorf("%v is no object", v)
	}
	for _, x := range m {
		if err := text(x); err != nil {
			return err
		}
	}
	return nil
}

var sarifSchema = func() sarifObject {
	level := oneOf("none", "note", "warning", "error")
	message := sarifObject{"text": need(func(v any) error {
		if _, ok := v.(string); !ok {
			return fmt.Errorf("%v is no text", v)
		}
		return nil
	})}.check
	base := sarifObject{"description": maybe(message), "uri": maybe(reference)}.check
	physical := sarifObject{
		"artifactLocation": need(sarifObject{"uri": maybe(reference), "uriBaseId": maybe(oneOf("%SRCROOT%"))}.check),
		"region": maybe(sarifObject{
			"startLine": need(atLeast(1)), "startColumn": maybe(atLeast(1)), "endLine": maybe(atLeast(1)), "endColumn": maybe(atLeast(1)),
		}.check),
	}.check
	location := sarifObject{"id": maybe(atLeast(-1)), "physicalLocation": maybe(physical), "message": maybe(message)}.check
	rule := sarifObject{"id": need(text), "shortDescription": maybe(message), "defaultConfiguration": maybe(sarifObject{"level": maybe(level)}.check)}.check
	return sarifObject{
		"$schema": maybe(reference),
		"version": need(oneOf("2.1.0")),
		"runs": need(listOf(sarifObject{
			"tool": need(sarifObject{"driver": need(sarifObject{
				"name": need(oneOf("sett")), "version": maybe(text), "informationUri": maybe(reference), "rules": maybe(listOf(rule)),
			}.check)}.check),
			"invocations": maybe(listOf(sarifObject{
				"executionSuccessful":        need(boolean),
				"toolExecutionNotifications": maybe(listOf(sarifObject{"level": maybe(level), "message": need(message)}.check)),
			}.check)),
			"originalUriBaseIds": maybe(sarifObject{"%SRCROOT%": maybe(base)}.check),
			"columnKind":         maybe(oneOf("utf16CodeUnits", "unicodeCodePoints")),
			"results": maybe(listOf(sarifObject{
				"ruleId": maybe(text), "ruleIndex": maybe(atLeast(-1)), "level": maybe(level), "message": need(message),
				"locations": maybe(listOf(location)), "relatedLocations": maybe(listOf(location)), "partialFingerprints": maybe(texts),
			}.check)),
		}.check)),
	}
}()

// sarifLog is what the checks that the schema cannot make look at.
type sarifLog struct {
	Runs []struct {
		Tool struct {
			Driver struct{ Rules []struct{ ID string } }
		}
		Results []struct {
			RuleID              string
			RuleIndex           int
			Message             struct{ Text string }
			Locations           []sarifLocation
			RelatedLocations    []sarifLocation
			PartialFingerprints map[string]string
		}
	}
}

type sarifLocation struct {
	PhysicalLocation struct {
		ArtifactLocation struct{ URI, URIBaseID string }
		Region           struct{ StartLine, StartColumn, EndLine, EndColumn int }
	}
}

// sarifProblems says how a log breaks the rules of SARIF 2.1.0.
func sarifProblems(log []byte) []string {
	var v any
	if err := json.Unmarshal(log, &v); err != nil {
		return []string{err.Error()}
	}
	if err := sarifSchema.check(v); err != nil {
		return []string{err.Error()}
	}
	var l sarifLog
	if err := json.Unmarshal(log, &l); err != nil {
		return []string{err.Error()}
	}
	var ps []string
	for _, run := range l.Runs {
		rules := run.Tool.Driver.Rules
		seen := map[string]bool{}
		for _, r := range rules {
			if seen[r.ID] {
				ps = append(ps, "two rules "+r.ID)
			}
			seen[r.ID] = true
		}
		prints := map[string]bool{}
		for _, r := range run.Results {
			if r.RuleIndex < 0 || r.RuleIndex >= len(rules) || rules[r.RuleIndex].ID != r.RuleID {
				ps = append(ps, fmt.Sprintf("rule %s is not number %d", r.RuleID, r.RuleIndex))
			}
			for _, p := range r.PartialFingerprints {
				if prints[p] {
					ps = append(ps, "two results have the fingerprint "+p)
				}
				prints[p] = true
			}
			for _, x := range append(r.Locations, r.RelatedLocations...) {
				a, g := x.PhysicalLocation.ArtifactLocation, x.PhysicalLocation.Region
				if strings.HasPrefix(a.URI, "/") || strings.HasPrefix(a.URI, "file:") == (a.URIBaseID != "") && a.URI != "" {
					ps = append(ps, fmt.Sprintf("%q below %q", a.URI, a.URIBaseID))
				}
				if g.EndLine != 0 && g.EndLine < g.StartLine || g.EndLine == g.StartLine && g.EndColumn != 0 && g.EndColumn < g.StartColumn {
					ps = append(ps, fmt.Sprintf("the region %+v ends before it begins", g))
				}
				if g.EndColumn != 0 && g.StartColumn == 0 {
					ps = append(ps, fmt.Sprintf("the region %+v has no first column", g))
				}
			}
		}
	}
	return ps
}

// The checks themselves find what is wrong.
func TestSarifProblems(t *testing.T) {
	result := `{"ruleId":"a","ruleIndex":0,"message":{"text":"x"},"locations":[{"physicalLocation":{"artifactLocation":{"uri":"a.go","uriBaseId":"%SRCROOT%"},"region":{"startLine":3}}}]}`
	good := `{"version":"2.1.0","runs":[{"tool":{"driver":{"name":"sett","rules":[{"id":"a"}]}},"results":[` + result + `]}]}`
	if ps := sarifProblems([]byte(good)); len(ps) > 0 {
		t.Fatal(ps)
	}
	for _, c := range [][2]string{
		{`"2.1.0"`, `"2.0.0"`}, {`"message":{"text":"x"},`, ``}, {`"text":"x"`, `"words":"x"`}, {`"name":"sett"`, `"nom":"sett"`},
		{`"startLine":3`, `"startLine":0`}, {`"startLine":3`, `"startLine":3,"endLine":2`}, {`"startLine":3`, `"startColumn":3`},
		{`"startLine":3`, `"startLine":3,"startColumn":4,"endLine":3,"endColumn":2`}, {`"ruleIndex":0`, `"ruleIndex":1`},
		{`"a.go"`, `"/a.go"`}, {`"a.go"`, `"a b.go"`}, {`{"id":"a"}`, `{"id":"a"},{"id":"a"}`}, {`{"id":"a"}`, `{"id":"b"}`},
		{`,"uriBaseId":"%SRCROOT%"`, ``}, {`"results":[`, `"results":{[`},
	} {
		bad := strings.Replace(good, c[0], c[1], 1)
		if bad == good || len(sarifProblems([]byte(bad))) == 0 {
			t.Errorf("%s for %s is not found", c[1], c[0])
		}
	}
}

// A fingerprint stays when lines move, and tells equal findings of a file apart.
func TestFingerprints(t *testing.T) {
	prints := func(ds ...report.Diagnostic) []string {
		var b bytes.Buffer
		if err := format.Sarif(&b, &report.Check{Diagnostics: ds}, "1"); err != nil {
			t.Fatal(err)
		}
		var l sarifLog
		if err := json.Unmarshal(b.Bytes(), &l); err != nil {
			t.Fatal(err)
		}
		var out []string
		for _, r := range l.Runs[0].Results {
			out = append(out, r.PartialFingerprints["settFinding/v1"])
		}
		return out
	}
	d := report.Diagnostic{File: "a.go", Line: 3, Severity: report.Error, Source: "go", Message: "x redeclared, see a.go:12:3"}
	moved := d
	moved.Line, moved.Col, moved.Message = 40, 2, "x redeclared, see a.go:49:3"
	if a, b := prints(d, d), prints(moved, moved); !slices.Equal(a, b) || a[0] == a[1] {
		t.Errorf("%v, after the move %v", a, b)
	}
	for _, change := range []func(*report.Diagnostic){
		func(d *report.Diagnostic) { d.File = "b.go" }, func(d *report.Diagnostic) { d.Source = "vet" },
		func(d *report.Diagnostic) { d.Code = "x" }, func(d *report.Diagnostic) { d.Message = "y" },
	} {
		other := d
		change(&other)
		if prints(d)[0] == prints(other)[0] {
			t.Errorf("%+v has the same fingerprint as %+v", other, d)
		}
	}
}

func TestNoFindings(t *testing.T) {
	var b bytes.Buffer
	if err := format.Sarif(&b, 1, ""); !errors.Is(err, format.ErrForm) {
		t.Errorf("got %v", err)
	}
	if err := format.GitHub(&b, 1); !errors.Is(err, format.ErrForm) || b.Len() > 0 {
		t.Errorf("got %v, %q", err, &b)
	}
}
