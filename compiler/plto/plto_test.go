package plto

import (
	"bytes"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"reflect"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/uuid"
)

// goldenText is the source in the golden files.
const goldenText = "// The heart of it.\n\nimport std.strings\n\nclass Vector {\n    x: int\n\n    fn length(self) int {\n        return self.x // naïve\n    }\n}\n"

// seed makes the same identity each time.
func seed(n byte) uuid.UUID { return uuid.UUID{0: 0xab, 15: n} }

// goldenFile is what the golden file of this version holds: every field, and things that a
// later version may have added.
func goldenFile() *File {
	later := Extra("\x7e\x05\x81\x01\x03abc") // field 63 = 5, field 64 = abc
	return &File{
		Module: seed(1),
		Text:   goldenText,
		Decls: []Decl{
			{ID: seed(2), Kind: "class", Name: "Vector", Parent: -1},
			{ID: seed(3), Kind: "field", Name: "x", Parent: 0, Extra: later},
			{ID: seed(4), Kind: "method", Name: "length", Parent: 0},
			{ID: seed(5), Kind: "param", Name: "self", Parent: 2},
			{ID: seed(6), Kind: "test", Parent: -1},
		},
		Refs: []Ref{
			{Name: "print", Kind: "function"},
			{Module: "std/strings.pluto", Decl: seed(7), Name: "len", Kind: "function", Extra: later},
		},
		Derived: &Derived{
			Source:     HashText(goldenText),
			Compiler:   "1.0.0",
			Interfaces: []Interface{{Module: "std/strings.pluto", Hash: "\x00\xff", Extra: later}},
			Facts: []Facts{
				{Decl: 0, Lifecycle: "scoped", Implementors: &Refs{}},
				{Decl: 2, Signature: &Signature{Params: []string{"Vector", "[int]"}, Return: "int", Extra: later},
					Errors: &Refs{List: []Ref{{Decl: seed(8), Name: "E", Kind: "error"}}, Extra: later}, Extra: later},
				{Decl: 4, Signature: &Signature{}, Errors: &Refs{}},
			},
			Order: []Ref{{Decl: seed(2), Name: "Vector", Kind: "class"}},
			Extra: later,
		},
		Sections:  []Section{{ID: 9, Data: []byte{1, 2, 3}}, {ID: 1 << 31, Data: []byte{}}},
		Extra:     later,
		RefsExtra: later,
	}
}

// golden is the content of the golden files. UPDATE=1 writes that of version 4 anew, which
// must be done only as long as nobody has such files.
func golden(t testing.TB) map[string][]byte {
	t.Helper()
	now, err := goldenFile().Encode()
	if err != nil {
		t.Fatal(err)
	}
	want := map[string][]byte{
		"v2.plto": legacyFile(2, goldenText, "\x01\x00\xfbtree of version 2", ""),
		"v3.plto": legacyFile(3, goldenText, "\x02tree of version 3", "\x00\x00"),
		"v4.plto": now,
	}
	for name, data := range want {
		path := filepath.Join("testdata", name)
		if os.Getenv("UPDATE") != "" {
			if err := os.WriteFile(path, data, 0o666); err != nil {
				t.Fatal(err)
			}
		}
		got, err := os.ReadFile(path)
		if err != nil {
			t.Fatalf("a golden file is missing: %v", err)
		}
		if !bytes.Equal(got, data) {
			t.Errorf("%s is not what is written today", path)
		}
		want[name] = got
	}
	return want
}

func TestGoldenFilesAreRead(t *testing.T) {
	files := golden(t)
	for name, want := range map[string]*File{"v2.plto": {Text: goldenText}, "v3.plto": {Text: goldenText}, "v4.plto": goldenFile()} {
		got, err := Decode(files[name])
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		if d := cmp.Diff(want, got); d != "" {
			t.Errorf("%s holds something else (-want +got):\n%s", name, d)
		}
		text, err := Text(files[name])
		if err != nil || text != goldenText || !Is(files[name]) {
			t.Errorf("%s: the text is %q, %v", name, text, err)
		}
		migrated, from, err := Migrate(files[name])
		if err != nil || fmt.Sprintf("v%d.plto", from) != name {
			t.Errorf("%s: migrated from %d, %v", name, from, err)
		}
		again, _, err := Migrate(migrated)
		if err != nil || !bytes.Equal(again, migrated) {
			t.Errorf("%s: what was migrated is migrated again, %v", name, err)
		}
	}
}

func TestFreshness(t *testing.T) {
	f := goldenFile()
	if !f.Fresh() {
		t.Error("what was derived from this text is not fresh")
	}
	f.Text += "\n"
	if f.Fresh() {
		t.Error("what was derived from another text is fresh")
	}
	if (&File{}).Fresh() {
		t.Error("what nobody has analysed is fresh")
	}
	if _, known := f.Derived.Facts[0].Fallible(); known {
		t.Error("a class without a set of errors is known to be fallible or not")
	}
	if fallible, known := f.Derived.Facts[1].Fallible(); !fallible || !known {
		t.Error("a method with an error is not fallible")
	}
	if fallible, known := f.Derived.Facts[2].Fallible(); fallible || !known {
		t.Error("a function without errors is fallible")
	}
}

// TestDamageIsFound changes each bit of the golden files, and cuts them everywhere.
func TestDamageIsFound(t *testing.T) {
	for name, data := range golden(t) {
		for n := range data {
			f, err := Decode(data[:n])
			if err == nil {
				t.Errorf("%s cut off after %d bytes is read as %+v", name, n, f)
			}
			isError(t, err)
		}
		if _, err := Decode(append(slices.Clone(data), 0)); err == nil {
			t.Errorf("%s with a byte more is read", name)
		}
		for bit := range 8 * len(data) {
			data := slices.Clone(data)
			data[bit/8] ^= 1 << (bit % 8)
			f, err := Decode(data)
			if err == nil && name == "v4.plto" {
				t.Errorf("%s with bit %d of byte %d changed is read", name, bit%8, bit/8)
			}
			if err != nil {
				isError(t, err)
			} else if _, err := f.Encode(); err != nil {
				t.Errorf("%s with bit %d of byte %d changed is read but not written: %v", name, bit%8, bit/8, err)
			}
			if text, err := Text(data); err == nil && name == "v4.plto" && text != goldenText {
				t.Errorf("%s with bit %d of byte %d changed has another text", name, bit%8, bit/8)
			}
		}
	}
}

func isError(t *testing.T, err error) {
	t.Helper()
	var e *Error
	if !errors.As(err, &e) || e.Text == "" {
		t.Errorf("the error is %T: %v", err, err)
	}
}

func TestErrors(t *testing.T) {
	v4 := golden(t)["v4.plto"]
	v3 := golden(t)["v3.plto"]
	patch := func(data []byte, at int, v ...byte) []byte {
		data = slices.Clone(data)
		copy(data[at:], v)
		return data
	}
	file := func(parts ...section) []byte {
		data, err := join(parts)
		if err != nil {
			t.Fatal(err)
		}
		return data
	}
	source := section{id: 1, flags: 1, data: []byte("fn")}
	decls := func(data string) []byte { return file(source, section{id: 2, flags: 1, data: []byte(data)}) }
	none := section{id: 2, flags: 1}
	id := "\x03\x10" + string(make([]byte, 15)) + "\x01" // as field 1
	one := "\x05\x15" + id + "\x05\x01f"
	derived := func(data string) []byte {
		hash := "\x03\x20" + strings.Repeat("h", 32)
		return file(source, section{id: 2, flags: 1, data: []byte(one)}, section{id: 4, data: []byte(hash + data)})
	}
	tests := []struct {
		name string
		data []byte
		kind Kind
		want string
	}{
		{"3 bytes", []byte("PLT"), Damaged, "truncated file: expected at least 20 bytes, got 3"},
		{"nothing", nil, Damaged, "truncated file: expected at least 20 bytes, got 0"},
		{"text", []byte("fn main() {\n    print(1)\n}\n"), NotPLTO, "invalid magic number: expected PLTO"},
		{"version 99", patch(v4, 4, 99), TooNew, "unsupported schema version 99 (expected 4)"},
		{"version 1", patch(v4, 4, 1), Damaged, "unsupported schema version 1 (expected 4)"},
		{"half a header", v4[:30], Damaged, "truncated file: expected at least 44 bytes, got 30"},
		{"many sections", patch(v4, 8, 255, 255, 255, 255), Damaged, "truncated file: expected at least 85899345944 bytes, got 809"},
		{"few sections", patch(v4, 8, 1), Damaged, "source at byte 164: the section should begin at byte 64"},
		{"content hash", patch(v4, 12, 1), Damaged, "header at byte 12: the content hash does not match: the table of sections is damaged"},
		{"backwards", patch(v4, 72, 1), Damaged, "declarations at byte 257: the section should begin at byte 298"},
		{"outside", patch(v4, 59, 255), Damaged, "source at byte 164: truncated file: expected at least 4278190378 bytes, got 809"},
		{"checksum", patch(v4, 170, 0), Damaged, "source at byte 164: the checksum does not match: some of its 134 bytes are damaged"},
		{"trailing", append(slices.Clone(v4), "more"...), Damaged, "trailing bytes: the last section ends at byte 809, the file has 813"},
		{"no sections", file(), Damaged, "the source section is missing"},
		{"no source", file(none), Damaged, "the source section is missing"},
		{"no declarations", file(source), Damaged, "the declarations section is missing"},
		{"order", file(source, none, section{id: 4, data: []byte("\x03\x20" + strings.Repeat("h", 32))}, section{id: 3}), Damaged, "references at byte 160: the section comes after derived"},
		{"twice", file(source, none, none), Damaged, "declarations at byte 106: the section comes after declarations"},
		{"section 0", file(section{id: 0}), Damaged, "section 0 at byte 64: the section comes after section 0"},
		{"flags", file(source, section{id: 2}), Damaged, "declarations at byte 86: the section has the flags 0x0"},
		{"unknown flags", file(source, none, section{id: 8, flags: 2}), Damaged, "section 8 at byte 106: the section has the flags 0x2"},
		{"required section", file(source, none, section{id: 70, flags: 1}), TooNew, "section 70 at byte 106: the section is required to read the file, and is not one of version 4"},
		{"UTF-8", file(section{id: 1, flags: 1, data: []byte("a\xffb")}, none), Damaged, "invalid UTF-8 in source section: byte 0xff at byte 85 of the file"},
		{"tag", decls("\x80"), Damaged, "declarations at byte 87: an integer is cut off"},
		{"field 0", decls("\x00\x01"), Damaged, "declarations at byte 86: there is no field number 0"},
		{"huge field", decls("\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01\x01"), Damaged, "declarations at byte 86: there is no field number 9223372036854775807"},
		{"65 bits", decls("\xff\xff\xff\xff\xff\xff\xff\xff\xff\x02\x01"), Damaged, "declarations at byte 95: an integer has more than 64 bits"},
		{"long form", decls("\x83\x00\x00"), Damaged, "declarations at byte 87: an integer is not in its shortest form"},
		{"huge length", decls("\x03\xff\xff\xff\xff\x0f"), Damaged, "declarations at byte 86: field 1 has 4294967295 bytes, but 0 are left"},
		{"empty field", decls("\x03\x00"), Damaged, "declarations at byte 86: field 1 is empty"},
		{"short identity", decls("\x03\x01x"), Damaged, "declarations at byte 86: field 1 is no identity"},
		{"integer for bytes", decls("\x02\x01"), Damaged, "declarations at byte 86: field 1 is an integer and should have bytes"},
		{"field twice", decls(id + id), Damaged, "declarations at byte 104: field 1 comes twice"},
		{"field order", decls("\x7e\x01" + one), Damaged, "declarations at byte 88: field 2 comes after field 63"},
		{"no kind", decls("\x05\x12" + id), Damaged, "declarations at byte 88: field 2 is missing"},
		{"no id", decls("\x05\x03\x05\x01f"), Damaged, "declarations at byte 88: field 1 is missing"},
		{"its own parent", decls("\x05\x17" + id + "\x05\x01f\x08\x01"), Damaged, "declarations at byte 109: 1 is out of range: there are 1"},
		{"bytes for integer", decls("\x05\x18" + id + "\x05\x01f\x09\x01x"), Damaged, "declarations at byte 109: field 4 has bytes and should be an integer"},
		{"name", decls("\x05\x18" + id + "\x05\x01f\x07\x01\xff"), Damaged, "declarations at byte 109: field 3 is not UTF-8"},
		{"identity twice", decls(one + one), Damaged, "declarations at byte 109: the identity 00000000-0000-0000-0000-000000000001 is there twice"},
		{"identity of the module", decls(id + one), Damaged, "declarations at byte 104: the identity 00000000-0000-0000-0000-000000000001 is there twice"},
		{"no references", file(source, none, section{id: 3}), Damaged, "references at byte 106: the section is empty"},
		{"reference twice", file(source, none, section{id: 3, data: []byte("\x03\x06\x07\x01a\x09\x01k\x03\x06\x07\x01a\x09\x01k")}), Damaged, "references at byte 106: reference 1 (a) does not come after the one before it"},
		{"no hash", file(source, none, section{id: 4}), Damaged, "derived at byte 106: field 1 is missing"},
		{"short hash", file(source, none, section{id: 4, data: []byte("\x03\x01h")}), Damaged, "derived at byte 106: a hash has 1 bytes and not 32"},
		{"facts of nothing", derived("\x09\x02\x02\x01"), Damaged, "derived at byte 165: 1 is out of range: there are 1"},
		{"facts twice", derived("\x09\x00\x09\x00"), Damaged, "derived at byte 165: facts of declaration 0 do not come after those before them"},
		{"parameter without a type", derived("\x09\x04\x05\x02\x03\x00"), Damaged, "derived at byte 167: parameter 0 has no type"},
		{"interface order", derived("\x07\x06\x03\x01b\x05\x01h\x07\x06\x03\x01a\x05\x01h"), Damaged, "derived at byte 171: the interface of a does not come after the one before it"},
		{"old: tree before source", patch(v3, 12, 0), Damaged, "tree at byte 0: the section should begin at byte 158"},
		{"old: source in the header", patch(v3, 8, 8), Damaged, "source at byte 8: the section should begin at byte 20"},
		{"old: source outside", patch(v3, 23, 255), Damaged, "truncated file: expected at least 4278190238 bytes, got 186"},
		{"old: UTF-8", patch(v3, 24, 0xff), Damaged, "invalid UTF-8 in source section: byte 0xff at byte 24 of the file"},
		{"old: trailing", append(slices.Clone(v3), 0), Damaged, "trailing bytes: the last section ends at byte 186, the file has 187"},
	}
	for _, test := range tests {
		_, err := Decode(test.data)
		var e *Error
		if !errors.As(err, &e) {
			t.Errorf("%s: the error is %v", test.name, err)
			continue
		}
		if _, err := Text(test.data); e.Kind == TooNew && (err == nil || err.Error() != test.want) {
			t.Errorf("%s: the text is read, %v", test.name, err)
		}
		if err.Error() != test.want || e.Kind != test.kind {
			t.Errorf("%s: the error is %q (%d), want %q (%d)", test.name, err, e.Kind, test.want, test.kind)
		}
	}
}

// TestInvalidValuesAreNotWritten: there is no file of such values.
func TestInvalidValuesAreNotWritten(t *testing.T) {
	for name, change := range map[string]func(f *File){
		"text":                func(f *File) { f.Text = "\xff" },
		"no id":               func(f *File) { f.Decls[1].ID = uuid.Nil },
		"id twice":            func(f *File) { f.Decls[1].ID = f.Decls[0].ID },
		"id of the module":    func(f *File) { f.Decls[1].ID = f.Module },
		"no kind":             func(f *File) { f.Decls[1].Kind = "" },
		"forward parent":      func(f *File) { f.Decls[0].Parent = 1 },
		"own parent":          func(f *File) { f.Decls[0].Parent = 0 },
		"negative parent":     func(f *File) { f.Decls[0].Parent = -2 },
		"name":                func(f *File) { f.Decls[0].Name = "\xc0" },
		"known extra":         func(f *File) { f.Decls[0].Extra = "\x07\x01x" },
		"bad extra":           func(f *File) { f.Decls[0].Extra = "\x7f\x05x" },
		"reference twice":     func(f *File) { f.Refs = append(f.Refs, f.Refs[1]) },
		"two names":           func(f *File) { r := f.Refs[1]; r.Name = "other"; f.Refs = append(f.Refs, r) },
		"nameless reference":  func(f *File) { f.Refs[0].Name = "" },
		"known section":       func(f *File) { f.Sections[0].ID = 4 },
		"sections":            func(f *File) { f.Sections[1].ID = 8 },
		"facts twice":         func(f *File) { f.Derived.Facts[1].Decl = 0 },
		"facts of nothing":    func(f *File) { f.Derived.Facts[0].Decl = 9 },
		"facts below nothing": func(f *File) { f.Derived.Facts[0].Decl = -1 },
		"parameter":           func(f *File) { f.Derived.Facts[1].Signature.Params[0] = "" },
		"no interface":        func(f *File) { f.Derived.Interfaces[0].Hash = "" },
	} {
		f := goldenFile()
		change(f)
		data, err := f.Encode()
		var e *Error
		if !errors.As(err, &e) || e.Kind != Invalid {
			t.Errorf("%s: written as %d bytes, %v", name, len(data), err)
		}
	}
}

// random makes a value that a file can hold.
func random(r *rand.Rand) *File {
	word := func() string { return strings.Repeat(string(rune('a'+r.IntN(26))), 1+r.IntN(200)*r.IntN(2)) }
	some := func() bool { return r.IntN(2) == 0 }
	id := func() (id uuid.UUID) {
		for i := range id {
			id[i] = byte(r.Uint32())
		}
		return id
	}
	extra := func() Extra {
		if r.IntN(4) > 0 {
			return ""
		}
		w := &writer{}
		num := uint32(8)
		for range r.IntN(4) {
			num += uint32(r.IntN(1000))
			if some() {
				w.item(num, word())
			} else {
				w.varint(uint64(num) << 1)
				w.varint(r.Uint64() >> r.IntN(64))
			}
		}
		return Extra(w.out)
	}
	refs := func(n int) []Ref {
		var out []Ref
		for range r.IntN(n) {
			ref := Ref{Name: word(), Kind: word(), Extra: extra()}
			if some() {
				ref.Module, ref.Decl = word(), id()
			}
			out = append(out, ref)
		}
		return out
	}
	f := &File{Text: word() + "\n\tñ\r\n", Extra: extra(), Refs: refs(20)}
	if some() {
		f.Module = id()
	}
	for i := range r.IntN(50) {
		f.Decls = append(f.Decls, Decl{ID: id(), Kind: word(), Name: word(), Parent: r.IntN(i+1) - 1, Extra: extra()})
	}
	slices.SortFunc(f.Refs, compareRefs)
	f.Refs = slices.CompactFunc(f.Refs, func(a, b Ref) bool { return compareRefs(a, b) == 0 })
	if some() {
		d := &Derived{Source: HashText(word()), Compiler: word(), Order: refs(5), Extra: extra()}
		for i := range r.IntN(4) {
			d.Interfaces = append(d.Interfaces, Interface{Module: fmt.Sprint(i), Hash: word(), Extra: extra()})
		}
		for i := range f.Decls {
			facts := Facts{Decl: i, Extra: extra()}
			if some() {
				facts.Signature = &Signature{Return: word(), Extra: extra()}
				for range r.IntN(4) {
					facts.Signature.Params = append(facts.Signature.Params, word())
				}
			}
			if some() {
				facts.Errors = &Refs{refs(4), extra()}
			}
			if some() {
				facts.Lifecycle, facts.Implementors = word(), &Refs{refs(4), extra()}
			}
			if some() {
				d.Facts = append(d.Facts, facts)
			}
		}
		f.Derived = d
	}
	for i := range r.IntN(3) {
		f.Sections = append(f.Sections, Section{ID: uint32(5 + i), Data: []byte(word())})
	}
	return f
}

// TestRoundTrip: what is read is what was written, and writes the same again.
func TestRoundTrip(t *testing.T) {
	for n := range uint64(500) {
		r := rand.New(rand.NewPCG(n, 4))
		f := random(r)
		data, err := f.Encode()
		if err != nil {
			t.Fatalf("file %d: %v", n, err)
		}
		got, err := Decode(data)
		if err != nil {
			t.Fatalf("file %d: %v", n, err)
		}
		if d := cmp.Diff(f, got); d != "" {
			t.Fatalf("file %d is read as another (-want +got):\n%s", n, d)
		}
		if f.Derived != nil {
			r.Shuffle(len(f.Derived.Facts), reflect.Swapper(f.Derived.Facts))
		}
		r.Shuffle(len(f.Refs), reflect.Swapper(f.Refs))
		if again, err := f.Encode(); err != nil || !bytes.Equal(again, data) {
			t.Fatalf("file %d in another order gives other bytes, %v", n, err)
		}
	}
}

// spent is how much memory a call allocated.
func spent(f func()) uint64 {
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	f()
	runtime.ReadMemStats(&after)
	return after.TotalAlloc - before.TotalAlloc
}

// TestMemoryIsBounded decodes what is smallest in a file and largest in memory.
func TestMemoryIsBounded(t *testing.T) {
	ids := &writer{}
	for i := range 20_000 {
		id := uuid.UUID{15: byte(i), 14: byte(i >> 8), 0: 1}
		ids.record(2, func() { ids.id(1, id); ids.str(2, "f") })
	}
	facts := &writer{}
	facts.item(1, strings.Repeat("h", 32))
	for i := range 20_000 {
		facts.record(4, func() { facts.int(1, i); facts.item(2, ""); facts.item(3, ""); facts.item(5, "") })
	}
	hash := "\x03\x20" + strings.Repeat("h", 32)
	many := func(s string) string { return strings.Repeat(s, 1_000_000/len(s)) }
	source, none := section{id: 1, flags: 1}, section{id: 2, flags: 1}
	for name, parts := range map[string][]section{
		"declarations": {source, {id: 2, flags: 1, data: ids.out}},
		"facts":        {source, {id: 2, flags: 1, data: ids.out}, {id: 4, data: facts.out}},
		"references":   {source, none, {id: 3, data: []byte(many("\x03\x06\x07\x01a\x09\x01k"))}},
		"order":        {source, none, {id: 4, data: []byte(hash + many("\x0b\x06\x07\x01a\x09\x01k"))}},
		"empty things": {source, none, {id: 3, data: []byte(many("\x03\x00"))}},
		"empty facts":  {source, none, {id: 4, data: []byte(hash + many("\x09\x00"))}},
		"parameters":   {source, {id: 2, flags: 1, data: ids.out[:23]}, {id: 4, data: []byte(hash + "\x09\xc7\x84\x3d\x05\xc3\x84\x3d" + many("\x03\x01x"))}},
		"unknown":      {source, none, {id: 3, data: []byte(many("\x7e\x00"))}},
	} {
		data, err := join(parts)
		if err != nil {
			t.Fatal(err)
		}
		if got := spent(func() { Decode(data) }); got > uint64(40*len(data)) {
			t.Errorf("%s: decoding %d bytes takes %d of memory", name, len(data), got)
		}
	}
	sections := []section{source, none}
	for i := range uint32(50_000) {
		sections = append(sections, section{id: 5 + i})
	}
	data, err := join(sections)
	if err != nil {
		t.Fatal(err)
	}
	if got := spent(func() { Decode(data) }); got > uint64(40*len(data)) {
		t.Errorf("sections: decoding %d bytes takes %d of memory", len(data), got)
	}
}

// FuzzDecode: nothing makes decoding panic or take much memory, what is read as this version
// is written back byte for byte, and what is of an older one can be written.
func FuzzDecode(f *testing.F) {
	for _, data := range golden(f) {
		f.Add(data, false)
		f.Add(data, true)
	}
	for n := range uint64(20) {
		data, err := random(rand.New(rand.NewPCG(n, 5))).Encode()
		if err != nil {
			f.Fatal(err)
		}
		f.Add(data, true)
	}
	f.Fuzz(func(t *testing.T, data []byte, mend bool) {
		if mend {
			data = mended(data)
		}
		var file *File
		var err error
		if got := spent(func() { file, err = Decode(data) }); got > uint64(40*len(data)+1<<16) {
			t.Errorf("decoding %d bytes takes %d of memory", len(data), got)
		}
		if err != nil {
			isError(t, err)
			return
		}
		if text, err := Text(data); err != nil || text != file.Text {
			t.Errorf("the text alone is %q, %v", text, err)
		}
		out, err := file.Encode()
		if err != nil {
			t.Fatalf("what was read cannot be written: %v", err)
		}
		if le.Uint32(data[4:]) == Version && !bytes.Equal(out, data) {
			t.Error("what was read is written in another way")
		}
		again, err := Decode(out)
		if err != nil {
			t.Fatalf("what was written cannot be read: %v", err)
		}
		if d := cmp.Diff(file, again); d != "" {
			t.Errorf("what was written is read as something else:\n%s", d)
		}
	})
}

// mended is data with the checksums and places of sections that its bytes need, so that a
// fuzzer gets behind them.
func mended(data []byte) []byte {
	if len(data) < headerSize {
		return data
	}
	data = slices.Clone(data)
	copy(data, magic)
	le.PutUint32(data[4:], Version)
	n := min(int(le.Uint32(data[8:])&7), (len(data)-headerSize)/entrySize)
	le.PutUint32(data[8:], uint32(n))
	at := headerSize + n*entrySize
	var parts []section
	for i := range n {
		e := data[headerSize+i*entrySize:]
		size := min(int(le.Uint32(e[12:])), len(data)-at)
		if i == n-1 {
			size = len(data) - at
		}
		parts = append(parts, section{id: le.Uint32(e), flags: le.Uint32(e[4:]), data: data[at : at+size]})
		at += size
	}
	out, _ := join(parts)
	return out
}
