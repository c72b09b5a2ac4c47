package workspace

import (
	"cmp"
	"context"
	"maps"
	"runtime"
	"slices"
	"strings"
	"sync"

	"golang.org/x/sync/errgroup"

	"github.com/settgraph/sett/compiler/diag"
	"github.com/settgraph/sett/compiler/xref"
)

// history is the results of an earlier state, by what program they are of.
type history map[identity]*result

type identity struct {
	entry            string
	standalone, test bool
}

func (g *Group) identity() identity { return identity{g.Entry, g.Standalone, g.Test} }

func (c *Checked) history() history {
	out := make(history, len(c.results))
	for i, g := range c.state.groups {
		out[g.identity()] = c.results[i]
	}
	return out
}

// check gives every program its result: from history where nothing changed, by [partial]
// where the change cannot be seen, else by checking. The caller has the token.
func (s *State) check(ctx context.Context) (*Checked, error) {
	if s.partial == nil {
		s.partial = make([]*result, len(s.programs))
	}
	run := &checking{s: s, results: s.partial, pool: newPool(s.base, len(s.programs) > 1)}
	if err := run.loadAll(ctx); err != nil {
		return nil, err
	}
	now, classes := run.plan()
	if err := run.check(ctx, now); err != nil {
		return nil, err
	}
	if err := run.represent(ctx, classes); err != nil {
		return nil, err
	}
	s.partial = nil
	return s.assemble(run.results), nil
}

// checking is one round of checks.
type checking struct {
	s       *State
	results []*result
	pool    *pool
}

// loadAll loads the programs that are new.
func (c *checking) loadAll(ctx context.Context) error {
	return c.each(ctx, len(c.s.programs), func(i int) { c.s.programs[i].loaded(c.s) })
}

// each calls f for the numbers below n, side by side, until the context ends.
func (c *checking) each(ctx context.Context, n int, f func(i int)) error {
	group, inner := errgroup.WithContext(ctx)
	group.SetLimit(runtime.GOMAXPROCS(0))
	for i := range n {
		if inner.Err() != nil {
			break
		}
		group.Go(func() error {
			if err := inner.Err(); err != nil {
				return err
			}
			f(i)
			return nil
		})
	}
	if err := group.Wait(); err != nil {
		return err
	}
	return ctx.Err()
}

// plan takes over the results that are still good, and says which programs must be checked
// now, and which may share the work.
func (c *checking) plan() (now []int, classes []*class) {
	byName := map[string]*class{}
	for i, p := range c.s.programs {
		if c.results[i] != nil {
			continue // finished by a call that was ended later
		}
		old := c.s.base[p.group.identity()]
		if old != nil && old.key == p.load.key {
			c.results[i] = old
			continue
		}
		delta, name := c.hidden(p, old)
		if delta == nil {
			now = append(now, i)
			continue
		}
		if byName[name] == nil {
			byName[name] = &class{delta: delta}
			classes = append(classes, byName[name])
		}
		byName[name].members = append(byName[name].members, i)
	}
	return now, classes
}

// check checks programs.
func (c *checking) check(ctx context.Context, programs []int) error {
	return c.each(ctx, len(programs), func(n int) {
		i := programs[n]
		r := c.s.programs[i].check(c.s)
		c.pool.share(r)
		c.results[i] = r
	})
}

// pool makes equal results for a file one, so that programs which share files are small, and
// quick to compare.
type pool struct {
	mu    sync.Mutex
	files map[string][]*fileResult
}

func newPool(base history, useful bool) *pool {
	if !useful {
		return nil
	}
	p := &pool{files: map[string][]*fileResult{}}
	for _, r := range base {
		for name, f := range r.details().files {
			if !slices.Contains(p.files[name], f) {
				p.files[name] = append(p.files[name], f)
			}
		}
	}
	return p
}

func (p *pool) share(r *result) {
	if p == nil {
		return
	}
	files := r.details().files
	p.mu.Lock()
	defer p.mu.Unlock()
	for name, f := range files {
		if i := slices.IndexFunc(p.files[name], f.equal); i >= 0 {
			files[name] = p.files[name][i]
			continue
		}
		p.files[name] = append(p.files[name], f)
	}
}

// assemble puts the results together.
func (s *State) assemble(results []*result) *Checked {
	c := &Checked{state: s, results: results, byFile: map[string][]*diag.Diagnostic{}}
	c.diags = mergeDiags(results)
	for _, d := range c.diags {
		c.byFile[fileName(d)] = append(c.byFile[fileName(d)], d)
	}
	c.files = sync.OnceValue(func() map[string]*fileResult { return mergeFiles(results) })
	c.index = sync.OnceValue(c.buildIndex)
	c.facts = sync.OnceValue(func() *xref.Facts {
		out := newFacts()
		for _, f := range c.files() {
			f.facts.addTo(out)
		}
		for _, r := range results {
			out.DI = union(out.DI, r.details().di)
		}
		return out
	})
	return c
}

// mergeDiags is what any program says, each thing once: what is found at one place in a file
// as the root of one program and as a module of another differs in how it names the module's
// items only.
func mergeDiags(results []*result) []*diag.Diagnostic {
	type finding struct {
		file    string
		span    [2]int32
		code    diag.Code
		message string
	}
	seen := map[finding]bool{}
	var out []*diag.Diagnostic
	for _, r := range results {
		if len(r.diags) == 0 {
			continue
		}
		names := r.moduleNames()
		for _, d := range r.diags {
			file := fileName(d)
			f := finding{file, [2]int32{d.Span.Start, d.Span.End}, d.Code, d.Message}
			if name := names[file]; name != "" {
				f.message = strings.ReplaceAll(f.message, name+".", "")
			}
			if !seen[f] {
				seen[f] = true
				out = append(out, d)
			}
		}
	}
	sortDiags(out)
	return out
}

// sortDiags puts diagnostics of several programs in the order that those of one have; see
// [diag.List.Sorted].
func sortDiags(diags []*diag.Diagnostic) {
	slices.SortStableFunc(diags, func(a, b *diag.Diagnostic) int {
		if c := cmp.Compare(a.Phase, b.Phase); c != 0 || a.Phase == diag.PhaseDecls {
			return c
		}
		return cmp.Or(cmp.Compare(fileName(a), fileName(b)), cmp.Compare(a.Span.Start, b.Span.Start))
	})
}

// moduleNames is how items of the modules of a program are qualified, by file.
func (l *loaded) moduleNames() map[string]string {
	out := map[string]string{}
	for _, mod := range l.project.Modules {
		for _, f := range mod.Files {
			out[f.Src.Name] = mod.Name
		}
	}
	return out
}

// mergeFiles puts together what the programs say about each file.
func mergeFiles(results []*result) map[string]*fileResult {
	parts := map[string][]*fileResult{}
	for _, r := range results {
		for name, f := range r.details().files {
			if !slices.Contains(parts[name], f) {
				parts[name] = append(parts[name], f)
			}
		}
	}
	out := make(map[string]*fileResult, len(parts))
	for name, fs := range parts {
		if len(fs) == 1 {
			out[name] = fs[0]
			continue
		}
		sum := &fileResult{}
		var facts []fileFacts
		for _, f := range fs {
			sum.sites = append(sum.sites, f.sites...)
			facts = append(facts, f.facts)
		}
		slices.SortFunc(sum.sites, compareSites)
		sum.sites = slices.Compact(sum.sites)
		sum.facts = mergeFacts(facts)
		out[name] = sum
	}
	return out
}

// buildIndex finds sites from what they use. All lists are pieces of one block.
func (c *Checked) buildIndex() *siteIndex {
	files := c.files()
	names := slices.Sorted(maps.Keys(files))
	n := 0
	for _, name := range names {
		n += len(files[name].sites)
	}
	x := &siteIndex{at: map[xref.Key]int32{}}
	which := make([]int32, 0, n) // the list of each site
	for _, name := range names {
		for i := range files[name].sites {
			target := &files[name].sites[i].Target
			list, ok := x.at[*target]
			if !ok {
				list = int32(len(x.ends))
				x.at[*target] = list
				x.ends = append(x.ends, 0)
			}
			x.ends[list]++
			which = append(which, list)
		}
	}
	end := int32(0)
	for list, size := range x.ends {
		x.ends[list] = end // where it begins, until it is filled
		end += size
	}
	x.sites = make([]xref.Site, n)
	i := 0
	for _, name := range names {
		for _, site := range files[name].sites {
			x.sites[x.ends[which[i]]] = site
			x.ends[which[i]]++
			i++
		}
	}
	return x
}

// usedBy lists the sites of a file by what they are in. They are in the order of the text, so
// that those in one declaration mostly are a piece of them.
func (c *Checked) usedBy(path string) map[xref.Key][]xref.Site {
	if x, ok := c.owners.Load(path); ok {
		return x.(map[xref.Key][]xref.Site)
	}
	all := c.Sites(path)
	out := map[xref.Key][]xref.Site{}
	ends := map[xref.Key]int{} // of lists that are a piece of all
	for first, end := 0, 0; first < len(all); first = end {
		owner := all[first].Owner
		for end = first; end < len(all) && all[end].Owner == owner; {
			end++
		}
		add := func(k xref.Key) {
			had, known := out[k]
			switch last, piece := ends[k]; {
			case !known:
				out[k], ends[k] = all[first:end:end], end
			case piece && last == first:
				out[k], ends[k] = all[first-len(had):end:end], end
			default:
				delete(ends, k)
				out[k] = append(slices.Clip(had), all[first:end]...)
			}
		}
		add(owner)
		if d := c.state.Decl(owner); d != nil && d.Parent != nil {
			add(d.Parent.Key)
		}
	}
	x, _ := c.owners.LoadOrStore(path, out)
	return x.(map[xref.Key][]xref.Site)
}
