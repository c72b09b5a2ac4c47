package load

import (
	"testing"
)

// FuzzManifest loads projects whose manifest and lock are anything.
func FuzzManifest(f *testing.F) {
	f.Add("[package]\nname = \"x\"\n[dependencies]\na = { path = \".\" }\n", "version = 1\n")
	f.Add("[package]\nname = \"x\"\n[dependencies.a]\ngit = \"u\"\nrev = \"r\"\n", "version = 1\n[[package]]\nname = \"a\"\n")
	f.Add("package = 1\n", "")
	f.Add("[[package]]\nname = 1\n[dependencies]\n\"\" = {}\n", "x")
	f.Add("dependencies = []\n[package]\n", "package = 1")
	f.Fuzz(func(t *testing.T, manifest, lock string) {
		dir := t.TempDir()
		put(t, dir, ManifestName, manifest)
		put(t, dir, LockName, lock)
		put(t, dir, "main.pluto", "import a\nfn main() {\n}\n")
		p := Load(dir, Options{Offline: true, CacheDir: t.TempDir(), Base: dir})
		if p.Root == nil || len(p.Root.Files) != 1 {
			t.Errorf("the program was not loaded: %s", dump(p))
		}
	})
}

// FuzzImports loads programs whose imports are anything.
func FuzzImports(f *testing.F) {
	for _, text := range []string{"import a", "import a.b as c", "import .", "import a.", "import std", "import std.strings.x", "import main", "import a as", "import a.b.c.d"} {
		f.Add(text, "import b\n")
	}
	f.Fuzz(func(t *testing.T, text, module string) {
		dir := t.TempDir()
		put(t, dir, "main.pluto", text+"\nfn main() {\n}\n")
		put(t, dir, "a.pluto", module)
		put(t, dir, "b/c.pluto", text)
		put(t, dir, "b/a.pt", module)
		p := Load(dir, Options{Offline: true, Base: dir})
		if len(p.Modules) == 0 || p.Modules[len(p.Modules)-1] != p.Root {
			t.Errorf("the root is not last: %s", dump(p))
		}
	})
}
