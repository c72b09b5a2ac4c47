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
