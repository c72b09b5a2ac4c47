// Package typecheck finds what the go command and its compiler would refuse in a project,
// in process: packages of the project are parsed and checked from their texts as they are
// now, packages from elsewhere are read from the export data that the go command names.
//
// The life of a check: worlds.go finds the modules that are built together, load.go the
// packages of their folders and what they import, outside.go where the packages of others
// are (remember.go keeps that for the next process), loose.go what belongs together of the
// files that ./... leaves out, check.go types each package once all it imports are done, and words.go says what
// was found as the compiler says it.
//
// What other packages see of a package is kept apart from what is wrong with it: while its
// declarations stay the same, an edit makes only the package itself be checked again.
package typecheck

import (
	"context"
	"fmt"
	"slices"
	"sync"

	"github.com/settgraph/sett/indexer/lang"
	"github.com/settgraph/sett/query/report"
)

// New returns a checker for Go projects. It remembers what it parsed and checked until it
// is closed. It runs the go command, when there is one, to learn where the packages of
// others are, never letting it use the network.
func New() lang.Checker { return &checker{busy: make(chan struct{}, 1)} }

type checker struct {
	busy   chan struct{} // holds a token while a question, or what is left of a canceled one, is at work
	tool   *tool
	root   string
	worlds map[string]*world
	texts  map[string]*text // by absolute path
	base   int              // the first position that no file has
	ids    sync.Mutex
	serial int64
}

// Close forgets everything.
func (c *checker) Close() {
	c.busy <- struct{}{}
	defer func() { <-c.busy }()
	c.tool, c.worlds, c.texts = nil, nil, nil
}

// Check finds what is wrong with the files of the scope. Questions are answered one after
// the other, each with all workers.
func (c *checker) Check(ctx context.Context, in *lang.Input, scope lang.Scope) (out *lang.Checked, err error) {
	select {
	case c.busy <- struct{}{}:
	case <-ctx.Done():
		return nil, ctx.Err()
	}
	var left []*job
	defer func() {
		if left == nil {
			<-c.busy
			return
		}
		go func() { // go/types cannot be interrupted
			for _, j := range left {
				<-j.done
			}
			<-c.busy
		}()
	}()
	if c.root != in.Root || c.worlds == nil {
		c.root, c.worlds, c.texts = in.Root, map[string]*world{}, map[string]*text{}
	}
	if c.tool == nil {
		if c.tool, err = findTool(ctx, in.Root); err != nil {
			return nil, err
		}
	}
	s := newSession(ctx, c, in, scope)
	if left, err = s.run(); err != nil {
		return nil, err
	}
	return s.result(), nil
}

// A session is one call of Check.
type session struct {
	c     *checker
	ctx   context.Context
	in    *lang.Input
	scope lang.Scope

	files  map[string]*lang.File   // by absolute path
	byDir  map[string][]*lang.File // by absolute folder
	wanted map[string]bool         // absolute paths whose findings are asked for; nil: all
	worlds []*world
	work   chan struct{} // holds one token per worker that may work

	mu       sync.Mutex
	findings []report.Diagnostic
	notes    []string
	checked  map[string]bool // absolute paths
	skipped  map[string]bool // packages that were not typed because what they import has errors
	cgo      bool            // something of the project uses cgo
}

func (s *session) note(format string, args ...any) {
	text := fmt.Sprintf(format, args...)
	s.mu.Lock()
	defer s.mu.Unlock()
	if !slices.Contains(s.notes, text) {
		s.notes = append(s.notes, text)
	}
}

func (s *session) result() *lang.Checked {
	out := &lang.Checked{Files: len(s.checked)}
	for _, d := range s.findings {
		if s.scope.Files == nil || d.File == "" || slices.Contains(s.scope.Files, d.File) || isModFile(d.File) {
			out.Findings = append(out.Findings, d)
		}
	}
	out.Findings = report.Sort(out.Findings)
	if len(s.skipped) > 0 {
		first := sortedKeys(s.skipped)
		more := ""
		if len(first) > 3 {
			first, more = first[:3], fmt.Sprintf(" and %d more", len(first)-3)
		}
		s.note("types were not checked where an imported package has errors in its declarations: %s%s", joinWords(first), more)
	}
	if s.cgo {
		s.note("cgo: what files say about C was not checked")
	}
	slices.Sort(s.notes)
	out.Notes = s.notes
	return out
}
