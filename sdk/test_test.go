package sdk_test

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/settgraph/sett/sdk"
)

// TestTestAtPlace runs the file of a test of JavaScript that is named by its place: no
// declaration stands for it.
func TestTestAtPlace(t *testing.T) {
	for _, tool := range []string{"node", "npm"} {
		if _, err := exec.LookPath(tool); err != nil {
			t.Skipf("NOT TESTED: there is no %s", tool)
		}
	}
	dir := t.TempDir()
	for name, text := range map[string]string{
		"package.json": `{"type": "module", "scripts": {"test": "node --test"}}`,
		"sum.js":       "export const sum = (a, b) => a + b\n",
		"sum.test.js":  "import test from 'node:test'\nimport { sum } from './sum.js'\ntest('adds', () => { if (sum(1, 2) !== 3) throw new Error('no') })\n",
		"no.test.js":   "import test from 'node:test'\ntest('fails', () => { throw new Error('no') })\n",
	} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	p, err := sdk.Open(dir, sdk.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer p.Close()
	for _, symbol := range []string{"sum.test.js:3", "sum.test.js:3:2", "sum"} {
		r, err := p.Test(context.Background(), sdk.TestOptions{Symbol: symbol})
		if err != nil {
			t.Fatalf("%s: %v", symbol, err)
		}
		if !r.OK || r.Passed != 1 || r.Suites != 1 {
			t.Errorf("%s: %+v", symbol, r)
		}
	}
}
