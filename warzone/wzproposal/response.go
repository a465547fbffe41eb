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

// NextResponse cuts the first answer off b, bytes that a lobby sent, and
// parses it; of a list, all lines or frames. rest is the remaining bytes.
//
// Errors are as those of [NextRequest]: ErrTruncated itself while bytes are
// missing, and after another error the stream goes on if rest is shorter than
// b. A list with one bad game is skipped as a whole. A bad [Count] loses the
// stream, since it does not say where the list ends.
//
// To take a long list game by game as it comes, cut with a [Framer] and parse
// with [ParseCount] and [ParseGame].
func NextResponse(b []byte) (m Response, rest []byte, err error) { return Options{}.NextResponse(b) }

// NextResponse cuts and parses as the function of that name does.
func (o Options) NextResponse(b []byte) (m Response, rest []byte, err error) {
	f := Framer{Options: o}
	return f.NextResponse(b)
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
