//go:build slow

package ts

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// peerFolder is the node_modules that has typescript and @typescript/native-preview.
func peerFolder(t *testing.T) string {
	t.Helper()
	dir := os.Getenv("SETT_TYPESCRIPT")
	if dir == "" {
		dir = filepath.Join(os.TempDir(), "peers", "node_modules")
	}
	if _, err := os.Stat(filepath.Join(dir, "typescript", "lib", "typescript.js")); err != nil {
		t.Skipf("SKIPPED: no TypeScript to compare with (SETT_TYPESCRIPT is the node_modules that has it): %v", err)
	}
	return dir
}

// driver runs tsc's own main for many projects in one process.
const driver = `
const ts = require(process.argv[2] + "/typescript/lib/typescript.js");
const out = {};
for (const dir of process.argv.slice(3)) {
	process.chdir(dir);
	let text = "";
	const sys = Object.assign({}, ts.sys, {
		write: s => { text += s; }, exit: c => { throw { exit: c }; },
		getCurrentDirectory: () => dir, writeFile: ts.sys.writeFile,
	});
	const config = ts.sys.readFile("tsconfig.json") || "";
	const args = /"references"/.test(config) ? ["-b", "--pretty", "false"] : ["--noEmit", "--pretty", "false"];
	try { ts.executeCommandLine(sys, () => {}, args); } catch (e) { if (!("exit" in e)) text += "CRASH " + e.stack; }
	out[dir] = text;
}
process.stdout.write(JSON.stringify(out));
`

// askTSC runs TypeScript 5 on each folder.
func askTSC(t *testing.T, peers string, dirs []string) map[string]string {
	t.Helper()
	script := filepath.Join(t.TempDir(), "driver.js")
	if err := os.WriteFile(script, []byte(driver), 0o644); err != nil {
		t.Fatal(err)
	}
	var stdout, stderr bytes.Buffer
	cmd := exec.Command("node", append([]string{script, peers}, dirs...)...)
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	if err := cmd.Run(); err != nil {
		t.Fatalf("%v\n%s", err, stderr.String())
	}
	out := map[string]string{}
	if err := json.Unmarshal(stdout.Bytes(), &out); err != nil {
		t.Fatal(err)
	}
	return out
}

// askNative runs TypeScript 7 on a folder.
func askNative(t *testing.T, peers, dir string, args ...string) string {
	t.Helper()
	cmd := exec.Command(filepath.Join(peers, ".bin", "tsgo"), append(args, "--pretty", "false")...)
	cmd.Dir = dir
	out, err := cmd.Output()
	if _, exited := err.(*exec.ExitError); err != nil && !exited {
		t.Skipf("SKIPPED: no native TypeScript to compare with: %v", err)
	}
	return string(out)
}

// TestBrokenProjectsPeer asks the real compilers about the broken projects.
func TestBrokenProjectsPeer(t *testing.T) {
	peers := peerFolder(t)
	list := brokenProjects(t)
	roots := map[*brokenProject]string{}
	var five []string
	for _, b := range list {
		roots[b] = realRoot(t)
		b.lay(t, roots[b])
		if !b.tsgo {
			five = append(five, roots[b])
		}
	}
	said := askTSC(t, peers, five)
	findings := 0
	for _, b := range list {
		out, ok := said[roots[b]]
		if b.tsgo {
			args := []string{"--noEmit"}
			if strings.HasPrefix(b.name, "references") {
				args = []string{"-b"}
			}
			out, ok = askNative(t, peers, roots[b], args...), true
		}
		if !ok {
			t.Fatalf("%s: no answer", b.name)
		}
		want := entries(roots[b], out)
		findings += len(want)
		if os.Getenv("UPDATE") != "" {
			b.write(t, "want", lines(want))
			continue
		}
		if b.ours != "" && b.name != "unicode" { // where releases differ, the newer one says what we say
			native := entries(roots[b], askNative(t, peers, roots[b], "--noEmit"))
			if got := strings.TrimPrefix(lines(native), "\n"); got != b.ours {
				t.Errorf("%s: - ours, + native:\n%s", b.name, strings.Join(diff(strings.Split(b.ours, "\n"), strings.Split(got, "\n")), "\n"))
			}
		}
		if lines(want) != b.want {
			t.Errorf("%s: the tool prints something else now:\n%s", b.name, strings.Join(diff(strings.Split(b.want, "\n"), strings.Split(lines(want), "\n")), "\n"))
		}
	}
	t.Log(fmt.Sprintf("%d projects, %d findings", len(list), findings))
}
