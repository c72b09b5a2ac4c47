package indexer

import (
	"bytes"
	"context"
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/settgraph/sett/graph"
	"github.com/settgraph/sett/indexer/lang"
	"github.com/zeebo/xxh3"
	"golang.org/x/sync/errgroup"
)

// everything is a language to which every file is a source.
func everything() []lang.Language {
	l := fake()
	l.Source = func(string) bool { return true }
	return []lang.Language{l}
}

// fake is a small language. A file is a unit. Its lines:
//
//	import a.fk     it depends on that file
//	decl name       visible to others
//	panic, broken   the front end fails, or notes a problem
//	generated       the file is
//	anything else   a body
func fake() lang.Language {
	return lang.Language{
		Name:    "fake",
		Version: 1,
		Source:  func(p string) bool { return path.Ext(p) == ".fk" || strings.HasSuffix(p, ".js") },
		Config:  func(p string) bool { return path.Base(p) == "fake.mod" || path.Base(p) == "modules.txt" },
		Summarize: func(p string, src []byte) lang.Summary {
			var s lang.Summary
			var shape []string
			for line := range strings.Lines(string(src)) {
				line = strings.TrimSpace(line)
				if name, ok := strings.CutPrefix(line, "import "); ok {
					s.Imports = append(s.Imports, name)
				}
				if strings.HasPrefix(line, "decl ") {
					shape = append(shape, line)
				}
				s.Generated = s.Generated || line == "generated"
				if line == "panic in summary" {
					panic("told to")
				}
			}
			slices.Sort(s.Imports)
			s.Imports = slices.Compact(s.Imports)
			s.Shape = xxh3.HashString(strings.Join(shape, "\n"))
			s.Test = strings.Contains(p, "_test")
			return s
		},
		Units: func(in *lang.Input) []lang.Unit {
			var us []lang.Unit
			for _, f := range in.Files {
				u := lang.Unit{Name: "fake:" + f.Path, Files: []string{f.Path}, Shape: f.Summary.Shape}
				for _, im := range f.Summary.Imports {
					u.Deps = append(u.Deps, "fake:"+im)
				}
				us = append(us, u)
			}
			return us
		},
		Extract: func(ctx context.Context, in *lang.Input, todo []lang.Unit, emit func(*graph.Facts) error) error {
			hash := map[string]uint64{}
			for _, f := range in.Files {
				hash[f.Path] = f.Hash
			}
			g, ctx := errgroup.WithContext(ctx)
			g.SetLimit(in.Workers)
			for _, u := range todo {
				src, err := in.ReadFile(u.Files[0])
				if err != nil {
					src = []byte("broken")
				}
				if bytes.Contains(src, []byte("panic in extract")) {
					panic("told to")
				}
				g.Go(func() error {
					if err := ctx.Err(); err != nil {
						return err
					}
					f := &graph.Facts{Unit: u.Name, Lang: "fake", Files: []graph.FactFile{{Path: u.Files[0], Hash: hash[u.Files[0]]}}}
					for i, line := range strings.Split(string(src), "\n") {
						if line == "broken" {
							f.Notes = append(f.Notes, graph.Note{Pos: graph.Pos{Line: uint32(i + 1), Col: 1}, Text: "cannot be understood", Broken: true})
						}
					}
					f.Missing = []graph.FactMiss{{Name: fmt.Sprintf("%x", xxh3.Hash(src))}}
					in.Progress(1)
					return emit(f)
				})
			}
			return g.Wait()
		},
	}
}

func langsOf(ls ...lang.Language) []lang.Language { return ls }
