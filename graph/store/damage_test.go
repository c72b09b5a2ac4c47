package store

import (
	"bytes"
	"errors"
	"io/fs"
	"os"
	"strings"
	"testing"

	"github.com/settgraph/sett/graph"
)

// readAll reads everything a question could read, and says whether any of it is wrong.
func readAll(t *testing.T, s *Store, ref Ref, pages graph.Pages, layer []byte) error {
	t.Helper()
	g, err := s.Open(ref)
	if err != nil {
		return err
	}
	defer g.Close()
	if !bytes.Equal(g.Layer(), layer) {
		t.Error("the layer is wrong, and nothing says so")
	}
	for k, want := range pages {
		got, err := g.Page(k)
		if err != nil {
			return err
		}
		if !bytes.Equal(got, want) {
			t.Errorf("page %s is wrong, and nothing says so", k)
		}
	}
	return nil
}

// However a file is damaged, all answers are right or the damage is reported, with the
// file it is in; and publishing again repairs it.
func TestDamageIsNoticed(t *testing.T) {
	s := At(t.TempDir())
	pages := somePages(1, 6, 1500)
	layer := somePages(5, 1, 300)["n/000000"]
	base := publish(t, s, pages)
	ref, err := s.PublishLayer(t.Context(), base.Base, layer)
	if err != nil {
		t.Fatal(err)
	}
	files := []string{s.path("layer", ref.Layer)}
	for _, name := range readNames(t, s.path("gen", ref.Base)) {
		files = append(files, s.path("gen", ref.Base, name))
	}
	if len(files) != 4 {
		t.Fatalf("the files are %q", files)
	}
	for _, file := range files {
		good, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		noticed, flips := 0, 0
		check := func(what string, certain bool) {
			t.Helper()
			err := readAll(t, s, ref, pages, layer)
			if err == nil && certain {
				t.Errorf("%s: %s is not noticed", file, what)
			}
			if err != nil {
				noticed++
				if !IsCorrupt(err) || !strings.HasPrefix(err.Error(), ".sett/") {
					t.Errorf("%s: %s gives %v", file, what, err)
				}
			}
		}
		for i := 0; i < len(good); i++ {
			if strings.HasSuffix(file, ".sst") && i < len(good)-2500 && i%11 != 0 {
				continue // enough of the pages themselves
			}
			bad := bytes.Clone(good)
			bad[i] ^= 1 << (i % 8)
			writeTest(t, file, bad)
			// A layer that still unpacks to the bytes that it is named by is fine.
			check("a flipped bit", !strings.Contains(file, "layer"))
			flips++
		}
		for n := 0; n < len(good); n += 1 + len(good)/100 {
			writeTest(t, file, good[:n])
			check("a cut", true)
		}
		writeTest(t, file, append(bytes.Clone(good), make([]byte, 100)...))
		check("growth", true)
		writeTest(t, file, make([]byte, len(good)))
		check("zeros", true)
		if err := os.Remove(file); err != nil {
			t.Fatal(err)
		}
		check("absence", true)
		if flips < 100 && !strings.HasSuffix(file, "MANIFEST") {
			t.Errorf("only %d bits of %s were flipped", flips, file)
		}
		publish(t, s, pages)
		if _, err := s.PublishLayer(t.Context(), base.Base, layer); err != nil {
			t.Fatal(err)
		}
		if err := readAll(t, s, ref, pages, layer); err != nil {
			t.Errorf("after publishing again: %v", err)
		}
		if _, err := s.Verify(ref); err != nil {
			t.Errorf("after publishing again: %v", err)
		}
	}
}

func TestDamagedCurrent(t *testing.T) {
	s := At(t.TempDir())
	pages := somePages(1, 3, 500)
	ref := publish(t, s, pages)
	for _, text := range []string{"", "\n", "zz\n", ref.Base, ref.Base + "+\n", ref.Base + "+../../x\n", "../" + ref.Base[3:] + "\n", strings.ToUpper(ref.Base) + "x\n"} {
		writeTest(t, s.path("CURRENT"), []byte(text))
		if _, err := s.Current(); !IsCorrupt(err) {
			t.Errorf("CURRENT with %q gives %v", text, err)
		}
		if err := s.Sweep(); err != nil {
			t.Errorf("sweeping with CURRENT %q: %v", text, err)
		}
		publish(t, s, pages)
		checkPages(t, s, ref, pages)
	}
}

func TestVerify(t *testing.T) {
	s := At(t.TempDir())
	pages := somePages(1, 20, 1500)
	ref := publish(t, s, pages)
	kinds, err := s.Verify(ref)
	if err != nil {
		t.Fatal(err)
	}
	n, size := 0, int64(0)
	for _, k := range kinds {
		n += k.Pages
		size += k.Size
	}
	if n != len(pages) || size == 0 || len(kinds) < 5 {
		t.Errorf("%d pages of %d bytes in %d kinds", n, size, len(kinds))
	}
	gens, err := s.Generations()
	if err != nil || len(gens) != 1 || !gens[0].Current || gens[0].ID != ref.Base || gens[0].Disk == 0 {
		t.Errorf("Generations: %+v, %v", gens, err)
	}
	for _, ref := range []Ref{{Base: strings.Repeat("0", idLen)}, {ref.Base, strings.Repeat("0", idLen)}} {
		if _, err := s.Verify(ref); !IsCorrupt(err) {
			t.Errorf("verifying what does not exist: %v", err)
		}
	}
}

func TestStoreInFolderThatCannotBeMade(t *testing.T) {
	dir := t.TempDir()
	writeTest(t, dir+"/"+Dir, []byte("a file"))
	s := At(dir)
	if _, _, err := s.Lock(t.Context(), true); err == nil {
		t.Error("a lock in a file")
	}
	if _, err := s.Publish(t.Context(), graph.Pages{}); err == nil {
		t.Error("published into a file")
	}
	if _, err := s.Current(); err == nil || errors.Is(err, fs.ErrNotExist) {
		t.Errorf("Current gives %v", err)
	}
}

func FuzzSeal(f *testing.F) {
	f.Add((&seal{id: strings.Repeat("a", idLen), files: []sealed{{name: "x", size: 3, tail: 1}}}).encode())
	f.Fuzz(func(t *testing.T, data []byte) {
		var l seal
		_ = l.decode(data)
	})
}
