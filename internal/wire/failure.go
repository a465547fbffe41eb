package wire

import (
	"strconv"

	"github.com/lobbywire/lobbywire"
)

// scope is the structure that fields belong to, as players[3].
type scope struct {
	name  string
	index int // -1 for none
}

// path returns the full name of a field, as players[3].name.
func (s scope) path(field string) string {
	if s.name == "" {
		return field
	}
	p := s.name
	if s.index >= 0 {
		p += "[" + strconv.Itoa(s.index) + "]"
	}
	if field != "" {
		p += "." + field
	}
	return p
}

// failure is the first thing that went wrong.
type failure struct {
	kind  error
	scope scope
	field string
	at    int
}

// err turns the failure into the error that users see.
func (f *failure) err(proto string) error {
	if f.kind == nil {
		return nil
	}
	return &lobbywire.Error{Proto: proto, Field: f.scope.path(f.field), Offset: f.at, Err: f.kind}
}
