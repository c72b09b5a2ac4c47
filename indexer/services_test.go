package indexer_test

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/settgraph/sett/indexer"
	"github.com/settgraph/sett/indexer/lang"
)

// stubborn is a checker that never ends when it is asked for the first time.
type stubborn struct{ wait chan struct{} }

func (s stubborn) Check(context.Context, *lang.Input, lang.Scope) (*lang.Checked, error) {
	if s.wait != nil {
		<-s.wait
	}
	return &lang.Checked{Files: 1}, nil
}

func (s stubborn) Close() {}

// TestStubbornChecker gives a checker up that does not look at its context, and asks again.
func TestStubbornChecker(t *testing.T) {
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "a.x"), []byte("x"), 0o644); err != nil {
		t.Fatal(err)
	}
	wait := make(chan struct{})
	defer close(wait)
	checkers := []stubborn{{wait}, {}}
	made := 0
	o := indexer.Options{Root: dir, Languages: []lang.Language{{
		Name:   "x",
		Source: func(p string) bool { return strings.HasSuffix(p, ".x") }, Config: func(string) bool { return false },
		Summarize: func(string, []byte) lang.Summary { return lang.Summary{} },
		Checker:   func() lang.Checker { made++; return checkers[made-1] },
	}}}
	scan, err := indexer.ScanFiles(t.Context(), o, nil)
	if err != nil {
		t.Fatal(err)
	}
	var s indexer.Services
	defer s.Close()
	ctx, cancel := context.WithTimeout(t.Context(), 10*time.Millisecond)
	defer cancel()
	if _, err := s.Check(ctx, o, scan, nil, indexer.CheckScope{}); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("the check that never ends: %v", err)
	}
	res, err := s.Check(t.Context(), o, scan, nil, indexer.CheckScope{})
	if err != nil || len(res) != 1 || res[0].Files != 1 {
		t.Errorf("the next check: %+v, %v", res, err)
	}
}

// keeper is a checker that remembers the text of a.x under the hash it is told.
type keeper struct{ texts map[uint64]string }

func (k keeper) Check(_ context.Context, in *lang.Input, _ lang.Scope) (*lang.Checked, error) {
	f := in.Files[0]
	text, ok := k.texts[f.Hash]
	if !ok {
		src, err := in.ReadFile(f.Path)
		if err != nil {
			return nil, err
		}
		text = string(src)
		k.texts[f.Hash] = text
	}
	return &lang.Checked{Notes: []string{text}}, nil
}

func (k keeper) Close() {}

// TestEditDuringCheck edits a file between the scan and the check, and takes the edit back.
func TestEditDuringCheck(t *testing.T) {
	dir := t.TempDir()
	write := func(text string) {
		if err := os.WriteFile(filepath.Join(dir, "a.x"), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	made := 0
	o := indexer.Options{Root: dir, Languages: []lang.Language{{
		Name:   "x",
		Source: func(p string) bool { return strings.HasSuffix(p, ".x") }, Config: func(string) bool { return false },
		Summarize: func(string, []byte) lang.Summary { return lang.Summary{} },
		Checker:   func() lang.Checker { made++; return keeper{map[uint64]string{}} },
	}}}
	var s indexer.Services
	defer s.Close()
	for _, step := range []struct {
		scanned, checked string
		made             int
	}{
		{"was", "edited", 1}, {"was", "was", 2}, {"was", "was", 2}, {"edited", "edited", 2},
	} {
		write(step.scanned)
		scan, err := indexer.ScanFiles(t.Context(), o, nil)
		if err != nil {
			t.Fatal(err)
		}
		write(step.checked)
		res, err := s.Check(t.Context(), o, scan, nil, indexer.CheckScope{})
		if err != nil || len(res) != 1 || res[0].Notes[0] != step.checked || made != step.made {
			t.Errorf("%+v: checked %+v with checker %d, %v", step, res, made, err)
		}
	}
}
