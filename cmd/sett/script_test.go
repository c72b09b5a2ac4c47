package main

import (
	"fmt"
	"os"
	"os/exec"
	"strings"
	"testing"

	"github.com/settgraph/sett/cmd/internal/cli"
	"github.com/settgraph/sett/cmd/internal/script"
	"github.com/settgraph/sett/compiler/plto"
)

func TestScripts(t *testing.T) {
	script.Run(t, "../../testdata/script/*.txtar", 12, cli.Main, script.Tools{"pack": pack, "unpack": unpack, "damage": damage, "git": git})
}

// git runs git as somebody whom it needs to know nothing of.
func git(args []string) (string, error) {
	cmd := exec.Command("git", append([]string{"-c", "user.name=x", "-c", "user.email=x@example.com", "-c", "commit.gpgsign=false", "-c", "init.defaultBranch=main"}, args...)...)
	out, err := cmd.CombinedOutput()
	if err != nil {
		return "", fmt.Errorf("git %s: %w: %s", args[0], err, out)
	}
	return string(out), nil
}

// pack turns a text into the binary form, with one declaration for each further word.
func pack(args []string) (string, error) {
	text, err := os.ReadFile(args[0])
	if err != nil {
		return "", err
	}
	f := plto.File{Module: [16]byte{1}, Text: string(text), Derived: &plto.Derived{Source: plto.HashText(string(text))}}
	for i, name := range args[1:] {
		f.Decls = append(f.Decls, plto.Decl{ID: [16]byte{2, byte(i)}, Kind: "function", Name: name, Parent: -1})
	}
	data, err := f.Encode()
	if err != nil {
		return "", err
	}
	return "", os.WriteFile(args[0], data, 0o644)
}

// unpack prints the identities in a file in the binary form, and then its text.
func unpack(args []string) (string, error) {
	data, err := os.ReadFile(args[0])
	if err != nil {
		return "", err
	}
	f, err := plto.Decode(data)
	if err != nil {
		return "", err
	}
	var b strings.Builder
	fmt.Fprintf(&b, "module %s, analysed: %t\n", f.Module, f.Fresh())
	for _, d := range f.Decls {
		fmt.Fprintf(&b, "%s %s %s\n", d.Kind, d.Name, d.ID)
	}
	return b.String() + f.Text, nil
}

// damage changes the first of the bytes in a file that are the second word to the third.
func damage(args []string) (string, error) {
	data, err := os.ReadFile(args[0])
	if err != nil {
		return "", err
	}
	return "", os.WriteFile(args[0], []byte(strings.Replace(string(data), args[1], args[2], 1)), 0o644)
}
