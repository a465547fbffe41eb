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

func decodeRequest(r *wire.Reader, o Options) Request {
	f := reading(r, o)
	m := readRequest(&f)
	r.End()
	return m
}

func readRequest(f *fields) Request {
	switch f.peek() {
	case commandList:
		var m List
		m.layout(f)
		return m
	case commandOpenGame:
		var m OpenGame
		m.layout(f)
		return m
	case commandStartGame:
		var m StartGame
		m.layout(f)
		return m
	case commandCloseGame:
		var m CloseGame
		m.layout(f)
		return m
	}
	var m Frame
	m.read(f)
	return Unknown(m)
}

// ExplainRequest accounts for every byte of b, read as o.ParseRequest reads it.
func (o Options) ExplainRequest(b []byte) lobbywire.Explanation {
	return wire.ExplainAny(proto, b, func(r *wire.Reader) Request { return decodeRequest(r, o) })
}
