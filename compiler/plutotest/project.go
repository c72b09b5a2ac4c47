// Package plutotest writes projects for tests of what works on whole projects.
package plutotest

import (
	"fmt"
	"math/rand/v2"
	"path"
	"strings"
)

// Shape says what a project of several modules is like.
type Shape struct {
	Modules int  // besides main.pluto
	Folders int  // that they are spread over; 0 for all beside main.pluto
	Imports int  // of each module, at most; 0 for 3
	Tests   int  // of a hundred modules so many have test blocks
	Private bool // some things that only their module uses
}

// Project writes a project without mistakes: main.pluto and modules that import each other
// without circles. They declare classes, traits, errors, enums and generic functions, and
// use those of the modules that they import. The keys are slash paths; the same seed and
// shape give the same texts.
//
// Of the folders a fifth is beside main.pluto and the others are in these, because a module
// can import only what is beside it or below.
func Project(seed uint64, shape Shape) map[string]string {
	p := &project{r: rand.New(rand.NewPCG(seed, 21)), shape: shape}
	if p.shape.Imports == 0 {
		p.shape.Imports = 3
	}
	p.layout()
	out := map[string]string{}
	for _, m := range p.modules {
		p.imports(m)
		out[path.Join(m.dir, m.name+".pluto")] = p.text(m)
	}
	out["main.pluto"] = p.main()
	return out
}

// project is a project while it is written.
type project struct {
	r       *rand.Rand
	shape   Shape
	modules []*module // those that are imported before those that import them
}

// module is one of its modules.
type module struct {
	n       int
	dir     string
	name    string
	imports []*imported

	trait, enum bool // it declares them
	fallible    bool // its load can raise
}

// imported is a module as another sees it.
type imported struct {
	*module
	path string // after import
	as   string // its name there
}

// layout says which modules there are, those in deeper folders first.
func (p *project) layout() {
	dirs := []string{"."}
	if n := p.shape.Folders; n > 0 {
		dirs = nil
		tops := (n + 4) / 5
		for i := tops; i < n; i++ {
			dirs = append(dirs, fmt.Sprintf("part%02d/part%02d", i%tops, i))
		}
		for i := range tops {
			dirs = append(dirs, fmt.Sprintf("part%02d", i))
		}
	}
	for n := range p.shape.Modules {
		dir := dirs[n*len(dirs)/p.shape.Modules]
		p.modules = append(p.modules, &module{
			n: n, dir: dir, name: fmt.Sprintf("mod%03d", n), trait: p.r.IntN(3) > 0, enum: p.r.IntN(3) == 0,
		})
	}
}

// imports chooses what a module imports among what is written before it.
func (p *project) imports(m *module) {
	for range 20 {
		if len(m.imports) == p.shape.Imports || m.n == 0 {
			break
		}
		if to := p.see(m.dir, p.modules[p.r.IntN(m.n)]); to != nil && !m.has(to.module) {
			m.imports = append(m.imports, to)
		}
	}
	m.fallible = p.r.IntN(4) == 0
	for _, to := range m.imports {
		m.fallible = m.fallible || to.fallible && p.r.IntN(2) == 0
	}
}

func (m *module) has(to *module) bool {
	for _, i := range m.imports {
		if i.module == to {
			return true
		}
	}
	return false
}

// see is the module as it is imported from a folder; nil when it is not below it.
func (p *project) see(dir string, to *module) *imported {
	below := to.dir
	switch {
	case dir == to.dir:
		below = ""
	case dir != ".":
		rest, ok := strings.CutPrefix(to.dir, dir+"/")
		if !ok {
			return nil
		}
		below = rest
	}
	out := &imported{module: to, path: to.name, as: to.name}
	if below != "" && below != "." {
		out.path = strings.ReplaceAll(below, "/", ".") + "." + to.name
	}
	if p.r.IntN(5) == 0 {
		out.as = fmt.Sprintf("other%03d", to.n)
	}
	return out
}

// writer collects lines.
type writer struct{ strings.Builder }

func (w *writer) line(format string, args ...any) { fmt.Fprintf(w, format+"\n", args...) }

func (w *writer) imports(list []*imported) {
	for _, to := range list {
		if to.as == to.name {
			w.line("import %s", to.path)
		} else {
			w.line("import %s as %s", to.path, to.as)
		}
	}
	if len(list) > 0 {
		w.line("")
	}
}

// text writes a module.
func (p *project) text(m *module) string {
	w := &writer{}
	w.line("// Module %s of a project that nobody wrote.", m.name)
	w.imports(m.imports)
	p.types(w, m)
	p.functions(w, m)
	if p.shape.Private {
		w.line("fn hidden%03d(n: int) int {", m.n)
		w.line("    return n - %d", p.r.IntN(9))
		w.line("}\n")
	}
	if p.shape.Tests > 0 && p.r.IntN(100) < p.shape.Tests {
		w.line("test \"%s counts\" {", m.name)
		w.line("    let item = make(%d)", 1+p.r.IntN(9))
		w.line("    expect(item.size() > 0).to_be_true()")
		w.line("    print(calc(2))")
		w.line("}")
	}
	return w.String()
}

func (p *project) types(w *writer, m *module) {
	w.line("pub error Failure%03d {", m.n)
	w.line("    code: int")
	w.line("}\n")
	impl := ""
	if m.trait {
		impl = " impl Shape"
		w.line("pub trait Shape {")
		w.line("    fn area(self) int")
		w.line("")
		w.line("    fn label(self) string {")
		w.line("        return f\"area {self.area()}\"")
		w.line("    }")
		w.line("}\n")
	}
	if m.enum {
		w.line("pub enum Mode {")
		w.line("    Off")
		w.line("    On { level: int }")
		w.line("}\n")
	}
	w.line("pub class Item%s {", impl)
	w.line("    count: int")
	w.line("    name: string")
	w.line("")
	w.line("    // How much it is.")
	w.line("    fn size(self) int {")
	w.line("        return self.count + %d", 1+p.r.IntN(9))
	w.line("    }\n")
	w.line("    fn grow(mut self, n: int) {")
	w.line("        self.count += n")
	w.line("    }")
	if m.trait {
		w.line("")
		w.line("    fn area(self) int {")
		w.line("        return self.size() * %d", 1+p.r.IntN(9))
		w.line("    }")
	}
	w.line("}\n")
}

func (p *project) functions(w *writer, m *module) {
	w.line("pub fn make(n: int) Item {")
	w.line("    let mut item = Item { count: n, name: \"%s\" }", m.name)
	w.line("    item.grow(%d)", p.r.IntN(9))
	w.line("    return item")
	w.line("}\n")

	w.line("pub fn same<T>(x: T) T {")
	w.line("    return x")
	w.line("}\n")
	if m.trait {
		w.line("pub fn areas<T: Shape>(x: T, y: T) int {")
		w.line("    return x.area() + y.area()")
		w.line("}\n")
		w.line("pub fn describe(s: Shape) string {")
		w.line("    return s.label()")
		w.line("}\n")
	}
	if m.enum {
		w.line("pub fn level(m: Mode) int {")
		w.line("    match m {")
		w.line("        Mode.Off { return 0 }")
		w.line("        Mode.On { level } { return level }")
		w.line("    }")
		w.line("}\n")
	}

	w.line("pub fn calc(n: int) int {")
	w.line("    let mut sum = n * %d", 1+p.r.IntN(9))
	for _, to := range m.imports {
		p.use(w, to, "sum")
	}
	w.line("    return sum")
	w.line("}\n")

	w.line("pub fn load(n: int) int {")
	if m.fallible {
		w.line("    if n > %d {", 10+p.r.IntN(90))
		w.line("        raise Failure%03d { code: n }", m.n)
		w.line("    }")
	}
	w.line("    let mut got = n")
	for _, to := range m.imports {
		switch {
		case !to.fallible:
			w.line("    got += %s.load(got)", to.as)
		case m.fallible:
			w.line("    got += %s.load(got)!", to.as)
		default:
			w.line("    got += %s.load(got) catch 0", to.as)
		}
	}
	w.line("    return got")
	w.line("}\n")
}

// use writes statements that use what another module declares.
func (p *project) use(w *writer, to *imported, sum string) {
	item := fmt.Sprintf("item%03d", to.n)
	w.line("    let %s = %s.make(%s)", item, to.as, sum)
	w.line("    %s += %s.size() + %s.calc(%d)", sum, item, to.as, p.r.IntN(9))
	if p.r.IntN(3) == 0 {
		w.line("    %s += %s.same(%s).count", sum, to.as, item)
	}
	if to.trait && p.r.IntN(2) == 0 {
		w.line("    %s += %s.areas(%s, %s) + %s.describe(%s).len()", sum, to.as, item, item, to.as, item)
	}
	if to.enum && p.r.IntN(2) == 0 {
		w.line("    %s += %s.level(%s.Mode.On { level: %d })", sum, to.as, to.as, p.r.IntN(9))
	}
}

// main writes main.pluto, which imports what no module does, so that all belongs to it, and
// what is beside it: files beside the entry that it does not import are merged into it.
func (p *project) main() string {
	used := map[*module]bool{}
	for _, m := range p.modules {
		for _, to := range m.imports {
			used[to.module] = true
		}
	}
	var list []*imported
	for _, m := range p.modules {
		if !used[m] || m.dir == "." {
			list = append(list, p.see(".", m))
		}
	}
	w := &writer{}
	w.imports(list)
	w.line("fn main() {")
	w.line("    let mut sum = 1")
	for _, to := range list {
		p.use(w, to, "sum")
		if to.fallible {
			w.line("    sum += %s.load(sum) catch 1", to.as)
		} else {
			w.line("    sum += %s.load(sum)", to.as)
		}
	}
	w.line("    print(sum)")
	w.line("}")
	return w.String()
}
