package wztext

import (
	"github.com/lobbywire/lobbywire"
	"github.com/lobbywire/lobbywire/internal/wire"
)

// A Response is what a lobby sends: [GameList], [Done], [Error] or [Unknown].
type Response interface {
	AppendBinary(b []byte) ([]byte, error)
	MarshalBinary() ([]byte, error)
	response()
}

func (GameList) response() {}
func (Done) response()     {}
func (Error) response()    {}
func (Unknown) response()  {}

// ParseResponse reads one answer; of a list, all lines.
func ParseResponse(b []byte) (Response, error) { return Options{}.ParseResponse(b) }

// ParseResponse reads one answer; of a list, all lines.
func (o Options) ParseResponse(b []byte) (Response, error) {
	r := wire.NewReader(b)
	m := decodeResponse(&r, o)
	if err := r.Err(proto); err != nil {
		return nil, err
	}
	return m, nil
}

// ExplainResponse accounts for every byte of an answer.
func ExplainResponse(b []byte) lobbywire.Explanation {
	return wire.Explain(proto, "Response", b, func(r *wire.Reader) { decodeResponse(r, Options{}) })
}

func decodeResponse(r *wire.Reader, o Options) Response {
	l := openLine(r, o)
	m := readResponse(&l)
	r.End()
	return m
}

func readResponse(l *line) Response {
	word := l.peek()
	switch {
	case l.is(word, wordCount):
		var m GameList
		m.read(l)
		return m
	case l.is(word, wordDone):
		var m Done
		m.read(l)
		return m
	case l.is(word, wordError):
		var m Error
		m.read(l)
		return m
	}
	var m Frame
	m.read(l)
	return Unknown(m)
}

// NextResponse cuts the first answer off b, bytes that a lobby sent, and
// parses it; of a list, all lines. rest is what has not been used.
//
// Errors are as those of [NextRequest]: ErrTruncated itself while lines are
// missing, and after another error the stream goes on if rest is shorter than
// b. A list of which one row is bad is passed over as a whole. A bad [Count]
// loses the stream, since nothing tells where the list ends.
//
// To take a long list game by game as it comes, cut with [NextFrame] and parse
// with [ParseCount] and [ParseGame].
func NextResponse(b []byte) (m Response, rest []byte, err error) { return Options{}.NextResponse(b) }

// NextResponse cuts and parses as the function of that name does.
func (o Options) NextResponse(b []byte) (m Response, rest []byte, err error) {
	frame, rest, err := o.nextFrame(b)
	if err != nil {
		return nil, rest, err
	}
	rows, err := o.rows(frame)
	if err != nil {
		return nil, b, err
	}
	answer := b[len(b)-len(rest)-len(frame):]
	for range rows {
		if _, rest, err = o.nextFrame(rest); err == lobbywire.ErrTruncated {
			return nil, answer, err
		}
		if err != nil {
			return nil, b, err
		}
	}
	m, err = o.ParseResponse(answer[:len(answer)-len(rest)])
	return m, rest, err
}

// rows returns how many rows follow a line.
func (o Options) rows(frame []byte) (uint32, error) {
	r := wire.NewReader(frame)
	l := openLine(&r, o)
	if !l.is(l.peek(), wordCount) {
		return 0, nil
	}
	var m Count
	m.read(&l)
	return m.Games, r.Err(proto)
}
