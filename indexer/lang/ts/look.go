package ts

import (
	"context"
	"fmt"

	"github.com/microsoft/typescript-go/sett"
	"github.com/settgraph/sett/graph"
	"github.com/settgraph/sett/indexer/lang"
)

// newLooker returns what answers about positions of one project.
func newLooker() lang.Looker {
	l := &looker{turn: make(chan struct{}, 1)}
	l.s.parsed = map[tsgo.SourceFileParseOptions]*parsedFile{}
	return l
}

// looker keeps the programs that it was last asked about. One question is answered at a
// time: a checker has one user.
type looker struct {
	turn chan struct{} // holds a token while somebody looks
	s    lookState
}

// Look tells what is at a position, with the options of the configuration that the file
// belongs to.
func (l *looker) Look(ctx context.Context, in *lang.Input, file string, at graph.Pos) (p *graph.Place, err error) {
	select {
	case l.turn <- struct{}{}:
	case <-ctx.Done():
		return nil, ctx.Err()
	}
	defer func() { <-l.turn }()
	v := vroot + "/" + file
	if !parsable(v) || !isSource(v) {
		return nil, nil
	}
	defer func() {
		if why := recover(); why != nil {
			// A checker that failed half-way is not asked again.
			l.s.close()
			l.s.parsed = map[tsgo.SourceFileParseOptions]*parsedFile{}
			p, err = nil, fmt.Errorf("the TypeScript checker failed on %s: %.100v", file, why)
		}
		l.s.in = nil
	}()
	l.s.refresh(in)
	if _, known := l.s.hashes[v]; !known {
		return nil, nil
	}
	lp := l.s.program(v)
	sf := lp.prog.GetSourceFile(v)
	if sf == nil {
		return nil, nil
	}
	b := newBuilder("", sf.Text(), graph.FactFile{Path: file})
	off, ok := b.offset(at)
	if !ok && (off == 0 || off != len(b.text)) {
		return nil, nil
	}
	w := &placer{ctx: ctx, s: &l.s, svc: lp.svc, prog: lp.prog, sf: sf, b: b, texts: map[string]*builder{v: b}, tables: map[string]*fileTable{}}
	return w.place(off)
}

// Close forgets everything.
func (l *looker) Close() { l.s.close() }
