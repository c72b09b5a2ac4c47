package journal

import (
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"testing"
)

// What several files at once fail of is said together, and conflicts as one.
func TestTogether(t *testing.T) {
	err := together(40, func(i int) error {
		switch i {
		case 3, 31:
			return &ConflictError{[]string{fmt.Sprint("f", i)}}
		case 17:
			return fs.ErrPermission
		}
		return nil
	})
	var conflict *ConflictError
	if !errors.Is(err, fs.ErrPermission) || !errors.As(err, &conflict) || !slices.Equal(conflict.Paths, []string{"f3", "f31"}) {
		t.Errorf("%v", err)
	}
	if err := together(40, func(int) error { return nil }); err != nil {
		t.Error(err)
	}
}
