package format

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"net/url"
	"regexp"
	"slices"
	"strings"

	"github.com/settgraph/sett/query/report"
)

// Sarif prints the findings of a *report.Check, *report.Build or *report.Test as a SARIF 2.1.0 log:
// one run of sett in the version given. Paths are relative to %SRCROOT%, and the
// fingerprints stay when lines move. Others give [ErrForm].
func Sarif(w io.Writer, res any, version string) error {
	ds, _, err := findingsOf(res, "sarif")
	if err != nil {
		return err
	}
	var notes []string
	var steps []report.Step
	switch r := res.(type) {
	case *report.Check:
		notes = r.Notes
	case *report.Build:
		notes, steps = r.Notes, r.Steps
	case *report.Test:
		notes, steps = r.Notes, r.Steps
	}
	ended := !slices.ContainsFunc(steps, func(s report.Step) bool { return s.TimedOut || s.Canceled })
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", "  ")
	log := sarifLog{
		Schema:  "https://json.schemastore.org/sarif-2.1.0.json",
		Version: "2.1.0",
		Runs:    []sarifRun{sarifRunOf(ds, notes, ended, version)},
	}
	if err := enc.Encode(log); err != nil {
		return fmt.Errorf("encoding the findings: %w", err)
	}
	_, err = w.Write(b.Bytes())
	return err
}

type sarifLog struct {
	Schema  string     `json:"$schema"`
	Version string     `json:"version"`
	Runs    []sarifRun `json:"runs"`
}

type sarifRun struct {
	Tool        sarifTool            `json:"tool"`
	Invocations []sarifInvocation    `json:"invocations"`
	Bases       map[string]sarifBase `json:"originalUriBaseIds"`
	ColumnKind  string               `json:"columnKind"`
	Results     []sarifResult        `json:"results"`
}

type sarifTool struct {
	Driver sarifDriver `json:"driver"`
}

type sarifDriver struct {
	Name    string      `json:"name"`
	Version string      `json:"version,omitempty"`
	Home    string      `json:"informationUri"`
	Rules   []sarifRule `json:"rules"`
}

type sarifRule struct {
	ID      string       `json:"id"`
	Short   sarifMessage `json:"shortDescription"`
	Default sarifLevel   `json:"defaultConfiguration"`
}

type sarifLevel struct {
	Level string `json:"level"`
}

type sarifMessage struct {
	Text string `json:"text"`
}

type sarifInvocation struct {
	OK    bool                `json:"executionSuccessful"`
	Notes []sarifNotification `json:"toolExecutionNotifications,omitempty"`
}

type sarifNotification struct {
	Level   string       `json:"level"`
	Message sarifMessage `json:"message"`
}

type sarifBase struct {
	Description sarifMessage `json:"description"`
}

type sarifResult struct {
	RuleID       string            `json:"ruleId"`
	RuleIndex    int               `json:"ruleIndex"`
	Level        string            `json:"level"`
	Message      sarifMessage      `json:"message"`
	Locations    []sarifLocation   `json:"locations,omitempty"`
	Related      []sarifLocation   `json:"relatedLocations,omitempty"`
	Fingerprints map[string]string `json:"partialFingerprints"`
}

type sarifLocation struct {
	ID       *int           `json:"id,omitempty"`
	Physical *sarifPhysical `json:"physicalLocation,omitempty"`
	Message  *sarifMessage  `json:"message,omitempty"`
}

type sarifPhysical struct {
	Artifact sarifArtifact `json:"artifactLocation"`
	Region   *sarifRegion  `json:"region,omitempty"`
}

type sarifArtifact struct {
	URI  string `json:"uri"`
	Base string `json:"uriBaseId,omitempty"`
}

type sarifRegion struct {
	Line    int `json:"startLine"`
	Col     int `json:"startColumn,omitempty"`
	EndLine int `json:"endLine,omitempty"`
	EndCol  int `json:"endColumn,omitempty"`
}

// sourceRoot is the name for the project's root that readers of SARIF know.
const sourceRoot = "%SRCROOT%"

func sarifRunOf(ds []report.Diagnostic, notes []string, ended bool, version string) sarifRun {
	run := sarifRun{
		Tool:        sarifTool{sarifDriver{Name: "sett", Version: version, Home: "https://github.com/settgraph/sett", Rules: []sarifRule{}}},
		Invocations: []sarifInvocation{{OK: ended}},
		Bases:       map[string]sarifBase{sourceRoot: {sarifMessage{"The root of the project."}}},
		ColumnKind:  "unicodeCodePoints",
		Results:     []sarifResult{},
	}
	for _, n := range notes {
		run.Invocations[0].Notes = append(run.Invocations[0].Notes, sarifNotification{"note", sarifMessage{n}})
	}
	index := sarifRules(&run.Tool.Driver, ds)
	seen := map[string]int{}
	for i := range ds {
		d := &ds[i]
		text := strings.TrimRight(d.Message, "\n")
		if d.Help != "" {
			text += "\nhelp: " + d.Help
		}
		r := sarifResult{RuleID: ruleID(d), RuleIndex: index[ruleID(d)], Level: sarifLevelOf(d.Severity), Message: sarifMessage{text}}
		if p := physical(d.File, d.Line, d.Col, d.EndLine, d.EndCol); p != nil {
			r.Locations = []sarifLocation{{Physical: p}}
		}
		for id, rel := range d.Related {
			r.Related = append(r.Related, sarifLocation{ID: &id, Physical: physical(rel.File, rel.Line, rel.Col, 0, 0), Message: &sarifMessage{rel.Message}})
		}
		print := fingerprint(d)
		seen[print]++
		r.Fingerprints = map[string]string{"settFinding/v1": fmt.Sprintf("%s:%d", print, seen[print])}
		run.Results = append(run.Results, r)
	}
	return run
}

// sarifRules lists the rules that the findings name and returns where each stands.
func sarifRules(driver *sarifDriver, ds []report.Diagnostic) map[string]int {
	levels := map[string]string{}
	for i := range ds {
		d := &ds[i]
		if old, ok := levels[ruleID(d)]; !ok || severityRank(d.Severity) < severityRank(old) {
			levels[ruleID(d)] = d.Severity
		}
	}
	index := map[string]int{}
	for _, id := range slices.Sorted(maps.Keys(levels)) {
		source, code, _ := strings.Cut(id, "/")
		text := "found by " + source
		if code != "" {
			text = code + " of " + source
		}
		index[id] = len(driver.Rules)
		driver.Rules = append(driver.Rules, sarifRule{id, sarifMessage{text}, sarifLevel{sarifLevelOf(levels[id])}})
	}
	return index
}

// ruleID names what a finding breaks: tsc/TS2322, vet/printf.
func ruleID(d *report.Diagnostic) string {
	source := d.Source
	if source == "" {
		source = "sett"
	}
	if d.Code == "" {
		return source
	}
	return source + "/" + d.Code
}

func sarifLevelOf(severity string) string {
	switch severity {
	case report.Error, report.Warning:
		return severity
	}
	return "note"
}

// physical is a place in a file; nil without a file.
func physical(file string, line, col, endLine, endCol int) *sarifPhysical {
	if file == "" {
		return nil
	}
	p := &sarifPhysical{Artifact: sarifArtifact{URI: (&url.URL{Path: strings.ToValidUTF8(file, "\uFFFD")}).EscapedPath(), Base: sourceRoot}}
	if strings.HasPrefix(file, "/") {
		p.Artifact = sarifArtifact{URI: (&url.URL{Scheme: "file", Path: file}).String()}
	}
	if line <= 0 {
		return p
	}
	p.Region = &sarifRegion{Line: line, Col: max(col, 0)}
	if endLine > line || endLine == line && endCol > col {
		p.Region.EndLine = endLine
		if col > 0 && endCol > 0 {
			p.Region.EndCol = endCol
		}
	}
	return p
}

var lineNumbers = regexp.MustCompile(`:\d+(:\d+)?\b|\bline \d+\b`)

// fingerprint tells a finding from others of its file by what stays when lines move: what
// its first line says without the places in it.
func fingerprint(d *report.Diagnostic) string {
	first, _, _ := strings.Cut(d.Message, "\n")
	h := sha256.New()
	for _, s := range []string{ruleID(d), d.File, lineNumbers.ReplaceAllString(first, "")} {
		fmt.Fprintf(h, "%d:%s", len(s), s)
	}
	return hex.EncodeToString(h.Sum(nil)[:16])
}
