package indexer

import (
	"bytes"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/settgraph/sett/graph"
	"golang.org/x/tools/txtar"
)

func TestLanguageTable(t *testing.T) {
	seen := map[string]bool{}
	for _, l := range Languages() {
		if l.Name == "" || seen[l.Name] || l.Version < 1 {
			t.Errorf("language %q, version %d: a name must be there once, and versions begin at 1", l.Name, l.Version)
		}
		seen[l.Name] = true
		if l.Source == nil || l.Config == nil || l.Summarize == nil || l.Units == nil || l.Extract == nil {
			t.Errorf("language %s is incomplete", l.Name)
		}
	}
	if len(seen) == 0 {
		t.Error("the table is empty")
	}
}

// The law of the package, for the languages of the table. The archive is a project; a file
// "step-N/path" replaces path in step N, or removes it if it is empty. After each step the
// pages that are made edit by edit must be those that are made at once, with one worker
// and with many.
func TestLanguagesAreDeterministic(t *testing.T) {
	ar, err := txtar.ParseFile("testdata/law.txtar")
	if err != nil {
		t.Fatal(err)
	}
	steps := map[string]map[string]string{}
	for _, f := range ar.Files {
		step, name := "", f.Name
		if strings.HasPrefix(name, "step-") {
			step, name, _ = strings.Cut(name, "/")
		}
		if steps[step] == nil {
			steps[step] = map[string]string{}
		}
		steps[step][name] = string(f.Data)
	}
	if len(steps) < 6 || len(steps[""]) < 8 {
		t.Fatalf("%d steps and %d files", len(steps), len(steps[""]))
	}
	p := newProject(t, nil)
	p.o.Languages = nil
	var base *graph.Snapshot
	for _, step := range slices.Sorted(maps.Keys(steps)) {
		for name, text := range steps[step] {
			if text == "" {
				p.must(removeFile(p, name))
				continue
			}
			p.write(name, text)
		}
		d := p.update()
		got, err := graph.Build(base, d.Drop, d.Facts)
		p.must(err)
		for _, workers := range []int{1, 7} {
			o := p.o
			o.Workers = workers
			s, err := ScanFiles(t.Context(), o, nil)
			p.must(err)
			full, err := Update(t.Context(), o, s, nil)
			p.must(err)
			if !bytes.Equal(full.State.Encode(), d.State.Encode()) {
				t.Errorf("%s: the states differ, with %d workers", step, workers)
			}
			want, err := graph.Build(nil, nil, full.Facts)
			p.must(err)
			for _, k := range slices.Sorted(maps.Keys(want)) {
				if !bytes.Equal(got[k], want[k]) {
					t.Errorf("%s: page %s differs, with %d workers; step by step %d of %d units were extracted: %s",
						step, k, workers, d.Report.Extracted, d.Report.Units, extracted(d))
				}
			}
			if len(got) != len(want) {
				t.Errorf("%s: %d pages, with %d workers %d", step, len(got), workers, len(want))
			}
		}
		base, err = graph.Open(got)
		p.must(err)
	}
}
