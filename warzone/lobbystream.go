package warzone

import (
	"encoding"

	"github.com/lobbywire/lobbywire"
	"github.com/lobbywire/lobbywire/internal/wire"
)

// A Response is a message from a lobby to a host: [GameIDReply] or [Status].
type Response interface {
	encoding.BinaryAppender
	response()
}

// A LobbyStream reads the responses of a lobby to a host on one connection. Its zero value
// is at the start of the connection. The bytes do not identify their message, so a
// LobbyStream relies on the order: the answer to the [GameIDRequest], then one Status for
// [AddGame] and for each [Update]. A [ListReply] is sent on another connection.
type LobbyStream struct {
	// Options are the options for decoding responses.
	Options Options

	// HasGameID reports that the game id has been read, or that the host did
	// not request one: only Statuses follow. NextResponse sets it.
	HasGameID bool
}

// NextResponse parses the first response in b. rest is the remaining bytes.
//
// If b does not contain a whole response, the error is [lobbywire.ErrTruncated] itself:
// append more bytes to rest and call again. Any other error is final.
func (s *LobbyStream) NextResponse(b []byte) (m Response, rest []byte, err error) {
	if !s.HasGameID {
		if len(b) < gameIDSize {
			return nil, b, lobbywire.ErrTruncated
		}
		id, err := ParseGameIDReply(b[:gameIDSize])
		if err != nil {
			return nil, b, err
		}
		s.HasGameID = true
		return id, b[gameIDSize:], nil
	}
	if len(b) < statusHeaderSize {
		return nil, b, lobbywire.ErrTruncated
	}
	var status Status
	r := wire.NewReader(b[:statusHeaderSize])
	size := statusHeaderSize + status.decodeSize(&r)
	if err := r.Err(proto); err != nil {
		return nil, b, err
	}
	if len(b) < size {
		return nil, b, lobbywire.ErrTruncated
	}
	// The text is part of a copy of the input: limit it to the status.
	status, err = s.Options.ParseStatus(b[:size])
	return status, b[size:], err
}
