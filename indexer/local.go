package indexer

import (
	"context"

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
		err = o.reading(&front, st.files, func() {}, func(in *lang.Input) (err error) {
			defer guard(&err, front.Name, func() string { return file })
			l, err = front.Locals(ctx, in, file, at)
			return err
		})
		return l, err
	}
	return nil, nil
}
