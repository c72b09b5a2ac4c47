// Package pluto is the Pluto front end: declarations and uses as the compiler's own checker
// resolves them.
//
// A declaration is visible wherever its module is imported or its folder's files are merged,
// and a generic body means what its instances make of it, wherever they are. So the unit is
// everything that may hang together (units.go), and a unit is checked as a whole
// (extract.go): ten thousand lines take some 20 ms.
package pluto

import (
	"path"

	"github.com/zeebo/xxh3"

	"github.com/settgraph/sett/compiler/plto"
	"github.com/settgraph/sett/indexer/lang"
)

// Language returns the Pluto front end.
func Language() lang.Language {
	return lang.Language{
		Name:      langName,
		Version:   2,
		Source:    isSource,
		Text:      binaryText,
		Config:    isConfig,
		Summarize: summarize,
		Units:     units,
		Extract:   extract,
		Locals:    findLocal,
		Outside:   outside,
		Looker:    newLooker,
		Checker:   newChecker,
	}
}

const langName = "pluto"

func isSource(name string) bool {
	ext := path.Ext(name)
	return ext == ".pluto" || ext == ".pt"
}

func isConfig(name string) bool {
	base := path.Base(name)
	return base == "pluto.toml" || base == "pluto.lock"
}

func binaryText(src []byte) ([]byte, bool) {
	if !plto.Is(src) {
		return nil, false
	}
	text, err := plto.Text(src)
	return []byte(text), err == nil
}

// outside covers the ids that are recorded beside the sources.
func outside(in *lang.Input) uint64 {
	data, err := in.ReadFile(records)
	if err != nil {
		return 0
	}
	return xxh3.Hash(data)
}
