// Package indexer turns the files of a project into facts.
//
//	Scan    which files there are, by content: files.go, ignore.go, cache.go
//	Update  which units they form, which of those changed, and their facts:
//	        index.go, delta.go, state.go
//
// The same files give the same facts and the same [State], byte for byte, whatever the
// number of workers, and whether they are indexed at once or edit by edit. A language is
// one folder in lang and one line in languages.go.
//
// The package reads the project and writes nothing: what it wants to know next time, it
// gives to its caller as bytes.
package indexer
