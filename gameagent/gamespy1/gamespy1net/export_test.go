package gamespy1net

import "github.com/lobbywire/lobbywire/internal/registration"

// SetLookup sets the function that looks up the name of the master.
func (r *Registration) SetLookup(lookup registration.Lookup) { r.runner.Lookup = lookup }
