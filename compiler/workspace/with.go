package workspace

import (
	"context"
	"maps"
	"slices"
)

// With is the State that the project would be in with these texts, by path, and without the
// files that are gone. A text that is no module yet makes one. A view goes with its module.
func (s *State) With(ctx context.Context, texts map[string][]byte, gone []string) (*State, error) {
	in := Input{
		Root: s.root, Stdlib: s.options.Stdlib, CacheDir: s.options.CacheDir,
		Read: func(path string) ([]byte, error) {
			if text, ok := texts[path]; ok {
				return text, nil
			}
			m := s.byPath[path]
			if m.Raw == nil {
				return nil, m.Err
			}
			return m.Raw, nil
		},
		Hash: func(path string) uint64 {
			if _, ok := texts[path]; ok || s.byPath[path] == nil {
				return 0
			}
			return s.byPath[path].hash
		},
	}
	files := maps.Clone(texts)
	if files == nil {
		files = map[string][]byte{}
	}
	for _, p := range s.gone {
		if _, ok := texts[p]; !ok {
			in.Gone = append(in.Gone, p)
		}
	}
	for _, m := range s.modules {
		if slices.Contains(gone, m.Path) {
			in.Gone = append(in.Gone, m.Path)
			if m.View != "" {
				in.Gone = append(in.Gone, m.View)
			}
			continue
		}
		files[m.Path] = nil
		if m.View != "" {
			files[m.View] = nil
		}
	}
	slices.Sort(in.Gone)
	in.Files = slices.Sorted(maps.Keys(files))
	return Build(ctx, in, s)
}
