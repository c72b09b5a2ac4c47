package rt

import (
	"fmt"
	"math"
	"strconv"
	"strings"
	"testing"
)

// faultOf runs f and gives the line it fails with, "" when it does not.
func faultOf(f func()) (text string) {
	defer func() {
		if r := recover(); r != nil {
			text, _, _ = strings.Cut(failureText(r), "\n")
		}
	}()
	f()
	return ""
}

func TestFaults(t *testing.T) {
	a := NewArray[int64](1, 2, 3)
	empty := NewArray[string]()
	b := StrToBytes("xy")
	m := NewMap[string, int64](0)
	var unset *Array[int64]
	zero := int64(0)
	for _, c := range []struct {
		want string
		f    func()
	}{
		{"pluto: array index out of bounds: index 3, length 3", func() { a.At(3) }},
		{"pluto: array index out of bounds: index -1, length 3", func() { a.At(-1) }},
		{"pluto: array index out of bounds: index 9, length 3", func() { a.Set(9, 1) }},
		{"pluto: array index out of bounds: index -9223372036854775808, length 3", func() { *a.Ref(math.MinInt64)++ }},
		{"pluto: pop from empty array", func() { empty.Pop() }},
		{"pluto: last() on empty array", func() { empty.Last() }},
		{"pluto: first() on empty array", func() { empty.First() }},
		{"pluto: array remove_at index out of bounds: index 3, length 3", func() { a.RemoveAt(3) }},
		{"pluto: array insert_at index out of bounds: index 4, length 3", func() { a.InsertAt(4, 0) }},
		{"pluto: array insert_at index out of bounds: index -1, length 3", func() { a.InsertAt(-1, 0) }},
		{"pluto: bytes index out of bounds: index 2, length 2", func() { b.At(2) }},
		{"pluto: bytes index out of bounds: index -1, length 2", func() { b.Set(-1, 0) }},
		{"pluto: string index out of bounds: index 3, length 3", func() { StrAt("abc", 3) }},
		{"pluto: string byte_at index out of bounds: index -1, length 3", func() { StrByteAt("abc", -1) }},
		{"pluto: map key not found", func() { m.At("a") }},
		{"pluto: out of memory", func() { StrRepeat("ab", math.MaxInt64) }},
		{"pluto: division by zero", func() { _ = 1 / zero }},
		{"pluto: division by zero", func() { _ = 1 % zero }},
		{"pluto: division by zero", func() { DivZero(1) }},
		{"pluto: use of a value that was never set", func() { panic(Unset()) }},
		{"pluto: use of a value that was never set", func() { unset.At(0) }},
		{"requires violation in half: n > 0", func() { FailRequires("half", "n > 0") }},
		{"ensures violation in half: result > 0", func() { FailEnsures("half", "result > 0") }},
		{"invariant violation on Account: self.n >= 0", func() { FailInvariant("Account", "self.n >= 0") }},
		{"assertion failed: x == 1", func() { FailAssert("x == 1") }},
		{"FAIL (line 7): expected 1 to equal 2", func() { ExpectInt(7, 1, 2) }},
		{"FAIL (line 7): expected 1.500000 to equal 0.000000", func() { ExpectFloat(7, 1.5, 0) }},
		{"FAIL (line 7): expected nan to equal inf", func() { ExpectFloat(7, math.NaN(), math.Inf(1)) }},
		{"FAIL (line 7): expected true to equal false", func() { ExpectBool(7, true, false) }},
		{`FAIL (line 7): expected "a" to equal "b"`, func() { ExpectString(7, "a", "b") }},
		{"FAIL (line 7): expected 1 to equal 255", func() { ExpectByte(7, 1, 255) }},
		{"FAIL (line 7): expected true but got false", func() { ExpectTrue(7, false) }},
		{"FAIL (line 7): expected false but got true", func() { ExpectFalse(7, true) }},
		{"error: uncaught ChannelClosed { message: \"channel closed\" }", func() { panic(Escape(closedError())) }},
		{"", func() {
			ExpectInt(1, 2, 2)
			ExpectFloat(1, 2, 2)
			ExpectString(1, "", "")
			ExpectByte(1, 2, 2)
			ExpectBool(1, true, true)
			ExpectTrue(1, true)
			ExpectFalse(1, false)
			a.Slice(-5, 99)
		}},
	} {
		if got := faultOf(c.f); got != c.want {
			t.Errorf("got %q, want %q", got, c.want)
		}
	}
}

func TestArray(t *testing.T) {
	a := NewArray[int64]()
	for i := range int64(5) {
		a.Push(i)
	}
	a.InsertAt(5, 9)
	a.InsertAt(0, 8)
	a.Reverse()
	for _, c := range []struct{ got, want any }{
		{fmt.Sprint(a.S), "[9 4 3 2 1 0 8]"},
		{a.RemoveAt(1), int64(4)},
		{a.Pop(), int64(8)},
		{fmt.Sprint(a.S), "[9 3 2 1 0]"},
		{a.First(), int64(9)}, {a.Last(), int64(0)}, {a.Len(), int64(5)}, {a.IsEmpty(), false},
		{fmt.Sprint(a.Slice(1, 3).S), "[3 2]"},
		{fmt.Sprint(a.Slice(-1, 99).S), "[9 3 2 1 0]"},
		{fmt.Sprint(a.Slice(3, 1).S), "[]"},
		{fmt.Sprint(a.Slice(99, 100).S), "[]"},
		{ArrayIndexOf(a, 1), int64(3)}, {ArrayIndexOf(a, 7), int64(-1)}, {ArrayContains(a, 0), true},
		{ArrayIndexOf(NewArray("a", "b"), "b"), int64(1)},
		{ArrayContains(NewArray(math.NaN()), math.NaN()), false},
		{ArrayContains(NewArray(Some("a"), Opt[string]{}), Opt[string]{}), true},
	} {
		if c.got != c.want {
			t.Errorf("got %v, want %v", c.got, c.want)
		}
	}
	s := a.Slice(0, 2)
	s.Set(0, 77)
	s.Push(78)
	if a.At(0) != 9 || a.At(2) != 2 {
		t.Error("a slice shares its elements with the array")
	}
	a.Clear()
	if a.Len() != 0 || !a.IsEmpty() {
		t.Error("clear leaves something")
	}
	n := 1
	f, g := func() int { return n }, func() int { return n + 1 }
	fs := NewArray(f, g)
	if ArrayIndexOfFunc(fs, g) != 1 || ArrayIndexOfFunc(fs, func() int { return n }) != -1 || !SameFunc(f, fs.At(0)) || SameFunc(nil, f) {
		t.Error("closures are not equal by identity")
	}
}

type color int64

func TestCollections(t *testing.T) {
	m := NewMap[string, int64](2).With("b", 2).With("a", 1).With("a", 3)
	m.Insert("c", 0)
	m.Remove("c")
	m.Remove("none")
	floats := NewMap[float64, string](0).With(2.5, "x").With(-1, "y").With(math.Inf(-1), "z")
	bools := NewMap[bool, int64](0).With(true, 1).With(false, 2)
	s := NewSet[int64](3, 1, 2, 3)
	s.Remove(1)
	s.Insert(0)
	for _, c := range []struct{ got, want any }{
		{fmt.Sprint(MapKeys(m).S, MapValues(m).S), "[a b] [3 2]"},
		{fmt.Sprint(MapKeys(floats).S, MapValues(floats).S), "[-Inf -1 2.5] [z y x]"},
		{fmt.Sprint(BoolKeys(bools).S, BoolValues(bools).S), "[false true] [2 1]"},
		{fmt.Sprint(MapKeys(NewMap[color, int](0).With(2, 1).With(1, 1)).S), "[1 2]"},
		{m.Len(), int64(2)}, {m.Contains("a"), true}, {m.Contains("c"), false}, {m.At("b"), int64(2)},
		{fmt.Sprint(SetToArray(s).S), "[0 2 3]"}, {s.Len(), int64(3)}, {s.Contains(2), true}, {s.Contains(1), false},
		{fmt.Sprint(BoolSetToArray(NewSet(true, false)).S), "[false true]"},
		{NewSet[int64]().ToArray().Len(), int64(0)},
	} {
		if c.got != c.want {
			t.Errorf("got %v, want %v", c.got, c.want)
		}
	}
	if k, v := m.Keys(), m.Values(); k.Len() != 2 || v.Len() != 2 {
		t.Error("unordered keys or values are not complete")
	}
	b := NewBytes()
	b.Push(200)
	b.Push('a')
	b.Set(1, 'b')
	if b.Len() != 2 || b.At(0) != 200 || b.ToString() != "\xc8b" {
		t.Error("bytes", b)
	}
	c := StrToBytes("ab")
	str := c.ToString()
	c.Set(0, 'x')
	if str != "ab" {
		t.Error("to_string shares the buffer")
	}
}

func TestStrings(t *testing.T) {
	for _, c := range []struct{ got, want any }{
		{StrLen("é\x00"), int64(3)}, {StrIsEmpty(""), true}, {StrIsEmpty(" "), false},
		{StrIsWhitespace(""), true}, {StrIsWhitespace(" \t\r\n"), true}, {StrIsWhitespace(" \v"), false}, {StrIsWhitespace("\u00a0"), false},
		{StrContains("", ""), true}, {StrContains("", "a"), false}, {StrStartsWith("ab", ""), true}, {StrEndsWith("ab", "b"), true},
		{StrIndexOf("abcabc", "bc"), int64(1)}, {StrIndexOf("a", ""), int64(0)}, {StrIndexOf("a", "b"), int64(-1)},
		{StrLastIndexOf("abcabc", "bc"), int64(4)}, {StrLastIndexOf("abc", ""), int64(3)}, {StrLastIndexOf("a", "b"), int64(-1)},
		{StrCount("aaaa", "aa"), int64(2)}, {StrCount("aaa", ""), int64(0)},
		{StrSubstring("hello world", 6, 5), "world"}, {StrSubstring("test", 0, 0), ""}, {StrSubstring("hello", 3, 100), "lo"},
		{StrSubstring("hello", 10, 5), ""}, {StrSubstring("hello", -2, 3), "hel"}, {StrSubstring("hello", 1, -1), ""},
		{StrSubstring("hello", math.MinInt64, math.MaxInt64), "hello"}, {StrSubstring("hello", 2, math.MaxInt64), "llo"},
		{StrTrim(" \t a b\r\n"), "a b"}, {StrTrimStart(" a "), "a "}, {StrTrimEnd(" a "), " a"}, {StrTrim("\v"), "\v"},
		{StrToUpper("aé{z`"), "Aé{Z`"}, {StrToLower("AÉ[Z@"), "aÉ[z@"}, {StrToUpper("ABC"), "ABC"},
		{StrReplace("aaa", "a", "bb"), "bbbbbb"}, {StrReplace("abc", "", "x"), "abc"}, {StrReplace("aXXb", "XX", ""), "ab"},
		{fmt.Sprintf("%q", StrSplit("a,,b,", ",").S), `["a" "" "b" ""]`}, {fmt.Sprintf("%q", StrSplit("", ",").S), `[""]`},
		{fmt.Sprintf("%q", StrSplit("abc", "").S), `["a" "b" "c"]`}, {StrSplit("é", "").Len(), int64(2)}, {StrSplit("", "").Len(), int64(0)},
		{StrJoin(NewArray("a", "b"), ", "), "a, b"}, {StrJoin(NewArray[string](), ","), ""},
		{StrAt("aé", 1), "\xc3"}, {StrByteAt("aé", 1), int64(0xc3)},
		{StrRepeat("ab", 3), "ababab"}, {StrRepeat("ab", 0), ""}, {StrRepeat("ab", -1), ""}, {StrRepeat("", math.MaxInt64), ""},
		{StrToInt("42"), Some[int64](42)}, {StrToInt(" -7\n"), Some[int64](-7)}, {StrToInt("+5"), Some[int64](5)},
		{StrToInt(""), Opt[int64]{}}, {StrToInt("42abc"), Opt[int64]{}}, {StrToInt("4 2"), Opt[int64]{}}, {StrToInt("1_0"), Opt[int64]{}},
		{StrToInt("0x10"), Opt[int64]{}}, {StrToInt("- 1"), Opt[int64]{}}, {StrToInt("1.0"), Opt[int64]{}},
		{StrToInt("9223372036854775807"), Some[int64](math.MaxInt64)}, {StrToInt("-9223372036854775808"), Some[int64](math.MinInt64)},
		{StrToInt("9223372036854775808"), Opt[int64]{}},
		{StrToFloat("3.14"), Some(3.14)}, {StrToFloat("42"), Some(42.0)}, {StrToFloat(" 1.5e2 "), Some(150.0)}, {StrToFloat(".5"), Some(0.5)},
		{StrToFloat("5."), Some(5.0)}, {StrToFloat("-INF"), Some(math.Inf(-1))}, {StrToFloat("infinity"), Some(math.Inf(1))},
		{StrToFloat("1e999"), Some(math.Inf(1))}, {StrToFloat("1e-999"), Some(0.0)}, {StrToFloat("0x1p4"), Some(16.0)}, {StrToFloat("0x10"), Some(16.0)}, {StrToFloat("-0xA.8"), Some(-10.5)},
		{StrToFloat(""), Opt[float64]{}}, {StrToFloat("1.2.3"), Opt[float64]{}}, {StrToFloat("1_0.0"), Opt[float64]{}}, {StrToFloat("0x1_0"), Opt[float64]{}},
		{StrToFloat("abc"), Opt[float64]{}}, {StrToFloat("--1"), Opt[float64]{}}, {StrToFloat("1e"), Opt[float64]{}}, {StrToFloat("e5"), Opt[float64]{}}, {StrToFloat("0x"), Opt[float64]{}},
		{StrToFloat("-nan").OK, true}, {StrToFloat("nano").OK, false},
		{Quote("a\"b\\\n\t\r\x00é"), `"a\"b\\\n\t\r\0é"`},
	} {
		if c.got != c.want {
			t.Errorf("got %#v, want %#v", c.got, c.want)
		}
	}
}

func TestNumbers(t *testing.T) {
	for _, c := range []struct{ got, want any }{
		{FloatToInt(3.9), int64(3)}, {FloatToInt(-3.9), int64(-3)}, {FloatToInt(1e300), int64(math.MaxInt64)}, {FloatToInt(-1e300), int64(math.MinInt64)},
		{FloatToInt(math.NaN()), int64(0)}, {FloatToInt(math.Inf(1)), int64(math.MaxInt64)}, {FloatToInt(-1 << 63), int64(math.MinInt64)},
		{FloatToInt(1 << 63), int64(math.MaxInt64)}, {FloatToInt(math.Nextafter(1<<63, 0)), int64(9223372036854774784)},
		{BoolToInt(true), int64(1)}, {BoolToInt(false), int64(0)}, {AbsInt(-5), int64(5)}, {AbsInt(math.MinInt64), int64(math.MinInt64)}, {AbsFloat(-1.5), 1.5},
		{Round(2.5), 3.0}, {Round(-2.5), -3.0}, {ModFloat(-7.5, 2), -1.5}, {PowFloat(2, 0.5), math.Sqrt2}, {Floor(-0.5), -1.0}, {Ceil(0.5), 1.0},
		{Sqrt(9), 3.0}, {ShowFloat(Sqrt(-1)), "nan"}, {ShowFloat(NaN()), "nan"}, {ShowFloat(Inf(false)), "-inf"}, {Inf(true), math.Inf(1)}, {ShowFloat(NegZero()), "-0"},
		{Sin(0), 0.0}, {Cos(0), 1.0}, {Tan(0), 0.0}, {Log(1), 0.0},
		{ShowInt(math.MinInt64), "-9223372036854775808"}, {ShowBool(true), "true"}, {ShowBool(false), "false"}, {ShowByte(255), "255"},
	} {
		if c.got != c.want {
			t.Errorf("got %v, want %v", c.got, c.want)
		}
	}
	for _, c := range []struct{ base, exp, want int64 }{{2, 10, 1024}, {0, 0, 1}, {-3, 3, -27}, {2, 64, 0}, {10, 19, -8446744073709551616}, {7, 1, 7}} {
		if got, err := PowInt(c.base, c.exp); got != c.want || err != nil {
			t.Errorf("pow(%d, %d) = %d, %v", c.base, c.exp, got, err)
		}
	}
	if _, err := PowInt(2, -1); err == nil || err.ErrorText() != `MathError { message: "negative exponent in integer pow" }` {
		t.Errorf("pow(2, -1) raises %v", err)
	}
}

func TestFloatText(t *testing.T) {
	for _, c := range []struct {
		v    float64
		want string
	}{
		{1, "1"}, {3.14, "3.14"}, {0.1 + 0.2, "0.3"}, {1e300, "1e+300"}, {1e17, "1e+17"}, {1e15, "1e+15"}, {1e14, "100000000000000"},
		{123456789012345, "123456789012345"}, {1234567890123456, "1.23456789012346e+15"}, {1e-4, "0.0001"}, {1e-5, "1e-05"}, {1.0 / 3, "0.333333333333333"},
		{math.Copysign(0, -1), "-0"}, {math.Inf(1), "inf"}, {math.Inf(-1), "-inf"}, {math.NaN(), "nan"}, {-2.5e-10, "-2.5e-10"}, {math.MaxFloat64, "1.79769313486232e+308"},
	} {
		if got := ShowFloat(c.v); got != c.want {
			t.Errorf("%s, want %s", got, c.want)
		}
		if v, err := strconv.ParseFloat(c.want, 64); err != nil && !math.IsInf(v, 0) {
			t.Errorf("%s is not a number", c.want)
		}
	}
}

func TestCopier(t *testing.T) {
	type node struct {
		name string
		kids *Array[*node]
		self *node
	}
	var copyNode func(c *Copier, n *node) *node
	copyNode = func(c *Copier, n *node) *node {
		if m, ok := Copied(c, n); ok {
			return m
		}
		m := new(node)
		Remember(c, n, m)
		*m = node{name: n.name, kids: CopyArray(c, n.kids, copyNode), self: copyNode(c, n.self)}
		return m
	}
	single := &node{name: "single"}
	Share(single)
	leaf := &node{name: "leaf", kids: NewArray[*node]()}
	root := &node{name: "root", kids: NewArray(leaf, leaf, single, nil)}
	root.self = root
	c := NewCopier()
	n := copyNode(c, root)
	if n == root || n.self != n || n.kids == root.kids || n.kids.At(0) == leaf || n.kids.At(0) != n.kids.At(1) || n.kids.At(2) != single || n.kids.At(3) != nil {
		t.Errorf("the copy has another shape: %+v", n)
	}
	if copyNode(c, leaf) != n.kids.At(0) {
		t.Error("a copier copies an object twice")
	}
	m := NewMap[string, *node](0).With("k", leaf)
	m2 := CopyMap(c, m, nil, copyNode)
	s := NewSet(1, 2)
	s2 := CopySet(c, s, nil)
	s2.Insert(3)
	b := StrToBytes("a")
	b2 := CopyBytes(c, b)
	b2.Push('b')
	if m2 == m || m2.At("k") != n.kids.At(0) || s.Len() != 2 || b.Len() != 1 || CopyMap(c, m, nil, copyNode) != m2 {
		t.Error("maps, sets or bytes are not copied")
	}
	var counter func(into *Fn[func() string], n *node) *Fn[func() string]
	counter = func(into *Fn[func() string], n *node) *Fn[func() string] {
		into.Call = func() string { return n.name }
		into.Copy = func(c *Copier, into *Fn[func() string]) { counter(into, copyNode(c, n)) }
		return into
	}
	f := counter(new(Fn[func() string]), leaf)
	f2 := CopyFn(c, f)
	leaf.name = "renamed"
	if f == f2 || f.Call() != "renamed" || f2.Call() != "leaf" || CopyFn(c, f) != f2 || CopyFn[func()](c, nil) != nil {
		t.Error("closures are not copied with what they captured")
	}
	add := func(_ *Copier, x int) int { return x + 10 }
	if x := CopySet(c, NewSet(1, 2), add); !x.Contains(11) || x.Contains(1) {
		t.Error("elements of sets are not copied")
	}
	if x := CopyMap(c, NewMap[int, int](0).With(1, 2), add, add); x.At(11) != 12 {
		t.Error("keys and values of maps are not copied")
	}
}
