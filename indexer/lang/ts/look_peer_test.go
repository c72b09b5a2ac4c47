//go:build slow

package ts

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"testing"
	"unicode"

	"github.com/settgraph/sett/graph"
)

// peerScript answers for a list of places with TypeScript's own language service.
const peerScript = `
const ts = require(process.argv[2]), fs = require('fs'), path = require('path');
const req = JSON.parse(fs.readFileSync(process.argv[3], 'utf8'));
const services = new Map();
function service(config) {
  let s = services.get(config);
  if (s) return s;
  const parsed = ts.getParsedCommandLineOfConfigFile(config, {}, {...ts.sys, onUnRecoverableConfigFileDiagnostic() {}});
  const roots = new Set(parsed.fileNames);
  for (const a of req.asks) if (a.config === config) roots.add(a.file);
  const snaps = new Map();
  const host = {
    getScriptFileNames: () => [...roots], getScriptVersion: () => '1',
    getScriptSnapshot: f => { if (!snaps.has(f)) { const t = ts.sys.readFile(f); snaps.set(f, t === undefined ? undefined : ts.ScriptSnapshot.fromString(t)); } return snaps.get(f); },
    getCurrentDirectory: () => path.dirname(config), getCompilationSettings: () => parsed.options,
    getProjectReferences: () => undefined,
    getDefaultLibFileName: o => ts.getDefaultLibFilePath(o),
    fileExists: ts.sys.fileExists, readFile: ts.sys.readFile, readDirectory: ts.sys.readDirectory,
    directoryExists: ts.sys.directoryExists, getDirectories: ts.sys.getDirectories, realpath: ts.sys.realpath,
  };
  s = ts.createLanguageService(host);
  services.set(config, s);
  return s;
}
const out = [];
for (const a of req.asks) {
  const s = service(a.config), sf = s.getProgram().getSourceFile(a.file);
  const starts = sf.getLineStarts();
  const line = sf.text.slice(starts[a.line - 1]);
  let pos = starts[a.line - 1], n = 1;
  for (const ch of line) { if (n++ >= a.col) break; pos += ch.length; }
  const r = {text: '', defs: []};
  try {
    const q = s.getQuickInfoAtPosition(a.file, pos);
    if (q) r.text = q.displayParts.map(p => p.text).join('');
    for (const d of s.getDefinitionAtPosition(a.file, pos) || []) {
      const f = s.getProgram().getSourceFile(d.fileName);
      const lc = f ? f.getLineAndCharacterOfPosition(d.textSpan.start) : {line: 0, character: 0};
      r.defs.push(d.fileName + ':' + (lc.line + 1) + ':' + (lc.character + 1));
    }
  } catch (e) { r.failed = String(e); }
  out.push(r);
}
fs.writeFileSync(process.argv[4], JSON.stringify(out));
`

type peerAsk struct {
	Config string `json:"config"`
	File   string `json:"file"`
	Line   uint32 `json:"line"`
	Col    uint32 `json:"col"`
}

type peerAnswer struct {
	Text   string   `json:"text"`
	Defs   []string `json:"defs"`
	Failed string   `json:"failed"`
}

// TestLookLikeTypeScriptSlow compares answers at random names of whole projects with those of
// TypeScript's language services: letter by letter with that of the release that is built in
// here (SETT_TSGO names the tsgo of npm's @typescript/native-preview), and with that of npm's
// typescript (SETT_TYPESCRIPT names the folder of the package) as far as the releases show
// things the same way, which is why fewer have to be equal. SETT_LOOK_REPOS names the projects, SETT_LOOK_SPOTS how many places
// of each.
func TestLookLikeTypeScriptSlow(t *testing.T) {
	native, peer, repos := os.Getenv("SETT_TSGO"), os.Getenv("SETT_TYPESCRIPT"), filepath.SplitList(os.Getenv("SETT_LOOK_REPOS"))
	if native == "" && peer == "" || len(repos) == 0 {
		t.Skip("NOT COMPARED: SETT_TSGO and SETT_TYPESCRIPT name no TypeScript, or SETT_LOOK_REPOS no project")
	}
	spots := 300
	if n, err := strconv.Atoi(os.Getenv("SETT_LOOK_SPOTS")); err == nil {
		spots = n
	}
	for _, repo := range repos {
		t.Run(filepath.Base(repo), func(t *testing.T) { compareLooks(t, native, peer, repo, spots) })
	}
}

func compareLooks(t *testing.T, native, peer, repo string, n int) {
	repo = installed(t, repo)
	files := readTree(t, repo)
	in := inputOf(t, repo, files, runtime.GOMAXPROCS(0))
	in.Units = nil
	l := newLooker().(*looker)
	defer l.Close()
	l.s.refresh(in)
	c := lookComparison{t: t, repo: repo, files: files}
	var asks []peerAsk
	for _, s := range randomSpots(in, files, n*2, 7) {
		owner := l.s.p.owner[vroot+"/"+s.file]
		if owner == nil || len(c.list) == n || isScript(s.file) && !owner.opts.GetAllowJS() {
			continue
		}
		p, err := l.Look(context.Background(), in, s.file, s.at)
		if err != nil {
			t.Error(err)
			continue
		}
		if p == nil {
			p = &graph.Place{}
		}
		r, _ := rel(owner.path)
		asks = append(asks, peerAsk{filepath.Join(repo, r), filepath.Join(repo, s.file), s.at.Line, s.at.Col})
		c.places, c.list = append(c.places, p), append(c.list, s)
	}
	if native != "" {
		c.compare("tsgo", askServer(t, native, repo, files, c.list), 99, nil, func(ours, theirs string) bool { return ours == oneLine(theirs) }, meantText, meantDefs)
	}
	if peer != "" {
		c.compare("typescript", askPeer(t, peer, asks), 85, func(s spot) bool {
			words := strings.FieldsFunc(lineFrom(files[s.file], s.at), func(r rune) bool { return r != '_' && r != '$' && !unicode.IsLetter(r) && !unicode.IsDigit(r) })
			return len(words) > 0 && keywords[words[0]] // newer releases lead from "const" to the name that it declares
		}, func(ours, theirs string) bool {
			return likeText(sameText(ours), sameText(oneLine(older.ReplaceAllString(theirs, ""))))
		}, nil, nil)
	}
}

// meantText explains where we say something else than the server on purpose.
func meantText(p *graph.Place, theirs string) bool {
	if own, ok := strings.CutPrefix(p.Sig, builtinMark); ok {
		return theirs == "(property) "+own // undefined is no property
	}
	if name, ok := strings.CutPrefix(p.Sig, "import "); ok {
		return theirs == "" && p.Name == name // of a module that is not found
	}
	called, ok := strings.CutSuffix(theirs, ": () => any")
	return ok && p.Sig == called+": any" // calling what is not known
}

// meantDefs explains where we lead elsewhere than the server on purpose, as older releases do.
func meantDefs(p *graph.Place, rest string, ours, theirs []string) bool {
	if len(ours) != 1 || len(p.Defs) != 1 {
		return false
	}
	after := strings.TrimLeftFunc(rest, func(r rune) bool { return r == '_' || r == '$' || unicode.IsLetter(r) || unicode.IsDigit(r) })
	return strings.HasPrefix(after, "(") && slices.Contains(theirs, ours[0]) // the overload that is called
}

// lookComparison is what was answered at the places of a list.
type lookComparison struct {
	t      *testing.T
	repo   string
	files  map[string]string
	list   []spot
	places []*graph.Place
}

// compare holds the answers to those of a service. Of texts and definitions that both have,
// floor percent have to be the same, or other for a reason that meantText and meantDefs know.
func (c *lookComparison) compare(name string, answers []peerAnswer, floor int, skip func(spot) bool, same func(ours, theirs string) bool, meantText func(*graph.Place, string) bool, meantDefs func(p *graph.Place, rest string, ours, theirs []string) bool) {
	defsSame, textSame, meant, asked := 0, 0, 0, 0
	for i, a := range answers {
		p, s := c.places[i], c.list[i]
		if a.Failed != "" || p.Sig == "" && a.Text == "" && len(p.Defs)+len(a.Defs) == 0 || skip != nil && skip(s) {
			continue // no name stands there: a comment, a string
		}
		asked++
		at := fmt.Sprintf("%s %s:%d:%d", name, s.file, s.at.Line, s.at.Col)
		if ours, theirs := ourDefs(p, c.files), theirDefs(a.Defs, c.repo); sameDefs(ours, theirs) {
			defsSame++
		} else if meantDefs != nil && meantDefs(p, lineFrom(c.files[s.file], s.at), ours, theirs) {
			defsSame++
			meant++
		} else {
			c.t.Logf("%s: defs\n\tours   %v\n\ttheirs %v", at, ours, theirs)
		}
		if theirs := strings.ReplaceAll(a.Text, `"`+c.repo+"/", `"`); same(p.Sig, theirs) {
			textSame++
		} else if meantText != nil && meantText(p, theirs) {
			textSame++
			meant++
		} else {
			c.t.Logf("%s: text\n\tours   %s\n\ttheirs %s", at, p.Sig, oneLine(theirs))
		}
	}
	c.t.Logf("%s, %s: %d places: definitions equal at %.2f %%, texts at %.2f %%, %d of them other on purpose", filepath.Base(c.repo), name, asked, 100*float64(defsSame)/float64(asked), 100*float64(textSame)/float64(asked), meant)
	if asked < len(c.list)/2 {
		c.t.Errorf("%s: only %d of %d places have an answer", name, asked, len(c.list))
	}
	if defsSame*100 < asked*floor {
		c.t.Errorf("%s: too few definitions are equal", name)
	}
	if textSame*100 < asked*floor {
		c.t.Errorf("%s: too few texts are equal", name)
	}
}

// installed is the repository, or a copy in which its own packages find each other as after
// an installation.
func installed(t *testing.T, repo string) string {
	if _, err := os.Stat(filepath.Join(repo, "node_modules")); err == nil {
		return repo
	}
	dir := filepath.Join(t.TempDir(), filepath.Base(repo))
	for p, text := range readTree(t, repo) {
		to := filepath.Join(dir, p)
		if err := os.MkdirAll(filepath.Dir(to), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(to, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		var m struct{ Name string }
		if path.Base(p) != "package.json" || json.Unmarshal([]byte(text), &m) != nil || m.Name == "" || path.Dir(path.Dir(p)) != "packages" {
			continue
		}
		link := filepath.Join(dir, "node_modules", m.Name)
		if err := os.MkdirAll(filepath.Dir(link), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.Symlink(filepath.Dir(to), link); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// keywords are not asked about.
var keywords = map[string]bool{"const": true, "let": true, "var": true, "type": true, "interface": true, "class": true, "enum": true, "function": true, "namespace": true, "declare": true, "export": true, "import": true, "async": true, "abstract": true, "new": true, "default": true, "from": true, "static": true, "readonly": true, "get": true, "set": true, "as": true, "extends": true, "implements": true}

func lineFrom(text string, at graph.Pos) string {
	line := []rune(strings.Split(text, "\n")[at.Line-1])
	return string(line[at.Col-1:])
}

// askPeer runs TypeScript's own service.
func askPeer(t *testing.T, peer string, asks []peerAsk) []peerAnswer {
	dir := t.TempDir()
	write := func(name string, b []byte) string {
		p := filepath.Join(dir, name)
		if err := os.WriteFile(p, b, 0o600); err != nil {
			t.Fatal(err)
		}
		return p
	}
	req, _ := json.Marshal(map[string]any{"asks": asks})
	out := filepath.Join(dir, "out.json")
	cmd := exec.Command("node", "--max-old-space-size=4096", write("peer.cjs", []byte(peerScript)), peer, write("in.json", req), out)
	var errs bytes.Buffer
	cmd.Stderr = &errs
	if err := cmd.Run(); err != nil {
		t.Fatalf("%v: %s", err, errs.Bytes())
	}
	b, err := os.ReadFile(out)
	if err != nil {
		t.Fatal(err)
	}
	var answers []peerAnswer
	if err := json.Unmarshal(b, &answers); err != nil {
		t.Fatal(err)
	}
	return answers
}

// ourDefs lists definitions as file:line:col; of a library file, whose text differs from
// release to release, only the file.
func ourDefs(p *graph.Place, files map[string]string) (list []string) {
	for _, d := range p.Defs {
		switch {
		case d.Module == "typescript":
			list = append(list, "lib")
		case d.Outside:
			list = append(list, fmt.Sprintf("%s:%d", path.Base(d.File), d.Span.Line))
		default:
			list = append(list, fmt.Sprintf("%s:%d:%d", d.File, d.Span.Line, d.Span.Col))
		}
	}
	slices.Sort(list)
	return slices.Compact(list)
}

func theirDefs(defs []string, repo string) (list []string) {
	for _, d := range defs {
		switch {
		case strings.Contains(d, "/typescript/lib/lib."):
			list = append(list, "lib")
		case strings.Contains(d, "/node_modules/") || !strings.HasPrefix(d, repo+"/"):
			d = path.Base(d)
			list = append(list, d[:strings.LastIndexByte(d, ':')])
		default:
			list = append(list, d[len(repo)+1:])
		}
	}
	slices.Sort(list)
	return slices.Compact(list)
}

// sameDefs allows for the quote that a quoted name starts with.
func sameDefs(ours, theirs []string) bool {
	return slices.EqualFunc(ours, theirs, func(a, b string) bool {
		if a == b {
			return true
		}
		i, j := strings.LastIndexByte(a, ':'), strings.LastIndexByte(b, ':')
		if i < 0 || i != j || a[:i] != b[:j] {
			return false
		}
		x, _ := strconv.Atoi(a[i+1:])
		y, _ := strconv.Atoi(b[j+1:])
		return x == y+1
	})
}

// sameText takes out of a display what releases of TypeScript say in different words.
func sameText(s string) string {
	if i := strings.LastIndex(s, " (+"); i >= 0 && strings.HasSuffix(s, ")") && strings.Contains(s[i:], "overload") {
		s = s[:i]
	}
	s = calledValue.ReplaceAllString(s, ": $1")
	for _, r := range [][2]string{{"(accessor) ", "(property) "}, {"(local function) ", "function "}, {"(local var) ", "var "}, {"(local let) ", "let "}, {"(local const) ", "const "}, {"(getter) ", "(property) "}, {"(setter) ", "(property) "}, {"(builtin) ", "var "}, {"undefined: undefined", "undefined"}, {"keyof any", "string | number | symbol"}, {"readonly ", ""}, {";", ""}} {
		s = strings.ReplaceAll(s, r[0], r[1])
	}
	return strings.Join(strings.Fields(s), " ")
}

// older is what older releases add on lines of their own.
var older = regexp.MustCompile(`\n(?:import|export) [^\n]*|(?m)^(?:module|namespace|\(alias\) namespace) [\w$]+\n`)

// calledValue is how older releases show a value that is called: with its type before the
// signature.
var calledValue = regexp.MustCompile(`: [\w.$]+(?:<[^<>]*>)? ((?:new )?<|(?:new )?\()`)

var (
	qualifier = regexp.MustCompile(`\b(?:\w+\.)+([$\w]+)`)
	arguments = regexp.MustCompile(`<[^<>]*>`)
)

// likeText compares two displays: cut ones as far as they go, and unions in any order.
func likeText(a, b string) bool {
	if a == b || strings.ReplaceAll(a, " ", "") == strings.ReplaceAll(b, " ", "") {
		return true
	}
	if strings.Contains(a, "...") || strings.Contains(b, "...") || strings.Contains(a, "more ") || strings.Contains(b, "more ") {
		i, j := strings.IndexAny(a+"(", "(:<="), strings.IndexAny(b+"(", "(:<=")
		return a[:min(i, len(a))] == b[:min(j, len(b))]
	}
	if strings.HasPrefix(a, "module ") && strings.HasPrefix(b, "module ") || strings.HasPrefix(a, "(alias) module ") && strings.HasPrefix(b, "import ") {
		return true // named as written or by its file
	}
	words := func(s string) []string {
		s = strings.ReplaceAll(strings.ReplaceAll(s, "| undefined", ""), "'", `"`)
		s = qualifier.ReplaceAllString(s, "$1") // newer releases qualify by what the place sees
		for inner := ""; inner != s; {
			inner, s = s, arguments.ReplaceAllString(s, "") // and leave out arguments equal to the default
		}
		w := strings.FieldsFunc(s, func(r rune) bool { return strings.ContainsRune(" |(){}[]<>,:", r) })
		w = slices.DeleteFunc(w, func(s string) bool {
			return s == "function" || s == "const" || s == "let" || s == "var" || s == "class" || s == "constructor" || s == "=>" || s == "new"
		})
		slices.Sort(w)
		return w
	}
	return slices.Equal(words(a), words(b)) || strings.HasPrefix(a, b)
}
