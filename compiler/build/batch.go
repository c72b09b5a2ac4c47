package build

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"maps"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
)

// ProgramVariable is the environment variable that tells a batch which program it is.
const ProgramVariable = "SETT_PROGRAM"

// Batch builds many programs into one executable: it links once, which is what takes the
// time. The executable is the program that [ProgramVariable] names. Texts that Go refuses
// are left out, and said in the second result by the name of their program.
//
// It is for the tests of the compiler. The programs share one process image, so the
// initialisation of all their package variables runs in each.
func Batch(ctx context.Context, programs map[string]Files, o Options) (*Program, map[string]string, error) {
	ws, err := openWorkspace(o.CacheDir)
	if err != nil {
		return nil, nil, err
	}
	refused := map[string]string{}
	folders := map[string]string{} // by program
	for name, files := range programs {
		// a package of its own, named by its content, so that the cache of Go knows it again
		folder := "b" + hashOf(asPackage(files, "p"))
		if err := place(filepath.Join(ws.dir, "p", folder), asPackage(files, folder)); err != nil {
			return nil, nil, errors.Join(err, ws.drop())
		}
		folders[name] = folder
	}
	for {
		files := Files{"main.go": chooser(folders)}
		key := ws.key(files)
		p, err := ws.build(ctx, key, files, o, "", "")
		var fault *InternalError
		if !errors.As(err, &fault) {
			return p, refused, err
		}
		faults := blame(fault.Output)
		before := len(folders)
		for name, folder := range maps.Clone(folders) {
			if text := faults[folder]; text != "" {
				refused[name] = text
				delete(folders, name)
			}
		}
		if len(folders) == before {
			return nil, refused, err
		}
	}
}

// asPackage makes a package with an exported Main__ of a package main; a program may well
// declare a Main.
func asPackage(files Files, name string) Files {
	out := Files{}
	for file, text := range files {
		text = bytes.Replace(text, []byte("package main\n"), []byte("package "+name+"\n"), 1)
		out[file] = bytes.Replace(text, []byte("\nfunc main() {"), []byte("\nfunc Main__() {"), 1)
	}
	return out
}

// chooser is the main package of a batch.
func chooser(folders map[string]string) []byte {
	var imports, cases strings.Builder
	for _, folder := range slices.Compact(slices.Sorted(maps.Values(folders))) {
		fmt.Fprintf(&imports, "\t%q\n", "pluto/p/"+folder)
	}
	for _, name := range slices.Sorted(maps.Keys(folders)) {
		fmt.Fprintf(&cases, "\tcase %q:\n\t\t%s.Main__()\n", name, folders[name])
	}
	return fmt.Appendf(nil, `package main

import (
	"os"

%s)

func main() {
	name := os.Getenv(%q)
	os.Unsetenv(%[2]q)
	switch name {
%s	}
}
`, imports.String(), ProgramVariable, cases.String())
}

var blamed = regexp.MustCompile(`(?m)^# \S*/(b[0-9a-f]+)\n((?:[^#\n].*\n?)*)`)

// blame splits the output of go build by the folder that it is about.
func blame(output string) map[string]string {
	out := map[string]string{}
	for _, m := range blamed.FindAllStringSubmatch(output+"\n", -1) {
		out[m[1]] += m[2]
	}
	return out
}
