package warzone

import (
	"errors"

	"github.com/lobbywire/lobbywire"
	"github.com/lobbywire/lobbywire/internal/wire"
)

// A Response is what a lobby sends to a host: [GameIDReply] or [Status].
type Response interface {
	AppendBinary(b []byte) ([]byte, error)
	MarshalBinary() ([]byte, error)
	response()
}

func (GameIDReply) response() {}
func (Status) response()      {}

// A LobbyStream takes apart what a lobby sends to a host on one connection.
// Its zero value is at the start. Nothing in the bytes tells what they are, so
// it relies on their order: the answer to the [GameIDRequest], then those to
// [AddGame] and each [Update]. A [ListReply] comes on a connection of its own.
type LobbyStream struct {
	// Options are for all responses.
	Options Options

	// HasGameID tells that the game id has come, or was not asked for: what
	// follows is a Status each. NextResponse sets it.
	HasGameID bool
}

// NextResponse cuts the first response off b and parses it. rest is what has
// not been used.
//
// While b holds less than a response the error is [lobbywire.ErrTruncated]
// itself: read more behind rest and call again. Any other error is final.
func (s *LobbyStream) NextResponse(b []byte) (m Response, rest []byte, err error) {
	if !s.HasGameID {
		return s.nextGameID(b)
	}
	r := wire.NewReader(b)
	n := new(Status).decodeHeader(&r, s.Options)
	switch err := r.Err(proto); {
	case errors.Is(err, lobbywire.ErrTruncated), err == nil && r.Len() < n:
		return nil, b, lobbywire.ErrTruncated
	case err != nil:
		return nil, b, err
	}
	// Texts are parts of one copy of what is read, so read no more than this.
	end := r.Offset() + n
	status, err := s.Options.ParseStatus(b[:end])
	if err != nil {
		return nil, b, err
	}
	return status, b[end:], nil
}

func (s *LobbyStream) nextGameID(b []byte) (m Response, rest []byte, err error) {
	const size = 4
	if len(b) < size {
		return nil, b, lobbywire.ErrTruncated
	}
	id, err := ParseGameIDReply(b[:size])
	if err != nil {
		return nil, b, err
	}
	s.HasGameID = true
	return id, b[size:], nil
}
