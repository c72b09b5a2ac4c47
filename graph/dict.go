package graph

import (
	"sort"
	"strings"
	"sync"
)

// A dict is a sorted list of names with a record each, cut into pages of dictNames names.
// The index page holds the first name of every page, so that a look-up reads two pages.
type dict struct {
	prefix string
	once   sync.Once
	firsts []string
	mu     sync.Mutex
	pages  map[int]*table
}

const dictNames = 512

// encodeDict adds the pages of a dictionary; names are sorted, and put appends the
// record of name i.
func encodeDict(pages Pages, prefix string, names []string, put func(e *encoder, i int)) {
	var index encoder
	n := (len(names) + dictNames - 1) / dictNames
	index.uint(uint64(n))
	for p := range n {
		from := p * dictNames
		to := min(from+dictNames, len(names))
		index.str(names[from])
		pages[pageKey(prefix, p)] = encodeTable(to-from, func(e *encoder, i int) {
			e.str(names[from+i])
			put(e, from+i)
		})
	}
	pages[prefix] = index.buf
}

func (t *dict) load(s *Snapshot) []string {
	t.once.Do(func() {
		page, err := s.src.Page(t.prefix)
		if err != nil {
			s.fail(t.prefix, err)
			return
		}
		d := decoder{buf: page}
		firsts := make([]string, d.count())
		for i := range firsts {
			firsts[i] = d.str()
		}
		if d.bad {
			s.fail(t.prefix, errPage)
			return
		}
		t.firsts = firsts
	})
	return t.firsts
}

func (t *dict) page(s *Snapshot, p int) *table {
	t.mu.Lock()
	defer t.mu.Unlock()
	if pg, ok := t.pages[p]; ok {
		return pg
	}
	key := pageKey(t.prefix, p)
	pg, err := readTable(s.src, key)
	if err != nil {
		s.fail(key, err)
	}
	if t.pages == nil {
		t.pages = make(map[int]*table)
	}
	t.pages[p] = &pg
	return &pg
}

// find returns the record of a name.
func (t *dict) find(s *Snapshot, name string) (decoder, bool) {
	firsts := t.load(s)
	p := sort.Search(len(firsts), func(i int) bool { return firsts[i] > name }) - 1
	if p < 0 {
		return decoder{}, false
	}
	pg := t.page(s, p)
	i := sort.Search(pg.n, func(i int) bool { d := pg.at(i); return d.str() >= name })
	if i == pg.n {
		return decoder{}, false
	}
	d := pg.at(i)
	return d, d.str() == name
}

// scan calls f for each name with the prefix in order until f returns false.
func (t *dict) scan(s *Snapshot, prefix string, f func(name string, d *decoder) bool) {
	firsts := t.load(s)
	p := max(sort.Search(len(firsts), func(i int) bool { return firsts[i] >= prefix })-1, 0)
	for ; p < len(firsts); p++ {
		pg := t.page(s, p)
		for i := range pg.n {
			d := pg.at(i)
			name := d.str()
			if name < prefix {
				continue
			}
			if !strings.HasPrefix(name, prefix) || !f(name, &d) {
				return
			}
		}
	}
}
