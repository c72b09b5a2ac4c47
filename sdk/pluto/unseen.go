package pluto

import (
	"path"
	"strings"
)

// unseen refuses a path for a new module where nobody would look for one.
func unseen(name string) error {
	if strings.ContainsAny(name, "\\\x00\n\r\t") {
		return fail(InvalidArgument, "%q is no path of a module: folders are parted by /, and names hold no control characters", name)
	}
	for dir := path.Dir(name); dir != "."; dir = path.Dir(dir) {
		switch base := path.Base(dir); {
		case base == "node_modules", base == "vendor", strings.HasPrefix(base, "."):
			return fail(InvalidArgument, "'%s' would not be seen: what is in folders named '%s' is not of the project", name, base)
		}
	}
	return nil
}
