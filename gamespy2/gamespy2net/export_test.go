package gamespy2net

import "github.com/lobbywire/lobbywire/internal/registration"

// SetKey sets the instance key of a Registration that has begun.
func (r *Registration) SetKey(key [4]byte) { r.instance = key }

// SetLookup sets the function that looks up the name of the master.
func (r *Registration) SetLookup(lookup registration.Lookup) { r.runner.Lookup = lookup }
