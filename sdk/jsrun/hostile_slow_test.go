//go:build slow

package jsrun

import (
	"context"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/settgraph/sett/query/report"
)

// Scripts that do not want to end, leave something behind or print without end.
func TestHostile(t *testing.T) {
	dir := project(t, `-- package.json --
{"name": "hostile", "scripts": {"test": "node stubborn.js", "build": "node flood.js"}}
-- stubborn.js --
const { spawn } = require('node:child_process');
const fs = require('node:fs');
process.on('SIGTERM', () => {});
const daemon = spawn(process.execPath, ['-e', 'process.on("SIGTERM",()=>{});setInterval(()=>{},1000)'], { stdio: 'inherit' });
fs.writeFileSync('daemon.pid', String(daemon.pid));
console.log('TAP version 13\nok 1 - before');
setInterval(() => {}, 1000);
-- flood.js --
const line = 'x'.repeat(1023) + '\n';
for (let i = 0; i < 100 * 1024; i++) require('node:fs').writeSync(1, line);
console.log('src/a.ts(3,7): error TS2322: the end');
process.exitCode = 2;
-- tests/package.json --
{"name": "chatty", "scripts": {"test": "node --test"}}
-- tests/a.test.js --
const test = require('node:test');
test('talks', () => { for (let i = 0; i < 20000; i++) console.log('y'.repeat(1000)); });
test('fails', () => { throw new Error('after all that'); });
`)
	t.Run("stubborn", func(t *testing.T) {
		began := time.Now()
		res := mustTest(t, Options{Root: dir, Timeout: 4 * time.Second})
		if took := time.Since(began); took > 12*time.Second {
			t.Errorf("it took %v", took)
		}
		if res.OK || res.Passed != 1 || len(res.Failures) != 1 || res.Failures[0].Kind != report.Timeout || !res.Steps[0].TimedOut {
			t.Errorf("%+v", res)
		}
		pid, err := os.ReadFile(filepath.Join(dir, "daemon.pid"))
		if err != nil {
			t.Fatal(err)
		}
		if runtime.GOOS == "linux" {
			stat, err := os.ReadFile(filepath.Join("/proc", string(pid), "stat"))
			if err == nil && !strings.Contains(string(stat), ") Z ") {
				t.Errorf("what it started is still there: %s", stat)
			}
		}
	})
	t.Run("given up", func(t *testing.T) {
		ctx, cancel := context.WithTimeout(context.Background(), 2*time.Second)
		defer cancel()
		res, err := Test(ctx, Options{Root: dir})
		if err != nil || res.OK || !res.Steps[0].Canceled {
			t.Errorf("%+v %v", res, err)
		}
	})
	t.Run("flood", func(t *testing.T) {
		b, err := Build(context.Background(), Options{Root: dir})
		if err != nil {
			t.Fatal(err)
		}
		if b.OK || len(b.Diagnostics) != 1 || b.Diagnostics[0].File != "src/a.ts" || b.Steps[0].Bytes < 100<<20 || b.Steps[0].Code != 2 {
			t.Errorf("%+v", b)
		}
	})
	t.Run("chatty", func(t *testing.T) {
		res := mustTest(t, Options{Root: dir, Targets: []string{"tests"}})
		if res.OK || res.Passed != 1 || res.Failed != 1 || res.Failures[0].Message != "after all that" {
			t.Errorf("%+v", res)
		}
	})
}

// Other ways to test and build: no runner of ours, an error before the tests, more artifacts.
func TestOtherScripts(t *testing.T) {
	dir := project(t, `-- package.json --
{"name": "other", "main": "./out/main.js", "scripts": {"prebuild": "node -e 0", "build": "node build.js", "test": "node t.js"}}
-- build.js --
const fs = require('node:fs');
fs.mkdirSync('out', { recursive: true });
fs.writeFileSync('out/main.js', '1');
-- t.js --
const test = require('node:test');
test('a test without a runner', () => { throw new Error('no'); });
test('and another', () => {});
-- plain/package.json --
{"name": "plain", "scripts": {"test": "node -e \"console.log('fine')\""}}
-- bad/package.json --
{"name": "bad", "scripts": {"test": "node -e \"console.error('all is lost'); process.exit(3)\""}}
-- before/package.json --
{"name": "before", "scripts": {"pretest": "node fail.js", "test": "node --test"}}
-- before/fail.js --
console.log('src/a.ts(3,7): error TS2322: no'); process.exit(2);
`)
	b, err := Build(context.Background(), Options{Root: dir})
	if err != nil || !b.OK || len(b.Artifacts) != 1 || b.Artifacts[0].Path != "out/main.js" || b.Artifacts[0].Bytes != 1 {
		t.Errorf("%+v %v", b, err)
	}
	res := mustTest(t, Options{Root: dir})
	if res.OK || res.Passed != 1 || res.Failed != 1 || res.Failures[0].File != "t.js" || res.Failures[0].Line != 2 {
		t.Errorf("%+v", res)
	}
	res = mustTest(t, Options{Root: dir, Targets: []string{"plain"}})
	if !res.OK || len(res.Notes) != 1 || !strings.Contains(res.Notes[0], "not itemised") {
		t.Errorf("%+v", res)
	}
	res = mustTest(t, Options{Root: dir, Targets: []string{"bad"}})
	if res.OK || res.Steps[0].Code != 3 || !strings.Contains(strings.Join(res.Steps[0].Tail, "\n"), "all is lost") {
		t.Errorf("%+v", res)
	}
	res = mustTest(t, Options{Root: dir, Targets: []string{"before"}})
	if res.OK || res.Broken != 1 || res.Failures[0].File != "before/src/a.ts" || res.Failures[0].Line != 3 {
		t.Errorf("%+v", res)
	}
}
