package golang

import (
	"encoding/binary"
	"maps"
	"os"
	"path/filepath"
	"slices"

	"github.com/zeebo/xxh3"

	"github.com/settgraph/sett/indexer/lang"
)

// outside hashes what the facts depend on besides the project: the release of the Go
// distribution, which of the modules asked for are on this machine, and what the vendor
// folders say that they hold. Where things are does not count, nor does what is in a
// module of the cache, since its version tells.
func outside(in *lang.Input) uint64 {
	var buf []byte
	add := func(s string) {
		buf = binary.AppendUvarint(buf, uint64(len(s)))
		buf = append(buf, s...)
	}
	ms := readModules(in)
	o := newOutsideFinder(in.Root, ms)
	found := func(dir string) {
		ok := byte(0)
		if dir != "" && o.exists(dir) {
			ok = 1
		}
		buf = append(buf, ok)
	}
	if o.goroot != "" {
		version, _ := os.ReadFile(filepath.Join(o.goroot, "VERSION"))
		add(string(version))
		found(filepath.Join(o.goroot, "src"))
	}
	dirs := []string{"."}
	for _, m := range ms.list {
		dirs = append(dirs, m.dir)
	}
	slices.Sort(dirs)
	for _, dir := range slices.Compact(dirs) {
		vendor := filepath.Join(in.Root, filepath.FromSlash(dir), "vendor")
		list, _ := os.ReadFile(filepath.Join(vendor, "modules.txt"))
		add(dir)
		found(vendor)
		add(string(list))
	}
	for _, p := range slices.Sorted(maps.Keys(ms.versions)) {
		for _, v := range ms.versions[p] {
			add(p)
			add(v)
			found(o.cached(p, v, ""))
		}
	}
	for _, p := range slices.Sorted(maps.Keys(ms.replaced)) {
		r := ms.replaced[p]
		add(p)
		found(o.cached(r.Path, r.Version, ""))
	}
	for _, p := range slices.Sorted(maps.Keys(ms.outside)) {
		dir := ms.outside[p]
		if !filepath.IsAbs(dir) {
			dir = filepath.Join(in.Root, filepath.FromSlash(dir))
		}
		add(p)
		found(dir)
	}
	return xxh3.Hash(buf)
}
