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

// NextRequest cuts the first request off b, bytes that a client sent, and
// parses it. rest is the remaining bytes.
//
// While b holds less than a request the error is [lobbywire.ErrTruncated]
// itself: read more behind rest and call again. Another error with a rest
// shorter than b is about one request, and the stream goes on after it; a lobby
// answers it with [Error]. If rest is b the stream is lost, which happens only
// in the text encoding.
func NextRequest(b []byte) (m Request, rest []byte, err error) { return Options{}.NextRequest(b) }

// NextRequest cuts and parses as the function of that name does.
func (o Options) NextRequest(b []byte) (m Request, rest []byte, err error) {
	f := Framer{Options: o}
	return f.NextRequest(b)
}
