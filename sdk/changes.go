package sdk

import (
	"context"
	"errors"
	"fmt"
	"os/exec"
	"strings"

	"github.com/settgraph/sett/query"
)

// changes are the files that differ from the last commit, staged or not, and those that git
// does not know and does not ignore, by slash-separated path from the root; also those that
// are gone. Without git, or outside of a repository, it is a [query.InvalidError].
func (p *Project) changes(ctx context.Context) (map[string]bool, error) {
	git := func(args ...string) ([]string, error) {
		cmd := exec.CommandContext(ctx, "git", args...)
		cmd.Dir = p.root
		out, err := cmd.Output()
		if exit := (*exec.ExitError)(nil); errors.As(err, &exit) && len(exit.Stderr) > 0 {
			line, _, _ := strings.Cut(string(exit.Stderr), "\n")
			line, _, _ = strings.Cut(line, " (or any") // where it has looked
			err = errors.New(strings.TrimPrefix(line, "fatal: "))
		}
		return strings.Split(string(out), "\x00"), err
	}
	if _, err := git("rev-parse", "--is-inside-work-tree"); err != nil {
		return nil, &query.InvalidError{Param: "changed", Msg: fmt.Sprintf("what changed is asked of git, which says: %v", err)}
	}
	base := "HEAD"
	if _, err := git("rev-parse", "--verify", "--quiet", "HEAD"); err != nil {
		base = "4b825dc642cb6eb9a060e54bf8d69288fbee4904" // the empty tree: there is no commit yet
	}
	tracked, err := git("diff", "--name-only", "--no-renames", "--relative", "-z", base, "--")
	if err != nil {
		return nil, fmt.Errorf("asking git what changed: %w", err)
	}
	fresh, err := git("ls-files", "--others", "--exclude-standard", "-z")
	if err != nil {
		return nil, fmt.Errorf("asking git what is new: %w", err)
	}
	out := map[string]bool{}
	for _, f := range append(tracked, fresh...) {
		if f != "" {
			out[f] = true
		}
	}
	return out, nil
}
