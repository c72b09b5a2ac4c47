package diag

import "strings"

// The codes of text and tokens.
const (
	UnexpectedCharacter       Code = "P0101" // no token begins so
	IntOutOfRange             Code = "P0102" // an integer beyond 64 bits
	IntTooLarge               Code = "P0103" // an integer beyond 128 bits, or malformed
	BinaryDigits              Code = "P0104" // a binary integer without or with wrong digits
	InvalidNumber             Code = "P0105" // a float with two points
	UnknownEscape             Code = "P0106" // \q
	HexEscape                 Code = "P0107" // \xZ
	UnicodeEscape             Code = "P0108" // \u{}
	LoneBrace                 Code = "P0109" // } in f"..."
	UnterminatedInterpolation Code = "P0110" // { without } in f"..."
	InterpolationTokens       Code = "P0111" // more than an expression in {}
)

// The codes of the grammar.
const (
	UnexpectedToken     Code = "P0201" // expected this, found that
	ExpectedNewline     Code = "P0202" // two statements on one line
	UnexpectedInExpr    Code = "P0203" // a token that begins no expression
	UnexpectedEnd       Code = "P0204" // the end where an expression begins
	ExpectedDeclaration Code = "P0205" // a token that begins no declaration
	LifecycleModifier   Code = "P0206" // scoped or transient on what is no class
	NotPub              Code = "P0207" // pub on an app or a test
	IncompleteModifier  Code = "P0208" // a modifier without a declaration
	ExternWithoutFn     Code = "P0209" // extern without fn
	AppConflict         Code = "P0210" // two apps, or an app and tests in a file
	MixedTests          Code = "P0211" // test and tests in a file
	TestName            Code = "P0212" // a test without a name
	DuplicateTest       Code = "P0213" // two tests of one name
	Scheduler           Code = "P0214" // tests[...] that is not tests[scheduler: S]
	TestsOnly           Code = "P0215" // anything but a test in tests
	SelfAfterMut        Code = "P0216" // mut without self
	AssignTarget        Code = "P0217" // an assignment to what is no place
	ChanExpected        Code = "P0218" // let (a, b) of anything but chan
	SelectForm          Code = "P0219" // an arm of a select in no valid form
	ScopeForm           Code = "P0220" // a scope without seeds or bindings
	MatchArms           Code = "P0221" // arms of a match expression
	SpawnForm           Code = "P0222" // spawn of what is no call of a name
	NestsTooDeeply      Code = "P0223" // more levels than anyone writes
)

// syntaxRules are the rules of text and grammar.
var syntaxRules = []Rule{
	{UnexpectedCharacter, "Every character outside of strings and comments belongs to a token.",
		"Names and operators are ASCII. There are no semicolons, no single quotes and no backslashes: statements end with their line, and strings are in double quotes. A double quote that is not expected begins a string that never ends.",
		"fn main() {\n    print(1);\n}\n",
		"fn main() {\n    print(1)\n}\n"},
	{IntOutOfRange, "An integer fits 64 bits.",
		"Literals reach from 0 to 9223372036854775808, which is the smallest int; larger values need a float.",
		"fn main() {\n    print(9223372036854775809)\n}\n",
		"fn main() {\n    print(9223372036854775807)\n}\n"},
	{IntTooLarge, "An integer literal is made of digits of its base.",
		"After 0x come hexadecimal digits, after 0b binary ones; underscores may only stand between digits. Decimal literals beyond 128 bits are told here, too.",
		"fn main() {\n    print(0xFG)\n}\n",
		"fn main() {\n    print(0xFF)\n}\n"},
	{BinaryDigits, "A binary literal is made of 0 and 1.",
		"After 0b comes at least one digit. There are no octal literals: 017 is seventeen.",
		"fn main() {\n    print(0b102)\n}\n",
		"fn main() {\n    print(0b101)\n}\n"},
	{InvalidNumber, "A number has at most one point.",
		"A range that begins with a float needs parentheses, and is of no use: ranges count in ints.",
		"fn main() {\n    print(1.2.3)\n}\n",
		"fn main() {\n    print(1.23)\n}\n"},
	{UnknownEscape, "A backslash in a string begins an escape.",
		"The escapes are \\n \\r \\t \\\\ \\\" \\0 \\xNN and \\u{H...}. Braces are doubled, not escaped: {{ and }}. In r\"...\" a backslash is only a backslash.",
		"fn main() {\n    print(\"\\d\")\n}\n",
		"fn main() {\n    print(r\"\\d\")\n}\n"},
	{HexEscape, "\\x is followed by two hexadecimal digits.",
		"It stands for the code point of that number, from U+0000 to U+00FF.",
		"fn main() {\n    print(\"\\x4\")\n}\n",
		"fn main() {\n    print(\"\\x41\")\n}\n"},
	{UnicodeEscape, "\\u is followed by one to six hexadecimal digits in braces.",
		"They must be the number of a code point: at most 10FFFF, and no half of a surrogate pair.",
		"fn main() {\n    print(\"\\u00e9\")\n}\n",
		"fn main() {\n    print(\"\\u{e9}\")\n}\n"},
	{LoneBrace, "In an f-string a closing brace belongs to an interpolation.",
		"A brace that is meant as text is doubled.",
		"fn main() {\n    print(f\"a } b\")\n}\n",
		"fn main() {\n    print(f\"a }} b\")\n}\n"},
	{UnterminatedInterpolation, "In an f-string an opening brace begins an interpolation, which ends at the matching brace.",
		"Braces are counted without a look at quotes inside of the expression. A brace that is meant as text is doubled.",
		"fn main() {\n    print(f\"{1\")\n}\n",
		"fn main() {\n    print(f\"{1}\")\n}\n"},
	{InterpolationTokens, "An interpolation is one expression.",
		"There are no format specifiers: what follows a colon in other languages is done by a function here.",
		"fn main() {\n    print(f\"{1:5}\")\n}\n",
		"fn main() {\n    print(f\"{1}\")\n}\n"},

	{UnexpectedToken, "A token stands where the grammar has a place for it.",
		"The message says what would go on from here and what is there instead. Often a bracket is not closed, a comma is missing in a list, or a keyword is used as a name. A result type follows the parameters without an arrow.",
		"fn one() -> int {\n    return 1\n}\nfn main() {\n    print(one())\n}\n",
		"fn one() int {\n    return 1\n}\nfn main() {\n    print(one())\n}\n"},
	{ExpectedNewline, "A statement ends with its line.",
		"Two statements never share a line, except after one that ends in a block. The same holds for fields, invariants, imports and contract clauses.",
		"fn main() {\n    print(1) print(2)\n}\n",
		"fn main() {\n    print(1)\n    print(2)\n}\n"},
	{UnexpectedInExpr, "An expression begins with a value, a name, a prefix operator or an opening bracket.",
		"Functions, classes and the like are only declared at top level; ++ and -- stand after a variable and are statements.",
		"fn main() {\n    print(* 2)\n}\n",
		"fn main() {\n    print(2)\n}\n"},
	{UnexpectedEnd, "An expression is whole before the file or the interpolation ends.",
		"",
		"fn main() {\n    print(f\"{}\")\n}\n",
		"fn main() {\n    print(f\"{{}}\")\n}\n"},
	{ExpectedDeclaration, "A file is made of declarations.",
		"At top level there are imports first, then functions, classes, traits, enums, errors, extern functions, an app and tests; no variables, constants, statements or impl blocks. Stages and systems are reserved words without a meaning.",
		"let limit = 10\nfn main() {\n    print(limit)\n}\n",
		"fn limit() int {\n    return 10\n}\nfn main() {\n    print(limit())\n}\n"},
	{LifecycleModifier, "'scoped' and 'transient' say how long instances of a class live, so only classes have them.",
		"",
		"scoped fn main() {\n}\n",
		"scoped class Session {\n    id: int\n}\nfn main() {\n}\n"},
	{NotPub, "Apps and tests are not part of what a module offers.",
		"They are run, not used: leave 'pub' out.",
		"pub test \"adds\" {\n    expect(1 + 1).to_equal(2)\n}\n",
		"test \"adds\" {\n    expect(1 + 1).to_equal(2)\n}\n"},
	{IncompleteModifier, "A modifier stands before the declaration that it modifies.",
		"'pub' comes first, then 'scoped' or 'transient', then the declaration.",
		"scoped Session {\n}\n",
		"scoped class Session {\n}\nfn main() {\n}\n"},
	{ExternWithoutFn, "'extern' declares functions of the runtime.",
		"There is only 'extern fn name(parameters) Type', without a body.",
		"extern name() int\n",
		"extern fn __pluto_time_ns() int\nfn main() {\n    print(__pluto_time_ns() > 0)\n}\n"},
	{AppConflict, "A file has at most one app, and none beside a 'tests' group.",
		"The app takes the place of 'fn main'; put tests into a file of their own.",
		"app One {\n    fn main(self) {\n    }\n}\napp Two {\n    fn main(self) {\n    }\n}\n",
		"app One {\n    fn main(self) {\n    }\n}\n"},
	{MixedTests, "A file has either bare tests or one 'tests' group.",
		"Move the bare ones into the group, or the group to another file.",
		"test \"a\" {\n}\ntests[scheduler: Sequential] {\n    test \"b\" {\n    }\n}\n",
		"tests[scheduler: Sequential] {\n    test \"a\" {\n    }\n    test \"b\" {\n    }\n}\n"},
	{TestName, "The name of a test is a plain string.",
		"",
		"test adds {\n}\n",
		"test \"adds\" {\n}\n"},
	{DuplicateTest, "The tests of a file have names of their own.",
		"Names are how a test is chosen and reported.",
		"test \"adds\" {\n}\ntest \"adds\" {\n}\n",
		"test \"adds\" {\n}\ntest \"adds again\" {\n}\n"},
	{Scheduler, "A group of tests names its scheduler: tests[scheduler: S].",
		"S is Sequential, RoundRobin, Random or Exhaustive.",
		"tests[scheduler: Fast] {\n    test \"a\" {\n    }\n}\n",
		"tests[scheduler: Random] {\n    test \"a\" {\n    }\n}\n"},
	{TestsOnly, "In a group of tests there are only tests.",
		"Put the functions that they share beside the group.",
		"tests[scheduler: Sequential] {\n    fn one() int {\n        return 1\n    }\n    test \"a\" {\n    }\n}\n",
		"fn one() int {\n    return 1\n}\ntests[scheduler: Sequential] {\n    test \"a\" {\n        expect(one()).to_equal(1)\n    }\n}\n"},
	{SelfAfterMut, "In a list of parameters 'mut' belongs to 'self'.",
		"Other parameters can always be assigned: they are variables of the method.",
		"class C {\n    fn f(mut x: int) {\n        print(x)\n    }\n}\nfn main() {\n}\n",
		"class C {\n    fn f(mut self, x: int) {\n        print(x)\n    }\n}\nfn main() {\n}\n"},
	{AssignTarget, "A variable, a field or an element can be assigned; nothing else.",
		"An assignment is a statement, not a value. The result of a call has no place to be stored at.",
		"fn one() int {\n    return 1\n}\nfn main() {\n    one() = 2\n}\n",
		"fn one() int {\n    return 1\n}\nfn main() {\n    let mut n = one()\n    n = 2\n    print(n)\n}\n"},
	{ChanExpected, "Only a new channel is taken apart by 'let (a, b)'.",
		"There are no tuples: return a class with two fields.",
		"fn main() {\n    let (a, b) = 1\n    print(a + b)\n}\n",
		"fn main() {\n    let (tx, rx) = chan<int>(1)\n    tx.close()\n    for n in rx {\n        print(n)\n    }\n}\n"},
	{SelectForm, "An arm of a select is 'name = channel.recv() { }', 'channel.send(value) { }' or 'default { }'.",
		"There is at least one arm and at most one default. The calls carry no ! or catch: a select without a default raises when all channels are closed.",
		"fn main() {\n    select {\n    }\n}\n",
		"fn main() {\n    select {\n        default {\n        }\n    }\n}\n"},
	{ScopeForm, "A scope block has seeds and bindings: scope(seed) |name: Class| { }.",
		"The seeds are what the scoped objects are built from, the bindings are the objects that the block works with.",
		"scoped class Session {\n    id: int\n}\nfn main() {\n    scope(Session { id: 1 }) || {\n    }\n}\n",
		"scoped class Session {\n    id: int\n}\nfn main() {\n    scope(Session { id: 1 }) |s: Session| {\n        print(s.id)\n    }\n}\n"},
	{MatchArms, "The arms of a match expression are separated by commas, and there is at least one.",
		"Only match statements, whose arms are blocks, do without commas. A literal with braces as the value of an arm needs parentheses.",
		"enum Light {\n    On\n    Off\n}\nfn main() {\n    let l = Light.On\n    print(match l {\n        Light.On => 1\n        Light.Off => 0\n    })\n}\n",
		"enum Light {\n    On\n    Off\n}\nfn main() {\n    let l = Light.On\n    print(match l {\n        Light.On => 1,\n        Light.Off => 0,\n    })\n}\n"},
	{SpawnForm, "What is spawned is the call of a function or of a method of a named object.",
		"Type arguments are inferred. The result of another call goes into a variable first.",
		"fn work() {\n}\nfn main() {\n    let t = spawn work\n    t.get()\n}\n",
		"fn work() {\n}\nfn main() {\n    let t = spawn work()\n    t.get()\n}\n"},
	{NestsTooDeeply, "Expressions, types and blocks nest at most 1000 levels, and chains have at most 10000 links.",
		"Only programs made by programs get there: split the expression, or build the value in a loop.",
		deep(1100), deep(10)},
}

// deep is a program with n parentheses in each other.
func deep(n int) string {
	return "fn main() {\n    print(" + strings.Repeat("(", n) + "1" + strings.Repeat(")", n) + ")\n}\n"
}
