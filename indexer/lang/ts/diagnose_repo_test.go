//go:build slow

package ts

import (
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/settgraph/sett/indexer/lang"
)

// TestRepoPeer compares the findings of the project that SETT_CHECK_REPO names, and of
// SETT_CHECK_EDITS random edits of the file SETT_CHECK_FILE, with those of TypeScript 7 for
// the same tsconfig.json, the one at the root.
func TestRepoPeer(t *testing.T) {
	root, file := os.Getenv("SETT_CHECK_REPO"), os.Getenv("SETT_CHECK_FILE")
	if root == "" {
		t.Skip("SKIPPED: SETT_CHECK_REPO names no project")
	}
	peers := peerFolder(t)
	edits, _ := strconv.Atoi(os.Getenv("SETT_CHECK_EDITS"))
	in := diskInput(t, root, nil)
	in.Configs = slices.DeleteFunc(in.Configs, func(f lang.File) bool {
		return f.Path != "tsconfig.json" && filepath.Base(f.Path) == "tsconfig.json"
	})
	c := newChecker()
	defer c.Close()
	compare := func(what string) {
		want := entries(root, askNative(t, peers, root, "--noEmit", "--composite", "false", "--declaration", "true", "-p", "."))
		got := printed(root, checkWith(t, c, in, lang.Scope{}).Findings)
		if d := diff(want, got); len(d) > 0 {
			t.Errorf("%s: - native, + ours:\n%s", what, strings.Join(d, "\n"))
		}
		t.Logf("%s: %d findings, native %d", what, len(got), len(want))
	}
	compare("as it is")
	if file == "" {
		return
	}
	p := filepath.Join(root, filepath.FromSlash(file))
	src, err := os.ReadFile(p)
	if err != nil {
		t.Fatal(err)
	}
	defer func() {
		if err := os.WriteFile(p, src, 0o644); err != nil {
			t.Error(err)
		}
	}()
	rnd := rand.New(rand.NewPCG(3, 4))
	for i := range edits {
		text := mutate(rnd, string(src))
		if err := os.WriteFile(p, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
		in = edited(in, file, text)
		compare("edit " + strconv.Itoa(i))
	}
}
