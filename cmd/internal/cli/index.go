package cli

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/settgraph/sett/cmd/internal/app"
	"github.com/settgraph/sett/sdk"
)

func indexVerb(e *env) *cobra.Command {
	var force, check, skip bool
	var workers int
	cmd := &cobra.Command{
		Use:   "index [PATH]",
		Short: "build or refresh the index",
		Long: "Build the index of the project in PATH (default: the project of the current folder) in\n" +
			"its folder .sett, or bring it up to date: only what changed is read again.\n\n" +
			"Exit codes: 0 indexed; 1 indexed, but some files are broken (they are listed), or\n" +
			"--check found the index out of date; 2 misuse; 3 not indexed.",
		Example: "  sett index\n  sett index --check          # in CI: fail if the stored index is out of date\n  sett index --json > report.json",
		GroupID: groupWork,
		RunE: func(cmd *cobra.Command, args []string) error {
			switch {
			case len(args) > 1:
				return misuse(cmd, "unexpected argument %q", args[1])
			case check && force:
				return misuse(cmd, "--check and --force exclude each other")
			case e.format != "lines" && e.format != "json":
				return misuse(cmd, "the report has no form %s; one of lines, json", e.format)
			case workers < 0:
				return misuse(cmd, "--workers wants a number of at least 1")
			}
			p, err := e.openAt(args, sdk.Options{Workers: workers})
			if err != nil {
				return err
			}
			defer p.Close()
			if check {
				return e.check(cmd, p)
			}
			return e.index(cmd, p, sdk.IndexOptions{Force: force, SkipIfRunning: skip})
		},
	}
	flags := cmd.Flags()
	flags.SortFlags = false
	flags.BoolVar(&force, "force", false, "read everything again")
	flags.BoolVar(&check, "check", false, "index nothing; exit 1 if the index is not what the files give")
	flags.BoolVar(&skip, "skip-if-running", false, "exit 0 at once if another process is indexing")
	flags.IntVar(&workers, "workers", 0, "use `N` threads (default: one per processor)")
	return cmd
}

// openAt opens the project at the path that was given, exactly there, or else the one
// that the flags name.
func (e *env) openAt(args []string, o sdk.Options) (*sdk.Project, error) {
	if len(args) == 0 {
		return e.open(o)
	}
	dir, err := app.Folder(args[0])
	if err != nil {
		return nil, err
	}
	return sdk.Open(dir, o)
}

func (e *env) index(cmd *cobra.Command, p *sdk.Project, o sdk.IndexOptions) error {
	bar := newProgress(e)
	o.Progress = bar.tell
	report, err := p.Index(cmd.Context(), o)
	bar.finish()
	switch {
	case errors.Is(err, sdk.ErrRunning):
		_, err = fmt.Fprintln(e.stderr, "sett: another process is indexing")
		return err
	case err != nil:
		return err
	}
	if e.format == "json" {
		err = writeJSON(e.stdout, reportJSON(report))
	} else {
		err = writeReport(e.stdout, report, e.verbose)
	}
	if err == nil && len(report.Broken) > 0 {
		return exitError(exitNothing)
	}
	return err
}

func (e *env) check(cmd *cobra.Command, p *sdk.Project) error {
	report, err := p.CheckIndex(cmd.Context())
	if err != nil {
		return err
	}
	if e.format == "json" {
		err = writeJSON(e.stdout, struct {
			Version  int      `json:"version"`
			UpToDate bool     `json:"upToDate"`
			Missing  bool     `json:"missing"`
			Changed  []string `json:"changed"`
		}{1, report.UpToDate, report.Missing, append([]string{}, report.Changed...)})
	} else {
		err = writeCheck(e.stdout, report, e.verbose)
	}
	if err == nil && !report.UpToDate {
		return exitError(exitNothing)
	}
	return err
}

func writeCheck(w io.Writer, r *sdk.IndexCheck, all bool) error {
	if r.UpToDate {
		_, err := fmt.Fprintln(w, "up to date")
		return err
	}
	var b strings.Builder
	if r.Missing {
		b.WriteString("out of date: there is no index\n")
	} else {
		fmt.Fprintf(&b, "out of date: %s changed\n", plural(len(r.Changed), "file"))
	}
	shown := r.Changed
	if !all && len(shown) > 20 {
		shown = shown[:20]
	}
	for _, c := range shown {
		b.WriteString("  " + c + "\n")
	}
	if n := len(r.Changed) - len(shown); n > 0 {
		fmt.Fprintf(&b, "  +%d more: -v\n", n)
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// shownBroken is how many broken places a report lists unless asked for all.
const shownBroken = 20

// writeReport prints the summary of an index run, broken files first: they are what
// somebody has to do something about.
func writeReport(w io.Writer, r *sdk.IndexReport, verbose bool) error {
	var b strings.Builder
	shown := r.Broken
	if !verbose && len(shown) > shownBroken {
		shown = shown[:shownBroken]
	}
	for _, u := range shown {
		fmt.Fprintf(&b, "%s:%d: %s\n", u.File, u.Line, u.Text)
	}
	if n := len(r.Broken) - len(shown); n > 0 {
		fmt.Fprintf(&b, "+%d broken places: -v\n", n)
	}
	fmt.Fprintf(&b, "indexed %s, %s, %s, %s in %s\n", perLanguage(r.Files), plural(r.Lines, "line"),
		plural(r.Decls, "declaration"), plural(r.Edges, "edge"), short(r.Took))
	if r.Units > 0 {
		fmt.Fprintf(&b, "units: %s read, %s unchanged, %s removed\n", group(r.Extracted), group(r.Reused), group(r.Removed))
	}
	fmt.Fprintf(&b, "external declarations: %s; unresolved names: %s%s\n", group(r.Externals), group(r.Unresolved), reasons(r.UnresolvedBy))
	if len(r.Skipped) > 0 {
		fmt.Fprintf(&b, "skipped: %s\n", counts(r.Skipped))
	}
	if len(r.NotIndexed) > 0 {
		fmt.Fprintf(&b, "not indexed: %s\n", counts(r.NotIndexed))
	}
	if r.SourceBytes > 0 {
		fmt.Fprintf(&b, "store: %s for %s of source\n", size(r.StoreBytes), size(r.SourceBytes))
	}
	if len(r.Broken) > 0 {
		fmt.Fprintf(&b, "broken: %s; what could be understood is indexed\n", plural(len(r.Broken), "place"))
	}
	for _, note := range r.Notes {
		fmt.Fprintf(&b, "note: %s\n", note)
	}
	if len(r.Unstable) > 0 {
		fmt.Fprintf(&b, "changed meanwhile: %s; the next question reads them again\n", strings.Join(r.Unstable, ", "))
	}
	if verbose {
		for _, p := range r.Phases {
			fmt.Fprintf(&b, "phase %-12s %s\n", p.Name, short(p.Took))
		}
		fmt.Fprintf(&b, "generation %s\n", r.Generation)
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// perLanguage is "1,204 files (go 1,200, ts 4)".
func perLanguage(files map[string]int) string {
	s := plural(total(files), "file")
	if len(files) > 0 {
		s += " (" + counts(files) + ")"
	}
	return s
}

func reasons(by map[string]int) string {
	if len(by) == 0 {
		return ""
	}
	return " (" + counts(by) + ")"
}

// counts prints a map as "a 3, b 1", the largest first.
func counts(m map[string]int) string {
	keys := slices.SortedFunc(maps.Keys(m), func(a, b string) int {
		return cmp.Or(cmp.Compare(m[b], m[a]), cmp.Compare(a, b))
	})
	for i, k := range keys {
		keys[i] = k + " " + group(m[k])
	}
	return strings.Join(keys, ", ")
}

func total(m map[string]int) int {
	n := 0
	for _, c := range m {
		n += c
	}
	return n
}

func plural(n int, word string) string {
	if n != 1 {
		word += "s"
	}
	return group(n) + " " + word
}

// group prints a number with commas between the thousands.
func group(n int) string {
	s := fmt.Sprint(n)
	for i := len(s) - 3; i > 0 && s[i-1] != '-'; i -= 3 {
		s = s[:i] + "," + s[i:]
	}
	return s
}

func size(n int64) string {
	switch {
	case n >= 10<<20:
		return fmt.Sprintf("%d MB", n>>20)
	case n >= 1<<20:
		return fmt.Sprintf("%.1f MB", float64(n)/(1<<20))
	}
	return fmt.Sprintf("%d KB", (n+1023)>>10)
}

// indexReport is the JSON of an index run.
type indexReport struct {
	Version    int            `json:"version"`
	Files      map[string]int `json:"files"`
	Lines      int            `json:"lines"`
	Decls      int            `json:"declarations"`
	Edges      int            `json:"edges"`
	Externals  int            `json:"externals"`
	Unresolved int            `json:"unresolved"`
	Reasons    map[string]int `json:"unresolvedByReason"`
	Units      int            `json:"units"`
	Extracted  int            `json:"unitsRead"`
	Reused     int            `json:"unitsReused"`
	Removed    int            `json:"unitsRemoved"`
	Broken     []brokenPlace  `json:"broken"`
	Notes      []string       `json:"notes"`
	Unstable   []string       `json:"changedMeanwhile"`
	Skipped    map[string]int `json:"skipped"`
	NotIndexed map[string]int `json:"notIndexed"`
	Phases     []phaseTook    `json:"phases"`
	Millis     int64          `json:"ms"`
	Generation string         `json:"generation"`
	Store      int64          `json:"storeBytes"`
	Source     int64          `json:"sourceBytes"`
}

type brokenPlace struct {
	File string `json:"file"`
	Line int    `json:"line"`
	Col  int    `json:"col"`
	Text string `json:"text"`
}

type phaseTook struct {
	Name   string `json:"name"`
	Millis int64  `json:"ms"`
}

func reportJSON(r *sdk.IndexReport) indexReport {
	out := indexReport{
		Version: 1, Files: notNil(r.Files), Lines: r.Lines, Decls: r.Decls, Edges: r.Edges, Externals: r.Externals,
		Unresolved: r.Unresolved, Reasons: notNil(r.UnresolvedBy), Units: r.Units, Extracted: r.Extracted,
		Reused: r.Reused, Removed: r.Removed, Broken: []brokenPlace{},
		Notes: append([]string{}, r.Notes...), Unstable: append([]string{}, r.Unstable...), Skipped: notNil(r.Skipped),
		NotIndexed: notNil(r.NotIndexed), Phases: []phaseTook{}, Millis: r.Took.Milliseconds(),
		Generation: r.Generation, Store: r.StoreBytes, Source: r.SourceBytes,
	}
	for _, u := range r.Broken {
		out.Broken = append(out.Broken, brokenPlace{u.File, u.Line, u.Col, u.Text})
	}
	for _, p := range r.Phases {
		out.Phases = append(out.Phases, phaseTook{p.Name, p.Took.Round(time.Millisecond).Milliseconds()})
	}
	return out
}

func notNil(m map[string]int) map[string]int {
	if m == nil {
		return map[string]int{}
	}
	return m
}

func writeJSON(w io.Writer, v any) error {
	enc := json.NewEncoder(w)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", "  ")
	return enc.Encode(v)
}
