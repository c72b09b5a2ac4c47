// Package app is what the command line and the MCP server have in common: asking one
// question of one project and getting the bytes of the answer. Both doors print what
// [Render] gives, so they cannot differ.
package app

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime/debug"
	"strings"
	"time"

	"github.com/settgraph/sett/cmd/internal/params"
	"github.com/settgraph/sett/format"
	"github.com/settgraph/sett/graph/store"
	"github.com/settgraph/sett/query"
	"github.com/settgraph/sett/sdk"
)

// Form is the shape of an answer.
type Form struct {
	Name  string // one of [Forms]; empty is "lines"
	Color bool   // of lines and tables
}

// Forms returns the names of all forms.
func Forms() []string { return []string{"lines", "json", "table", "dot", "mermaid", "sarif", "github"} }

// Reply is the answer to a question.
type Reply struct {
	Result any // a pointer to the question's result struct

	Text  []byte // what both doors print
	Note  string // one line beside the answer, empty for most
	Empty bool   // the question was fine and nothing was found

	Indexed bool          // there was no index before
	Took    time.Duration // to bring the index up to date
}

// Ask answers a question about a project.
func Ask(ctx context.Context, p *sdk.Project, spec query.Spec, args any, form Form) (*Reply, error) {
	if s, ok := args.(query.Shaper); ok && form.Name == "json" {
		s.SetFull()
	}
	if err := Localize(p.Root(), "", args); err != nil {
		return nil, err
	}
	answer, err := p.Ask(ctx, spec, args)
	if err != nil {
		return nil, err
	}
	text, err := Render(answer.Result, form)
	if err != nil {
		return nil, err
	}
	r := &Reply{Result: answer.Result, Text: text, Note: answer.Note, Indexed: answer.Freshness.Indexed, Took: answer.Freshness.Took}
	if e, ok := answer.Result.(interface{ Empty() bool }); ok {
		r.Empty = e.Empty()
	}
	return r, nil
}

// Render returns the result in the form, ending in a newline.
func Render(result any, form Form) ([]byte, error) {
	var b bytes.Buffer
	var err error
	style := format.Style{Color: form.Color}
	switch form.Name {
	case "", "lines":
		err = format.Lines(&b, result, style)
	case "json":
		err = format.JSON(&b, result)
	case "table":
		err = format.Table(&b, result, style)
	case "dot":
		err = format.Dot(&b, result)
	case "mermaid":
		err = format.Mermaid(&b, result)
	case "sarif":
		err = format.Sarif(&b, result, Version())
	case "github":
		err = format.GitHub(&b, result)
	default:
		err = &params.Error{Param: "format", Text: fmt.Sprintf("no value %q", form.Name), Choices: Forms()}
	}
	if err != nil {
		return nil, err
	}
	return b.Bytes(), nil
}

// Root returns the root of the project that dir is in.
func Root(dir string) (string, error) {
	abs, err := Folder(dir)
	if err != nil {
		return "", err
	}
	root, _, err := sdk.FindRoot(abs)
	if err != nil {
		return "", fmt.Errorf("finding the project: %w", err)
	}
	return root, nil
}

// Folder returns the absolute path of dir, or of the folder that the file dir is in.
func Folder(dir string) (string, error) {
	abs, err := filepath.Abs(dir)
	if err != nil {
		return "", fmt.Errorf("finding the project: %w", err)
	}
	info, err := os.Stat(abs)
	switch {
	case errors.Is(err, os.ErrNotExist):
		return "", &params.Error{Text: fmt.Sprintf("there is no folder %s", dir)}
	case errors.Is(err, os.ErrPermission):
		return "", fmt.Errorf("finding the project: %w", err)
	case err != nil: // it is too long, or no path at all
		return "", &params.Error{Text: fmt.Sprintf("%.100q is no folder", dir)}
	case !info.IsDir():
		return filepath.Dir(abs), nil
	}
	return abs, nil
}

// Indexed reports whether the project has an index already, of whatever age.
func Indexed(root string) bool {
	_, err := store.At(root).Current()
	return err == nil
}

// Version is the release and, when the binary was built from a checkout, its revision.
func Version() string {
	version := "0.1.0"
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return version
	}
	var revision string
	var dirty bool
	for _, s := range info.Settings {
		switch s.Key {
		case "vcs.revision":
			revision = s.Value
		case "vcs.modified":
			dirty = s.Value == "true"
		}
	}
	if len(revision) < 12 {
		return version
	}
	version += "+" + revision[:12]
	if dirty {
		version += ".dirty"
	}
	return strings.TrimSpace(version)
}
