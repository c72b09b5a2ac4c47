package diag

// Modules, packages and their manifests.
const (
	NoModule        Code = "P1201"
	NoModulePath    Code = "P1202"
	AmbiguousImport Code = "P1203"
	BindingConflict Code = "P1204"
	CircularImport  Code = "P1205"
	NoStdlib        Code = "P1206"
	AppInModule     Code = "P1207"
	ManyApps        Code = "P1208"
	EmptyModule     Code = "P1209"
	PrivateItem     Code = "P1210"
	DamagedBinary   Code = "P1212"
	UnreadableFile  Code = "P1213"
	NewerBinary     Code = "P1214"
	BadManifest     Code = "P1220"
	NoPackage       Code = "P1221"
	NoPackageName   Code = "P1222"
	BadDepName      Code = "P1223"
	NoDepPath       Code = "P1224"
	BadDepSource    Code = "P1225"
	BadDepRef       Code = "P1226"
	CircularPackage Code = "P1227"
	GitFailed       Code = "P1228"
	BadLock         Code = "P1229"
)

// Lowering and linking.
const (
	NoMain           Code = "P1401"
	DuplicateDefault Code = "P1402"
	NoToEqual        Code = "P1403"
	NoGoToolchain    Code = "P1404"
	UnknownTarget    Code = "P1405"
	UnknownExtern    Code = "P1406"
)

// The examples that need several files separate them as txtar archives do.
var moduleRules = []Rule{
	{
		Code:  NoModule,
		Title: "An import names a module that is there.",
		Text: "`import a` looks for a dependency a of pluto.toml, then for a folder a and a file a.pluto or a.pt beside\n" +
			"the importing module, and for the entry of a program also in .deps/a. `import std.a` looks in the standard library.",
		Wrong: "import greting\n\nfn main() {\n    print(1)\n}\n",
		Right: "-- main.pluto --\nimport greeting\n\nfn main() {\n    print(greeting.text())\n}\n" +
			"-- greeting.pluto --\npub fn text() string {\n    return \"hello\"\n}\n",
	},
	{
		Code:  NoModulePath,
		Title: "A dotted import goes through folders.",
		Text:  "In `import a.b.c` every segment but the last is a folder, each inside the one before it.",
		Wrong: "-- main.pluto --\nimport util.text\n\nfn main() {\n    print(1)\n}\n" +
			"-- util.pluto --\npub fn text() int {\n    return 1\n}\n",
		Right: "-- main.pluto --\nimport util.text\n\nfn main() {\n    print(text.one())\n}\n" +
			"-- util/text.pluto --\npub fn one() int {\n    return 1\n}\n",
	},
	{
		Code:  AmbiguousImport,
		Title: "A dependency and a module of the project have different names.",
		Text:  "An import must not mean one thing today and another when somebody adds a file. Rename the dependency in pluto.toml, or the file.",
		Wrong: "-- main.pluto --\nimport util\n\nfn main() {\n    print(util.one())\n}\n" +
			"-- util.pluto --\npub fn one() int {\n    return 1\n}\n" +
			"-- pluto.toml --\n[package]\nname = \"app\"\n[dependencies]\nutil = { path = \"lib\" }\n" +
			"-- lib/lib.pluto --\npub fn one() int {\n    return 1\n}\n",
		Right: "-- main.pluto --\nimport util\n\nfn main() {\n    print(util.one())\n}\n" +
			"-- pluto.toml --\n[package]\nname = \"app\"\n[dependencies]\nutil = { path = \"lib\" }\n" +
			"-- lib/lib.pluto --\npub fn one() int {\n    return 1\n}\n",
	},
	{
		Code:  BindingConflict,
		Title: "Imports of different modules introduce different names.",
		Text:  "The last segment of an import is the name that stands for the module. Give one of the two another name with `as`.",
		Wrong: "-- main.pluto --\nimport a.text\nimport b.text\n\nfn main() {\n    print(1)\n}\n" +
			"-- a/text.pluto --\npub fn f() int {\n    return 1\n}\n-- b/text.pluto --\npub fn f() int {\n    return 2\n}\n",
		Right: "-- main.pluto --\nimport a.text\nimport b.text as other\n\nfn main() {\n    print(text.f() + other.f())\n}\n" +
			"-- a/text.pluto --\npub fn f() int {\n    return 1\n}\n-- b/text.pluto --\npub fn f() int {\n    return 2\n}\n",
	},
	{
		Code:  CircularImport,
		Title: "Modules do not import each other in a circle.",
		Text:  "A module is complete before another uses it. Move what both need into a third module, or put the two into one.",
		Wrong: "-- main.pluto --\nimport a\n\nfn main() {\n    print(a.f())\n}\n" +
			"-- a.pluto --\nimport b\n\npub fn f() int {\n    return b.g()\n}\n" +
			"-- b.pluto --\nimport a\n\npub fn g() int {\n    return 1\n}\n",
		Right: "-- main.pluto --\nimport a\n\nfn main() {\n    print(a.f())\n}\n" +
			"-- a.pluto --\nimport b\n\npub fn f() int {\n    return b.g()\n}\n" +
			"-- b.pluto --\npub fn g() int {\n    return 1\n}\n",
	},
	{
		Code:  NoStdlib,
		Title: "The folder that replaces the standard library is there.",
		Text:  "--stdlib and PLUTO_STDLIB replace the standard library of sett by a folder. Without them nothing is needed.",
	},
	{
		Code:  AppInModule,
		Title: "An imported module declares no app.",
		Text:  "A program has one app, and it belongs to the entry of the program.",
		Wrong: "-- main.pluto --\nimport shop\n\nfn main() {\n    print(1)\n}\n" +
			"-- shop.pluto --\napp Shop {\n    fn main(self) {\n    }\n}\n",
		Right: "-- main.pluto --\nimport shop\n\nfn main() {\n    print(shop.price())\n}\n" +
			"-- shop.pluto --\npub fn price() int {\n    return 1\n}\n",
	},
	{
		Code:  ManyApps,
		Title: "A program has at most one app.",
		Text:  "The files beside the entry belong to the program, so they share its one app. --standalone compiles the entry alone.",
		Wrong: "-- main.pluto --\napp A {\n    fn main(self) {\n    }\n}\n-- other.pluto --\napp B {\n    fn main(self) {\n    }\n}\n",
		Right: "-- main.pluto --\napp A {\n    fn main(self) {\n        print(one())\n    }\n}\n-- other.pluto --\nfn one() int {\n    return 1\n}\n",
	},
	{
		Code:  EmptyModule,
		Title: "The folder of a module has a source file.",
		Text:  "Importing a folder imports the .pluto and .pt files that are directly in it. Those of a folder below it are imported with a dot: `import a.b`.",
		Wrong: "-- main.pluto --\nimport util\n\nfn main() {\n    print(1)\n}\n-- util/README --\nnothing yet\n",
		Right: "-- main.pluto --\nimport util\n\nfn main() {\n    print(util.one())\n}\n-- util/one.pluto --\npub fn one() int {\n    return 1\n}\n",
	},
	{
		Code:  PrivateItem,
		Title: "What is used from another module is public there.",
		Text:  "Other modules see the declarations that start with `pub`.",
		Wrong: "-- main.pluto --\nimport util\n\nfn main() {\n    print(util.one())\n}\n-- util.pluto --\nfn one() int {\n    return 1\n}\n",
		Right: "-- main.pluto --\nimport util\n\nfn main() {\n    print(util.one())\n}\n-- util.pluto --\npub fn one() int {\n    return 1\n}\n",
	},
	{
		Code:  DamagedBinary,
		Title: "A binary source file is as it was written.",
		Text: "A file that begins with the letters PLTO is a module in the binary form, which holds its text and who its\n" +
			"declarations are. What is in it is checksummed; the message says which part is damaged, and where. Take the\n" +
			"file from version control, or write it anew from its .pt file.",
		Wrong: "-- main.pluto --\nPLTO, cut off\n",
		Right: "-- main.pluto --\nfn main() {\n    print(1)\n}\n",
	},
	{
		Code:  UnreadableFile,
		Title: "A source file can be read.",
		Text:  "The message ends with what the system says about it.",
	},
	{
		Code:  NewerBinary,
		Title: "A binary source file is of a version that this compiler reads.",
		Text: "A file that begins with the letters PLTO is a module in the binary form, and has the version of that form after\n" +
			"them. Versions 2 to 4 are read. Use the version of sett that wrote the file, or a later one.",
		Wrong: "-- main.pluto --\nPLTO and what a later version has here\n",
		Right: "-- main.pluto --\nfn main() {\n    print(1)\n}\n",
	},
	{
		Code:  BadManifest,
		Title: "pluto.toml is a manifest in TOML.",
		Text:  "A manifest is a TOML file with a table [package] and, when there are any, a table [dependencies].",
		Wrong: "-- main.pluto --\nfn main() {\n    print(1)\n}\n-- pluto.toml --\n[package\nname = \"app\"\n",
		Right: "-- main.pluto --\nfn main() {\n    print(1)\n}\n-- pluto.toml --\n[package]\nname = \"app\"\n",
	},
	{
		Code:  NoPackage,
		Title: "pluto.toml has a table [package].",
		Text:  "The table says what the package is called: name = \"...\". A version is optional.",
		Wrong: "-- main.pluto --\nfn main() {\n    print(1)\n}\n-- pluto.toml --\n[dependencies]\n",
		Right: "-- main.pluto --\nfn main() {\n    print(1)\n}\n-- pluto.toml --\n[package]\nname = \"app\"\n",
	},
	{
		Code:  NoPackageName,
		Title: "A package has a name.",
		Text:  "The table [package] of pluto.toml needs a line name = \"...\" that is not empty.",
		Wrong: "-- main.pluto --\nfn main() {\n    print(1)\n}\n-- pluto.toml --\n[package]\nname = \" \"\n",
		Right: "-- main.pluto --\nfn main() {\n    print(1)\n}\n-- pluto.toml --\n[package]\nname = \"app\"\n",
	},
	{
		Code:  BadDepName,
		Title: "An import can say the name of a dependency.",
		Text:  "The name of a dependency is the first segment of imports from it: letters, digits and underscores, no keyword, and not std.",
		Wrong: "-- main.pluto --\nfn main() {\n    print(1)\n}\n-- pluto.toml --\n[package]\nname = \"app\"\n[dependencies]\nstd = { path = \"lib\" }\n-- lib/lib.pluto --\n\n",
		Right: "-- main.pluto --\nfn main() {\n    print(1)\n}\n-- pluto.toml --\n[package]\nname = \"app\"\n[dependencies]\nlib = { path = \"lib\" }\n-- lib/lib.pluto --\n\n",
	},
	{
		Code:  NoDepPath,
		Title: "The folder of a dependency is there.",
		Text:  "The path of a dependency is relative to the folder of the pluto.toml that names it.",
		Wrong: "-- main.pluto --\nfn main() {\n    print(1)\n}\n-- pluto.toml --\n[package]\nname = \"app\"\n[dependencies]\nutil = { path = \"util\" }\n",
		Right: "-- main.pluto --\nfn main() {\n    print(1)\n}\n-- pluto.toml --\n[package]\nname = \"app\"\n[dependencies]\nutil = { path = \"lib/util\" }\n-- lib/util/util.pluto --\n\n",
	},
	{
		Code:  BadDepSource,
		Title: "A dependency comes from a path or from git.",
		Text:  "A dependency has a path (a folder of this machine) or a git URL.",
		Wrong: "-- main.pluto --\nfn main() {\n    print(1)\n}\n-- pluto.toml --\n[package]\nname = \"app\"\n[dependencies]\nutil = {}\n",
		Right: "-- main.pluto --\nfn main() {\n    print(1)\n}\n-- pluto.toml --\n[package]\nname = \"app\"\n[dependencies]\nutil = { path = \"lib\" }\n-- lib/lib.pluto --\n\n",
	},
	{
		Code:  BadDepRef,
		Title: "A git dependency has at most one of rev, tag and branch; a path has none.",
		Text:  "A git dependency has one of rev, tag and branch, or none for the default branch; a path has none.",
		Wrong: "-- main.pluto --\nfn main() {\n    print(1)\n}\n-- pluto.toml --\n[package]\nname = \"app\"\n[dependencies]\nutil = { path = \"lib\", tag = \"v1\" }\n-- lib/lib.pluto --\n\n",
		Right: "-- main.pluto --\nfn main() {\n    print(1)\n}\n-- pluto.toml --\n[package]\nname = \"app\"\n[dependencies]\nutil = { path = \"lib\" }\n-- lib/lib.pluto --\n\n",
	},
	{
		Code:  CircularPackage,
		Title: "Packages do not depend on each other in a circle.",
		Text:  "Put what both need into a third package.",
		Wrong: "-- main.pluto --\nfn main() {\n    print(1)\n}\n-- pluto.toml --\n[package]\nname = \"app\"\n[dependencies]\nlib = { path = \"lib\" }\n" +
			"-- lib/lib.pluto --\n\n-- lib/pluto.toml --\n[package]\nname = \"lib\"\n[dependencies]\nshop = { path = \"..\" }\n",
		Right: "-- main.pluto --\nfn main() {\n    print(1)\n}\n-- pluto.toml --\n[package]\nname = \"app\"\n[dependencies]\nlib = { path = \"lib\" }\n" +
			"-- lib/lib.pluto --\n\n-- lib/pluto.toml --\n[package]\nname = \"lib\"\n",
	},
	{
		Code:  GitFailed,
		Title: "Git gives the commit of a dependency.",
		Text: "The message ends with what git says. Nothing is asked at the terminal: credentials must come from git's own configuration.\n" +
			"Commits that were used before are in the cache and need no network.",
	},
	{
		Code:  BadLock,
		Title: "pluto.lock is what sett wrote.",
		Text: "sett writes the file; it says which commit each git dependency has, so that everybody builds the same.\n" +
			"Take it from version control again, or remove it to have a new one written.",
		Wrong: "-- main.pluto --\nfn main() {\n    print(1)\n}\n-- pluto.toml --\n[package]\nname = \"app\"\n-- pluto.lock --\nversion = 99\n",
		Right: "-- main.pluto --\nfn main() {\n    print(1)\n}\n-- pluto.toml --\n[package]\nname = \"app\"\n-- pluto.lock --\nversion = 1\n",
	},
	{
		Code:  NoMain,
		Title: "A program that is to run has a main function or an app.",
		Text:  "A program that is to run needs `fn main()` or an app. A file without one can be checked, tested and imported.",
	},
	{
		Code:  UnknownExtern,
		Title: "An extern names a function of the runtime, with that function's types.",
		Text: "`extern fn` declares a function of Pluto's runtime under the runtime's name and with its parameters and result.\n" +
			"Most programs need none: the standard library has declared those that there are.",
	},
	{
		Code:  DuplicateDefault,
		Title: "At most one of the traits of a class has a body for a method that the class lacks.",
		Text:  "Each trait has a body for the method, and the class has none of its own that would decide. Write the method in the class.",
		Wrong: "trait A {\n    fn work(self) int {\n        return 1\n    }\n}\n\ntrait B {\n    fn work(self) int {\n        return 2\n    }\n}\n\n" +
			"class C impl A, B {\n}\n\nfn main() {\n    let c = C {}\n    print(c.work())\n}\n",
		Right: "trait A {\n    fn work(self) int {\n        return 1\n    }\n}\n\ntrait B {\n    fn work(self) int {\n        return 2\n    }\n}\n\n" +
			"class C impl A, B {\n    fn work(self) int {\n        return 3\n    }\n}\n\nfn main() {\n    let c = C {}\n    print(c.work())\n}\n",
	},
	{
		Code:  NoToEqual,
		Title: "to_equal compares ints, floats, bools, strings and bytes.",
		Text:  "to_equal is for int, float, bool, string and byte. Compare the parts of other values, or write expect(a == b).to_be_true().",
		Wrong: "class P {\n    x: int\n}\n\nfn main() {\n    let p = P { x: 1 }\n    expect(p).to_equal(p)\n}\n",
		Right: "class P {\n    x: int\n}\n\nfn main() {\n    let p = P { x: 1 }\n    expect(p.x).to_equal(1)\n}\n",
	},
	{
		Code:  NoGoToolchain,
		Title: "Building needs the Go toolchain.",
		Text: "Programs become Go text, which the go command builds. Install Go from https://go.dev/dl and put it into PATH.\n" +
			"Checking, formatting and questions need no Go.",
	},
	{
		Code:  UnknownTarget,
		Title: "A target is a system that Go knows.",
		Text:  "--target takes wasm32-wasi or a pair of a system and a processor that Go knows, like linux/arm64. `go tool dist list` lists them.",
	},
}
