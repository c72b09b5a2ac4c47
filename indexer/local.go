package indexer

import (
	"context"
	"fmt"
	"io/fs"
	"os"
	"path"

	"github.com/settgraph/sett/graph"
	"github.com/settgraph/sett/indexer/lang"
)

// Local finds the local that is declared or used at a position of a file, which the
// state must hold; nil when the name there is none, or the language does not tell.
func Local(ctx context.Context, o Options, st *State, file string, at graph.Pos) (l *lang.Local, err error) {
	name := ""
	for i := range st.files {
		if st.files[i].path == file {
			name = st.files[i].lang
		}
	}
	for _, front := range o.languages() {
		if front.Name != name || front.Locals == nil {
			continue
		}
		root, err := os.OpenRoot(o.Root)
		if err != nil {
			return nil, fmt.Errorf("reading the project: %w", err)
		}
		defer root.Close()
		in := &lang.Input{Root: o.Root, Workers: o.workers(), ReadFile: func(p string) ([]byte, error) {
			p = path.Clean(p)
			if text, ok := o.Overlay[p]; ok {
				return text, nil
			}
			if !fs.ValidPath(p) {
				return nil, &fs.PathError{Op: "read", Path: p, Err: fs.ErrInvalid}
			}
			return readFile(root, p, maxRead)
		}}
		for i := range st.files {
			f := &st.files[i]
			lf := lang.File{Path: f.path, Size: f.size, Hash: f.hash}
			if f.lang == name {
				lf.Summary = f.summary
				in.Files = append(in.Files, lf)
			}
			if front.Config(f.path) {
				in.Configs = append(in.Configs, lf)
			}
		}
		return runLocals(ctx, &front, in, file, at)
	}
	return nil, nil
}

func runLocals(ctx context.Context, front *lang.Language, in *lang.Input, file string, at graph.Pos) (l *lang.Local, err error) {
	defer guard(&err, front.Name, func() string { return file })
	return front.Locals(ctx, in, file, at)
}
