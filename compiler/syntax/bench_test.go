package syntax

import (
	"fmt"
	"strings"
	"testing"

	"github.com/settgraph/sett/compiler/diag"
	"github.com/settgraph/sett/compiler/source"
)

// corpus is about n lines of ordinary code.
func corpus(n int) string {
	var b strings.Builder
	b.WriteString("import std.strings\nimport std.math as m\n\n")
	for i := 0; i*44 < n; i++ {
		fmt.Fprintf(&b, `// Account%[1]d keeps money.
class Account%[1]d[log: Logger] impl Printable {
    owner: string
    balance: int
    history: [Entry]

    invariant self.balance >= 0

    fn deposit(mut self, amount: int) int
    requires amount > 0
    {
        self.balance += amount
        self.history.push(Entry { kind: "in", amount: amount, at: time_ns() })
        return self.balance
    }

    fn show(self) string {
        return f"{self.owner} has {self.balance} in {self.history.len()} steps"
    }
}

enum Shape%[1]d {
    Circle { r: float }
    Square { side: float }
    Nothing
}

fn area%[1]d(s: Shape%[1]d) float {
    match s {
        Shape%[1]d.Circle { r } {
            return 3.14159 * r * r
        }
        Shape%[1]d.Square { side } { return side * side }
        Shape%[1]d.Nothing { return 0.0 }
    }
}

fn total%[1]d(xs: [int], limit: int) int {
    let mut sum = 0
    for x in xs {
        if x %% 2 == 0 && x < limit || sum > 1000 {
            sum += x * 2 - 1
        }
    }
    let names = Map<string, int> { "a": 1, "b": sum }
    let pick = xs.filter((x: int) => x > 3).len()
    print("total is {sum} of {pick}")
    return check(sum, names["a"]) catch e: TooBig { -1 } catch 0
}

`, i)
	}
	return b.String()
}

func TestParsesManyLines(t *testing.T) {
	text := corpus(10000)
	if n := strings.Count(text, "\n"); n < 10000 {
		t.Fatalf("only %d lines", n)
	}
	f := parse(t, text)
	out := Format(f)
	if g := parse(t, out); !Equal(f, g) {
		t.Error("another tree after formatting")
	}
}

func BenchmarkParse(b *testing.B) {
	text := corpus(10000)
	lines := strings.Count(text, "\n")
	b.SetBytes(int64(len(text)))
	b.ReportAllocs()
	for b.Loop() {
		var l diag.List
		if f := Parse(source.NewFile("main.pluto", "", text), &l); !f.OK {
			b.Fatal(l.Sorted()[0].Message)
		}
	}
	b.ReportMetric(float64(lines)*float64(b.N)/b.Elapsed().Seconds(), "lines/s")
}

func BenchmarkLex(b *testing.B) {
	text := corpus(10000)
	b.SetBytes(int64(len(text)))
	for b.Loop() {
		l := &lexer{text: text, keep: true, toks: make([]tok, 0, len(text)/4), all: make([]Token, 0, len(text)/3)}
		l.lex(0, len(text))
	}
}

func BenchmarkFormat(b *testing.B) {
	text := corpus(10000)
	var l diag.List
	f := Parse(source.NewFile("main.pluto", "", text), &l)
	b.SetBytes(int64(len(text)))
	b.ReportAllocs()
	for b.Loop() {
		Format(f)
	}
}
