package bench

import (
	"encoding/binary"
	"testing"

	"github.com/settgraph/sett/compiler/load"
	"github.com/settgraph/sett/compiler/plto"
	"github.com/settgraph/sett/compiler/xref"
)

// BenchmarkPlto takes a module of ten thousand lines through the binary form, with its
// declarations and a signature for each. Parse is what its text costs after that, in either form.
func BenchmarkPlto(b *testing.B) {
	file := binaryModule(b, manyLines(10_000))
	data, err := file.Encode()
	if err != nil {
		b.Fatal(err)
	}
	bench := func(name string, call func() error) {
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			b.SetBytes(int64(len(data)))
			for b.Loop() {
				if err := call(); err != nil {
					b.Fatal(err)
				}
			}
			b.ReportMetric(float64(len(file.Decls)), "decls")
			b.ReportMetric(float64(len(data))/float64(len(file.Text)), "bytes/byte-of-text")
		})
	}
	bench("Decode", func() error { _, err := plto.Decode(data); return err })
	bench("Encode", func() error { _, err := file.Encode(); return err })
	bench("Text", func() error { _, err := plto.Text(data); return err })
	bench("Parse", func() error { load.Parse("main.pluto", "", data); return nil })
}

// binaryModule is a text with its declarations, and with facts of each that say little.
func binaryModule(b *testing.B, text string) *plto.File {
	b.Helper()
	parsed, diags := load.Parse("main.pluto", "", []byte(text))
	if diags.Errors() > 0 {
		b.Fatal(diags.Sorted()[0].Message)
	}
	f := &plto.File{Module: [16]byte{1}, Text: text, Derived: &plto.Derived{Source: plto.HashText(text), Compiler: "bench"}}
	at := map[*xref.Decl]int{}
	for d := range xref.All(xref.Decls(parsed)) {
		parent := -1
		if d.Parent != nil {
			parent = at[d.Parent]
		}
		at[d] = len(f.Decls)
		id := [16]byte{15: 2}
		binary.BigEndian.PutUint32(id[:], uint32(len(f.Decls)))
		f.Decls = append(f.Decls, plto.Decl{ID: id, Kind: d.Kind.String(), Name: d.Name, Parent: parent})
		f.Derived.Facts = append(f.Derived.Facts, plto.Facts{
			Decl: at[d], Signature: &plto.Signature{Params: []string{"int", "string"}, Return: "string"}, Errors: &plto.Refs{},
		})
	}
	if len(f.Decls) == 0 {
		b.Fatal("there are no declarations")
	}
	return f
}
