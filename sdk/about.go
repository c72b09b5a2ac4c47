package sdk

import (
	"context"
	"path"
)

// About says what a project is made of.
type About struct {
	Files     map[string]int // source files by language
	Manifests []string       // go.mod, package.json, pluto.toml and the like, from the root
}

// About looks at the files of the project; it needs no index.
func (p *Project) About(ctx context.Context) (*About, error) {
	scan, _, _, err := p.sources(ctx, p.withText(nil))
	if err != nil {
		return nil, err
	}
	a := &About{Files: map[string]int{}}
	for _, f := range scan.Files {
		if f.Lang != "" {
			a.Files[f.Lang]++
			continue
		}
		switch path.Base(f.Path) {
		case "go.mod", "go.work", "tsconfig.json", "package.json", "pluto.toml":
			a.Manifests = append(a.Manifests, f.Path)
		}
	}
	return a, nil
}
