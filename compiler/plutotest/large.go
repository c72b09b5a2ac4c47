package plutotest

import (
	"fmt"
	"strings"
)

// TenThousandLines is a program of about that length with a bit of everything.
func TenThousandLines() string {
	var b strings.Builder
	b.WriteString("error Odd { n: int }\ntrait Named {\n    fn name(self) string\n}\n")
	for i := range 250 {
		fmt.Fprintf(&b, `
// Item%[1]d is the item with the number %[1]d.
class Item%[1]d impl Named {
    id: int
    label: string
    tags: [string]
    fn name(self) string {
        return f"{self.label} {self.id}"
    }
    fn add(mut self, tag: string) int {
        self.tags.push(tag)
        self.id += 1
        return self.tags.len()
    }
}
enum Kind%[1]d {
    None
    Some { value: int, name: string }
}
fn score%[1]d(items: [Item%[1]d], limit: int) int {
    let mut total = 0
    for item in items {
        if item.id > limit && item.label.len() > 0 {
            total += item.id * 2 - limit %% 7
        } else if item.tags.is_empty() {
            total = total + 1
        }
        let twice = (n: int) => n * 2 + total
        total = twice(item.id)
    }
    return total
}
fn check%[1]d(n: int) int {
    if n %% 2 == 1 {
        raise Odd { n: n }
    }
    let counts = Map<string, int> { "a": 1, "b": n }
    let k = if n > 3 { Kind%[1]d.Some { value: n, name: "x" } } else { Kind%[1]d.None }
    match k {
        Kind%[1]d.None { return counts["a"] }
        Kind%[1]d.Some { value, name } { return value + name.len() }
    }
}
`, i)
	}
	b.WriteString("fn main() {\n")
	for i := range 250 {
		fmt.Fprintf(&b, "    let mut i%[1]d = Item%[1]d { id: 1, label: \"a\", tags: [] }\n    i%[1]d.add(\"t\")\n    print(score%[1]d([i%[1]d], 2) + (check%[1]d(2) catch 0))\n", i)
	}
	b.WriteString("}\n")
	return b.String()
}
