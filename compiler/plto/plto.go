// Package plto is the PLTO container: the binary form of one Pluto module, which carries the
// identities of its declarations next to its text.
//
// # The text is the tree
//
// A file holds the source of the module verbatim, and no syntax tree. The text loses nothing
// (comments, blank lines, the way a number was written), it stays readable when the tree's
// types change, and parsing ten thousand lines of it takes 4 ms, which a stored tree, of many
// times as many records as there are declarations, would need for its decoding and for being
// checked against the text. What a text cannot say is stored beside it: who its
// declarations are, which declarations of other modules it refers to, and, optionally, what
// analysis found out.
//
// # Layout of version 4
//
// Integers of the header are little-endian.
//
//	offset  size  field
//	0       4     magic "PLTO"
//	4       4     version
//	8       4     number of sections
//	12      32    SHA-256 of everything after it
//	44      20×n  the sections, by ascending id: id, flags (bit 0: required), offset, length, CRC-32C
//	...           their contents in the same order, without gaps, up to the end of the file
//
// The source section (id 1) is the text itself, so that it can be read alone. The others are
// records. A record is a list of fields by ascending number: a tag, which is the number times
// two, plus one when a length and so many bytes follow and not just one integer. Integers are
// varints in their shortest form. A field that is zero or empty is left out, except in lists,
// which repeat their number.
//
// The numbers that this version knows are 1 to some n in each record; those above n are of
// later versions. They are kept as they are, and so are sections with other ids. A section
// that is required and unknown makes the file unreadable. There is one encoding of a value:
// [Decode] takes only what [File.Encode] would give back byte for byte.
package plto

import (
	"crypto/sha256"

	"github.com/google/uuid"
)

// Version is the version of the format that is written.
const Version = 4

// File is one module.
type File struct {
	// Module is the identity of the module. It is zero in files of versions that had none.
	Module uuid.UUID
	// Text is the source, which is valid UTF-8.
	Text string
	// Decls are the module's own declarations and their members, in the order of the text:
	// a member comes after what it is a member of.
	Decls []Decl
	// Refs are the declarations of other modules that the text names, each once. Encode sorts them.
	Refs []Ref
	// Derived is what analysis found out; nil when nobody has looked.
	Derived *Derived
	// Sections are those that this version does not know, by ascending id.
	Sections []Section
	// Extra and RefsExtra are unknown fields of the declarations' and of the references' section.
	Extra, RefsExtra Extra
}

// Extra is the fields of a record that this version does not know, as they are in the file.
type Extra string

// Decl is a declaration or a member of one.
type Decl struct {
	ID     uuid.UUID // never zero; no two of a file are equal
	Kind   string    // "function", "field"; never empty
	Name   string    // its own name, not that of its parent; of a test, its text
	Parent int       // the index of what it is a member of, smaller than its own; -1 for none
	Extra  Extra
}

// Ref is a declaration, most often of another module, as it was last seen.
type Ref struct {
	Module string    // its path: "math/vectors.pluto", "std/strings.pluto"; "" for this module
	Decl   uuid.UUID // zero for what has no identity: builtins, things that could not be resolved
	Name   string    // qualified in its module
	Kind   string
	Extra  Extra
}

// Derived is what analysis found out. It says of what: see [File.Fresh].
type Derived struct {
	Source     [sha256.Size]byte // the hash of the text that was analysed
	Compiler   string            // its version
	Interfaces []Interface       // of the modules that it depends on; Encode sorts them by path
	Facts      []Facts           // of declarations; Encode sorts them by index
	Order      []Ref             // the classes that are injected, in the order of their making
	Extra      Extra
}

// Interface is what was seen of another module.
type Interface struct {
	Module string
	Hash   string // any bytes; not empty
	Extra  Extra
}

// Facts is what is known about a declaration. Absent is unknown, and not empty.
type Facts struct {
	Decl         int // its index in Decls; one has facts at most once
	Signature    *Signature
	Errors       *Refs  // what it can raise; sorted by the analysis
	Lifecycle    string // of a class
	Implementors *Refs  // of a trait
	Extra        Extra
}

// Signature is the type of a function, with types in Pluto's syntax.
type Signature struct {
	Params []string // never empty texts
	Return string   // "" for nothing
	Extra  Extra
}

// Fallible says whether a function can raise, if that is known.
func (f *Facts) Fallible() (fallible, known bool) {
	return f.Errors != nil && len(f.Errors.List) > 0, f.Errors != nil
}

// Refs is a list that may be known to be empty.
type Refs struct {
	List  []Ref
	Extra Extra
}

// Section is a section that this version does not know, and may leave alone.
type Section struct {
	ID   uint32 // greater than those of known sections
	Data []byte
}

// HashText is the hash of a text as [Derived] has it.
func HashText(text string) [sha256.Size]byte { return sha256.Sum256([]byte(text)) }

// Fresh says whether what was derived was derived from the text as it is now. Whether other
// modules have changed is for the caller to compare.
func (f *File) Fresh() bool { return f.Derived != nil && f.Derived.Source == HashText(f.Text) }

// Is says whether data is in this form, of whatever version and however damaged.
func Is(data []byte) bool { return len(data) >= len(magic) && string(data[:len(magic)]) == magic }

// Decode reads a file of any version. The errors are of type [*Error]. Files of versions
// before 4 are migrated: their text is all that is taken.
func Decode(data []byte) (*File, error) {
	data, _, err := Migrate(data)
	if err != nil {
		return nil, err
	}
	return decode(data)
}

// Text reads the source alone. It checks no more of the file than it must for that.
func Text(data []byte) (string, error) {
	version, err := header(data)
	if err != nil {
		return "", err
	}
	if version < Version {
		sections, err := legacySections(data)
		return sections[0], err
	}
	return sourceOnly(data)
}

// Encode writes the file. Equal values give equal bytes. It fails when the value is none that
// a file can hold: when it breaks a rule that the fields' comments give.
func (f *File) Encode() ([]byte, error) { return encode(f) }
