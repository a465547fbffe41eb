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
func decodeResponse(r *wire.Reader, o Options) (m Response) {
	f := reading(r, o)
	switch f.peek() {
	case commandCount:
		var v GameList
		v.layout(&f)
		m = v
	case commandDone:
		var v Done
		v.layout(&f)
		m = v
	case commandError:
		var v Error
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
