package sdk_test

import (
	"context"
	"fmt"
	"log"
	"os"
	"path/filepath"

	"github.com/settgraph/sett/query"
	"github.com/settgraph/sett/sdk"
)

// Open a project and ask who uses a function. The index is made by the first question.
func Example() {
	dir, err := os.MkdirTemp("", "example")
	if err != nil {
		log.Fatal(err)
	}
	defer os.RemoveAll(dir)
	for name, text := range map[string]string{
		"go.mod":  "module example.com/hello\n",
		"main.go": "package main\n\nfunc greet() {}\n\nfunc main() {\n\tgreet()\n\tgreet()\n}\n",
	} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666); err != nil {
			log.Fatal(err)
		}
	}

	p, err := sdk.Open(dir, sdk.Options{})
	if err != nil {
		log.Fatal(err)
	}
	defer p.Close()
	refs, err := p.Refs(context.Background(), query.RefsArgs{Selector: query.Selector{Symbol: "greet"}})
	if err != nil {
		log.Fatal(err)
	}
	for _, answer := range refs.Answers {
		fmt.Printf("%s: %d uses\n", answer.Symbol.Name, answer.Total)
		for _, file := range answer.Groups {
			for _, site := range file.Sites {
				fmt.Printf("%s:%d %s\n", file.File, site.Line, site.Kind)
			}
		}
	}
	// Output:
	// greet: 2 uses
	// main.go:6 calls
	// main.go:7 calls
}
