package pluto

import (
	"fmt"

	"github.com/google/uuid"

	"github.com/settgraph/sett/compiler/identity"
	"github.com/settgraph/sett/compiler/plto"
	"github.com/settgraph/sett/compiler/xref"
)

// ShowPT is the view of a module from the bytes of its file alone, which need not be in a
// project: what a PLTO file says with its ids as hints, and a text as it is. name is for
// messages.
func ShowPT(name string, data []byte) (string, error) {
	if !plto.Is(data) {
		return string(data), nil
	}
	file, err := plto.Decode(data)
	if err != nil {
		return "", &Error{Code: ParseError, Text: fmt.Sprintf("%s: %v", name, err), Files: []string{name}, Err: err}
	}
	tree, _ := parseText(name, file.Text)
	decls := xref.Decls(tree)
	ids := map[xref.Key]uuid.UUID{}
	if len(file.Decls) > 0 { // files of the first versions have no ids that last
		ids = identity.Assign([]*identity.Draft{identity.Read(&identity.Module{Path: name, File: tree, Decls: decls, Binary: file})}, nil).Of
	}
	return withHints(tree, decls, ids, inView), nil
}
