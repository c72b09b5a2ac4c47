// Package pluto reads and edits Pluto projects: what their declarations are, who uses them,
// what the compiler says, and transactions that change several files at once, with undo.
//
// A [Project] is a folder. [Project.View] is what it is at this moment: the files on disk,
// with edits that are staged in memory over them. A View does not change any more, so all its
// answers agree. Declarations have ids that last over edits, renames, moves and restarts.
//
// [Project.Edit] runs a function that edits through a [Tx]; each operation sees those before
// it. When the function returns without an error, all files change or, after a crash too,
// none. Comments and everything that was not asked to change stay byte for byte.
//
// What goes wrong is an *[Error] with a [Code] whenever the caller can do something about it.
package pluto
