package pluto

import (
	"context"
	"encoding/binary"
	"fmt"
	"maps"
	"math/rand/v2"
	"path"
	"slices"
	"strings"
	"testing"

	"github.com/google/uuid"

	"github.com/settgraph/sett/compiler/plto"
	"github.com/settgraph/sett/compiler/xref"
)

// all are the ids of a whole project, by module without extension, kind and name.
func (f *folder) all() map[string]uuid.UUID {
	f.t.Helper()
	v, err := f.View(context.Background())
	if err != nil {
		f.t.Fatal(err)
	}
	out := map[string]uuid.UUID{}
	for _, m := range v.Modules() {
		if m.Err != nil {
			f.t.Fatalf("%s: %v", m.Path, m.Err)
		}
		out[m.Name] = m.ID
		for d := range m.All() {
			out[m.Name+" "+d.Kind.String()+" "+d.Qual] = d.ID
		}
	}
	return out
}

// same fails when declarations have other ids than before.
func (f *folder) same(what string, before map[string]uuid.UUID) {
	f.t.Helper()
	after, n := f.all(), 0
	for name, id := range before {
		if after[name] != id {
			if n++; n < 10 {
				f.t.Errorf("%s: %s was %s and is %s", what, name, id, after[name])
			}
		}
	}
	if len(after) != len(before) {
		f.t.Errorf("%s: %d declarations before, %d after", what, len(before), len(after))
	}
}

// Every program of the corpora goes to binary and back without losing a byte or an id, its
// view says what it says, and a sync of that changes nothing.
func TestFormsOfTheCorpus(t *testing.T) {
	files := map[string]string{}
	texts := corpusTexts(t)
	for i, name := range slices.Sorted(maps.Keys(texts)) {
		text := texts[name]
		if file, _ := parseText(name, text); !file.OK {
			continue
		}
		if !everyProgram && i%6 != 0 {
			continue // writing so many files takes a while
		}
		switch i / 6 % 4 {
		case 1:
			text = strings.ReplaceAll(text, "\n", "\r\n")
		case 2:
			text = byteOrderMark + text
		case 3:
			text = strings.TrimRight(text, "\n")
		}
		if file, _ := parseText(name, text); !file.OK {
			text = texts[name] // a string with a line end
		}
		files[fmt.Sprintf("c%d/m%s", i, path.Ext(name))] = text
	}
	f := open(t, files)
	ids := f.all()
	if least := len(texts) / 8; len(files) < least || len(ids) < 8*least {
		t.Fatalf("%d files with %d declarations", len(files), len(ids))
	}
	texted := func(what string, binary bool) {
		t.Helper()
		for name, text := range files {
			name = strings.TrimSuffix(name, path.Ext(name)) + ".pluto"
			if data := f.get(name); plto.Is([]byte(data)) != binary {
				t.Fatalf("%s: %s has the wrong form", what, name)
			}
			if f.text(name) != text {
				t.Fatalf("%s: %s says\n%q\nnot\n%q", what, name, f.text(name), text)
			}
		}
		f.same(what, ids)
	}
	views := func(what string) {
		t.Helper()
		f.generate("", GenerateOptions{})
		f.same(what, ids)
		f.unchanged("sync after generate, "+what, func() {
			r := f.sync(".", SyncOptions{})
			if tally(r.SyncTally) != fmt.Sprintf("=%d", r.Unchanged) || r.Unchanged < len(files) {
				t.Errorf("%s: a sync says %s", what, tally(r.SyncTally))
			}
		})
	}
	f.migrate(BinaryForm)
	texted("to binary", true)
	f.unchanged("again", func() { f.migrate(BinaryForm) })
	views("binary")
	texted("binary with views", true)
	f.migrate(TextForm)
	texted("to text", false)
	views("text")
	texted("text with views", false)
	f.migrate(BinaryForm)
	texted("to binary again", true)
	f.unchanged("sync", func() { f.sync(".", SyncOptions{}) })
}

// Ids that are not those of names stay, too.
func TestMigrateKeepsIDs(t *testing.T) {
	ctx := context.Background()
	hint := uuid.MustParse("6f3c1c9e-0d6d-4f43-9d9a-0a1b2c3d4e5f")
	f := open(t, map[string]string{
		"m.pluto": "// @uuid: " + hint.String() + "\nfn a() {\n    print(1)\n}\n\nclass P {\n    x: int\n}\n",
		"t.pt":    "fn t() {\n    print(2)\n}\n", "folder/u.pluto": "fn u() {\n}\n",
	})
	_, err := f.Edit(ctx, EditOptions{}, func(tx *Tx) error {
		d, err := tx.View().Resolve("P", "m")
		if err != nil {
			return err
		}
		_, err = tx.Rename(d, "Q", false)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	ids, files := f.all(), f.everything()
	if ids["m function a"] != hint {
		t.Fatal("the hint does not count")
	}
	f.unchanged("a dry run", func() {
		r, err := f.Migrate(ctx, nil, MigrateOptions{To: BinaryForm, DryRun: true})
		if err != nil || len(r.Files) != 3 || !r.Files[2].Changed || r.Files[2].To != "t.pluto" {
			t.Errorf("%+v %v", r, err)
		}
	})
	f.migrate(BinaryForm)
	if f.get("t.pt") != "-" || !plto.Is([]byte(f.get("t.pluto"))) {
		t.Error("t.pt is not t.pluto")
	}
	f.same("to binary", ids)
	f.undo()
	if !maps.Equal(files, f.everything()) {
		t.Error("undo leaves something")
	}
	f.same("undo", ids)
	f.migrate(BinaryForm)
	// A new declaration of a binary module has an id that nothing tells.
	_, err = f.Edit(ctx, EditOptions{}, func(tx *Tx) error {
		_, err := tx.Add("m.pluto", "fn random() {\n    print(3)\n}\n", Spot{})
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	ids = f.all()
	text := f.text("m.pluto")
	r, err := f.Migrate(ctx, []string{"m"}, MigrateOptions{To: TextForm})
	if err != nil || len(r.Files) != 1 || f.get("m.pluto") != text || !plto.Is([]byte(f.get("t.pluto"))) {
		t.Errorf("%+v %v", r, err)
	}
	f.same("to text", ids)
	if _, err = f.Migrate(ctx, []string{"folder", "m.pluto"}, MigrateOptions{To: BinaryForm}); err != nil {
		t.Fatal(err)
	}
	f.same("to binary again", ids)
	if _, err = f.Migrate(ctx, nil, MigrateOptions{To: TextForm, Hints: true}); err != nil {
		t.Fatal(err)
	}
	f.same("to text with hints", ids)
	if got := f.get("m.pluto"); strings.Count(got, "@uuid") != 3 || !strings.Contains(got, "// @uuid: "+ids["m function random"].String()+"\nfn random") {
		t.Errorf("the hints are\n%s", got)
	}
	// A clone has no records; the hints are enough.
	clone := open(t, map[string]string{"m.pluto": f.get("m.pluto")}).names("m")
	for _, name := range []string{"function a", "class Q", "field Q.x", "function random"} {
		if clone[name] != ids["m "+name] {
			t.Errorf("in a clone %s is %s", name, clone[name])
		}
	}
}

func TestMigrateRefuses(t *testing.T) {
	ctx := context.Background()
	for what, c := range map[string]struct {
		text string
		code Code
		want string
	}{
		"a syntax error": {"fn a() {\n}\nfn b( {\n}\n", ParseError, "bad.pluto:3:"},
		"not UTF-8":      {"// a \xfe\nfn a() {\n}\n", ParseError, "bad.pluto:1:6: the text is not valid UTF-8"},

		"damaged": {"PLTO\x04\x00\x00\x00", Conflict, "bad.pluto"},
	} {
		f := open(t, map[string]string{"a.pluto": "fn a() {\n}\n", "bad.pluto": c.text})
		f.unchanged(what, func() {
			for _, to := range []string{BinaryForm} {
				_, err := f.Migrate(ctx, nil, MigrateOptions{To: to})
				if CodeOf(err) != c.code || !strings.Contains(fmt.Sprint(err), c.want) {
					t.Errorf("%s: %v %v", what, CodeOf(err), err)
				}
			}
		})
	}
	f := open(t, map[string]string{"a.pluto": "fn a() {\n}\n"})
	if _, err := f.Migrate(ctx, nil, MigrateOptions{To: "json"}); CodeOf(err) != InvalidArgument {
		t.Errorf("got %v", err)
	}
}

// A file of an older version is written in the present one when somebody asks for it.
func TestMigrateUpgrades(t *testing.T) {
	for version := uint32(2); version <= 3; version++ {
		text := "fn a() {\n    print(1)\n}\n"
		le := binary.LittleEndian
		data := []byte("PLTO")
		section := func(s string) []byte { return append(le.AppendUint32(nil, uint32(len(s))), s...) }
		src, ast, derived := section(text), section("ast"), section("")
		data = le.AppendUint32(data, version)
		data = le.AppendUint32(data, 20)
		data = le.AppendUint32(data, uint32(20+len(src)))
		data = le.AppendUint32(data, uint32(20+len(src)+len(ast)))
		data = slices.Concat(data, src, ast, derived)
		f := open(t, map[string]string{"a.pluto": string(data)})
		ids := f.all()
		if r := f.migrate(BinaryForm); !r.Files[0].Upgraded || !r.Files[0].Changed {
			t.Errorf("version %d: %+v", version, r.Files)
		}
		now := f.get("a.pluto")
		if f.text("a.pluto") != text || le.Uint32([]byte(now[4:])) != plto.Version {
			t.Errorf("version %d becomes %q", version, now)
		}
		f.same(fmt.Sprintf("version %d", version), ids)
		f.unchanged("again", func() { f.migrate(BinaryForm) })
		f.undo()
		if f.get("a.pluto") != string(data) {
			t.Error("undo leaves something")
		}
	}
}

// Views are edited at random; who was not touched keeps its id,
// and the module says what the view says.
func TestSyncOfRandomEdits(t *testing.T) {
	const programs = 30
	files := map[string]string{}
	texts := corpusTexts(t)
	for _, name := range slices.Sorted(maps.Keys(texts)) {
		file, decls, ids := idsOf(name, texts[name])
		if len(files) < programs && file.OK && len(decls) > 4 && len(newSide(file, decls, ids).named) == len(decls) {
			files[fmt.Sprintf("p%d/main.pluto", len(files))] = texts[name]
		}
	}
	for _, form := range forms {
		f := open(t, files)
		if form == BinaryForm {
			f.migrate(BinaryForm)
		}
		f.generate("", GenerateOptions{})
		for round := range uint64(3) {
			r := rand.New(rand.NewPCG(round, 11))
			before := f.all()
			untouched := map[string]bool{}
			want := map[string]string{}
			edited := 0
			for seed := range programs {
				module := fmt.Sprintf("p%d/main", seed)
				view := f.get(module + ".pt")
				file, _ := parseText(module, view)
				var pieces []piece
				for _, d := range xref.Decls(file) {
					name := module + " " + d.Kind.String() + " " + d.Qual
					at := d.WithDoc
					switch r.IntN(8) {
					case 0: // a new one before it, hint or no hint
						pieces = append(pieces, piece{piece{}.at, fmt.Sprintf("fn new_%d_%d() {\n    print(%d)\n}\n\n", round, r.IntN(1<<30), r.IntN(1<<30))})
						pieces[len(pieces)-1].at.Start, pieces[len(pieces)-1].at.End = at.Start, at.Start
						untouched[name] = true
					case 1: // it goes
						pieces = append(pieces, piece{at: wholeLines(view, at)})
					case 2: // a comment in it
						if i := strings.IndexByte(view[d.Full.Start:d.Full.End], '{'); i >= 0 {
							pos := d.Full.Start + int32(i) + 1
							p := piece{text: fmt.Sprintf(" // round %d\n", round)}
							p.at.Start, p.at.End = pos, pos
							pieces = append(pieces, p)
						}
						untouched[name] = true
					default:
						untouched[name] = true
					}
				}
				edited += len(pieces)
				text := splice(view, pieces)
				f.put(module+".pt", text)
				var bare strings.Builder
				for line := range strings.Lines(text) {
					if _, is := hintLine(line); !is {
						bare.WriteString(line)
					}
				}
				want[module] = bare.String()
			}
			f.sync(".", SyncOptions{})
			after := f.all()
			for name := range untouched {
				if after[name] != before[name] {
					t.Errorf("%s, round %d: %s was %s and is %s", form, round, name, before[name], after[name])
				}
			}
			for module, text := range want {
				if f.text(module+".pluto") != text {
					t.Errorf("%s, round %d: %s says\n%s\nnot\n%s", form, round, module, f.text(module+".pluto"), text)
				}
			}
			if edited < 30 || len(untouched) < 100 {
				t.Errorf("%d edits, %d declarations untouched", edited, len(untouched))
			}
			f.unchanged("a second sync", func() { f.sync(".", SyncOptions{}) })
			f.generate("", GenerateOptions{})
			f.unchanged("sync after generate", func() { f.sync(".", SyncOptions{}) })
		}
	}
}
