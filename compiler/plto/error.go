package plto

import "fmt"

// Kind is what is wrong with a file.
type Kind uint8

const (
	Damaged Kind = iota // it is not as it was written
	TooNew              // a later version wrote it, and reading it without knowing how would be wrong
	NotPLTO             // it does not begin with PLTO
	Invalid             // a value that no file can hold was to be written
)

// Error says what is wrong with a file, and where.
type Error struct {
	Kind    Kind
	Section string // "header", "source", "declarations", "references", "derived", "section 70"; "" for the whole file
	Offset  int    // in the file, in bytes; -1 when there is no one place
	Text    string
}

func (e *Error) Error() string {
	switch {
	case e.Section == "":
		return e.Text
	case e.Offset < 0:
		return e.Section + ": " + e.Text
	}
	return fmt.Sprintf("%s at byte %d: %s", e.Section, e.Offset, e.Text)
}

// whole is an error of the file as a whole.
func whole(kind Kind, format string, args ...any) *Error {
	return &Error{kind, "", -1, fmt.Sprintf(format, args...)}
}

func truncated(want uint64, got int) *Error {
	return whole(Damaged, "truncated file: expected at least %d bytes, got %d", want, got)
}

func damaged(section string, offset int, format string, args ...any) *Error {
	return &Error{Damaged, section, offset, fmt.Sprintf(format, args...)}
}
