package wzbin

import (
	"github.com/lobbywire/lobbywire"
	"github.com/lobbywire/lobbywire/internal/wire"
)

// A Request is what a client sends: [List], [OpenGame], [StartGame],
// [CloseGame] or [Unknown].
type Request interface {
	AppendBinary(b []byte) ([]byte, error)
	MarshalBinary() ([]byte, error)
	request()
}

func (List) request()      {}
func (OpenGame) request()  {}
func (StartGame) request() {}
func (CloseGame) request() {}
func (Unknown) request()   {}

// ParseRequest reads one request.
func ParseRequest(b []byte) (Request, error) { return Options{}.ParseRequest(b) }

// ParseRequest reads one request.
func (o Options) ParseRequest(b []byte) (Request, error) {
	r := wire.NewReader(b)
	m := decodeRequest(&r, o)
	if err := r.Err(proto); err != nil {
		return nil, err
	}
	return m, nil
}

// ExplainRequest accounts for every byte of a request.
func ExplainRequest(b []byte) lobbywire.Explanation {
	return wire.Explain(proto, "Request", b, func(r *wire.Reader) { decodeRequest(r, Options{}) })
}

func decodeRequest(r *wire.Reader, o Options) Request {
	m := readRequest(r, o)
	r.End()
	return m
}

func readRequest(r *wire.Reader, o Options) Request {
	switch peekCommand(r) {
	case CommandList:
		var m List
		m.read(r, o)
		return m
	case CommandOpenGame:
		var m OpenGame
		m.read(r, o)
		return m
	case CommandStartGame:
		var m StartGame
		m.read(r, o)
		return m
	case CommandCloseGame:
		var m CloseGame
		m.read(r, o)
		return m
	}
	var m Frame
	m.read(r)
	return Unknown(m)
}

// NextRequest cuts the first request off b, bytes that a client sent, and
// parses it. rest is what has not been used.
//
// While b holds less than a request the error is [lobbywire.ErrTruncated]
// itself, and rest is b: read more and call again. Another error is about one
// request, and the stream goes on after it; a lobby answers it with [Error].
func NextRequest(b []byte) (m Request, rest []byte, err error) { return Options{}.NextRequest(b) }

// NextRequest cuts and parses as the function of that name does.
func (o Options) NextRequest(b []byte) (m Request, rest []byte, err error) {
	frame, rest, err := NextFrame(b)
	if err != nil {
		return nil, rest, err
	}
	m, err = o.ParseRequest(frame)
	return m, rest, err
}
