package sys

import (
	"os"
	"slices"
	"strings"

	"github.com/settgraph/sett/compiler/rt"
)

// Args are the arguments that the program was started with, without its name.
func Args() *rt.Array[string] { return rt.NewArray(os.Args[1:]...) }

// Getenv is the value of a variable of the environment, "" when it is not set.
func Getenv(name string) string { return os.Getenv(name) }

// GetenvOr is the value of a variable, or the fallback when it is not set.
func GetenvOr(name, fallback string) string {
	if value, ok := os.LookupEnv(name); ok {
		return value
	}
	return fallback
}

// Setenv sets a variable for this process and those it starts, and returns 0, or -1 when no
// variable can have such a name or value.
func Setenv(name, value string) int64 {
	if os.Setenv(name, value) != nil {
		return -1
	}
	return 0
}

// HasEnv is 1 when a variable is set, also to "", else 0.
func HasEnv(name string) int64 {
	if _, ok := os.LookupEnv(name); ok {
		return 1
	}
	return 0
}

// EnvNames are the names of all variables, sorted.
func EnvNames() *rt.Array[string] {
	names := []string{}
	for _, line := range os.Environ() {
		if name, _, ok := strings.Cut(line, "="); ok && name != "" {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	return rt.NewArray(slices.Compact(names)...)
}

// Unsetenv removes a variable and returns 1, also when there was none, or 0 when no variable
// can have such a name.
func Unsetenv(name string) int64 {
	if name == "" || strings.ContainsAny(name, "=\x00") || os.Unsetenv(name) != nil {
		return 0
	}
	return 1
}
