package syntax

import (
	"os"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"
)

// Each case of the archive is a program as someone wrote it, and as it is laid out;
// UPDATE=1 writes the second.
func TestFormat(t *testing.T) {
	const path = "testdata/format.txtar"
	a, err := txtar.ParseFile(path)
	if err != nil {
		t.Fatal(err)
	}
	var files []txtar.File
	want := map[string]string{}
	for _, f := range a.Files {
		if name, ok := strings.CutSuffix(f.Name, ".out"); ok {
			want[name] = string(f.Data)
		}
	}
	cases := 0
	for _, f := range a.Files {
		name, ok := strings.CutSuffix(f.Name, ".in")
		if !ok {
			continue
		}
		cases++
		file := parse(t, string(f.Data))
		got := Format(file)
		files = append(files, f, txtar.File{Name: name + ".out", Data: []byte(got)})
		if os.Getenv("UPDATE") == "" && got != want[name] {
			t.Errorf("%s:\n%s-- got --\n%s-- want --\n%s", name, f.Data, got, want[name])
		}
		checkFormat(t, file)
	}
	if cases < 50 {
		t.Errorf("only %d cases", cases)
	}
	if os.Getenv("UPDATE") != "" {
		a.Files = files
		if err := os.WriteFile(path, txtar.Format(a), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

func TestFormatLeavesWrongFilesAlone(t *testing.T) {
	f, _ := parseAny("fn main( {}")
	if got := Format(f); got != f.Src.Text {
		t.Errorf("got %q", got)
	}
}

func TestFormatOfNothing(t *testing.T) {
	for text, want := range map[string]string{"": "", "\n\n": "", "  // c": "// c\n", "\n// a\n\n\n// b\n\n": "// a\n\n// b\n"} {
		if got := Format(parse(t, text)); got != want {
			t.Errorf("%q becomes %q, want %q", text, got, want)
		}
	}
}
