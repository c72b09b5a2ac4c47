package pluto

// Contents are the bytes of any file of the project as a view has it, nil when it is not there.
func Contents(p *Project, v *View, name string) ([]byte, error) { return v.contents(p, name) }
