package store

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
)

// Size returns the bytes on disk of a generation and its layer.
func (s *Store) Size(ref Ref) (int64, error) {
	var n int64
	err := filepath.WalkDir(s.path("gen", ref.Base), func(_ string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		info, err := d.Info()
		if err == nil {
			n += info.Size()
		}
		return err
	})
	if err == nil && ref.Layer != "" {
		var info fs.FileInfo
		if info, err = os.Stat(s.path("layer", ref.Layer)); err == nil {
			n += info.Size()
		}
	}
	if err != nil {
		return 0, fmt.Errorf("measuring the index: %w", err)
	}
	return n, nil
}
