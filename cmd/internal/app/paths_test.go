package app_test

import (
	"errors"
	"os"
	"path/filepath"
	"testing"

	"github.com/settgraph/sett/cmd/internal/app"
	"github.com/settgraph/sett/query"
)

func TestLocalize(t *testing.T) {
	root, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	if err := os.MkdirAll(filepath.Join(root, "sub", "deep"), 0o755); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"a.go", "sub/b.go"} {
		if err := os.WriteFile(filepath.Join(root, name), nil, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	link := filepath.Join(t.TempDir(), "link")
	if err := os.Symlink(root, link); err != nil {
		t.Fatal(err)
	}
	sub := filepath.Join(root, "sub")
	tests := []struct{ base, path, symbol, wantPath, wantSymbol string }{
		{"", "sub", "Foo", "sub", "Foo"},
		{"", filepath.Join(root, "sub"), filepath.Join(root, "a.go:3"), "sub", "a.go:3"},
		{"", filepath.Join(link, "sub", "b.go"), filepath.Join(link, "a.go:3:4"), "sub/b.go", "a.go:3:4"},
		{sub, "b.go", "b.go:7", "sub/b.go", "sub/b.go:7"},
		{sub, "../a.go", "../a.go:7:1", "a.go", "a.go:7:1"},
		{sub, ".", "sub/b.go:7", "sub", "sub/b.go:7"},
		{sub, "sub/b.go", "Foo", "sub/b.go", "Foo"}, // from the root, although the asker is below
		{"", "**/*_test.go", "/^Test/", "**/*_test.go", "/^Test/"},
		{"", "", "/a:9", "", "/a:9"},
	}
	for _, tt := range tests {
		args := &query.FindArgs{Symbol: tt.symbol, Path: tt.path}
		if err := app.Localize(root, tt.base, args); err != nil || args.Path != tt.wantPath || args.Symbol != tt.wantSymbol {
			t.Errorf("%+v: %q %q %v", tt, args.Path, args.Symbol, err)
		}
	}
	for _, path := range []string{"..", "../x", "sub/../../x", filepath.Dir(root), "/etc/passwd", "/nowhere"} {
		var outside *app.OutsideError
		if err := app.Localize(root, "", &query.FindArgs{Symbol: "X", Path: path}); !errors.As(err, &outside) {
			t.Errorf("%s: %v", path, err)
		}
	}
}
