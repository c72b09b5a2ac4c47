package indexer

import "github.com/settgraph/sett/indexer/lang"

// Languages returns THE language table. A file that several would take as a source
// belongs to the first.
func Languages() []lang.Language {
	return []lang.Language{}
}
