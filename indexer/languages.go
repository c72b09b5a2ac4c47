package indexer

import (
	"github.com/settgraph/sett/indexer/lang"
	"github.com/settgraph/sett/indexer/lang/golang"
	"github.com/settgraph/sett/indexer/lang/pluto"
	"github.com/settgraph/sett/indexer/lang/ts"
)

// Languages returns THE language table. A file that several would take as a source
// belongs to the first.
func Languages() []lang.Language {
	return []lang.Language{
		golang.Language(),
		ts.Language(),
		pluto.Language(),
	}
}
