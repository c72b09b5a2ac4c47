package plutoapp

import (
	"context"
	"fmt"
	"slices"

	"github.com/settgraph/sett/cmd/internal/params"
)

// The toolsets of Pluto.
const (
	SetEdit    = "edit"    // changes of declarations
	SetBuild   = "build"   // check, run
	SetPluto   = "pluto"   // what only Pluto has
	SetModules = "modules" // the rest of what the two documents name
)

// Tool is a question or an order about Pluto, whoever asks: a tool of the server, a verb
// of the command line.
type Tool struct {
	Name        string
	Title       string
	Description string // first sentence: when to use it
	Set         string
	Hints       Hints
	Aliases     []string // other names of it

	args   func() any
	handle func(ctx context.Context, c *Call, args any) (*Answer, error)
	params *params.Set
}

// Hints are the four that MCP knows.
type Hints struct{ ReadOnly, Destructive, Idempotent, OpenWorld bool }

// What tools do to the world.
var (
	reads  = Hints{ReadOnly: true, Idempotent: true}
	adds   = Hints{}
	breaks = Hints{Destructive: true}
	again  = Hints{Destructive: true, Idempotent: true} // twice is as good as once
	runs   = Hints{Destructive: true, OpenWorld: true}
)

// Args is a new argument struct.
func (t *Tool) Args() any { return t.args() }

// Params are the parameters of the tool.
func (t *Tool) Params() *params.Set { return t.params }

// Writes says whether the tool can change files of the project, which a read-only server
// refuses.
func (t *Tool) Writes() bool { return !t.Hints.ReadOnly && !t.Hints.OpenWorld }

// tool makes a row of the table.
func tool[A any](set, name, title, description string, hints Hints, handle func(context.Context, *Call, *A) (*Answer, error), aliases ...string) *Tool {
	return &Tool{
		Name: name, Title: title, Description: description, Set: set, Hints: hints, Aliases: aliases,
		args: func() any { return new(A) },
		handle: func(ctx context.Context, c *Call, args any) (*Answer, error) {
			return handle(ctx, c, args.(*A))
		},
	}
}

// Tools is THE table of the tools of Pluto.
func Tools() []*Tool {
	tools := slices.Concat(editTools(), buildTools(), plutoTools(), moduleTools())
	for _, t := range tools {
		withParams(t)
	}
	return tools
}

func withParams(t *Tool) *Tool {
	set, err := params.Of(t.args())
	if err != nil { // a test over the table sees to it
		panic(fmt.Sprintf("tool %s: %v", t.Name, err))
	}
	t.params = set
	return t
}

// Lookup finds a tool by its name or another name of it.
func Lookup(name string) *Tool {
	for _, t := range Tools() {
		if t.Name == name || slices.Contains(t.Aliases, name) {
			return t
		}
	}
	return nil
}

func editTools() []*Tool {
	return []*Tool{
		tool(SetEdit, "add_declaration", "Add Pluto declarations",
			"Use to add declarations to a Pluto file, or to start one, without editing text. Answers their ids and what the checker says.",
			adds, addDeclaration),
		tool(SetEdit, "replace_declaration", "Replace a Pluto declaration",
			"Use to give a Pluto declaration another text. Its identity and everything around it stay.",
			breaks, replaceDeclaration),
		tool(SetEdit, "rename_declaration", "Rename a Pluto declaration",
			"Use to rename a Pluto declaration or member with all its uses in the project. Refuses clashes and captures.",
			breaks, renameDeclaration),
		tool(SetEdit, "delete_declaration", "Delete a Pluto declaration",
			"Use to remove a Pluto declaration or member. Refuses, and lists the uses, when something uses it.",
			breaks, deleteDeclaration),
		tool(SetEdit, "move_declaration", "Move a Pluto declaration",
			"Use to move a Pluto declaration to another file, with the imports that this needs.",
			breaks, moveDeclaration),
		tool(SetEdit, "add_method", "Add a Pluto method",
			"Use to add a method to a Pluto class, trait or app.",
			adds, addMethod),
		tool(SetEdit, "add_field", "Add a Pluto field",
			"Use to add a field to a Pluto class, error or variant. Says which literals lack it now.",
			adds, addField),
		tool(SetEdit, "undo", "Undo an edit",
			"Use to take back the last edit of Pluto files, of this session or an earlier one.",
			breaks, undo),
		tool(SetEdit, "save", "Save staged edits",
			"Use to write staged edits to disk, all or none.",
			again, save),
		tool(SetEdit, "discard", "Discard staged edits",
			"Use to drop staged edits that were not saved.",
			again, discard),
	}
}

func buildTools() []*Tool {
	return []*Tool{
		tool(SetBuild, "check", "Check Pluto",
			"Use after edits: all errors and warnings of the Pluto project, staged edits seen, or of one file.",
			reads, checkProject),
		tool(SetBuild, "build", "Build a Pluto program",
			"Use to make an executable of a Pluto program, by default below .pluto-build.",
			Hints{Idempotent: true}, compile),
		tool(SetBuild, "run", "Run a Pluto program",
			"Use to run a Pluto program and see its output and exit code, staged edits seen. 10 s unless told otherwise.",
			runs, run),
		tool(SetBuild, "test", "Run Pluto tests",
			"Use to run the tests of a Pluto file, or of all below a folder: counts, and output of those that failed.",
			runs, test),
	}
}

func plutoTools() []*Tool {
	return []*Tool{
		tool(SetPluto, "error_set", "Errors of a function",
			"Use to know which errors can leave a Pluto function, and where each comes from.",
			reads, errorSet, "errors"),
		tool(SetPluto, "constructors_of", "Where a class is built",
			"Use to find every literal of a Pluto class.",
			reads, constructorsOf),
		tool(SetPluto, "enum_usages_of", "Uses of an enum",
			"Use to find where a Pluto enum or variant is built and matched.",
			reads, enumUsagesOf),
		tool(SetPluto, "raise_sites_of", "Where an error is raised",
			"Use to find where a Pluto error is raised and caught.",
			reads, raiseSitesOf),
		tool(SetPluto, "generate_pt", "Generate .pt views",
			"Use to write the text views (.pt) of binary Pluto modules for people.",
			again, generatePT),
		tool(SetPluto, "sync_pt", "Sync a .pt view back",
			"Use after a .pt file was edited: brings the edits into its .pluto file; identities stay.",
			breaks, syncPT),
		tool(SetPluto, "pretty_print", "Lay out Pluto source",
			"Use to see a Pluto file or declaration in the standard layout, with UUIDs on request.",
			reads, prettyPrint),
		tool(SetPluto, "analyze", "Analyze Pluto",
			"Use to check Pluto modules and refresh what binary ones hold of it.",
			again, analyze),
		tool(SetPluto, "docs", "Pluto language docs",
			"Use before writing Pluto: the language by topic, or by search. Without a topic, all topics.",
			reads, docs),
		tool(SetPluto, "stdlib_docs", "Pluto library docs",
			"Use to look up a module or function of Pluto's standard library.",
			reads, stdlibDocs),
		tool(SetPluto, "explain", "Explain an error code",
			"Use to understand an error code of the Pluto checker: rule, wrong program, fix.",
			reads, explain),
	}
}

func moduleTools() []*Tool {
	return []*Tool{
		tool(SetModules, "load_project", "Load a Pluto project",
			"Use to switch to another project folder, or for an overview of modules and imports. Nothing needs it: other tools load by themselves.",
			reads, loadProject),
		tool(SetModules, "load_module", "Load a Pluto module",
			"Use for a summary of one Pluto file: counts, declarations, errors.",
			reads, loadModule),
		tool(SetModules, "list_modules", "List Pluto modules",
			"Use to see which Pluto files there are, with counts of what they declare.",
			reads, listModules),
		tool(SetModules, "list_declarations", "List Pluto declarations",
			"Use to see what a Pluto file declares: signature, id and lines of each.",
			reads, listDeclarations),
		tool(SetModules, "get_declaration", "Show a Pluto declaration",
			"Use for everything about one Pluto declaration: signature, errors, members with ids, source.",
			reads, getDeclaration, "inspect"),
		tool(SetModules, "find_declaration", "Find Pluto declarations",
			"Use to find Pluto declarations by name in the whole project.",
			reads, findDeclaration),
		tool(SetModules, "callers_of", "Callers of a function",
			"Use to find every call of a Pluto function or method.",
			reads, callersOf),
		tool(SetModules, "usages_of", "All uses of a declaration",
			"Use to find every use of a Pluto declaration with its kind: call, construct, raise, type_ref and so on.",
			reads, usagesOf, "xrefs"),
		tool(SetModules, "reload_module", "Reload a Pluto module",
			"Use after somebody else changed a file, to see what changed in it. Identities stay.",
			again, reloadModule),
		tool(SetModules, "module_status", "State of Pluto modules",
			"Use to see which Pluto files have staged edits or changed on disk.",
			reads, moduleStatus),
		tool(SetModules, "compile", "Compile a Pluto program",
			"Use to make an executable of a Pluto program, by default below .pluto-build.",
			Hints{Idempotent: true}, compile),
		tool(SetModules, "create_module", "Create a Pluto file",
			"Use to make a new Pluto file, with or without declarations.",
			adds, createModule),
		tool(SetModules, "rename_module", "Rename a Pluto file",
			"Use to rename or move a Pluto file with all imports of it.",
			breaks, renameModule),
		tool(SetModules, "delete_module", "Delete a Pluto file",
			"Use to delete a Pluto file. Refuses when something uses it.",
			breaks, deleteModule),
		tool(SetModules, "redo", "Redo an edit",
			"Use to bring back the edit that undo took back.",
			breaks, redo),
		tool(SetModules, "history", "History of edits",
			"Use to see the edits that undo and redo go through.",
			reads, history),
		tool(SetModules, "migrate", "Change the form of Pluto files",
			"Use to turn Pluto text files into binary ones or back; text and identities stay.",
			again, migrate),
	}
}
