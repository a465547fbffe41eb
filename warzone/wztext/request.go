package wztext

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
	l := openLine(r, o)
	m := readRequest(&l)
	r.End()
	return m
}

func readRequest(l *line) Request {
	word := l.peek()
	switch {
	case l.is(word, wordList):
		var m List
		m.read(l)
		return m
	case l.is(word, wordOpenGame):
		var m OpenGame
		m.read(l)
		return m
	case l.is(word, wordStartGame):
		var m StartGame
		m.read(l)
		return m
	case l.is(word, wordCloseGame):
		var m CloseGame
		m.read(l)
		return m
	}
	var m Frame
	m.read(l)
	return Unknown(m)
}

// NextRequest cuts the first request off b, bytes that a client sent, and
// parses it. rest is what has not been used.
//
// While b holds less than a request the error is [lobbywire.ErrTruncated]
// itself: read more behind rest and call again. Another error with a rest
// shorter than b is about one request, and the stream goes on after it; a lobby
// answers it with [Error]. With a rest that is b the stream is lost.
func NextRequest(b []byte) (m Request, rest []byte, err error) { return Options{}.NextRequest(b) }

// NextRequest cuts and parses as the function of that name does.
func (o Options) NextRequest(b []byte) (m Request, rest []byte, err error) {
	frame, rest, err := o.nextFrame(b)
	if err != nil {
		return nil, rest, err
	}
	m, err = o.ParseRequest(frame)
	return m, rest, err
}

// nextFrame is [NextFrame] with the limit and, in a transcript, without what no
// wire carries.
func (o Options) nextFrame(b []byte) (frame, rest []byte, err error) {
	rest = b
	for {
		frame, rest, err = NextFrame(rest, o.maxLine())
		switch {
		case err != nil && err != lobbywire.ErrTruncated:
			return nil, b, err
		case err != nil || !o.Transcript || !isComment(frame):
			return frame, rest, err
		}
	}
}
