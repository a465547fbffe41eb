package wzproposal

import (
	"github.com/lobbywire/lobbywire"
	"github.com/lobbywire/lobbywire/internal/wire"
)

// A Request is what a client sends: [List], [OpenGame], [StartGame],
// [CloseGame] or [Unknown].
//
//wire:message
type Request interface {
	Message
	request()
}

func decodeRequest(r *wire.Reader, o Options) (m Request) {
	f := reading(r, o)
	switch f.peek() {
	case commandList:
		var v List
		v.layout(&f)
		m = v
	case commandOpenGame:
		var v OpenGame
		v.layout(&f)
		m = v
	case commandStartGame:
		var v StartGame
		v.layout(&f)
		m = v
	case commandCloseGame:
		var v CloseGame
		v.layout(&f)
		m = v
	default:
		var v Frame
		v.read(&f)
		m = Unknown(v)
	}
	r.End()
	return m
}

// ExplainRequest accounts for every byte of b, read as o.ParseRequest reads it.
func (o Options) ExplainRequest(b []byte) lobbywire.Explanation {
	return wire.ExplainAny(proto, b, func(r *wire.Reader) Request { return decodeRequest(r, o) })
}
