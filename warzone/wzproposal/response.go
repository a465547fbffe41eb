package wzproposal

import (
	"github.com/lobbywire/lobbywire"
	"github.com/lobbywire/lobbywire/internal/wire"
)

// A Response is what a lobby sends: [GameList], [Done], [Error] or [Unknown].
//
//wire:message key=command
type Response interface {
	Message
	response()
}

// decodeResponse takes all lines or frames of a list.
func decodeResponse(r *wire.Reader, o Options) Response {
	f := fields{r: r, o: &o, e: o.Encoding}
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

// gamesAfter returns the number of games that follow a line or frame.
func (o Options) gamesAfter(frame []byte) (uint32, error) {
	r := wire.NewReader(frame)
	f := fields{r: &r, o: &o, e: o.Encoding}
	if f.peek() != commandCount {
		return 0, nil
	}
	var m Count
	m.layout(&f)
	return m.Games, r.Err(proto)
}
