package wzproposal

import (
	"github.com/lobbywire/lobbywire"
	"github.com/lobbywire/lobbywire/internal/wire"
)

// A Request is a message from a client: [List], [OpenGame], [StartGame], [CloseGame] or
// [Unknown].
//
//wire:message key=command
type Request interface {
	Message
	request()
}

func decodeRequest(r *wire.Reader, o Options) Request {
	f := reading(r, &o)
	m := requestOf(f.peek(), &f)
	if m == nil {
		m = f.unknown()
	}
	r.End()
	return m
}

// ExplainRequest returns the fields of b, as o.ParseRequest reads them.
func (o Options) ExplainRequest(b []byte) lobbywire.Explanation {
	return wire.ExplainAny(proto, b, func(r *wire.Reader) Request { return decodeRequest(r, o) })
}
