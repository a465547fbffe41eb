package wzproposal

import (
	"github.com/lobbywire/lobbywire"
	"github.com/lobbywire/lobbywire/internal/wire"
)

// A Response is a message from a lobby: [GameList], [Done], [Error] or [Unknown].
//
//wire:message key=command
type Response interface {
	Message
	response()
}

// decodeResponse takes all lines or frames of a list.
func decodeResponse(r *wire.Reader, o Options) Response {
	f := reading(r, &o)
	m := responseOf(f.peek(), &f)
	if m == nil {
		m = f.unknown()
	}
	r.End()
	return m
}

// ExplainResponse returns the fields of b, as o.ParseResponse reads them.
func (o Options) ExplainResponse(b []byte) lobbywire.Explanation {
	return wire.ExplainAny(proto, b, func(r *wire.Reader) Response { return decodeResponse(r, o) })
}
