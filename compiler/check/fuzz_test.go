package check

import (
	"os"
	"regexp"
	"strings"
	"testing"
)

// FuzzCheck proves of any text what TestMutants proves of texts that are nearly right:
// loading and checking end and do not panic, places are inside of the text, and what is
// accepted is well typed.
func FuzzCheck(f *testing.F) {
	for _, text := range corpusTexts(f) {
		f.Add(text)
	}
	tour, err := os.ReadFile("../../docs/pluto/tour.md")
	if err != nil {
		f.Fatal(err)
	}
	for _, m := range regexp.MustCompile("(?s)```pluto[^\n]*\n(.*?)```").FindAllSubmatch(tour, -1) {
		f.Add(string(m[1]))
	}
	f.Fuzz(func(t *testing.T, text string) {
		if len(text) > 20000 {
			return
		}
		if err := survives(text, strings.Contains(text, "test")); err != nil {
			t.Fatal(err)
		}
	})
}
