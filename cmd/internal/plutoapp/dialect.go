package plutoapp

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/settgraph/sett/cmd/internal/params"
)

// A Dialect is whose field names a JSON answer has. Two documents describe tools of the
// same names; a call is answered in the words of the one that it was made in, and a call
// that both could have made has the words of both.
type Dialect uint8

// The dialects. The numbers are those of the documents.
const (
	D000 Dialect = 1 << iota // id, depth, timeout
	D001                     // uuid, max_depth, timeout_ms
	Both = D000 | D001
)

// ParseDialect reads "000" or "001"; empty is no dialect.
func ParseDialect(s string) (Dialect, error) {
	switch s {
	case "":
		return 0, nil
	case "000":
		return D000, nil
	case "001":
		return D001, nil
	}
	return 0, fmt.Errorf("no dialect %q; one of 000, 001", s)
}

// spellings are the parameter names that only one of the documents has. A name that means
// different things in different tools is under the name of the tool.
var spellings = map[string]Dialect{
	"id": D000, "class_id": D000, "target_id": D000, "depth": D000, "visibility": D000,
	"position": D000, "timeout": D000, "args": D000, "stdin": D000, "injected": D000, "filter": D000,
	"add_field name": D000, "type": D000,

	"uuid": D001, "max_depth": D001, "direction": D001, "start": D001, "end": D001, "class_name": D001,
	"field_name": D001, "field_type": D001, "old_name": D001, "pt_path": D001, "pluto_path": D001,
	"stdlib": D001, "timeout_ms": D001, "cwd": D001, "include_uuid_hints": D001,
	"get_declaration name": D001, "replace_declaration name": D001, "delete_declaration name": D001,
}

// given is the arguments of a call as the caller wrote them.
type given map[string]json.RawMessage

func readGiven(raw json.RawMessage) (given, error) {
	g := given{}
	if raw = bytes.TrimSpace(raw); len(raw) == 0 || bytes.Equal(raw, []byte("null")) {
		return g, nil
	}
	if err := json.Unmarshal(raw, &g); err != nil {
		return nil, &params.Error{Text: "the arguments are not a JSON object"}
	}
	for name, v := range g {
		if bytes.Equal(bytes.TrimSpace(v), []byte("null")) {
			delete(g, name) // as if it were absent
		}
	}
	return g, nil
}

// dialect is that of the spellings; 0 when they are of neither document or of both.
func (g given) dialect(tool string) Dialect {
	var d Dialect
	for name := range g {
		if of, ok := spellings[tool+" "+name]; ok {
			d |= of
		} else {
			d |= spellings[name]
		}
	}
	if d == Both {
		return 0
	}
	return d
}

// text is the value of a parameter that is a string, else "".
func (g given) text(name string) string {
	var s string
	if json.Unmarshal(g[name], &s) != nil {
		return ""
	}
	return s
}

// A spelling is a value that the caller gave for the symbol, with the name it used.
type spelling struct{ name, value string }

// merge leaves one spelling of the parameter and returns all that were given when they
// are not all the same: an id and a name may well mean one declaration, which only the
// project knows.
func (g given) merge(f *params.Field) ([]spelling, error) {
	if f == nil {
		return nil, nil
	}
	var all []spelling
	for _, name := range append([]string{f.Name}, f.Aliases...) {
		raw, ok := g[name]
		if !ok {
			continue
		}
		var value string
		if err := json.Unmarshal(raw, &value); err != nil {
			return nil, &params.Error{Param: name, Text: "want a string, got " + clip(string(raw))}
		}
		all = append(all, spelling{name, value})
	}
	if len(all) < 2 || !slices.ContainsFunc(all, func(s spelling) bool { return s.value != all[0].value }) {
		return nil, nil
	}
	for _, s := range all[1:] {
		delete(g, s.name)
	}
	return all, nil
}

func (g given) raw() (json.RawMessage, error) {
	raw, err := json.Marshal(g)
	if err != nil {
		return nil, fmt.Errorf("reading the arguments: %w", err)
	}
	return raw, nil
}

func clip(s string) string {
	const most = 60
	if len(s) <= most {
		return s
	}
	return strings.ToValidUTF8(s[:most], "") + "..."
}
