package wzbin

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

// ParseResponse reads one answer; of a list, all frames.
func ParseResponse(b []byte) (Response, error) { return Options{}.ParseResponse(b) }

// ParseResponse reads one answer; of a list, all frames.
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
	m := readResponse(r, o)
	r.End()
	return m
}

func readResponse(r *wire.Reader, o Options) Response {
	switch peekCommand(r) {
	case CommandCount:
		var m GameList
		m.read(r, o)
		return m
	case CommandDone:
		var m Done
		m.read(r, o)
		return m
	case CommandError:
		var m Error
		m.read(r, o)
		return m
	}
	var m Frame
	m.read(r)
	return Unknown(m)
}

// NextResponse cuts the first answer off b, bytes that a lobby sent, and
// parses it; of a list, all frames. rest is what has not been used.
//
// While b holds less than an answer the error is [lobbywire.ErrTruncated]
// itself, and rest is b: read more and call again. After another error the
// stream goes on if rest is shorter than b; a list of which one game is bad is
// passed over as a whole. With a rest that is b the stream is lost: a bad
// [Count] does not tell where the list ends.
//
// To take a long list game by game as it comes, cut with [NextFrame] and parse
// with [ParseCount] and [ParseGame].
func NextResponse(b []byte) (m Response, rest []byte, err error) { return Options{}.NextResponse(b) }

// NextResponse cuts and parses as the function of that name does.
func (o Options) NextResponse(b []byte) (m Response, rest []byte, err error) {
	frame, rest, err := NextFrame(b)
	if err != nil {
		return nil, rest, err
	}
	if Command(frame[0]) == CommandCount {
		count, err := o.ParseCount(frame)
		if err != nil {
			return nil, b, err
		}
		for range count.Games {
			if _, rest, err = NextFrame(rest); err != nil {
				return nil, b, err
			}
		}
	}
	m, err = o.ParseResponse(b[:len(b)-len(rest)])
	return m, rest, err
}
