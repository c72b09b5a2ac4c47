package plutoapp

// The arguments of the tools. Tags are those of package params; every old spelling of a
// parameter is an alias of it.

// common is what every tool takes beside its own arguments.
type common struct {
	Format  string `json:"format" enum:"lines,json" cli:"-" help:"lines or json"`
	Project string `json:"project_path" cli:"-" help:"folder of another project"`
	Stdlib  string `json:"stdlib" help:"use the standard library in this folder"`
}

// which names a declaration.
type which struct {
	Symbol string `json:"symbol" pos:"0" alias:"id,uuid,name,target_id,class_id,class_name,old_name" help:"handle, name, file:line or UUID"`
	Path   string `json:"path" short:"p" alias:"module,module_path" help:"only in this file or folder"`
}

// page is how much of a long list to show.
type page struct {
	Limit  int    `json:"limit" short:"n" help:"show at most this many"`
	Cursor string `json:"cursor" help:"go on where a cut answer said"`
}

// writing is how an edit is made.
type writing struct {
	DryRun bool `json:"dry_run" help:"answer with the diff and change nothing"`
	Staged bool `json:"staged" cli:"-" help:"keep the edit in memory until save"`
	Save   bool `json:"save" cli:"-" help:"write at once although edits are staged"`
}

type noArgs struct{ common }

type listModulesArgs struct {
	Path string `json:"path" pos:"0?" help:"only below this folder"`
	page
	common
}

type listDeclarationsArgs struct {
	Path       string `json:"path" pos:"0" alias:"module,module_path" help:"file"`
	Kind       string `json:"kind" short:"k" help:"function, class, enum, trait, error, app, test or extern"`
	Visibility string `json:"visibility" enum:"pub,private,all" help:"pub, private or all"`
	page
	common
}

type getDeclarationArgs struct {
	which
	common
}

type findDeclarationArgs struct {
	Name  string `json:"name" pos:"0" alias:"symbol,query,pattern" help:"name"`
	Kind  string `json:"kind" short:"k" help:"only this kind"`
	Match string `json:"match" enum:"exact,prefix,substring,fuzzy" default:"exact" help:"how names are compared"`
	Path  string `json:"path" short:"p" alias:"module,module_path" help:"only in this file or folder"`
	page
	common
}

type getSourceArgs struct {
	Symbol    string `json:"symbol" pos:"0?" alias:"id,uuid,name" help:"handle, name, file:line or UUID"`
	Path      string `json:"path" short:"p" alias:"module,module_path" help:"file"`
	Start     int    `json:"start" default:"-1" help:"first byte, from 0"`
	End       int    `json:"end" default:"-1" help:"byte after the last"`
	StartLine int    `json:"start_line" help:"first line, from 1"`
	EndLine   int    `json:"end_line" help:"last line"`
	common
}

// usesArgs ask who uses a declaration.
type usesArgs struct {
	which
	page
	common
}

type callGraphArgs struct {
	which
	Direction string `json:"direction" enum:"callees,callers" default:"callees" help:"callees or callers"`
	Depth     int    `json:"depth" short:"d" alias:"max_depth" help:"how many calls deep, at most 20"`
	Limit     int    `json:"limit" short:"n" help:"at most this many nodes"`
	common
}

type addDeclarationArgs struct {
	Path     string `json:"path" pos:"0" alias:"module,module_path" help:"file; it is made if there is none"`
	Source   string `json:"source" pos:"1" help:"one or more declarations; imports are merged"`
	Position string `json:"position" help:"end, before:X or after:X"`
	writing
	common
}

type replaceDeclarationArgs struct {
	which
	Source string `json:"source" pos:"1" help:"the whole declaration, of the same kind"`
	writing
	common
}

type renameDeclarationArgs struct {
	which
	NewName string `json:"new_name" pos:"1" help:"new name"`
	Scope   string `json:"scope" enum:"project,file" default:"project" help:"file: leave other files alone"`
	writing
	common
}

type deleteDeclarationArgs struct {
	which
	Force bool `json:"force" short:"f" help:"also when something uses it"`
	writing
	common
}

type moveDeclarationArgs struct {
	Symbol   string `json:"symbol" pos:"0" alias:"id,uuid,name" help:"handle, name, file:line or UUID"`
	To       string `json:"to" pos:"1" alias:"to_path,target_path,new_path" help:"file to move it to"`
	Path     string `json:"path" short:"p" alias:"module,module_path,from" help:"the file that it is in"`
	Position string `json:"position" help:"end, before:X or after:X"`
	writing
	common
}

type addMethodArgs struct {
	Symbol   string `json:"symbol" pos:"0" alias:"class_id,class_name,id,uuid,target_id,class,name" help:"class, trait or app"`
	Source   string `json:"source" pos:"1" help:"the method, with self"`
	Path     string `json:"path" short:"p" alias:"module,module_path" help:"file"`
	Position string `json:"position" help:"end, before:X or after:X"`
	writing
	common
}

type addFieldArgs struct {
	Symbol   string `json:"symbol" pos:"0" alias:"target_id,class_id,class_name,id,uuid,class" help:"class, error or variant"`
	Name     string `json:"field_name" pos:"1" alias:"name" help:"name of the field"`
	Type     string `json:"field_type" pos:"2" alias:"type" help:"its type"`
	Injected bool   `json:"injected" help:"a dependency in brackets"`
	Path     string `json:"path" short:"p" alias:"module,module_path" help:"file"`
	Position string `json:"position" help:"end, before:X or after:X"`
	writing
	common
}

type createModuleArgs struct {
	Path   string `json:"path" pos:"0" alias:"module" help:"file"`
	Source string `json:"source" pos:"1?" help:"its text"`
	writing
	common
}

type renameModuleArgs struct {
	Path string `json:"path" pos:"0" alias:"module,old_path" help:"file"`
	To   string `json:"to" pos:"1" alias:"new_path,new_name" help:"its new path"`
	writing
	common
}

type deleteModuleArgs struct {
	Path  string `json:"path" pos:"0" alias:"module" help:"file"`
	Force bool   `json:"force" short:"f" help:"also when something uses it"`
	writing
	common
}

type saveArgs struct {
	Path string `json:"path" pos:"0?" alias:"module" help:"only this file"`
	common
}

type historyArgs struct {
	page
	common
}

type checkArgs struct {
	Path string `json:"path" pos:"0?" help:"file or folder; everything by default"`
	page
	common
}

// building is what the tools that build a program take.
type building struct {
	Path       string `json:"path" pos:"0?" alias:"entry,module" help:"file, or folder with a main.pluto"`
	Standalone bool   `json:"standalone" help:"leave out the other files of the folder"`
}

type compileArgs struct {
	building
	Output string `json:"output" short:"o" help:"file to write, in the project"`
	Target string `json:"target" help:"wasm32-wasi, or a pair like linux/arm64"`
	common
}

// running is how a program is run.
type running struct {
	Timeout   float64 `json:"timeout" help:"seconds"`
	TimeoutMS int     `json:"timeout_ms" help:"milliseconds"`
	Cwd       string  `json:"cwd" help:"folder to run in, in the project"`
}

type runArgs struct {
	building
	Args  []string `json:"args" help:"arguments of the program"`
	Stdin string   `json:"stdin" help:"standard input"`
	running
	common
}

type testArgs struct {
	building
	Filter string `json:"filter" help:"only tests whose names contain this"`
	running
	common
}

type analyzeArgs struct {
	Path string `json:"path" pos:"0?" help:"file; everything by default"`
	common
}

type generatePTArgs struct {
	Path  string `json:"path" pos:"0?" alias:"pluto_path" help:"file; everything by default"`
	Check bool   `json:"check" help:"only say which views are old"`
	Force bool   `json:"force" short:"f" help:"also over views that were edited"`
	writing
	common
}

type syncPTArgs struct {
	Path  string `json:"path" pos:"0?" alias:"pt_path" help:"the .pt file; all by default"`
	Pluto string `json:"pluto_path" help:"the .pluto file, when it has another name"`
	Check bool   `json:"check" help:"only say what is out of sync"`
	Force bool   `json:"force" short:"f" help:"also when both sides changed"`
	writing
	common
}

type migrateArgs struct {
	Path  string `json:"path" pos:"0?" help:"file or folder; everything by default"`
	To    string `json:"to" enum:"binary,text" default:"binary" help:"binary or text"`
	Hints bool   `json:"include_uuid_hints" help:"to text: write ids that do not follow from names as comments"`
	writing
	common
}

type prettyPrintArgs struct {
	Symbol string `json:"symbol" pos:"0?" alias:"id,uuid,name" help:"handle, name, file:line or UUID"`
	Path   string `json:"path" short:"p" alias:"module,module_path" help:"file"`
	Hints  bool   `json:"include_uuid_hints" help:"with a comment of the UUID above each declaration"`
	common
}

type loadProjectArgs struct {
	Path string `json:"path" pos:"0?" alias:"root" help:"folder of the project"`
	common
}

type modulePathArgs struct {
	Path string `json:"path" pos:"0" alias:"module" help:"file"`
	common
}

type reloadModuleArgs struct {
	Path  string `json:"path" pos:"0" alias:"module" help:"file"`
	Force bool   `json:"force" short:"f" help:"drop edits that are not saved"`
	common
}

type docsArgs struct {
	Topic string `json:"topic" pos:"0?" help:"topic, std.module or error code; all topics by default"`
	Query string `json:"query" help:"words to search for"`
	common
}

type stdlibDocsArgs struct {
	Module string `json:"module" pos:"0?" alias:"name" help:"strings, or strings.join; all modules by default"`
	common
}

type explainArgs struct {
	Code string `json:"code" pos:"0?" alias:"word,query" help:"P0401, or a word; all by default"`
	common
}
