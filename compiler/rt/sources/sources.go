// Package sources gives the text of the runtime as generated programs link it.
package sources

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"io/fs"
	"maps"
	"slices"
	"strings"

	"github.com/settgraph/sett/compiler/rt"
)

// Path is the import path of the runtime in generated programs.
const Path = "pluto/rt"

const ours = "github.com/settgraph/sett/compiler/rt"

// Files is the text of every file of the runtime by its path below the runtime's folder, with
// the import paths that generated programs use.
func Files() map[string][]byte {
	files := map[string][]byte{}
	// Neither reading embedded files nor walking them fails.
	_ = fs.WalkDir(rt.Source, ".", func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || strings.HasSuffix(path, "_test.go") || path == "embed.go" || strings.HasPrefix(path, "sources/") {
			return err
		}
		text, err := rt.Source.ReadFile(path)
		files[path] = bytes.ReplaceAll(text, []byte(`"`+ours), []byte(`"`+Path))
		return err
	})
	return files
}

// Hash names this version of the runtime.
func Hash() string {
	h := sha256.New()
	files := Files()
	for _, path := range slices.Sorted(maps.Keys(files)) {
		h.Write([]byte(path))
		h.Write([]byte{0})
		h.Write(files[path])
		h.Write([]byte{0})
	}
	return hex.EncodeToString(h.Sum(nil))
}
