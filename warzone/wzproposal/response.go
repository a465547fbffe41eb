package wzproposal

import (
	"github.com/lobbywire/lobbywire"
	"github.com/lobbywire/lobbywire/internal/wire"
)

// A Response is what a lobby sends: [GameList], [Done], [Error] or [Unknown].
//
//wire:message
type Response interface {
	Message
	response()
}

// decodeResponse takes all lines or frames of a list.
func decodeResponse(r *wire.Reader, o Options) Response {
	f := reading(r, o)
	m := readResponse(&f)
	r.End()
	return m
}

func readResponse(f *fields) Response {
	switch f.peek() {
	case commandCount:
		var m GameList
		m.layout(f)
		return m
	case commandDone:
		var m Done
		m.layout(f)
		return m
	case commandError:
		var m Error
		m.layout(f)
		return m
	}
	var m Frame
	m.read(f)
	return Unknown(m)
}

// ExplainResponse accounts for every byte of b, read as o.ParseResponse reads
// it.
func (o Options) ExplainResponse(b []byte) lobbywire.Explanation {
	return wire.ExplainAny(proto, b, func(r *wire.Reader) Response { return decodeResponse(r, o) })
}

// gamesAfter returns the number of games that follow a line or frame.
func (o Options) gamesAfter(frame []byte) (uint32, error) {
	r := wire.NewReader(frame)
	f := reading(&r, o)
	if f.peek() != commandCount {
		return 0, nil
	}
	var m Count
	m.layout(&f)
	return m.Games, r.Err(proto)
}
