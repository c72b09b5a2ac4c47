package pluto_test

import (
	"context"
	"fmt"
	"log"
	"os"
	"path/filepath"

	"github.com/settgraph/sett/sdk/pluto"
)

// example makes the project that the examples are about.
func example() (root string, done func()) {
	root, err := os.MkdirTemp("", "example")
	if err != nil {
		log.Fatal(err)
	}
	for name, text := range map[string]string{
		"main.pluto":    "import greet\n\nfn main() {\n    print(greet.hello(\"Ada\"))\n}\n",
		"greet.pluto":   "// Says hello.\npub fn hello(name: string) string {\n    return f\"hello {name}\"\n}\n",
		"numbers.pluto": "pub fn one() int {\n    return 1\n}\n",
	} {
		if err := os.WriteFile(filepath.Join(root, name), []byte(text), 0o644); err != nil {
			log.Fatal(err)
		}
	}
	return root, func() { os.RemoveAll(root) }
}

func Example() {
	root, done := example()
	defer done()
	ctx := context.Background()
	p, err := pluto.Open(root, pluto.Options{})
	if err != nil {
		log.Fatal(err)
	}
	defer p.Close()
	v, err := p.View(ctx)
	if err != nil {
		log.Fatal(err)
	}
	for _, m := range v.Modules() {
		for _, d := range m.Decls {
			fmt.Println(d.Handle(), d.Kind, d.Place().Line)
		}
	}
	// Output:
	// greet.hello function 2
	// main.main function 3
	// numbers.one function 1
}

func ExampleView_Resolve() {
	root, done := example()
	defer done()
	p, err := pluto.Open(root, pluto.Options{ReadOnly: true})
	if err != nil {
		log.Fatal(err)
	}
	defer p.Close()
	v, err := p.View(context.Background())
	if err != nil {
		log.Fatal(err)
	}
	hello, err := v.Resolve("greet.hello", "")
	if err != nil {
		log.Fatal(err)
	}
	same, err := v.Resolve("greet.pluto:2", "")
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(hello.ID == same.ID)
	fmt.Println(hello.Source())
	_, err = v.Resolve("helo", "")
	fmt.Println(pluto.CodeOf(err), err)
	// Output:
	// true
	// // Says hello.
	// pub fn hello(name: string) string {
	//     return f"hello {name}"
	// }
	// not_found there is no declaration 'helo'; did you mean hello?
}

func ExampleView_Callers() {
	root, done := example()
	defer done()
	ctx := context.Background()
	p, err := pluto.Open(root, pluto.Options{})
	if err != nil {
		log.Fatal(err)
	}
	defer p.Close()
	v, err := p.View(ctx)
	if err != nil {
		log.Fatal(err)
	}
	hello, err := v.Resolve("hello", "")
	if err != nil {
		log.Fatal(err)
	}
	callers, err := v.Callers(ctx, hello)
	if err != nil {
		log.Fatal(err)
	}
	for _, u := range callers {
		fmt.Printf("%s:%d:%d in %s: %s\n", u.At.File, u.At.Line, u.At.Col, u.Owner.Name, u.Line)
	}
	// Output:
	// main.pluto:4:17 in main: print(greet.hello("Ada"))
}

// A transaction over two modules: all of it happens, or nothing.
func ExampleProject_Edit() {
	root, done := example()
	defer done()
	ctx := context.Background()
	p, err := pluto.Open(root, pluto.Options{})
	if err != nil {
		log.Fatal(err)
	}
	defer p.Close()
	change, err := p.Edit(ctx, pluto.EditOptions{}, func(tx *pluto.Tx) error {
		hello, err := tx.View().Resolve("hello", "")
		if err != nil {
			return err
		}
		if _, err := tx.Rename(hello, "greeting", false); err != nil {
			return err
		}
		_, err = tx.Add("numbers", "pub fn two() int {\n    return one() + one()\n}", pluto.Spot{})
		return err
	})
	if err != nil {
		log.Fatal(err)
	}
	for _, f := range change.Files {
		fmt.Println("wrote", f.Path)
	}
	for _, d := range change.Renamed {
		fmt.Println("renamed", d.Was, "to", d.Handle)
	}
	for _, d := range change.Added {
		fmt.Println("added", d.Handle)
	}
	// Output:
	// wrote greet.pluto
	// wrote main.pluto
	// wrote numbers.pluto
	// renamed greet.hello to greet.greeting
	// added numbers.two
}

func ExampleProject_Edit_dryRun() {
	root, done := example()
	defer done()
	p, err := pluto.Open(root, pluto.Options{})
	if err != nil {
		log.Fatal(err)
	}
	defer p.Close()
	change, err := p.Edit(context.Background(), pluto.EditOptions{DryRun: true}, func(tx *pluto.Tx) error {
		one, err := tx.View().Resolve("one", "")
		if err != nil {
			return err
		}
		_, err = tx.Rename(one, "first", false)
		return err
	})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Print(change.Diff)
	// Output:
	// --- a/numbers.pluto
	// +++ b/numbers.pluto
	// @@ -1,3 +1,3 @@
	// -pub fn one() int {
	// +pub fn first() int {
	//      return 1
	//  }
}

func ExampleProject_Undo() {
	root, done := example()
	defer done()
	ctx := context.Background()
	p, err := pluto.Open(root, pluto.Options{})
	if err != nil {
		log.Fatal(err)
	}
	defer p.Close()
	_, err = p.Edit(ctx, pluto.EditOptions{}, func(tx *pluto.Tx) error {
		one, err := tx.View().Resolve("one", "")
		if err != nil {
			return err
		}
		_, err = tx.Delete(one)
		return err
	})
	if err != nil {
		log.Fatal(err)
	}
	change, err := p.Undo(ctx)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println("undid:", change.Label)
	for _, d := range change.Added {
		fmt.Println("back:", d.Handle)
	}
	// Output:
	// undid: delete one
	// back: numbers.one
}
