package golang

import (
	"go/build/constraint"
	"slices"
	"strconv"
	"strings"
)

// A config is a build configuration: which files take part. The default one is fixed,
// so that the same repository gives the same facts on every machine.
type config struct {
	id    string // distinguishes configurations; empty for the default one
	os    string
	arch  string
	cgo   bool
	goMax int    // files for releases after go1.<goMax> are left out; 0: none are
	tags  string // comma-separated tags that are set
	force string // a file that takes part whatever its constraint says
}

func defaultConfig() *config { return &config{os: "linux", arch: "amd64", cgo: true} }

func (c *config) name() string {
	id := c.os + "/" + c.arch
	if !c.cgo {
		id += " nocgo"
	}
	if c.goMax > 0 {
		id += " go1." + strconv.Itoa(c.goMax)
	}
	if c.tags != "" {
		id += " " + c.tags
	}
	if c.force != "" {
		id += " " + c.force
	}
	if id == "linux/amd64" {
		return ""
	}
	return id
}

// has reports whether a build tag is set.
func (c *config) has(tag string) bool {
	switch tag {
	case c.os, c.arch:
		return true
	case "cgo":
		return c.cgo
	case "gc":
		return !c.set("gccgo")
	case "unix":
		return isUnix(c.os)
	case "linux":
		return c.os == "android"
	case "solaris":
		return c.os == "illumos"
	case "darwin":
		return c.os == "ios"
	}
	if n, ok := releaseTag(tag); ok {
		return c.goMax == 0 || n <= c.goMax
	}
	return c.set(tag)
}

func (c *config) set(tag string) bool {
	for rest := c.tags; rest != ""; {
		var t string
		t, rest, _ = strings.Cut(rest, ",")
		if t == tag {
			return true
		}
	}
	return false
}

// match reports whether a file takes part.
func (c *config) match(f *file) bool {
	return f.build == nil || c.force != "" && c.force == f.path || f.build.Eval(c.has)
}

func releaseTag(tag string) (minor int, ok bool) {
	rest, ok := strings.CutPrefix(tag, "go1.")
	if !ok {
		return 0, false
	}
	n, err := strconv.Atoi(rest)
	return n, err == nil
}

// fileConstraint returns what the file's name, its build line and its use of cgo demand;
// nil when it always takes part.
func fileConstraint(name, build string, cgo bool) constraint.Expr {
	var x constraint.Expr
	and := func(y constraint.Expr) {
		if x == nil {
			x = y
		} else {
			x = &constraint.AndExpr{X: x, Y: y}
		}
	}
	for _, t := range nameTags(name) {
		and(&constraint.TagExpr{Tag: t})
	}
	if build != "" {
		if y, err := constraint.Parse("//go:build " + build); err == nil {
			and(y)
		}
	}
	if cgo {
		and(&constraint.TagExpr{Tag: "cgo"})
	}
	return x
}

// nameTags returns the system and architecture that a file name ends in.
func nameTags(name string) []string {
	name = strings.TrimSuffix(name, ".go")
	name = strings.TrimSuffix(name, "_test")
	// Everything before the first underscore is not a tag, even when it looks like one.
	i := strings.Index(name, "_")
	if i < 0 {
		return nil
	}
	l := strings.Split(name[i+1:], "_")
	n := len(l)
	if n >= 2 && isOS(l[n-2]) && isArch(l[n-1]) {
		return l[n-2:]
	}
	if isOS(l[n-1]) || isArch(l[n-1]) {
		return l[n-1:]
	}
	return nil
}

// systems and architectures are in the order of preference.
func systems() []string {
	return []string{"linux", "darwin", "windows", "freebsd", "netbsd", "openbsd", "dragonfly", "solaris",
		"illumos", "aix", "android", "ios", "plan9", "js", "wasip1", "nacl", "hurd", "zos"}
}

func architectures() []string {
	return []string{"amd64", "arm64", "386", "arm", "riscv64", "ppc64le", "ppc64", "s390x", "mips64le", "mips64",
		"mipsle", "mips", "loong64", "wasm", "sparc64", "armbe", "arm64be", "amd64p32", "mips64p32", "mips64p32le",
		"ppc", "riscv", "s390", "sparc"}
}

func isOS(s string) bool   { return slices.Contains(systems(), s) }
func isArch(s string) bool { return slices.Contains(architectures(), s) }

func isUnix(os string) bool {
	switch os {
	case "plan9", "windows", "js", "wasip1", "nacl", "zos":
		return false
	}
	return true
}

// cover returns the configurations, the default one first, under which each of the
// files takes part at least once, and for each the files that no earlier one has.
func cover(files []*file) (configs []*config, takes [][]*file) {
	def := defaultConfig()
	var left []*file
	var take []*file
	for _, f := range files {
		if def.match(f) {
			take = append(take, f)
		} else {
			left = append(left, f)
		}
	}
	configs, takes = append(configs, def), append(takes, take)
	for len(left) > 0 {
		var best *config
		var bestTake []*file
		tried := map[string]bool{}
		for _, f := range left {
			c := nearest(f)
			if tried[c.id] {
				continue
			}
			tried[c.id] = true
			var t []*file
			for _, g := range left {
				if c.match(g) {
					t = append(t, g)
				}
			}
			if len(t) > len(bestTake) {
				best, bestTake = c, t
			}
		}
		configs, takes = append(configs, best), append(takes, bestTake)
		left = slices.DeleteFunc(left, best.match)
	}
	return configs, takes
}

// nearest returns the configuration closest to the default one that includes f.
func nearest(f *file) *config {
	var oses, arches, tags []string
	var releases []int
	cgos := []bool{true}
	oses, arches, releases = []string{"linux"}, []string{"amd64"}, []int{0}
	for _, t := range exprTags(f.build) {
		n, release := releaseTag(t)
		switch {
		case t == "unix" || isOS(t):
			oses = systems()
		case isArch(t):
			arches = architectures()
		case t == "cgo":
			cgos = []bool{true, false}
		case t == "gc":
			if !slices.Contains(tags, "gccgo") {
				tags = append(tags, "gccgo")
			}
		case release:
			releases = append(releases, max(n-1, 1))
		case !slices.Contains(tags, t):
			tags = append(tags, t)
		}
	}
	if len(tags) > 6 {
		tags = tags[:6]
	}
	slices.Sort(tags)
	for _, set := range subsets(tags) {
		for _, cgo := range cgos {
			for _, release := range releases {
				for _, arch := range arches {
					for _, os := range oses {
						c := &config{os: os, arch: arch, cgo: cgo, goMax: release, tags: set}
						if c.match(f) {
							c.id = c.name()
							return c
						}
					}
				}
			}
		}
	}
	c := defaultConfig()
	c.force = f.path
	c.id = c.name()
	return c
}

// subsets returns all subsets of tags, comma-separated, small ones first.
func subsets(tags []string) []string {
	var out []string
	for size := 0; size <= len(tags); size++ {
		for mask := range 1 << len(tags) {
			var set []string
			for i, t := range tags {
				if mask>>i&1 == 1 {
					set = append(set, t)
				}
			}
			if len(set) == size {
				out = append(out, strings.Join(set, ","))
			}
		}
	}
	return out
}

// exprTags returns the tags that a constraint mentions.
func exprTags(x constraint.Expr) []string {
	switch x := x.(type) {
	case *constraint.TagExpr:
		return []string{x.Tag}
	case *constraint.NotExpr:
		return exprTags(x.X)
	case *constraint.AndExpr:
		return append(exprTags(x.X), exprTags(x.Y)...)
	case *constraint.OrExpr:
		return append(exprTags(x.X), exprTags(x.Y)...)
	}
	return nil
}
