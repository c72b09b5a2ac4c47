package build

import (
	"cmp"
	"context"
	"fmt"
	"os/exec"
	"slices"
	"strings"
)

// target reads the name of a system: wasm32-wasi, or one of Go's pairs.
func target(ctx context.Context, name string) (goos, goarch string, err error) {
	if name == "wasm32-wasi" {
		return "wasip1", "wasm", nil
	}
	all, err := Targets(ctx)
	if err != nil {
		return "", "", err
	}
	pair := strings.Replace(name, "-", "/", 1)
	if slices.Contains(all, pair) {
		goos, goarch, _ = strings.Cut(pair, "/")
		return goos, goarch, nil
	}
	return "", "", &LinkError{CodeTarget, fmt.Sprintf("unknown target '%s'; near it are %s", name, strings.Join(near(pair, all), ", "))}
}

// Targets are the names of the systems that programs can be built for.
func Targets(ctx context.Context) ([]string, error) {
	gocmd := findGo()
	if gocmd == "" {
		return nil, noGo()
	}
	cmd := exec.CommandContext(ctx, gocmd, "tool", "dist", "list")
	cmd.Env = append(cmd.Environ(), "GOTOOLCHAIN=local", "GOFLAGS=", "GOENV=off")
	out, err := cmd.Output()
	if err != nil {
		return nil, fmt.Errorf("running go tool dist list: %w", err)
	}
	return append(strings.Fields(string(out)), "wasm32-wasi"), nil
}

// near are the names most like the one that was asked for.
func near(name string, all []string) []string {
	all = slices.Clone(all)
	goos, _, _ := strings.Cut(name, "/")
	score := func(s string) int {
		d := distance(strings.ToLower(name), s)
		if strings.HasPrefix(s, goos+"/") {
			d -= len(s) // the same system, another processor
		}
		return d
	}
	slices.SortStableFunc(all, func(a, b string) int { return cmp.Compare(score(a), score(b)) })
	return all[:min(4, len(all))]
}

// distance is how many letters must be changed, added or left out to make b of a.
func distance(a, b string) int {
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		before := row[0]
		row[0] = i + 1
		for j := range len(b) {
			change := before
			if a[i] != b[j] {
				change++
			}
			before = row[j+1]
			row[j+1] = min(change, before+1, row[j]+1)
		}
	}
	return row[len(b)]
}
