package warzone

import (
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
	const idSize, statusHeader = 4, 8
	if !s.HasGameID {
		if len(b) < idSize {
			return nil, b, lobbywire.ErrTruncated
		}
		r := wire.NewReader(b[:idSize])
		var id GameIDReply
		id.decode(&r)
		s.HasGameID = true
		return id, b[idSize:], nil
	}
	if len(b) < statusHeader {
		return nil, b, lobbywire.ErrTruncated
	}
	var status Status
	r := wire.NewReader(b[:statusHeader])
	size := statusHeader + status.decodeHeader(&r, s.Options)
	if err := r.Err(proto); err != nil {
		return nil, b, err
	}
	if len(b) < size {
		return nil, b, lobbywire.ErrTruncated
	}
	// The text is part of a copy of what is read, so no more than it is.
	r = wire.NewReader(b[:size])
	status.decode(&r, s.Options)
	return status, b[size:], nil
}
