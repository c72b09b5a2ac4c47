package ts

import (
	"bytes"
	"encoding/json"
	"path"
	"slices"
	"strings"
)

// workspace knows the packages of the project itself: folders with a package.json that
// gives a name. They resolve by that name wherever they lie, and to their sources even
// if the manifest speaks of build output that is not there.
type workspace struct {
	fs        *projectFS
	manifests map[string]string // virtual path of package.json -> contents to show
	names     map[string]string // package name -> virtual folder
	entries   map[string]bool   // virtual paths of files that a manifest names as entry points
}

// manifestFields are what a package.json may resolve through.
type manifestFields struct {
	Name string `json:"name"`
}

func newWorkspace(p *projectFS) *workspace {
	w := &workspace{fs: p, manifests: map[string]string{}, names: map[string]string{}, entries: map[string]bool{}}
	var paths []string
	for _, f := range p.in.Configs {
		if path.Base(f.Path) == "package.json" {
			paths = append(paths, f.Path)
		}
	}
	// The shallowest package of a name is the one that others mean.
	slices.SortFunc(paths, func(a, b string) int {
		if d := strings.Count(a, "/") - strings.Count(b, "/"); d != 0 {
			return d
		}
		return strings.Compare(a, b)
	})
	for _, f := range paths {
		v := vroot + "/" + f
		src, ok := p.read(v)
		if !ok {
			continue
		}
		var m manifestFields
		if json.Unmarshal([]byte(src), &m) != nil {
			continue
		}
		w.manifests[v] = w.rewrite(src, path.Dir(v))
		if m.Name != "" && w.names[m.Name] == "" && validName(m.Name) {
			w.names[m.Name] = path.Dir(v)
			p.link(m.Name, path.Dir(v))
		}
	}
	p.pkgs = w
	return w
}

// validName reports whether a package name may become a path below node_modules.
func validName(name string) bool {
	scope, rest, scoped := strings.Cut(name, "/")
	if !scoped {
		rest = scope
	} else if !strings.HasPrefix(scope, "@") || len(scope) < 2 {
		return false
	}
	return rest != "" && !strings.HasPrefix(rest, ".") && !strings.ContainsAny(rest, "/\\:*?\"<>| ")
}

func (w *workspace) manifest(v string) (string, bool) {
	s, ok := w.manifests[v]
	return s, ok
}

// rewrite returns the manifest with every entry point that does not exist replaced by
// the source that it is probably built from. The order of keys stays: conditions of
// "exports" are tried in order.
func (w *workspace) rewrite(src, dir string) string {
	dec := json.NewDecoder(bytes.NewReader([]byte(src)))
	dec.UseNumber()
	v, err := decodeOrdered(dec)
	if err != nil {
		return src
	}
	root, ok := v.(*object)
	if !ok {
		return src
	}
	hasExports := root.get("exports") != nil
	found := hasExports
	for i, m := range root.members {
		switch m.key {
		case "main", "module", "types", "typings":
			if s, ok := m.value.(string); ok {
				root.members[i].value = w.target(dir, s, ".")[0]
				found = true
			}
		case "exports":
			root.members[i].value = w.targets(dir, m.value, ".")
		case "imports":
			root.members[i].value = w.targets(dir, m.value, "")
		case "bin":
			w.targets(dir, m.value, "")
		case "typesVersions":
			root.members[i].value = nil
		}
	}
	if !found {
		if s := w.entry(dir, "."); s != "" {
			root.members = append(root.members, member{"types", s})
		}
	}
	var out bytes.Buffer
	encodeOrdered(&out, root)
	return out.String()
}

// targets rewrites all strings of an "exports" or "imports" value.
func (w *workspace) targets(dir string, v any, subpath string) any {
	switch v := v.(type) {
	case string:
		if ts := w.target(dir, v, subpath); len(ts) == 1 {
			return ts[0]
		} else {
			list := make([]any, len(ts))
			for i, t := range ts {
				list[i] = t
			}
			return list
		}
	case []any:
		for i := range v {
			v[i] = w.targets(dir, v[i], subpath)
		}
	case *object:
		for i, m := range v.members {
			sub := subpath
			if strings.HasPrefix(m.key, ".") {
				sub = m.key
			}
			v.members[i].value = w.targets(dir, m.value, sub)
		}
	}
	return v
}

// outputDirs are what build output is put into, by convention.
var outputDirs = []string{"dist", "lib", "build", "out", "output", "esm", "cjs", "es", "es6", "esnext", "module", "commonjs", "types", "typings", "umd", ".output", "mjs"}

// target maps one entry point of a manifest; several results are alternatives.
func (w *workspace) target(dir, entry, subpath string) []string {
	rel := strings.TrimPrefix(entry, "./")
	if strings.HasPrefix(rel, "../") || rel == "" || path.IsAbs(rel) {
		return []string{entry}
	}
	if strings.Contains(rel, "*") {
		return w.pattern(dir, entry, rel)
	}
	if v := path.Join(dir, rel); w.fs.files[v] {
		w.entries[v] = true
		return []string{entry}
	}
	for _, stem := range sourceStems(stripExt(rel)) {
		if s := w.source(dir, stem); s != "" {
			return []string{s}
		}
	}
	if subpath != "" && isOutput(rel) {
		if s := w.entry(dir, subpath); s != "" {
			return []string{s}
		}
	}
	return []string{entry}
}

// isOutput reports whether the path lies in a folder for build output, or is a script.
func isOutput(rel string) bool {
	first, _, nested := strings.Cut(rel, "/")
	return nested && slices.Contains(outputDirs, first) || path.Ext(rel) != ".json" && path.Ext(rel) != ".css"
}

// pattern maps an entry point with a star to sources, if its folder does not exist.
func (w *workspace) pattern(dir, entry, rel string) []string {
	before, after, _ := strings.Cut(rel, "*")
	folder := strings.TrimSuffix(before, "/")
	if i := strings.LastIndexByte(folder, '/'); !strings.HasSuffix(before, "/") {
		folder = folder[:max(i, 0)]
	}
	if folder == "" || w.fs.dirs[path.Join(dir, folder)] != nil {
		if exts := stripExt(after); exts == after || folder != "" && w.hasExt(path.Join(dir, folder), after[len(exts):]) {
			return []string{entry}
		}
	}
	for _, stem := range sourceStems(before) {
		d := strings.TrimSuffix(stem, "/")
		if i := strings.LastIndexByte(d, '/'); !strings.HasSuffix(stem, "/") {
			d = d[:max(i, 0)]
		}
		if d != "" && w.fs.dirs[path.Join(dir, d)] == nil {
			continue
		}
		tail := stripExt(after)
		if tail == after {
			return []string{"./" + stem + "*" + after}
		}
		var list []string
		for _, ext := range sourceExts {
			list = append(list, "./"+stem+"*"+tail+ext)
		}
		return list
	}
	return []string{entry}
}

func (w *workspace) hasExt(dir, ext string) bool {
	d := w.fs.dirs[dir]
	return d != nil && slices.ContainsFunc(d.files, func(f string) bool { return strings.HasSuffix(f, ext) })
}

// sourceExts are tried in this order for a file that is built from something.
var sourceExts = []string{".ts", ".tsx", ".mts", ".cts", ".d.ts", ".js", ".jsx", ".mjs", ".cjs"}

// stripExt cuts the extension of a script or declaration file.
func stripExt(p string) string {
	for _, ext := range []string{".d.ts", ".d.mts", ".d.cts", ".ts", ".tsx", ".mts", ".cts", ".js", ".jsx", ".mjs", ".cjs"} {
		if s, ok := strings.CutSuffix(p, ext); ok {
			return s
		}
	}
	return p
}

// sourceStems lists what a path of build output may be built from, best guess first.
func sourceStems(stem string) []string {
	list := []string{stem}
	segs := strings.Split(stem, "/")
	n := 0
	for n < len(segs)-1 && slices.Contains(outputDirs, segs[n]) {
		n++
	}
	if n > 0 {
		rest := strings.Join(segs[n:], "/")
		list = append(list, "src/"+rest, rest, "source/"+rest, "lib/"+rest)
		if n < len(segs)-1 {
			list = append(list, strings.Join(segs[n+1:], "/"))
		}
	}
	return list
}

// source returns the file below dir that has the stem, as a manifest writes it.
func (w *workspace) source(dir, stem string) string {
	for _, s := range []string{stem, stem + "/index"} {
		for _, ext := range sourceExts {
			if v := path.Join(dir, s+ext); w.fs.files[v] {
				w.entries[v] = true
				return "./" + s + ext
			}
		}
	}
	return ""
}

// entry guesses the source of the subpath of a package whose manifest names none that exists.
func (w *workspace) entry(dir, subpath string) string {
	name := strings.TrimPrefix(strings.TrimPrefix(subpath, "."), "/")
	stems := []string{"src/" + name, name, "lib/" + name, "source/" + name}
	if name == "" {
		stems = []string{"src/index", "index", "src/main", "lib/index", "source/index", "src/" + path.Base(dir), "src/lib/index", "src/mod", "mod"}
	}
	for _, s := range stems {
		if f := w.source(dir, s); f != "" {
			return f
		}
	}
	return ""
}

// object is a JSON object that keeps the order of its members.
type object struct{ members []member }

type member struct {
	key   string
	value any
}

func (o *object) get(key string) any {
	for _, m := range o.members {
		if m.key == key {
			return m.value
		}
	}
	return nil
}

func decodeOrdered(dec *json.Decoder) (any, error) {
	tok, err := dec.Token()
	if err != nil {
		return nil, err
	}
	switch tok {
	case json.Delim('{'):
		o := &object{}
		for dec.More() {
			key, err := dec.Token()
			if err != nil {
				return nil, err
			}
			v, err := decodeOrdered(dec)
			if err != nil {
				return nil, err
			}
			o.members = append(o.members, member{key.(string), v})
		}
		_, err := dec.Token()
		return o, err
	case json.Delim('['):
		list := []any{}
		for dec.More() {
			v, err := decodeOrdered(dec)
			if err != nil {
				return nil, err
			}
			list = append(list, v)
		}
		_, err := dec.Token()
		return list, err
	}
	return tok, nil
}

func encodeOrdered(out *bytes.Buffer, v any) {
	switch v := v.(type) {
	case *object:
		out.WriteByte('{')
		for i, m := range v.members {
			if i > 0 {
				out.WriteByte(',')
			}
			encodeOrdered(out, m.key)
			out.WriteByte(':')
			encodeOrdered(out, m.value)
		}
		out.WriteByte('}')
	case []any:
		out.WriteByte('[')
		for i, e := range v {
			if i > 0 {
				out.WriteByte(',')
			}
			encodeOrdered(out, e)
		}
		out.WriteByte(']')
	default:
		b, err := json.Marshal(v)
		if err != nil {
			b = []byte("null")
		}
		out.Write(b)
	}
}
